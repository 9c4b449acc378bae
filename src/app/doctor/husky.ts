/** husky's own folder is in no commit: which command makes it again in a worktree? */

import { shellWord } from '../../core/text/shell-word.ts'
import type { FilesPort, HooksFolder } from '../ports.ts'

/** What husky wrote and git needs: `_/` of husky 9, `_/husky.sh` of husky 8. Undefined where all is there. */
export function missingOfHusky(
  folder: string,
  owner: HooksFolder['owner'],
  files: FilesPort,
): string | undefined {
  if (owner === 'husky') return files.list(folder).length === 0 ? folder : undefined
  const sourced = /^[ \t]*(?:\.|source)[ \t][^\n]*\/_\/husky\.sh\b/m
  if (!sourced.test(files.read(`${folder}/pre-commit`) ?? '')) return undefined
  const shell = `${folder}/_/husky.sh`
  return files.kind(shell) === 'file' ? undefined : shell
}

/** `missing`: as `missingOfHusky` says; `here`: the folder that somebody stands in. */
export function huskyFix(missing: string, top: string, here: string, files: FilesPort): string {
  const folder = missing.slice(0, missing.lastIndexOf('/_'))
  const parent = folder.slice(0, folder.lastIndexOf('/'))
  const home = files.kind(`${parent}/package.json`) === 'file' ? parent : top
  const name = shellWord(folder.slice(home.length + 1))
  const husky = missing.endsWith('/husky.sh') ? `npx husky install ${name}` : `npx husky ${name}`
  return inFolder(home, here, commandIn(home, husky, files))
}

/** Installing packages runs husky where the team has set it up so; only a missing husky needs it. */
function commandIn(home: string, husky: string, files: FilesPort): string {
  if (files.list(`${home}/node_modules/husky`).length > 0) return husky
  const has = (name: string) => files.kind(`${home}/${name}`) === 'file'
  const manager = has('pnpm-lock.yaml') ? 'pnpm' : has('yarn.lock') ? 'yarn' : 'npm'
  const scripts = /"(?:prepare|postinstall|install)"\s*:\s*"[^"\n]*\bhusky\b/
  const isRun = scripts.test(files.read(`${home}/package.json`) ?? '')
  return isRun ? `${manager} install` : `${manager} install && ${husky}`
}

/** A command as it is typed by somebody who stands elsewhere. */
export function inFolder(folder: string, here: string, command: string): string {
  return folder === here ? command : `(cd ${shellWord(folder)} && ${command})`
}
