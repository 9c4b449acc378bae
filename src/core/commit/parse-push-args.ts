/**
 * Whether a `git push` only tries: git runs pre-push for it like for any other, and does not say so.
 *
 * Read as git's parser reads it. In doubt it is no trial: words of a push that mean something else must
 * not keep its checkpoints here.
 */

/** Options whose value may be the next word. */
const TAKES_VALUE = ['repo', 'recurse-submodules', 'receive-pack', 'exec', 'push-option']

/** `words`: of the whole process, `git` first. */
export function isDryPush(words: readonly string[]): boolean {
  const start = words.indexOf('push')
  const rest = start === -1 ? [] : words.slice(start + 1)
  let isDry = false
  for (let at = 0; at < rest.length && rest[at] !== '--'; at++) {
    const word = rest[at] ?? ''
    if (TAKES_VALUE.some((option) => word === `--${option}`)) at++
    else if (/^--dr(?:y(?:-(?:r(?:un?)?)?)?)?$/.test(word)) isDry = true
    else if (/^--no-dr(?:y(?:-(?:r(?:un?)?)?)?)?$/.test(word)) isDry = false
    else if (/^-[^-]/.test(word)) {
      // `-fno value`: letters up to the one with a value, which may be the next word.
      const [letters = '', value] = word.slice(1).split(/o(.*)/s)
      if (letters.includes('n')) isDry = true
      if (value === '') at++
    }
  }
  return isDry
}
