/**
 * What can be seen of driver and hooks without running anything.
 *
 * `status` says this, and `doctor` says it before it tries things out: they cannot disagree.
 */

import type { HookName } from '../hooks/run-hook.ts'
import { HOOKS } from '../hooks/run-hook.ts'
import type { WorktreeInfo } from '../ports.ts'
import type { SetupContext } from './context.ts'
import type { Finding } from './finding.ts'
import type { SeenHook } from './hook-files.ts'
import { hooksFolder, seeHooks } from './hook-files.ts'
import type { Installation } from './installation.ts'
import { installationFinding, lookAtInstallation, neverSetUp } from './installation.ts'
import { attributes, driverConfig } from './merging.ts'
import { environment, launcherFile } from './programs.ts'

export interface Seen {
  readonly installation: Installation
  readonly environment: Finding
  /** Undefined where nothing speaks against starting it. */
  readonly launcher: Finding | undefined
  /** `driver-config` and `attributes`. */
  readonly driver: readonly Finding[]
  readonly hooksFolder: Finding
  readonly hooks: readonly SeenHook[]
}

/** Undefined where `install` never ran: then there is nothing to look at. */
export async function look(
  context: SetupContext,
  worktrees: readonly WorktreeInfo[],
): Promise<Seen | undefined> {
  const installation = await lookAtInstallation(context)
  if (!installation.isSetUp) return undefined
  return {
    installation,
    environment: environment(context),
    launcher: launcherFile(context),
    driver: [
      await driverConfig(installation, context),
      await attributes(context, worktrees),
    ].flat(),
    hooksFolder: hooksFolder(context),
    hooks: await seeHooks(installation, context),
  }
}

export interface Activity {
  readonly driver: { readonly active: boolean; readonly reason: string }
  readonly hooks: { readonly active: readonly HookName[]; readonly missing: readonly HookName[] }
  /** What mends the first thing that is broken; null where nothing is. */
  readonly fix: string | null
}

/** The same in the words of `status`, for this worktree. */
export async function lookAtActivity(context: SetupContext): Promise<Activity> {
  const { top, gitDir } = context.repository.place
  const here = { path: top ?? gitDir, gitDir, isBare: top === undefined }
  const seen = await look(context, [here])
  if (seen === undefined) return inactive(await neverSetUp(context))
  const files = installationFinding(seen.installation, context)
  const off = [seen.environment, seen.launcher, files].find(isBroken)
  if (off !== undefined) return inactive(off)
  const driver = seen.driver.find(isBroken)
  // Without their folder only git's own configuration brings any.
  const isFolderThere = !isBroken(seen.hooksFolder)
  const active = seen.hooks.filter(
    ({ finding, isConfig }) => !isBroken(finding) && (isFolderThere || isConfig),
  )
  const names = active.map(({ route }) => route.hook)
  const hooks = seen.hooks.map(({ finding }) => finding).filter(isBroken)
  const fixes = new Set(hooks.map(({ fix }) => fix))
  // Several steps: doctor lists them.
  const ofHooks = fixes.size > 1 ? 'ledger-git doctor' : ([...fixes][0] ?? null)
  const whole = [driver, seen.hooksFolder].find(isBroken)
  return {
    driver: {
      active: driver === undefined,
      reason: driver?.message ?? 'configured for this clone',
    },
    hooks: { active: names, missing: HOOKS.filter((each) => !names.includes(each)) },
    fix: whole?.fix ?? ofHooks,
  }
}

/** Driver and hooks, both for one reason. */
export function inactive({ message, fix }: Finding): Activity {
  return { driver: { active: false, reason: message }, hooks: { active: [], missing: HOOKS }, fix }
}

function isBroken(finding: Finding | undefined): finding is Finding {
  return finding?.status === 'broken'
}
