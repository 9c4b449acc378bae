/** The issue tracker: what waits to be sent to it, and sending it. */

import type { Flushed, Stop } from '../../app/tracker/flush-outbox.ts'
import { flushOutbox } from '../../app/tracker/flush-outbox.ts'
import { readTracker } from '../../app/tracker/read-tracker.ts'
import { formatMillis } from '../../core/event/instant.ts'
import { issuesJson } from '../../core/tracker/known-issues.ts'
import { inOrder } from '../../core/tracker/outbox.ts'
import type { OutboxItem } from '../../core/tracker/outbox-item.ts'
import { KEY_VARIABLE } from '../../core/tracker/tracker-settings.ts'
import type { Command, Input } from '../command/command.ts'
import { flag } from '../command/command.ts'
import { count, members, safePath, safeText } from '../command/format.ts'

export const trackerStatus: Command = {
  name: 'status',
  describe: 'Show which issue tracker is in use, and what waits to be sent to it',
  examples: [['ledger-git tracker status', 'sends nothing']],
  run: async (input) => {
    const context = await input.context.tracker()
    const found = await readTracker(context)
    const { items: all, damaged } = context.outbox.list()
    const { items } = inOrder(all)
    const issues = context.outbox.readIssues()
    const { pausedUntil } = context.outbox.readState()
    const paused = pausedUntil > context.clock.now() ? formatMillis(pausedUntil) : null
    const settings = found.kind === 'on' ? found.settings : undefined
    const hasKey = (input.context.env[KEY_VARIABLE] ?? '').trim() !== ''
    input.print(
      {
        tracker: settings === undefined ? null : 'linear',
        teams: settings?.teams ?? [],
        state: settings?.state,
        endpoint: settings?.endpoint,
        key: hasKey,
        paused_until: paused,
        items: items.map(itemJson),
        issues: issuesJson(issues),
        damaged,
      },
      items.map(itemLine),
    )
    if (found.kind === 'wrong') input.say(`${found.why}\n  next: ${found.next}`)
    if (input.json) return
    const what = settings === undefined ? 'off' : `linear, teams ${settings.teams.join(', ')}`
    input.say(`tracker: ${what}${hasKey || settings === undefined ? '' : `; no ${KEY_VARIABLE}`}`)
    if (items.length === 0) input.say('nothing waits')
    if (paused !== null) input.say(`the tracker accepts nothing before ${paused}`)
    for (const path of damaged) input.say(`cannot be read, and is not sent: ${safePath(path)}`)
  },
}

export const trackerFlush: Command = {
  name: 'flush',
  describe: 'Send what waits in the outbox to the issue tracker',
  examples: [
    ['ledger-git tracker flush', 'everything, as far as the tracker accepts it'],
    ['ledger-git tracker flush --again', 'also what it rejected'],
  ],
  options: {
    again: flag('also send again what the tracker rejected'),
    due: flag('only what is due: an item waits longer after each try without an answer'),
  },
  run: async (input) => {
    const context = await input.context.tracker()
    const flushed = await flushOutbox(context, {
      isAsked: !input.flag('due'),
      again: input.flag('again'),
    })
    const { sent, rejected, failed, dropped, remarks, stopped } = flushed
    input.print(
      {
        sent: sent.map(itemJson),
        rejected: rejected.map(itemJson),
        failed: failed.map(({ item, why }) => ({ ...itemJson(item), why })),
        dropped: dropped.map(itemJson),
        remarks,
        stopped: stopped && stopJson(stopped),
      },
      sent.map((item) => `told ${nameOf(item)}`),
    )
    sayWhatIsLeft(input, flushed)
    return rejected.length + failed.length > 0 || stopped !== undefined ? 1 : 0
  },
}

function sayWhatIsLeft(input: Input, flushed: Flushed): void {
  const { sent, rejected, failed, dropped, remarks, stopped } = flushed
  for (const item of rejected) {
    input.say(`rejected: ${nameOf(item)}: ${safeText(item.rejected ?? '')}`)
  }
  if (rejected.length > 0) input.say('  next: ledger-git tracker flush --again, once that is fixed')
  for (const { item, why } of failed) input.say(`no answer: ${nameOf(item)}: ${safeText(why)}`)
  if (failed.length > 0 && stopped === undefined)
    input.say('  next: ledger-git tracker flush, later')
  for (const item of dropped) input.say(`dropped after 30 days: ${nameOf(item)}`)
  for (const remark of remarks) input.say(safeText(remark))
  if (stopped !== undefined) input.say(stopLine(stopped))
  else if (sent.length + rejected.length + failed.length === 0)
    input.say('there was nothing to send')
}

function stopLine(stop: Stop): string {
  const { kind, why, until } = stopJson(stop)
  const said = safeText(why ?? '')
  return {
    busy: 'another ledger-git process is sending to the tracker right now\n  next: ledger-git tracker status',
    'no-key': `${KEY_VARIABLE} is not set: nothing was sent\n  next: set it, then run ledger-git tracker flush`,
    refused: `the key is refused: ${said}\n  next: check ${KEY_VARIABLE}`,
    paused: `the tracker accepts nothing before ${until}\n  next: ledger-git tracker flush, after that`,
    failing: `the tracker does not answer: ${said}\n  next: ledger-git tracker flush, later`,
  }[kind]
}

function stopJson(stop: Stop) {
  const why = 'why' in stop ? stop.why : undefined
  return { kind: stop.kind, why, until: 'until' in stop ? formatMillis(stop.until) : undefined }
}

function itemJson(item: OutboxItem) {
  return {
    ...members(item, 'id', 'issue', 'tries', 'rejected'),
    kind: item.content.kind,
    title: titleOf(item),
    at: formatMillis(item.at),
    not_before: item.notBefore === 0 ? null : formatMillis(item.notBefore),
  }
}

function itemLine(item: OutboxItem): string {
  const { content, tries, rejected } = item
  const waits = content.kind === 'link' ? 'waits for a push' : 'waits'
  const state = rejected === undefined ? waits : `rejected: ${safeText(rejected)}`
  const tried = tries === 0 ? '' : `, tried ${count(tries, 'time')} without an answer`
  return `${nameOf(item)}: ${state}${tried}`
}

function nameOf(item: OutboxItem): string {
  return `${item.issue} ${item.content.kind} ${safeText(titleOf(item))}`
}

function titleOf({ content }: OutboxItem): string {
  return content.kind === 'progress' ? content.plan : content.title
}
