/** The texts through which git and hook managers call us: hook blocks, configuration, drivers. Pure. */

import { markedBlock, markCommonLines } from './marked-block.ts'

/** Hooks that receive lines on stdin, which later hooks need as well. */
const READS_STDIN = new Set(['pre-push', 'post-rewrite'])

/**
 * Finds the shared git folder without starting git. Hooks run at the top of the worktree or with `GIT_DIR` set; only
 * `git worktree add` starts a hook in a linked worktree without it.
 */
const FIND_COMMON_DIR = `ledger_git_dir=\${GIT_DIR:-.git}
if [ -f "$ledger_git_dir" ]; then IFS=' ' read -r ledger_git_common ledger_git_dir <"$ledger_git_dir"; fi
if [ -f "$ledger_git_dir/commondir" ]; then
  IFS= read -r ledger_git_common <"$ledger_git_dir/commondir" || :
  case $ledger_git_common in
    /*) ledger_git_dir=$ledger_git_common ;;
    *) ledger_git_dir=$ledger_git_dir/$ledger_git_common ;;
  esac
fi`

/** The lines at the top of a hook. */
export function hookBlock(hook: string): string {
  return markedBlock(hookLines(hook))
}

function hookLines(hook: string): string {
  return markCommonLines(hook === 'pre-commit' ? preCommitLines() : firstLines(hook))
}

/**
 * For pre-commit, the rest of the file runs first, as a child process: its changes are then included, and if it rejects
 * the commit, nothing of ours is left behind. `LEDGER_GIT_DONE` makes the child skip the block.
 */
function preCommitLines(): string {
  const shim = '"$ledger_git_dir/ledger-git/hooks/pre-commit"'
  return `if [ "\${LEDGER_GIT_DONE-}" != "pre-commit $PWD" ]; then
${FIND_COMMON_DIR}
if [ -f ${shim} ]; then
  if [ -z "\${LEDGER_GIT_PROBE-}" ]; then
    ( LEDGER_GIT_DONE="pre-commit $PWD"; export LEDGER_GIT_DONE
      case $- in *e*) # husky runs its files with sh -e, whatever they say
        IFS= read -r ledger_git_line <"$0" || :
        case $ledger_git_line in '#!'*sh' -'*) ;; *) exec sh -e "$0" "$@" ;; esac
      esac
      exec "$0" "$@" ) || exit $?
  fi
  ( . ${shim} ) || exit $?
  exit 0
fi
fi`
}

function firstLines(hook: string): string {
  const shim = `"$ledger_git_dir/ledger-git/hooks/${hook}"`
  const run = READS_STDIN.has(hook)
    ? `  ledger_git_stdin=$(cat)
  if [ -n "$ledger_git_stdin" ]; then
    ( . ${shim} ) <<ledger_git_end || exit $?
$ledger_git_stdin
ledger_git_end
    exec <<ledger_git_end
$ledger_git_stdin
ledger_git_end
  else
    ( . ${shim} ) </dev/null || exit $?
    exec </dev/null
  fi`
    : `  ( . ${shim} ) || exit $?`
  // A hook manager further down may call us as well; the variable tells it that we have run.
  return `${FIND_COMMON_DIR}
if [ -f ${shim} ]; then
${run}
  LEDGER_GIT_DONE="${hook} $PWD"
  export LEDGER_GIT_DONE
fi`
}

/** Suffix of a hook that cannot contain a block, in its own folder, while ours takes its place. */
export const KEPT_SUFFIX = '.ledger-git-kept'
/** Folder next to the hooks with links to those kept hooks that check their own name. */
export const NAMES_FOLDER = 'ledger-git.kept'

/** A hook of ours that runs the user's hook afterwards. */
export function wrapperBlock(hook: string): string {
  return markedBlock(
    `${hookLines(hook)}
# Your own hook, as it was: its input, arguments and exit status.
ledger_git_kept="\${0%/*}/${NAMES_FOLDER}/\${0##*/}"
[ -x "$ledger_git_kept" ] || ledger_git_kept="$0${KEPT_SUFFIX}"
[ ! -x "$ledger_git_kept" ] || exec "$ledger_git_kept" "$@"`,
  )
}

/** True for a hook made by `wrapperBlock`. */
export function isWrapper(text: string): boolean {
  return text.includes(`\nledger_git_kept="\${0%/*}/${NAMES_FOLDER}/`)
}

/** The same on one line, in the variable `d`. */
const COMMON_DIR_LINE =
  'd=${GIT_DIR:-.git}; [ ! -f "$d" ] || IFS=" " read -r c d <"$d"; ' +
  'if [ -f "$d/commondir" ]; then IFS= read -r c <"$d/commondir"; ' +
  'case $c in /*) d=$c ;; *) d=$d/$c ;; esac; fi; '

/** One merge driver: `merge.<name>.driver` in git's configuration, `merge=<name>` as an attribute. */
export interface MergeDriver {
  readonly name: 'ledger' | 'ledger-handoff'
  readonly description: string
  readonly command: string
}

/** The attributes that use them are in `gitattributes.template`. */
export const DRIVERS: readonly MergeDriver[] = [
  {
    name: 'ledger',
    description: 'regenerate current.md from events',
    command: driverCommand('merge-driver %O %A %B %L %P %S %X %Y'),
  },
  {
    name: 'ledger-handoff',
    description: 'merge handoffs by sections',
    command: driverCommand('handoff-driver %O %A %B %L %P'),
  },
]

/**
 * Placeholders stay unquoted, because git quotes them itself. The launcher is sourced into this shell, so that a merge
 * does not have to start another one.
 */
function driverCommand(words: string): string {
  return (
    COMMON_DIR_LINE +
    '[ -f "$d/ledger-git/run" ] || d=$(git rev-parse --git-common-dir); ' +
    'if [ -f "$d/ledger-git/run" ]; then ledger_git_home=$d/ledger-git; ' +
    `set -- ${words}; . "$d/ledger-git/run"; ` +
    'else git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; exit 1; fi'
  )
}

/**
 * How long git waits for a ref that another git process has locked, including ours. Git's default of 100 ms is too
 * short on a machine with dozens of agents, and commits would then fail.
 */
const REF_LOCK_TIMEOUT_MS = 1000

/**
 * `git ledger` if there is no `git-ledger` on PATH, which takes precedence. Git runs an alias at the top of the
 * worktree; in a linked worktree it sets only `GIT_DIR`, so that any folder would be taken for the top. For `git ledger --help`,
 * git prints the alias, so its first words say what to type instead.
 */
const ALIAS_COMMAND =
  '!: git ledger help lists the commands; ' +
  'd=$(git rev-parse --path-format=absolute --git-common-dir) || exit; ' +
  'if [ -n "${GIT_PREFIX-}" ]; then ' +
  'if [ -n "${GIT_DIR-}" ]; then export GIT_WORK_TREE="${GIT_WORK_TREE-$PWD}"; fi; ' +
  'cd "./$GIT_PREFIX" || exit; fi; "$d/ledger-git/run"'

/** The text of `<common-dir>/ledger-git/config`, which one `include.path` refers to. */
export function configText({ alias }: { alias: boolean } = { alias: true }): string {
  // The driver comes before the name: git refuses to merge while a driver has only a name.
  const sections = DRIVERS.map(
    ({ name, description, command }) =>
      `[merge "${name}"]\n\tdriver = ${quoted(command)}\n\tname = ledger-git: ${description}\n`,
  )
  return `${sections.join('')}[core]
\tfilesRefLockTimeout = ${REF_LOCK_TIMEOUT_MS}
[reftable]
\tlockTimeout = ${REF_LOCK_TIMEOUT_MS}
${alias ? `[alias]\n\tledger = ${quoted(ALIAS_COMMAND)}\n` : ''}[include]
\tpath = config-hooks
`
}

/** The first git version that runs hooks from its configuration. */
export const CONFIG_HOOKS_SINCE = '2.54'

/** git's name for our hook of an event; it must differ from the event's name. */
export function configHookName(hook: string): string {
  return `ledger-git-${hook}`
}

/**
 * The text of `<common-dir>/ledger-git/config-hooks`, for git 2.54 and newer; older versions ignore it. If the file
 * exists, the shims know that such a git has already run them.
 */
export function configHooksText(hooks: readonly string[]): string {
  const sections = hooks.map((hook) => {
    const command =
      COMMON_DIR_LINE + `[ ! -x "$d/ledger-git/hook" ] || "$d/ledger-git/hook" --config ${hook}`
    // The command comes before the event: git fails every hook of an event that has no command.
    return `[hook "${configHookName(hook)}"]\n\tcommand = ${quoted(command)}\n\tevent = ${hook}\n`
  })
  return sections.join('')
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** The lines added to the repository's configuration. The path is relative to that file. */
export const CONFIG_INCLUDE = '[include]\n\tpath = ledger-git/config\n'

/**
 * A shell line for hook managers and global hooks. It runs our part wherever the repository is, and does nothing in a
 * repository without ledger-git. `arguments_`: how the caller passes on the hook's arguments.
 */
export function hookCommand(hook: string, arguments_: string): string {
  return `h="$(git rev-parse --git-common-dir)/ledger-git/hook"; [ ! -x "$h" ] || "$h" ${hook} ${arguments_}`
}

/** The job for lefthook.yml that keeps these hooks when lefthook rewrites its files. */
export function lefthookSnippet(hooks: readonly string[]): string {
  return hooks
    .map((hook) => {
      const stdin = READS_STDIN.has(hook) ? '\n      use_stdin: true' : ''
      return `${hook}:\n  jobs:\n    - name: ledger-git\n      run: ${hookCommand(hook, '{0}')}${stdin}\n`
    })
    .join('')
}

/** True if this configuration of a hook manager calls us for the hook. */
export function callsHook(configuration: string, hook: string): boolean {
  const call = `^(?!\\s*#).*ledger-git/hook".*"\\$h" ${hook}(?![\\w-])`
  return new RegExp(call, 'm').test(configuration)
}
