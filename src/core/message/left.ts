/** What an agent's message says is left to do, below titles and in sentences. Pure. */

import { unique } from './items.ts'
import type { Block } from '../text/message-blocks.ts'
import { plainLine, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { COLON_AT_END } from './lines.ts'
import type { Part } from './message-parts.ts'
import { fromAbove, partsOf } from './message-parts.ts'
import { isCourtesy, isOffer, isQuestion } from './questions.ts'
import { STEPS, UNDONE } from './step-patterns.ts'

/** Sentences that are not steps: conditions, offers, rules that always hold. */
const NOT_A_STEP =
  /^(?:if|when|whenever|should you|in case|unless|would|could|note that if)\b|[?？]$/i
const NOTHING =
  /^(?:(?:[^:]{0,60}: )?(?:none|nothing)\b[^,;]{0,20}|n\/a|no\b[^,;]{0,40}|-+|all (?:done|complete[d]?))[.!]?$/i

/** Maximum number of sentences taken as steps from a text below a title; the rest is prose. */
const MAX_SENTENCES = 3

/** Each step as one line: first those below titles, then those in sentences, then what was put off. */
export function nextStepsIn(message: string): string[] {
  const stated = statedSteps(message)
  return stated.length > 0 ? stated : instructionsAtEnd(message)
}

/** The steps that the message itself says are left. */
export function statedSteps(message: string): string[] {
  const parts = partsOf(message)
  const left = parts.filter(({ kind }) => kind === 'left')
  const due = left.filter(({ title = '' }) => !PUT_OFF.test(title)).flatMap(titledSteps)
  const later = left.filter(({ title = '' }) => PUT_OFF.test(title)).flatMap(titledSteps)
  const said = parts.filter(({ kind }) => kind === 'other').flatMap(stepsInText)
  return [...due, ...said, ...later].filter((step) => isLeft(step))
}

const PUT_OFF = /\b(deferred|skipped|for later|out of scope|postponed|left out)\b/i

/** What the user is told to do at the end of the message. Courtesies may follow. */
export function instructionsAtEnd(message: string): string[] {
  const blocks = blocksOf(message)
  const said = blocks.flatMap((block, i) =>
    isText(block) ? [sentencesOf(withShown(block, i, blocks).text)] : [],
  )
  const ending = said.findLast((sentences) => !sentences.every((one) => isPolite(one))) ?? []
  if (ending.some((one) => isQuestion(one) && !isCourtesy(one))) return []
  const told = ending
    .slice(-MAX_DIRECTED)
    .filter((one) => DIRECTS.test(one) && !/\bif\b/i.test(one))
  return unique([...ledCommands(blocks), ...told])
}

/** `Push the branch:` with the command below it, wherever the message says it. */
function ledCommands(blocks: readonly Block[]): string[] {
  const led = blocks.flatMap((block, i) => {
    const lead = isText(block) ? (sentencesOf(block.text).at(-1) ?? '') : ''
    const { text } = withShown({ ...block, text: lead }, i, blocks)
    return LEAD.test(lead) && text !== lead ? [shorten(text, MAX_STEP)] : []
  })
  return led.slice(0, MAX_SENTENCES)
}

const LEAD =
  /^(?!.*\bif\b)(?:(?:please|now|then|just|first|you can now) )*(?:(?:open .{0,40} and )?(?:re-?)?run|execute|restart|push|commit|deploy|pull|verify|add|apply|paste) (?:the|this|these|it|your|all|only|both|and|in|on|from|locally)\b.*:$/i

function isPolite(sentence: string): boolean {
  return (
    isCourtesy(sentence) || isOffer(sentence) || /^if (?:anything|it|you|that)\b/i.test(sentence)
  )
}

const MAX_DIRECTED = 2
const DIRECTS =
  /^(?!.*\b(?:any|every|each)\b)(?:important: )?(?:(?:please|now|then|just|you can|por favor|ahora),? )*(?:test again\b|(?:restart|reload|hard[- ]refresh) (?!.*\b(?:is|are|was) )(?:[\w./~`-]+ ){1,3}(?:to|so|and|once)\b|(?:re-?(?:run|start|load|try|build|deploy)|refresh|paste) (?:the|your|it|this|that|all|both|and|`)|(?:open a terminal and )?(?:re-?)?run (?:(?:\S+ ){0,3}\S+: )?`[^`]*`(?:[.,:!]|$| (?:to|and|in|again|once|from|for|on|there|here)\b)|(?:try|log in|intenta|prueba)\b.*\b(?:again|once more|de nuevo|otra vez)\b)/i

/** False for counts, for what was done, for offers by the agent, and for a lead whose continuation is missing. */
function isLeft(step: string): boolean {
  if (isOffer(step) || isIntroduction(step)) return false
  return /\p{L}/u.test(step) && !NOTHING.test(step) && !WAS_DONE.test(step)
}

/** Also a row of a table, or an item, that is ticked off. */
const WAS_DONE =
  /[✅☑✔]|^(?:notified|informed|committed|pushed|marked|sent|I (?:left|kept)|you should (?:now )?see)\b|\bmarked (?:as )?(?:completed?|done)\b/i

function titledSteps({ title = '', blocks: all }: Part): string[] {
  const end = all.findIndex(({ kind }) => kind === 'heading')
  const blocks = all.slice(0, end === -1 ? undefined : end)
  const [own, choices] = [ownItems(blocks), choicesAndResults(blocks)]
  const items = blocks.flatMap((block, i) =>
    own[i] === true && choices[i] !== true
      ? [withRemedy(withShown(block, i, blocks), i, blocks)]
      : [],
  )
  const rows = blocks.filter(({ kind }) => kind === 'table')
  const listed = items.length > 0 ? items : rows
  const steps = listed.length > 0 ? listed : (commandsFirst(blocks) ?? textsToCode(blocks))
  const word = PUT_OFF.exec(title)?.[1]
  return steps
    .filter(({ text, isTicked }) => isTicked !== true && !isQuestion(text))
    .flatMap((block) => (isText(block) ? textSteps(block) : [block.text]))
    .map((step) => (word === undefined ? step : `${word.toLowerCase()}: ${step}`))
}

/** `The daemon is down`, with `Fix: Run …` right below it, is a state, and no step by itself. */
function withRemedy(item: Block, place: number, blocks: readonly Block[]): Block {
  if (!isOuter(item)) return item
  for (let i = place + 1; blocks[i]?.isNested === true; i += 1) {
    const [, remedy] = REMEDY.exec(blocks[i]?.text ?? '') ?? []
    if (remedy !== undefined) return { ...item, text: `${item.text}: ${remedy}` }
  }
  return item
}

const REMEDY = /^(?:fix|solution|to fix(?: it)?):\s*((?:re-?)?run `.*)$/i

/** An item below `Want me to:` is a choice, and one below `You should see:` is what will be there. */
function choicesAndResults(blocks: readonly Block[]): (boolean | undefined)[] {
  const isLead = ({ text }: Block) => NO_LEAD.test(text)
  const ofText = fromAbove(blocks, isText, isLead)
  const ofNested = fromAbove(blocks, (block) => isText(block) || isOuter(block), isLead)
  return blocks.map((block, i) => (isOuter(block) ? ofText : ofNested)[i])
}

const NO_LEAD =
  /(?:(?:^|[.!] )(?:want me to|shall I|should I|would you like me to|do you want)\b|\byou (?:should|will) (?:now )?see\b)[^.!]{0,80}:$/i

/** If code or a quote is directly below the title, its lines are the steps; what follows is unrelated. */
function commandsFirst(blocks: readonly Block[]): readonly Block[] | undefined {
  const end = blocks.findIndex((block) => !isCode(block))
  const commands = blocks.slice(0, end === -1 ? undefined : end)
  const steps = commands.filter(({ text }) => !COMMENT.test(text))
  const shown = ({ kind, text }: Block) => (kind === 'code' ? `\`${text}\`` : text)
  return steps.length === 0 ? undefined : steps.map((one) => ({ ...one, text: shown(one) }))
}

/** The texts below a title, up to the first code, and then those that introduce more code. */
function textsToCode(blocks: readonly Block[]): readonly Block[] {
  const end = blocks.findIndex((block, i) => isText(block) && isCode(blocks[i - 1]))
  return blocks.flatMap((block, i) => {
    if (!isText(block)) return []
    const shown = withShown(block, i, blocks)
    return end === -1 || i < end || (shown !== block && !NOT_A_STEP.test(block.text)) ? [shown] : []
  })
}

function isText({ kind }: Block): boolean {
  return kind === 'text'
}

/** For each block whether it is an item, and not one that only introduces nested items; these count instead. */
export function ownItems(blocks: readonly Block[]): boolean[] {
  const introduces = ({ kind, text }: Block) => kind === 'item' && isIntroduction(text)
  const isIntroduced = fromAbove(blocks, isOuter, introduces)
  return blocks.map((block, i) => {
    if (block.kind !== 'item') return false
    if (!isOuter(block)) return isIntroduced[i] === true
    return !introduces(block) || blocks[i + 1]?.isNested !== true
  })
}

function isOuter({ isNested }: Block): boolean {
  return isNested !== true
}

/** Appends what the block introduces, if that is code, an address or a table right below it. */
function withShown(block: Block, place: number, blocks: readonly Block[]): Block {
  const next = blocks[place + 1]
  if (next === undefined || !isIntroduction(block.text)) return block
  if (isText(next) && VALUE.test(next.text)) return { ...block, text: `${block.text} ${next.text}` }
  let end = place + 2
  while (blocks[end]?.kind === next.kind) end += 1
  const lines = blocks.slice(place + 1, end).map(({ text }) => text)
  if (next.kind === 'table') return { ...block, text: `${block.text} ${lines.join('; ')}` }
  if (!isCode(next)) return block
  const code = lines.filter((line) => !COMMENT.test(line)).join('; ')
  return code === '' ? block : { ...block, text: `${block.text} \`${shorten(code, MAX_CODE)}\`` }
}

/** Code or an address, and nothing else. */
export const VALUE = /^(?:`[^`]+`|https?:\/\/\S+)$/
const COMMENT = /^(?:#|\/\/)/
const MAX_CODE = 120

function isCode(block: Block | undefined): boolean {
  return block?.kind === 'code' || block?.kind === 'quote'
}

function isIntroduction(text: string): boolean {
  return COLON_AT_END.test(text)
}

function textSteps({ text }: Block): string[] {
  const sentences = sentencesOf(text).filter((one) => !isQuestion(one) && !isCourtesy(one))
  return sentences.slice(0, MAX_SENTENCES).flatMap(enumerated)
}

function stepsInText({ blocks }: Part): string[] {
  return blocks.flatMap((block, i) => {
    if (block.kind === 'item' && isLeftOpen(block.text)) return [shorten(block.text, MAX_STEP)]
    if (!isText(block)) return []
    const sentences = sentencesOf(withShown(block, i, blocks).text)
    return sentences.flatMap((one) => (UNDONE.test(one) ? [one] : stepIn(one)))
  })
}

/** Counts in an item as well, whatever else the item says. */
const LEFT_OPEN = /\bleft (?:as|for) (?:an? )?(?:open )?todos?\b|\bTODO\(\w+\)/i

/** Quoted comments are code and do not count. */
function isLeftOpen(text: string): boolean {
  return LEFT_OPEN.test(text.replace(/`(?!TODO\(\w+\)`)[^`]*`/g, ''))
}

export function isStep(sentence: string): boolean {
  return stepIn(sentence).length > 0
}

function stepIn(sentence: string): string[] {
  if (isLeftOpen(sentence)) return [sentence]
  if (NOT_A_STEP.test(sentence)) return []
  for (const pattern of STEPS) {
    const match = pattern.exec(sentence)
    if (match === null) continue
    const step = match[1]
    return step === undefined ? [sentence] : enumerated(step.replace(/\.$/, ''))
  }
  return []
}

/** `1) Share the list 2) Lock the order`: each is a step. */
function enumerated(step: string): string[] {
  const parts = step
    .split(/(?:^|[\s;,])\(?\d{1,2}\)\s+/)
    .map((part) => part.trim().replace(/[;,]$/, ''))
  const steps = parts.filter((part) => part !== '')
  const all = steps.length > 1 ? steps : [step]
  return all.map((one) => shorten(plainLine(one), MAX_STEP))
}

const MAX_STEP = 200
