/** What commands change of the work in a handoff: what is in hand, what comes next, what is done. */

import type { Block } from './blocks.ts'
import type { Edit } from './edit-lines.ts'
import {
  addItem,
  lastLineOf,
  lineOf,
  partIn,
  putLines,
  removeBlocks,
  sameItem,
  spliceAll,
  unclosed,
  withBox,
  withPart,
} from './edit-lines.ts'
import type { Handoff, Part, PartName } from './handoff.ts'
import { focusesOf, itemsOf, readHandoff } from './handoff.ts'

/**
 * One thing in hand. What was in hand goes to the top of Next, or as done to This Session; `now` leaves
 * Next. Without `now` nothing is in hand.
 */
export function setFocus(now: string | undefined, old: 'next' | 'done'): Edit {
  return (handoff) => {
    const text = lineOf(now ?? '')
    const opened = withPart(handoff, 'now')
    const focuses = focusesOf(opened)
    const isNew = sameItem(text)
    const kept = focuses.find((block) => isNew(block))
    const moved = focuses.filter((block) => block !== kept)
    const placed =
      text === '' ? removeFocuses(opened, moved) : putFocus(opened, text, focuses, kept)
    const fromNext = text === '' ? placed : takeOut('next', text)(readHandoff(placed))
    return moved.reduceRight((now, block) => {
      const isDone = old === 'done' || block.box === 'done'
      const item = withBox(opened, block, isDone ? '[x]' : '[ ]')
      return addMoved(isDone ? 'thisSession' : 'next', block, item)(readHandoff(now))
    }, fromNext)
  }
}

/** Something done: it leaves Next and Now with its nested lines. */
export function addDone(text: string): Edit {
  return (handoff) => {
    const isSame = sameItem(lineOf(text))
    const planned = itemsOf(handoff.byName.next).find(isSame)
    const focus = focusesOf(handoff).find(isSame)
    const block = focus ?? planned
    const item = block === undefined ? `- [x] ${lineOf(text)}` : withBox(handoff, block, '[x]')
    const rest = focus === undefined ? handoff.text : removeFocuses(handoff, [focus])
    const gone = takeOut('next', text)(readHandoff(rest))
    const opened = readHandoff(gone)
    const done = itemsOf(opened.byName.thisSession)
    if (done.some(isSame) && !item.trimEnd().includes('\n')) return gone
    return addItem('thisSession', item)(opened)
  }
}

/** A step to take, once. */
export function addNext(text: string): Edit {
  return (handoff) => {
    const known = [...itemsOf(handoff.byName.next), ...focusesOf(handoff)]
    if (known.some(sameItem(lineOf(text)))) return handoff.text
    return addItem('next', `- [ ] ${lineOf(text)}`)(handoff)
  }
}

export const clearNext: Edit = (handoff) => removeBlocks(handoff, itemsOf(handoff.byName.next))

function takeOut(name: PartName, text: string): Edit {
  return (handoff) =>
    removeBlocks(handoff, itemsOf(handoff.byName[name]).filter(sameItem(lineOf(text))))
}

/** An item that stands there already is not put there twice, unless it brings lines of its own. */
function addMoved(name: 'next' | 'thisSession', block: Block, item: string): Edit {
  return (handoff) => {
    const isThere = itemsOf(handoff.byName[name]).some(sameItem(block.words.text))
    if (isThere && block.lines.length === 1) return handoff.text
    return addItem(name, item, name === 'next' ? 'first' : 'last')(handoff)
  }
}

/** The new thing takes the place of the first old one; the others go. */
function putFocus(
  handoff: Handoff,
  text: string,
  focuses: readonly Block[],
  kept: Block | undefined,
): string {
  const [first] = focuses
  const others = focuses.slice(1).map(({ start, end }) => ({ start, end, put: '' }))
  if (first === undefined) return addItem('now', `[->] ${text}`, 'first')(handoff)
  const bullet = /^\s*[-*+]\s/.exec(handoff.text.slice(first.start, first.words.start))?.[0] ?? ''
  const own = kept && handoff.text.slice(kept.words.start, kept.end)
  const rest =
    own ??
    `${text}${handoff.text.slice(first.start, first.end).endsWith('\n') ? handoff.document.eol : ''}`
  const put = `${bullet}[->] ${rest}`
  return spliceAll(handoff.text, [{ start: first.start, end: first.end, put }, ...others])
}

/** Readers of handoffs take the first line below `### Now`: there must be one. */
function removeFocuses(handoff: Handoff, blocks: readonly Block[]): string {
  const rest = readHandoff(removeBlocks(handoff, blocks))
  const part = partIn(rest, 'now')
  if (saysSomething(part)) return rest.text
  const changed = spliceAll(rest.text, [putLines(rest, lastLineOf(part), ['(none)'])])
  if (saysSomething(partIn(readHandoff(changed), 'now'))) return changed
  throw unclosed(part)
}

function saysSomething({ blocks }: Part): boolean {
  return blocks.some(({ kind }) => kind === 'item' || kind === 'text')
}
