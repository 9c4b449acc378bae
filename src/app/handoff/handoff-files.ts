/** Chooses the handoff that somebody means, and checks the names of new ones. */

import { LedgerError, usage } from '../../core/errors/errors.ts'
import { handoffOfBranch, handoffsOfBranch } from '../../core/handoff/choose.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import type { AddEventContext } from '../commit/add-event.ts'
import type { HandoffFile } from './read-handoffs.ts'
import { RESERVED } from '../ledger/ledger-sources.ts'
import { handoffPath, listHandoffs } from './read-handoffs.ts'

/**
 * The handoff with this name or prefix, or without a name the active one of this branch. Throws
 * `HANDOFF_NOT_FOUND`.
 */
export async function chooseHandoff(
  context: AddEventContext,
  name: string | undefined,
): Promise<HandoffFile> {
  const all = await listHandoffs(context.repository, context.settings.root)
  if (name === undefined) return activeOf(all, (await context.repository.history.head()).branch)
  const exact = all.find((file) => file.name === name || file.path === name)
  const begun = all.filter((file) => file.name.startsWith(name))
  const [first] = begun
  if (exact !== undefined) return exact
  if (first !== undefined && begun.length === 1) return first
  const what = begun.length === 0 ? 'no handoff is called' : 'several handoffs begin with'
  throw notFound(`${what} ${oneLine(name, '').slice(0, 200)}`, begun.length === 0 ? all : begun)
}

/** New names are kebab-case. Throws `USAGE`, `HANDOFF_EXISTS`. */
export async function requireNew(context: AddEventContext, name: string): Promise<string> {
  const kebab = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-|-$/g, '')
  if (kebab === '' || kebab !== name || RESERVED.has(name)) {
    const what = RESERVED.has(name)
      ? `${name} is a folder of the ledger's own`
      : 'a name is kebab-case, of at most 100 characters'
    throw usage(
      `${oneLine(name, '').slice(0, 200)}: ${what}`,
      `for example ${RESERVED.has(kebab) || kebab === '' ? 'auth-refactor' : kebab}`,
    )
  }
  const path = handoffPath(context.settings.root, name)
  if (context.repository.worktree.isThere(path)) throw alreadyThere(path, name)
  return path
}

export function alreadyThere(path: string, name: string): LedgerError {
  const next = `ledger-git handoff update ${name}`
  return new LedgerError('HANDOFF_EXISTS', `${path} already exists`, next)
}

/** The newest `**Updated:**` counts, never a file's modification time, which a clone changes. */
function activeOf(all: readonly HandoffFile[], branch: string | undefined): HandoffFile {
  const found = handoffOfBranch(all, branch)
  if (found !== undefined) return found
  if (branch === undefined)
    throw notFound('HEAD is detached, so no handoff belongs to its branch', all)
  const where = `the branch ${oneLine(branch, '')}`
  const known = handoffsOfBranch(all, branch)
  if (known.length === 0) throw notFound(`no active handoff names ${where}`, all)
  throw notFound(`several active handoffs name ${where}, and none is the newest`, known)
}

function notFound(message: string, some: readonly HandoffFile[]): LedgerError {
  const named = some.slice(0, 20).map(({ name }) => `\n  ${oneLine(name, '')}`)
  const rest = some.length > 20 ? `\n  … and ${some.length - 20} more` : ''
  const next =
    some.length === 0 ? 'ledger-git handoff create NAME' : 'name one: ledger-git handoff list'
  return new LedgerError('HANDOFF_NOT_FOUND', `${message}${named.join('')}${rest}`, next)
}
