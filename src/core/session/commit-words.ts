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
const SHORT_WITH_VALUE = 'mFcCt'

/** `words`: of the whole process, `git` first. */
export function readCommitWords(words: readonly string[]): CommitWords {
  const start = words.indexOf('commit')
  let found = NONE
  for (let at = start + 1; start !== -1 && at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') break
    const long = /^--([a-z-]+)(?:=(.*))?$/s.exec(word)
    if (long !== null) {
      const [, name = '', given] = long
      const takesValue = TAKES_VALUE.some((option) => isMeant(name, option))
      const value = given ?? (takesValue ? words[at + 1] : undefined)
      found = withLong(found, name, value)
      if (takesValue && given === undefined) at++
    } else if (/^-[A-Za-z]/.test(word)) {
      const value = [...word.slice(1)].findIndex((letter) => SHORT_WITH_VALUE.includes(letter))
      const letters = value === -1 ? word.slice(1) : word.slice(1, value + 1)
      // What follows `-S` or `-u` is their own value.
      if (/^[^Su]*n/.test(letters)) found = { ...found, skipsVerify: true }
      if (value === word.length - 2) at++
    }
  }
  return found
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
