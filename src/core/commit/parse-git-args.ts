/**
 * What the arguments of a `git commit` or `git push` say that git does not pass to its hooks.
 *
 * prepare-commit-msg gets `message` for `commit --amend -m`, as for any other commit, and pre-push also runs for a
 * dry run. Options are read as git's parser reads them: abbreviated, in clusters, and with values that may look
 * like options.
 */

export interface CommitWords {
  readonly isAmend: boolean
  /** `--no-verify`: the commit-msg hook does not run. */
  readonly skipsVerify: boolean
  /** The value of `--cleanup`, if given. */
  readonly cleanup: string | undefined
}

/** `words`: the arguments of the whole process, beginning with `git`. */
export function readCommitWords(words: readonly string[]): CommitWords {
  let found: CommitWords = { isAmend: false, skipsVerify: false, cleanup: undefined }
  for (const { name, value } of optionsOf(words, COMMIT)) {
    if (/^am(?:e|en|end)?$/.test(name)) found = { ...found, isAmend: true }
    else if (name === 'no-amend') found = { ...found, isAmend: false }
    else if (/^(?:n|no-veri(?:f|fy)?)$/.test(name)) found = { ...found, skipsVerify: true }
    else if (name === 'verify') found = { ...found, skipsVerify: false }
    else if (isAbbreviation(name, 'cleanup')) found = { ...found, cleanup: value }
  }
  return found
}

/**
 * Whether a `git push` is a dry run. When in doubt it is not one, because otherwise the checkpoints of a real push
 * would not be pushed.
 */
export function isDryPush(words: readonly string[]): boolean {
  let isDry = false
  for (const { name } of optionsOf(words, PUSH)) {
    if (/^(?:n|dr(?:y(?:-(?:r(?:un?)?)?)?)?)$/.test(name)) isDry = true
    else if (/^no-dr(?:y(?:-(?:r(?:un?)?)?)?)?$/.test(name)) isDry = false
  }
  return isDry
}

/** The options of a command that take values. */
interface Valued {
  readonly command: string
  /** Long options whose value may be the next argument. */
  readonly long: readonly string[]
  /** Letters of short options whose value may be the next argument. */
  readonly short: string
  /** Letters of short options whose value must be in the same argument. */
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
      const isOpen = given === undefined && long.some((option) => isAbbreviation(name, option))
      yield { name, value: isOpen ? rest[++at] : given }
      continue
    }
    // `-anm text`: options up to the one with a value, which is the rest of this argument or the next argument.
    const letters = /^-([^-].*)$/s.exec(word)?.[1] ?? ''
    const valued = [...letters].findIndex((letter) => (short + attached).includes(letter))
    const plain = valued === -1 ? letters : letters.slice(0, valued)
    for (const letter of plain) yield { name: letter, value: undefined }
    if (valued === letters.length - 1 && short.includes(letters[valued] ?? ' ')) at++
  }
}

/** Git accepts an unambiguous prefix of an option. */
function isAbbreviation(name: string, option: string): boolean {
  return name === option || (name.length >= SHORTEST && option.startsWith(name))
}

/** Length of the shortest abbreviation that is recognized, as in `--auth`; shorter ones are ambiguous. */
const SHORTEST = 3
