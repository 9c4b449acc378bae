/** How commands change the work in a handoff: what is current, what comes next, what is done. */

import type { Block } from '../document/blocks.ts'
import type { Edit } from './edit-lines.ts'
import {
  addItem,
  combineEdits,
  lastLineOf,
  lineOf,
  partIn,
  putLines,
  sameItem,
  splice,
  withBox,
  withPart,
} from './edit-lines.ts'
import type { Handoff } from './handoff.ts'
import { focusesOf, itemsOf } from './handoff.ts'

/**
 * Sets the current work to one item, or to nothing if `now` is missing. The previous work goes to the top of Next, or
 * to This Session if it is done. If Next contains `now`, it is moved with its nested lines.
 */
export function setFocus(now: string | undefined, old: 'next' | 'done'): Edit {
  return (handoff) => {
    const text = lineOf(now ?? '')
    const opened = withPart(handoff, 'now')
    const focuses = focusesOf(opened)
    const isNew = sameItem(text)
    const kept = focuses.find((block) => isNew(block))
    const planned = itemsOf(opened.byName.next).find((block) => isNew(block))
    const moved = focuses.filter((block) => block !== kept)
    // Fails if the item's lines would swallow the text after them.
    if (planned !== undefined) putLines(opened, planned.start, [withBox(opened, planned, '[->]')])
    const placed =
      text === '' ? removeFocuses(opened, moved) : putFocus(opened, text, focuses, kept ?? planned)
    const moves = moved.map((block) => {
      const isDone = old === 'done' || block.box === 'done'
      const item = withBox(opened, block, isDone ? '[x]' : '[ ]')
      return addMoved(isDone ? 'thisSession' : 'next', block, item)
    })
    return combineEdits([...(text === '' ? [] : [removeNext(text)]), ...moves.toReversed()])(placed)
  }
}

/** Records something as done and removes it from Next and Now, with its nested lines. */
export function addDone(text: string): Edit {
  return (handoff) => {
    const isSame = sameItem(lineOf(text))
    const planned = itemsOf(handoff.byName.next).find(isSame)
    const focus = focusesOf(handoff).find(isSame)
    const block = focus ?? planned
    const item = block === undefined ? `- [x] ${lineOf(text)}` : withBox(handoff, block, '[x]')
    const rest = focus === undefined ? handoff : removeFocuses(handoff, [focus])
    const remaining = removeNext(text)(rest)
    const done = itemsOf(remaining.byName.thisSession)
    if (done.some(isSame) && !item.trimEnd().includes('\n')) return remaining
    return addItem('thisSession', item)(remaining)
  }
}

/** Adds a step once. */
export function addNext(text: string): Edit {
  return (handoff) => {
    const known = [...itemsOf(handoff.byName.next), ...focusesOf(handoff)]
    if (known.some(sameItem(lineOf(text)))) return handoff
    return addItem('next', `- [ ] ${lineOf(text)}`)(handoff)
  }
}

export const clearNext: Edit = (handoff) => splice(handoff, ...itemsOf(handoff.byName.next))

function removeNext(text: string): Edit {
  return (handoff) =>
    splice(handoff, ...itemsOf(handoff.byName.next).filter(sameItem(lineOf(text))))
}

/** An item that is already in the list is not added again, unless it has nested lines. */
function addMoved(name: 'next' | 'thisSession', block: Block, item: string): Edit {
  return (handoff) => {
    const exists = itemsOf(handoff.byName[name]).some(sameItem(block.words.text))
    if (exists && block.lines.length === 1) return handoff
    return addItem(name, item, name === 'next' ? 'first' : 'last')(handoff)
  }
}

/** The new item replaces the first old one; the other old ones are removed. */
function putFocus(
  handoff: Handoff,
  text: string,
  focuses: readonly Block[],
  known: Block | undefined,
): Handoff {
  const [first, ...others] = focuses
  const item = known === undefined ? text : handoff.text.slice(known.words.start, known.end)
  if (first === undefined) return addItem('now', `[->] ${item}`, 'first')(handoff)
  const { start, end, words } = first
  const bullet = /^\s*[-*+]\s/.exec(handoff.text.slice(start, words.start))?.[0] ?? ''
  const eol = handoff.text[end - 1] === '\n' ? handoff.document.eol : ''
  const rest = item.replace(/\r?\n$/, '') + eol
  return splice(handoff, { start, end, put: `${bullet}[->] ${rest}` }, ...others)
}

/** Readers of handoffs take the first line below `### Now`, so there must be one. */
function removeFocuses(handoff: Handoff, blocks: readonly Block[]): Handoff {
  const rest = splice(handoff, ...blocks)
  const part = partIn(rest, 'now')
  if (part.blocks.some(({ kind }) => kind === 'item' || kind === 'text')) return rest
  return splice(rest, putLines(rest, lastLineOf(part), ['(none)']))
}
