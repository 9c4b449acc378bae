/** Worktrees, and who does what in them. */

import type { JSX } from 'preact'
import type { AgentPhase, FleetAgent, FleetWorktree } from '../core/fleet/fleet.ts'
import { folderName } from '../core/text/folder-name.ts'
import { shellWord } from '../core/text/shell-word.ts'
import type { PanelInput } from './panel.tsx'
import { Panel } from './panel.tsx'
import { plain } from './plain.ts'
import { Age, Agent, Branch, Command, Freshness, SafeText, Tag, Unknown } from './parts.tsx'

const PHASES: Readonly<Record<AgentPhase, readonly [label: string, tone: string]>> = {
  active: ['active', 'good'],
  active_committed: ['active', 'good'],
  idle: ['idle', 'calm'],
  ended: ['ended', 'faint'],
  timed_out: ['timed out', 'warn'],
  left_behind: ['left behind', 'warn'],
  unknown: ['unknown', 'faint'],
}

export function WorktreesPanel(input: PanelInput): JSX.Element {
  const { main_branch, worktrees } = input.fleet
  const main = main_branch ?? 'main'
  return (
    <Panel
      {...input}
      id="worktrees"
      title="Worktrees"
      part="worktrees"
      all={inOrder(worktrees)}
      about={({ path, branch, note, agents }) => ({
        agents: agents.map(({ agent }) => agent),
        branches: [branch],
        texts: [folderName(path), note, ...agents.flatMap(({ now, phase }) => [now, phase])],
      })}
      empty="No worktree is known."
      first={30}
      columns={[
        <th scope="col">Worktree</th>,
        <th scope="col">Agents and what they are doing</th>,
        <th scope="col">Ledger</th>,
        <th scope="col" title={`Commits ahead of and behind ${main}`}>
          To {plain(main)}
        </th>,
      ]}
      keyOf={({ path }) => path}
      row={worktreeRow}
    />
  )
}

function worktreeRow(worktree: FleetWorktree): JSX.Element {
  const { path, branch, head, main, note, agents } = worktree
  return (
    <tr data-row="" tabIndex={-1}>
      <th scope="row" class="place">
        <span class="folder" title={plain(path)}>
          <SafeText text={folderName(path)} lines={2} />
        </span>
        {main && <Tag kind="faint">main</Tag>}
        <span class="under">
          {branch === null && head !== null ? (
            <code title="detached HEAD">{head.slice(0, 9)}</code>
          ) : (
            <Branch name={branch} />
          )}
          {note !== null && (
            <span class="note">
              <SafeText text={note} lines={2} />
            </span>
          )}
        </span>
      </th>
      <td data-label="Agents">
        {agents.length === 0 ? (
          <span class="unknown">nobody</span>
        ) : (
          <ul class="agents">
            {agents.map((agent) => (
              <AgentLine key={`${agent.agent}\n${agent.session}`} agent={agent} />
            ))}
          </ul>
        )}
      </td>
      <td data-label="Ledger" class="ledger">
        <LedgerState worktree={worktree} />
      </td>
      <td data-label="To main" class="distance">
        <Distance ahead={worktree.ahead} behind={worktree.behind} />
      </td>
    </tr>
  )
}

function AgentLine({ agent }: { agent: FleetAgent }): JSX.Element {
  const [label, tone] = PHASES[agent.phase]
  return (
    <li class={`agent-line ${tone}`}>
      <span class="who">
        <span class={`dot ${tone}`} aria-hidden="true" />
        <Agent name={agent.agent} />
        <span class="phase">{label}</span>
        {agent.last_sign !== null && <Age of={agent.last_sign} />}
      </span>
      <span class="now">
        {agent.now === null ? (
          <Unknown what="has not said what it is doing" />
        ) : (
          <SafeText text={agent.now} lines={2} />
        )}
      </span>
      <Context context={agent.context} />
    </li>
  )
}

function Context({ context }: { context: FleetAgent['context'] }): JSX.Element {
  if (context === null)
    return (
      <span class="context unknown" title="It is not known how full its context is">
        –
      </span>
    )
  const percent = Math.round(context.percent)
  return (
    <span
      class={`context ${context.level}`}
      title={`Context ${percent} % full, level ${context.level}`}
    >
      <meter
        min={0}
        max={100}
        low={70}
        high={85}
        optimum={0}
        value={percent}
        aria-label={`Context ${percent} % full`}
      />
      <span class="percent">{percent} %</span>
    </span>
  )
}

function LedgerState({ worktree }: { worktree: FleetWorktree }): JSX.Element {
  const { fresh, pending, path } = worktree
  return (
    <>
      <Freshness fresh={fresh} />
      {pending !== null && pending > 0 && <span class="pending">{pending} pending</span>}
      {fresh === false && (
        <Command text={`git -C ${shellWord(path)} ledger resolve`} label="resolve" />
      )}
    </>
  )
}

export function Distance({
  ahead,
  behind,
}: {
  ahead: number | null
  behind: number | null
}): JSX.Element {
  if (ahead === null || behind === null) return <Unknown what="–" />
  if (ahead === 0 && behind === 0) return <span class="ok">same</span>
  return (
    <span class="arrows">
      {ahead > 0 && <span title={`${ahead} commits ahead`}>{ahead} ahead</span>}
      {behind > 0 && <span title={`${behind} commits behind`}>{behind} behind</span>}
    </span>
  )
}

/** Worktrees with active agents first; otherwise the order is kept. */
function inOrder(worktrees: readonly FleetWorktree[]): FleetWorktree[] {
  const isActive = ({ agents }: FleetWorktree) =>
    agents.some(({ phase }) => phase !== 'ended' && phase !== 'unknown')
  return [...worktrees.filter(isActive), ...worktrees.filter((each) => !isActive(each))]
}
