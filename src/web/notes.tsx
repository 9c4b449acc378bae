/** What was decided, asked and kept: decisions that branches hold differently, questions, checkpoints. */

import type { JSX } from 'preact'
import type {
  DifferingDecision,
  Fleet,
  FleetCheckpoint,
  HeldValue,
  OpenQuestion,
} from '../core/fleet/fleet.ts'
import { whyCommand } from '../core/fleet/why-command.ts'
import { shellWord } from '../core/text/shell-word.ts'
import type { PanelInput } from './panel.tsx'
import { Panel } from './panel.tsx'
import { Branch, Command, SafeText, Source, Tag, Unknown } from './parts.tsx'

export function DecisionsPanel(input: PanelInput): JSX.Element {
  return (
    <Panel
      {...input}
      id="decisions"
      title="Decided differently"
      part="decisions_differ"
      about={({ key, values }) => ({
        agents: values.map(({ agent }) => agent),
        branches: values.flatMap(({ branch, held_on }) => [branch, ...held_on]),
        texts: [key, ...values.map(({ value }) => valueText(value))],
      })}
      empty="All branches hold the same decisions."
      first={10}
      keyOf={({ key }) => key}
      row={(decision) => decisionRow(decision, input.fleet.worktrees)}
    />
  )
}

function decisionRow(decision: DifferingDecision, worktrees: Fleet['worktrees']): JSX.Element {
  const { key, both_sides, values } = decision
  return (
    <li class="row decision" data-row="" tabIndex={-1}>
      <p class="heading">
        <code class="key">
          <SafeText text={key} lines={1} />
        </code>
        {both_sides ? (
          <Tag kind="warn">decided apart</Tag>
        ) : (
          <Tag kind="calm">one side is behind</Tag>
        )}
        <Command text={whyCommand(decision, worktrees)} label="why" />
      </p>
      <ol class="values">
        {values.map((held, i) => (
          <Value key={`${held.ts}${held.agent}${held.branch}`} held={held} wins={i === 0} />
        ))}
      </ol>
    </li>
  )
}

function Value({ held, wins }: { held: HeldValue; wins: boolean }): JSX.Element {
  return (
    <li>
      <span class="value">
        {held.value === null ? <em>removed</em> : <SafeText text={valueText(held.value)} />}
        {wins && (
          <span class="wins" title="The newest: merging all branches keeps it">
            newest
          </span>
        )}
      </span>
      <Source agent={held.agent} branch={held.branch} ts={held.ts} />
      {held.held_on.length > 0 && (
        <span class="held">
          held on{' '}
          {held.held_on.slice(0, 6).map((name) => (
            <Branch key={name} name={name} />
          ))}
          {held.held_on.length > 6 && <span> and {held.held_on.length - 6} more</span>}
        </span>
      )}
    </li>
  )
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function QuestionsPanel(input: PanelInput): JSX.Element {
  return (
    <Panel
      {...input}
      id="questions"
      title="Open questions"
      part="open_questions"
      about={({ text, agent, branch }) => ({ agents: [agent], branches: [branch], texts: [text] })}
      empty="No question is open."
      first={10}
      keyOf={({ text, branch }) => `${text}\n${branch}`}
      row={questionRow}
    />
  )
}

function questionRow({ text, agent, branch, ts }: OpenQuestion): JSX.Element {
  return (
    <li class="row" data-row="" tabIndex={-1}>
      <SafeText text={text} lines={4} />
      <span class="foot">
        <Source agent={agent} branch={branch} ts={ts} />
        <Command text={`git ledger event add --resolve ${shellWord(text)}`} label="resolve" />
      </span>
    </li>
  )
}

export function CheckpointsPanel(input: PanelInput): JSX.Element {
  return (
    <Panel
      {...input}
      id="checkpoints"
      title="Checkpoints"
      part="checkpoints"
      about={({ id, agent, branch, commits, summary }) => ({
        agents: [agent],
        branches: [branch],
        texts: [id, summary, ...commits],
      })}
      empty="No checkpoint yet: the first commit of a session makes one."
      first={8}
      keyOf={({ id }) => id}
      row={checkpointRow}
    />
  )
}

function checkpointRow(checkpoint: FleetCheckpoint): JSX.Element {
  const { id, ts, agent, branch, commits, summary } = checkpoint
  return (
    <li class="row" data-row="" tabIndex={-1}>
      {summary === '' ? <Unknown what="no summary" /> : <SafeText text={summary} lines={2} />}
      <span class="foot">
        <Source agent={agent} branch={branch} ts={ts} />
        {commits.slice(0, 3).map((commit) => (
          <Command key={commit} text={`git show ${commit}`} label={commit.slice(0, 7)} />
        ))}
        <Command text={`git ledger checkpoint show ${shellWord(id)}`} label="show" />
      </span>
    </li>
  )
}
