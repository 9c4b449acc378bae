/**
 * Sets one repository up, for all its worktrees; every change is listed, and recorded for `uninstall`.
 *
 * Files of others get a marked block and nothing else; a hook that no block can stand in is kept whole
 * and run by ours. What belongs to more than this repository (a global hooks folder) is never written.
 */

import {
  attributesBlock,
  CONFIG_HOOKS_SINCE,
  CONFIG_INCLUDE,
  configHooksText,
  configText,
  excludeBlock,
  ignoreBlock,
} from '../../core/setup/install-texts.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { saysNothing } from '../../core/migrate/read-source.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { isAtLeast } from '../../core/text/version.ts'
import { eventsOf, ledgerPaths, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { renderEvents } from '../ledger/render-tree.ts'
import type { FilesPort, GitVersions, HooksFolder, RepositoryPort } from '../ports.ts'
import { HOOKS } from '../hooks/run-hook.ts'
import { installHooks } from './install-hooks.ts'
import type { InstallReport, Recorded } from './install-record.ts'
import type { TeamFile } from './ci-files.ts'
import type { AgentOptions } from './install-agents.ts'
import { installAgents, localSettings } from './install-agents.ts'
import { keepFormattersAway } from './formatters.ts'
import { InstallWriter } from './install-writer.ts'

export interface InstallContext {
  readonly repository: RepositoryPort
  readonly settings: Settings
  readonly files: FilesPort
  readonly hooks: HooksFolder
  readonly gits: GitVersions
  /** Absolute paths of the running node and of this package's entry file. */
  readonly launch: { readonly node: string; readonly cli: string }
  /** Texts of the package: the scripts of `githooks/` by name, the attributes template. */
  readonly assets: { scripts: Readonly<Record<string, string>>; attributes: string }
  readonly version: string
}

export interface InstallOptions extends AgentOptions {
  readonly dryRun: boolean
  /** Nothing that git tracks is written: this clone only. */
  readonly local: boolean
  /** More files for the whole team. */
  readonly teamFiles?: readonly TeamFile[]
}

/** Scripts that run by themselves; the others of `githooks/` are sourced. */
const PROGRAMS = [
  ['run', 'finds Node and the command'],
  ['hook', 'runs one hook, for git’s configuration and for hook managers'],
] as const

/** The names of the scripts in `githooks/`. */
export const SCRIPTS: readonly string[] = ['run', 'hook', 'start', ...HOOKS]

export async function install(
  context: InstallContext,
  options: InstallOptions,
): Promise<InstallReport> {
  const session = new InstallSession({ ...context, ...options })
  await session.run()
  return session.report()
}

class InstallSession {
  readonly #context: InstallContext & InstallOptions
  readonly #writer: InstallWriter
  readonly #notes: string[] = []
  readonly #commit: string[] = []

  constructor(context: InstallContext & InstallOptions) {
    this.#context = context
    const { files, version, dryRun } = context
    const { place } = context.repository
    this.#writer = new InstallWriter({ files, place, version, dryRun })
  }

  /** A failure takes back what was done before it. */
  async run(): Promise<void> {
    try {
      // The record comes first: a run that is killed can be taken back as well.
      const plan = new InstallSession({ ...this.#context, dryRun: true })
      await this.#run(this.#context.dryRun ? [] : await plan.plan())
    } catch (error) {
      this.#writer.takeBack()
      throw error
    }
  }

  /** What `install` is going to write, for the record. */
  async plan(): Promise<readonly Recorded[]> {
    await this.#run()
    return this.#writer.edits
  }

  async #run(planned: readonly Recorded[] = []): Promise<void> {
    this.#writer.record(planned)
    const { repository, settings, assets, local } = this.#context
    const { commonDir, top } = repository.place
    this.#ownFiles(`${commonDir}/ledger-git`)
    this.#writer.block(
      `${commonDir}/config`,
      CONFIG_INCLUDE,
      'include.path = ledger-git/config',
      'config',
    )
    const attributes = attributesBlock(assets.attributes, settings.root)
    this.#writer.block(
      `${commonDir}/info/attributes`,
      attributes,
      'merge=ledger for current.md',
      'end',
    )
    this.#writer.block(
      `${commonDir}/info/exclude`,
      excludeBlock(settings.root, localSettings(this.#context, this.#writer)),
      'ignores local files',
      'end',
    )
    const hooks = installHooks(this.#context, this.#writer)
    this.#notes.push(...hooks.notes)
    this.#commit.push(...hooks.commit)
    if (top !== undefined && !local) {
      this.#writer.block(`${top}/.gitattributes`, attributes, 'merge=ledger for current.md', 'end')
      this.#commit.push('.gitattributes')
      if (settings.mode === 'untracked') this.#ignoreCurrent(top)
      await this.#emptyLedger(top)
      for (const file of this.#context.teamFiles ?? []) this.#teamFile(top, file)
      const formatters = keepFormattersAway(this.#context.files, this.#writer, top, settings.root)
      this.#notes.push(...formatters.notes)
      this.#commit.push(...formatters.commit)
    }
    const agents = await installAgents(this.#context, this.#writer)
    this.#notes.push(...agents.notes)
    this.#commit.push(...agents.commit)
    this.#writer.record(this.#writer.edits)
  }

  report(): InstallReport {
    const { top } = this.#context.repository.place
    const isChanged = (path: string) =>
      this.#writer.changes.some((change) => `${change.path}/`.startsWith(`${top}/${path}/`))
    return {
      changes: this.#writer.changes,
      notes: this.#notes,
      commit: this.#commit.filter(isChanged),
    }
  }

  #ownFiles(folder: string): void {
    const { settings, assets, launch, files, gits } = this.#context
    for (const [name, what] of PROGRAMS) {
      this.#writer.own(`${folder}/${name}`, assets.scripts[name] ?? '', what, 0o755)
    }
    this.#writer.own(
      `${folder}/launch`,
      `${launch.node}\n${launch.cli}\n`,
      'recorded node and command',
    )
    this.#writer.own(`${folder}/root`, `${settings.root}\n`, 'folder of the ledger')
    for (const hook of HOOKS) {
      this.#writer.own(`${folder}/hooks/${hook}`, assets.scripts[hook] ?? '', `the ${hook} shim`)
    }
    // Last: it knows what older shims do not.
    this.#writer.own(
      `${folder}/hooks/start`,
      assets.scripts['start'] ?? '',
      'the start of every shim',
    )
    // Once there, always there: an older git ignores it, and a newer one may come back.
    const configHooks = `${folder}/config-hooks`
    if (isAtLeast(gits.running, CONFIG_HOOKS_SINCE) || files.kind(configHooks) === 'file') {
      this.#writer.own(configHooks, configHooksText(HOOKS), 'hooks for git 2.54 and newer')
    }
    this.#writer.own(`${folder}/config`, configText(), 'merge.ledger.driver, merge.ledger.name')
  }

  #ignoreCurrent(top: string): void {
    const { settings } = this.#context
    this.#writer.block(`${top}/.gitignore`, ignoreBlock(settings.root), 'ignores current.md', 'end')
    this.#commit.push('.gitignore')
  }

  /** So that no later commit creates or deletes `current.md`: git calls no driver for those. */
  async #emptyLedger(top: string): Promise<void> {
    const { repository, settings, files } = this.#context
    const paths = ledgerPaths(settings.root)
    const place = await placeOfWorktree(repository, settings.root)
    const hasEvents = place.entries?.some(({ name }) => isEventFileName(name)) ?? false
    if (settings.mode === 'untracked' && place.index.current !== undefined) {
      this.#notes.push(
        `${paths.current} is still in git; mode: untracked keeps it out: git rm --cached ${paths.current}`,
      )
    }
    if (place.current !== undefined && !hasEvents && place.entries === undefined) {
      const text = files.read(`${top}/${paths.current}`) ?? ''
      if (!text.includes('\n_synthesized:\n') && !saysNothing(text)) {
        this.#notes.push(
          `${paths.current} is kept by hand and stays as it is until the first event; ledger-git migrate makes an event of it`,
        )
        return
      }
    }
    if (place.entries === undefined) this.#writer.ledger(`${top}/${paths.events}/.gitkeep`, '')
    if (place.current === undefined && !this.#context.dryRun) {
      const now = await placeOfWorktree(repository, settings.root)
      this.#writer.ledger(
        `${top}/${paths.current}`,
        renderEvents(await eventsOf(repository.objects, now)),
      )
    } else if (place.current === undefined) {
      this.#writer.announce({
        path: `${top}/${paths.current}`,
        change: 'create',
        what: 'empty ledger',
      })
    }
    this.#commit.push(settings.root)
  }

  /** Written once, then the team's: only what nobody changed since is written anew. */
  #teamFile(top: string, { path, text }: TeamFile): void {
    const full = `${top}/${path}`
    const before = this.#context.files.read(full)
    const old = this.#writer.recorded(full)
    if (before !== undefined && before !== text && before !== old?.inserted) {
      this.#notes.push(`${path} was changed and stays; to have it written anew, delete it first`)
      return
    }
    if (before === text && old === undefined) return
    this.#writer.team(full, text)
    this.#commit.push(path)
  }
}
