/**
 * What the words of a `git commit` say that git does not tell its hooks.
 *
 * prepare-commit-msg gets `message` for `commit --amend -m`, as for any other commit. Options are read
 * as git's parser reads them: abbreviated, in clusters, with values that may look like options.
 */

export interface CommitWords {
  readonly isAmend: boolean
  /** `--no-verify`: the commit-msg hook does not run. */
  readonly skipsVerify: boolean
  /** `--cleanup`, where it is given. */
  readonly cleanup: string | undefined
}

const NONE: CommitWords = { isAmend: false, skipsVerify: false, cleanup: undefined }

/** Options whose value may be the next word. */
const TAKES_VALUE = [
  'author',
  'cleanup',
  'date',
  'file',
  'fixup',
  'message',
  'pathspec-from-file',
  'reedit-message',
  'reuse-message',
  'squash',
  'template',
  'trailer',
]
/** Of `-S` and `-u` the value can only stand in the same word. */
const SHORT_WITH_VALUE = 'mFcCt'

/** `words`: of the whole process, `git` first. */
export function readCommitWords(words: readonly string[]): CommitWords {
  const start = words.indexOf('commit')
  const rest = start === -1 ? [] : words.slice(start + 1)
  let found = NONE
  for (let at = 0; at < rest.length && rest[at] !== '--'; at++) {
    const word = rest[at] ?? ''
    const [, name, given] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (name !== undefined) {
      const isOpen = given === undefined && TAKES_VALUE.some((option) => isMeant(name, option))
      found = withLong(found, name, isOpen ? rest[at + 1] : given)
      if (isOpen) at++
    } else {
      const { letters, isOpen } = readCluster(word)
      if (letters.includes('n')) found = { ...found, skipsVerify: true }
      if (isOpen) at++
    }
  }
  return found
}

/** `-anm`: options up to the one with a value; what follows that one in the word is the value. */
function readCluster(word: string): { letters: string; isOpen: boolean } {
  const [, letters = '', valued = '', value = ''] = /^-([^mFcCtSu]*)(.?)(.*)$/s.exec(word) ?? []
  return { letters, isOpen: value === '' && valued !== '' && SHORT_WITH_VALUE.includes(valued) }
}

function withLong(found: CommitWords, name: string, value: string | undefined): CommitWords {
  if (/^am(?:e|en|end)?$/.test(name)) return { ...found, isAmend: true }
  if (name === 'no-amend') return { ...found, isAmend: false }
  if (/^no-veri(?:f|fy)?$/.test(name)) return { ...found, skipsVerify: true }
  if (name === 'verify') return { ...found, skipsVerify: false }
  return isMeant(name, 'cleanup') ? { ...found, cleanup: value } : found
}

/** Git takes a beginning that no other option has. */
function isMeant(name: string, option: string): boolean {
  return name === option || (name.length >= SHORTEST && option.startsWith(name))
}

/** `--auth`, `--clea`: shorter ones are taken for several options. */
const SHORTEST = 3
