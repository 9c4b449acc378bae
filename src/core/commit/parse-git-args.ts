/**
 * What the words of a `git commit` or `git push` say that git does not tell its hooks.
 *
 * prepare-commit-msg gets `message` for `commit --amend -m`, as for any other commit, and pre-push runs
 * for a push that only tries. Options are read as git's parser reads them: abbreviated, in clusters, with
 * values that may look like options.
 */

export interface CommitWords {
  readonly isAmend: boolean
  /** `--no-verify`: the commit-msg hook does not run. */
  readonly skipsVerify: boolean
  /** `--cleanup`, where it is given. */
  readonly cleanup: string | undefined
}

/** `words`: of the whole process, `git` first. */
export function readCommitWords(words: readonly string[]): CommitWords {
  let found: CommitWords = { isAmend: false, skipsVerify: false, cleanup: undefined }
  for (const { name, value } of optionsOf(words, COMMIT)) {
    if (/^am(?:e|en|end)?$/.test(name)) found = { ...found, isAmend: true }
    else if (name === 'no-amend') found = { ...found, isAmend: false }
    else if (/^(?:n|no-veri(?:f|fy)?)$/.test(name)) found = { ...found, skipsVerify: true }
    else if (name === 'verify') found = { ...found, skipsVerify: false }
    else if (isMeant(name, 'cleanup')) found = { ...found, cleanup: value }
  }
  return found
}

/**
 * Whether a `git push` only tries. In doubt it is no trial: words of a push that mean something else must
 * not keep its checkpoints here.
 */
export function isDryPush(words: readonly string[]): boolean {
  let isDry = false
  for (const { name } of optionsOf(words, PUSH)) {
    if (/^(?:n|dr(?:y(?:-(?:r(?:un?)?)?)?)?)$/.test(name)) isDry = true
    else if (/^no-dr(?:y(?:-(?:r(?:un?)?)?)?)?$/.test(name)) isDry = false
  }
  return isDry
}

/** The options of a command that have values. */
interface Valued {
  readonly command: string
  /** Long ones whose value may be the next word. */
  readonly long: readonly string[]
  /** Letters of the same. */
  readonly short: string
  /** Letters whose value can only stand in the same word. */
  readonly attached: string
}

const COMMIT: Valued = {
  command: 'commit',
  long: (
    'author cleanup date file fixup message pathspec-from-file reedit-message reuse-message squash ' +
    'template trailer'
  ).split(' '),
  short: 'mFcCt',
  attached: 'Su',
}

const PUSH: Valued = {
  command: 'push',
  long: ['repo', 'recurse-submodules', 'receive-pack', 'exec', 'push-option'],
  short: 'o',
  attached: '',
}

interface Option {
  /** As given, without dashes. */
  readonly name: string
  readonly value: string | undefined
}

function* optionsOf(
  words: readonly string[],
  { command, long, short, attached }: Valued,
): Iterable<Option> {
  const start = words.indexOf(command)
  const rest = start === -1 ? [] : words.slice(start + 1)
  for (let at = 0; at < rest.length && rest[at] !== '--'; at++) {
    const word = rest[at] ?? ''
    const [, name, given] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (name !== undefined) {
      const isOpen = given === undefined && long.some((option) => isMeant(name, option))
      yield { name, value: isOpen ? rest[++at] : given }
      continue
    }
    // `-anm text`: options up to the one with a value, which is the rest of the word or the next one.
    const letters = /^-([^-].*)$/s.exec(word)?.[1] ?? ''
    const valued = [...letters].findIndex((letter) => (short + attached).includes(letter))
    const plain = valued === -1 ? letters : letters.slice(0, valued)
    for (const letter of plain) yield { name: letter, value: undefined }
    if (valued === letters.length - 1 && short.includes(letters[valued] ?? ' ')) at++
  }
}

/** Git takes a beginning that no other option has. */
function isMeant(name: string, option: string): boolean {
  return name === option || (name.length >= SHORTEST && option.startsWith(name))
}

/** `--auth`, `--clea`: shorter ones are taken for several options. */
const SHORTEST = 3
