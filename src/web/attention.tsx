/** What waits for a person, at the top of the page. */

import type { JSX } from 'preact'
import type { Attention } from '../core/fleet/fleet.ts'
import type { PanelInput } from './panel.tsx'
import { Panel } from './panel.tsx'
import { Age, Command, SafeText, Tag } from './parts.tsx'

/** The label of each kind, and how much it matters. */
const KINDS: Readonly<Record<Attention['kind'], readonly [label: string, tone: string]>> = {
  stalled: ['stalled', 'bad'],
  waiting: ['waiting', 'warn'],
  broken: ['broken', 'bad'],
  stale: ['stale', 'warn'],
  context: ['context', 'warn'],
  question: ['question', 'ask'],
  left_behind: ['left behind', 'calm'],
}

export function AttentionPanel(input: PanelInput): JSX.Element {
  return (
    <Panel
      {...input}
      id="attention"
      title="Needs you"
      part="attention"
      about={({ kind, subject, message }) => ({
        agents: [subject],
        branches: [subject],
        texts: [kind, message],
      })}
      empty="Nothing waits for a person."
      first={8}
      keyOf={({ kind, subject, message }) => `${kind}\n${subject}\n${message}`}
      row={attentionRow}
    />
  )
}

function attentionRow({ kind, subject, message, since, command }: Attention): JSX.Element {
  const [label, tone] = KINDS[kind]
  return (
    <li class="row attention-row" data-row="" tabIndex={-1}>
      <Tag kind={tone}>{label}</Tag>
      <span class="body">
        <strong class="subject">
          <SafeText text={subject} lines={1} />
        </strong>
        <SafeText text={message} lines={2} />
      </span>
      {since !== null && <Age of={since} />}
      {command !== null && <Command text={command} />}
    </li>
  )
}
