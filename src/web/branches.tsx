/** Branches, and what merging each into the main one would change. */

import type { JSX } from 'preact'
import type { FleetBranch } from '../core/fleet/fleet.ts'
import { shellWord } from '../core/text/shell-word.ts'
import type { PanelInput } from './panel.tsx'
import { Panel } from './panel.tsx'
import { plain } from './plain.ts'
import { Branch, Command, Freshness, SafeText, Unknown } from './parts.tsx'
import { Distance } from './worktrees.tsx'

export function BranchesPanel(input: PanelInput): JSX.Element {
  const { main_branch } = input.fleet
  const main = plain(main_branch ?? 'the main branch')
  return (
    <Panel
      {...input}
      id="branches"
      title="Branches"
      part="branches"
      about={({ name, would_change }) => ({
        agents: [],
        branches: [name],
        texts: would_change ?? [],
      })}
      empty="There is no branch yet."
      first={20}
      columns={[
        <th scope="col">Branch</th>,
        <th scope="col">Merging it into {main} would change</th>,
        <th scope="col">Ledger</th>,
        <th scope="col">To {main}</th>,
      ]}
      keyOf={({ name }) => name}
      row={(branch) => (
        <tr data-row="" tabIndex={-1}>
          <th scope="row" class="place">
            <Branch name={branch.name} />
          </th>
          <td data-label="Merging it">
            {branch.name === main_branch ? (
              <span class="unknown">this is the main branch</span>
            ) : (
              <WouldChange branch={branch} />
            )}
          </td>
          <td data-label="Ledger">
            <Freshness fresh={branch.fresh} />
          </td>
          <td data-label="To main" class="distance">
            <Distance ahead={branch.ahead} behind={branch.behind} />
          </td>
        </tr>
      )}
    />
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
        <SafeText text={lines[0] ?? ''} lines={1} />
      </summary>
      <ul class="diff">
        {lines.map((line) => (
          <li key={line} class={toneOf(line)}>
            <SafeText text={line} lines={2} />
          </li>
        ))}
        {more > 0 && <li class="cut">{more} more</li>}
      </ul>
      <Command text={`git ledger preview ${shellWord(name)}`} />
    </details>
  )
}

/** The tone of a line: added, removed or changed. */
function toneOf(line: string): string {
  return { '+': 'good', '-': 'bad', '~': 'warn' }[line[0] ?? ''] ?? ''
}
