/** The texts that `install` writes: hook block, config, attributes. Pure. */

import { markedBlock } from './marked-block.ts'

/** Raised when a text below changes; newer replaces older, never the other way. */
export const BLOCK_VERSION = 1

/** Hooks that get lines on stdin, which a hook after ours needs too. */
const READS_STDIN = new Set(['pre-push', 'post-rewrite'])

/**
 * The lines at the top of a hook. They find the shared git folder without starting git: hooks run at
 * the top of the worktree, or with `GIT_DIR` set.
 */
export function hookBlock(hook: string): string {
  const find = `ledger_git_dir=\${GIT_DIR:-.git}
if [ -f "$ledger_git_dir/commondir" ]; then
  IFS= read -r ledger_git_common <"$ledger_git_dir/commondir" || :
  case $ledger_git_common in
    /*) ledger_git_dir=$ledger_git_common ;;
    *) ledger_git_dir=$ledger_git_dir/$ledger_git_common ;;
  esac
fi`
  const shim = `"$ledger_git_dir/ledger-git/hooks/${hook}"`
  const run = READS_STDIN.has(hook)
    ? `if [ -f ${shim} ]; then
  ledger_git_stdin=$(cat)
  if [ -n "$ledger_git_stdin" ]; then
    printf '%s\\n' "$ledger_git_stdin" | ( . ${shim} ) || exit $?
    exec <<ledger_git_end
$ledger_git_stdin
ledger_git_end
  else
    ( . ${shim} ) </dev/null || exit $?
    exec </dev/null
  fi
fi`
    : `if [ -f ${shim} ]; then ( . ${shim} ) || exit $?; fi`
  return markedBlock(`${find}\n${run}`, BLOCK_VERSION)
}

/** The merge driver's command. Placeholders stay unquoted: git quotes them itself. */
const DRIVER =
  'r="$(git rev-parse --git-common-dir)/ledger-git/run"; ' +
  'if [ -x "$r" ]; then "$r" merge-driver %O %A %B %L %P %S %X %Y; ' +
  'else git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; exit 1; fi'

/** `<common-dir>/ledger-git/config`, reached through one `include.path`. */
export function configText(): string {
  const value = DRIVER.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  // The driver before the name: git refuses to merge while a driver has only a name.
  return `[merge "ledger"]\n\tdriver = "${value}"\n\tname = ledger-git: regenerate current.md from events\n`
}

/** What is appended to the repository's config. The path is relative to that file. */
export const CONFIG_INCLUDE = '[include]\n\tpath = ledger-git/config\n'

/** The attribute lines for a ledger below `root`. */
export function attributesBlock(template: string, root: string): string {
  const lines = template
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (!line.startsWith('{root}')) return line
      const [pattern = '', ...attributes] = line.split(' ')
      return [attributePattern(pattern, root), ...attributes].join(' ')
    })
  return markedBlock(lines.join('\n'), BLOCK_VERSION)
}

/** Anchored, with glob characters escaped; quoted where a pattern may not stand bare. */
function attributePattern(pattern: string, root: string): string {
  const path = pattern.replace('{root}', () => `/${literalGlob(root)}`)
  return /[\s"\\]/.test(path)
    ? `"${path.replace(/["\\]/g, (character) => `\\${character}`)}"`
    : path
}

/** Local files that git must not show: active ledger, writer's lock, what a killed write leaves. */
export function excludeBlock(root: string): string {
  const lines = [
    '/conductor/sessions/active/LEDGER.md',
    `/${literalGlob(root)}/.synth.lock`,
    '.ledger-git-*.tmp',
  ]
  return markedBlock(lines.join('\n'), BLOCK_VERSION)
}

/** A path as a pattern that matches nothing else. */
function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]]/g, (character) => `\\${character}`)
}
