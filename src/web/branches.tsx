/** Branches, and what merging each into the main one would change. */

import type { JSX } from 'preact'
import type { Fleet, FleetBranch } from '../core/fleet/fleet.ts'
import { shellWord } from '../core/text/shell-word.ts'
import { errorsOf, Panel } from './panel.tsx'
import { plain } from './plain.ts'
import { Branch, Command, Said, Tag, Unknown } from './parts.tsx'
import type { Filter } from './view.ts'
import { Distance } from './worktrees.tsx'

export function BranchesPanel({ fleet, filter }: { fleet: Fleet; filter: Filter }): JSX.Element {
  const entries = fleet.branches.filter(({ name, would_change }) =>
    filter.accepts({ agents: [], branches: [name], texts: would_change ?? [] }),
  )
  const main = plain(fleet.main_branch ?? 'the main branch')
  return (
    <Panel
      id="branches"
      title="Branches"
      entries={entries}
      total={fleet.branches.length}
      cut={fleet.more.branches}
      errors={errorsOf(fleet, 'branches')}
      empty="There is no branch yet."
      first={20}
    >
      {(shown) => (
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">Branch</th>
              <th scope="col">Merging it into {main} would change</th>
              <th scope="col">Ledger</th>
              <th scope="col">To {main}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((branch) => (
              <tr key={branch.name} data-row="" tabIndex={-1}>
                <th scope="row" class="place">
                  <Branch name={branch.name} />
                </th>
                <td data-label="Merging it">
                  {branch.name === fleet.main_branch ? (
                    <span class="unknown">this is the main branch</span>
                  ) : (
                    <WouldChange branch={branch} />
                  )}
                </td>
                <td data-label="Ledger">
                  {branch.fresh === null ? (
                    <Unknown />
                  ) : branch.fresh ? (
                    <span class="ok">fresh</span>
                  ) : (
                    <Tag kind="warn">stale</Tag>
                  )}
                </td>
                <td data-label="To main" class="distance">
                  <Distance ahead={branch.ahead} behind={branch.behind} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

function WouldChange({ branch }: { branch: FleetBranch }): JSX.Element {
  const { name, would_change: lines, more } = branch
  if (lines === null) return <Unknown />
  if (lines.length === 0) return <span class="ok">nothing in the ledger</span>
  const count = lines.length + more
  return (
    <details>
      <summary>
        <span class="changes">
          {count} {count === 1 ? 'line' : 'lines'}
        </span>{' '}
        <Said text={lines[0] ?? ''} lines={1} />
      </summary>
      <ul class="diff">
        {lines.map((line) => (
          <li key={line} class={signOf(line)}>
            <Said text={line} lines={2} />
          </li>
        ))}
        {more > 0 && <li class="cut">{more} more</li>}
      </ul>
      <Command text={`git ledger preview ${shellWord(name)}`} />
    </details>
  )
}

function signOf(line: string): string {
  return { '+': 'added', '-': 'removed', '~': 'changed' }[line[0] ?? ''] ?? ''
}
