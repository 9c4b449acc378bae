/**
 * The parts of an agent's message by their titles: what is left, and what is asked.
 *
 * A title is a heading, or a line that ends with a colon and has a list below it. Parts are mostly recognized by
 * form, with a few English words where form is not enough, so messages in other languages lose little.
 */

import type { Block } from '../text/message-blocks.ts'
import { countWords, plainLine, sentencesOf } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'

export type PartKind = 'left' | 'asked' | 'other'

export interface Part {
  readonly kind: PartKind
  /** Plain text; undefined for the text before the first title, and after a titled list. */
  readonly title: string | undefined
  readonly blocks: readonly Block[]
}

const LEFT_PREFIX =
  '(?:(?:your|my|our|the|some|suggested|possible|recommended|remaining|immediate|optional|required|proposed|planned|intentionally|explicitly|known|open|post-\\w+) )*'
const LEFT = [
  'next(?: (?:steps?|actions?|up|focus|tasks?))?',
  'remaining(?: (?:work|tasks?|items?|steps?|issues?))?',
  'to[ -]?dos?|action (?:items?|required|needed)|outstanding|pending(?: (?:tasks?|work|items?))?',
  "still (?:to do|open|missing|needed|needs?|pending|left)|what(?:'s| is) (?:still )?(?:left|next|missing)",
  "what (?:you|i|we)(?:'ll)? (?:still )?(?:need|have) to do|(?:what )?you(?:'ll| will)? (?:still )?need to(?: do)?",
  'not (?:yet )?(?:done|implemented|addressed|covered|fixed|tested|verified)',
  "follow[ -]?ups?|next change|what (?:i'd|i would) (?:suggest|recommend|change|do) next|future (?:work|improvements?|enhancements?)",
  '(?:setup|configuration|steps?) (?:required|needed)|(?:set-?up|configuration) (?:steps|you need)',
  'manual (?:steps?|actions?|work|testing|setup|set-up|verification|follow[ -]?ups?)|set-?up',
  "what i (?:can't|cannot|couldn't|didn't|haven't) (?:do|verify|test|run|check|finish)",
  'what (?:to|you should) (?:do|run)|(?:(?:one|two|three|a few|more|other) )*things? to (?:check|verify|confirm|test|do|fix)',
  '(?:how )?to (?:deploy|publish|verify|test|apply|activate|finish)|(?:deploy|apply|test|verify) (?:it|this|now|locally|on your|to (?:the|your|live))',
  "here(?:'s| is) how to (?:fix|clean|resolve|repair|recover|unblock)\\b(?: [\\w'-]+){1,5}",
  'open (?:items?|points?|threads?|tasks?|work)|handoff (?:prompt )?(?:to|for) the next (?:session|agent)',
  '다음 (?:단계|작업)|남은 .{0,12}|次の(?:ステップ|作業).{0,6}|残り.{0,12}|下一步.{0,6}|后续.{0,8}',
  '(?:les )?prochaines? (?:étapes?|actions?)|étapes? (?:requises? )?suivantes?|reste à faire|nächste schritte|prossimi passi',
  'próxim[oa]s (?:pass?os|etapas|ações|acciones)|siguientes pasos|следующие (?:шаги|действия)',
  'deferred|skipped|left out|(?:noted )?for later|out of scope|postponed|before (?:you )?(?:merg|deploy|releas|push|commit|ship)\\w*',
].join('|')

/** The first pattern that matches a title decides. */
const TITLES: readonly (readonly [PartKind, RegExp])[] = [
  ['left', new RegExp(`^${LEFT_PREFIX}(?:${LEFT})(?![\\p{L}\\p{N}])[^.?!。]{0,40}$`, 'iu')],
  // `To deploy it, you will need to`
  [
    'left',
    /^(?!if\b|when\b).*\byou(?:'ll|'d| will| would| still| just)* (?:need|have) to(?! (?:know|remember|understand)\b)(?: \w+){0,4}$/i,
  ],
  [
    'asked',
    /^(?:(?:open|my|some|a few|key|remaining|clarifying|unresolved) )*(?:questions?|decisions? (?:needed|required|for you|to make)|clarifications?|needs? (?:your )?(?:input|decision))\b[^.!]{0,40}$/i,
  ],
]

/** The title without marks at its start and the colon at its end. */
function titleText(text: string): string {
  return text
    .replace(/^[^\p{L}\p{N}`]+/u, '')
    .replace(/\s*[:：]$/, '')
    .replaceAll('’', "'")
}

function kindOf(title: string): PartKind {
  return TITLES.find(([, pattern]) => pattern.test(titleText(title)))?.[0] ?? 'other'
}

/**
 * Splits a message into parts. Each title starts a part, and so does text after a list. Numbered headings right below a
 * title that announces steps are these steps.
 */
export function partsOf(message: string): Part[] {
  const blocks = blocksOf(message)
  const parts: { kind: PartKind; title: string | undefined; blocks: Block[] }[] = [
    { kind: 'other', title: undefined, blocks: [] },
  ]
  const numbered = new Set((message.match(NUMBERED) ?? []).map(plainLine))
  const steps = new Set<Block>()
  for (const [i, block] of blocks.entries()) {
    const last = parts.at(-1)
    const isNumbered = block.kind === 'heading' && numbered.has(block.text)
    const [first] = last?.blocks ?? []
    const isRightBelow = last?.kind === 'left' && (first === undefined || steps.has(first))
    if (isNumbered && isRightBelow && !numbered.has(last.title ?? '')) {
      // Its code or list follows.
      const step: Block = { kind: 'item', text: block.text.replace(/[:：]?$/, ':') }
      steps.add(step)
      last.blocks.push(step)
    } else if (isTitle(block, blocks[i + 1])) {
      const [title = block.text, ...before] = sentencesOf(block.text).toReversed()
      const isLine = block.kind === 'text' && before.length > 0
      if (isLine) last?.blocks.push({ ...block, text: before.toReversed().join(' ') })
      const own = isLine ? title : block.text
      parts.push({ kind: kindOf(own), title: titleText(own), blocks: [] })
    } else if (block.kind === 'text' && last?.blocks.at(-1)?.kind === 'item') {
      // The list is over; what follows it is unrelated.
      parts.push({ kind: 'other', title: undefined, blocks: [block] })
    } else last?.blocks.push(block)
  }
  return parts
}

/** For each block what `read` finds in the nearest matching block above it; undefined if none matches. */
export function fromAbove<T>(
  blocks: readonly Block[],
  matches: (block: Block) => boolean,
  read: (block: Block) => T,
): (T | undefined)[] {
  let found: T | undefined
  return blocks.map((block) => {
    const above = found
    if (matches(block)) found = read(block)
    return above
  })
}

/** Numbered headings, which may be steps. */
const NUMBERED = /^[ \t]*(?:#{1,6} +(?:\*\*)?|\*\*)(?:(?:step|change) )?\d{1,2}[.):].*$/gim

const MAX_TITLE = 160
/** Maximum number of words of a title without a colon. */
const SHORT_TITLE = 4

function isTitle({ kind, text }: Block, next: Block | undefined): boolean {
  if (kind === 'heading') return !/[?？]$/.test(text)
  if (kind !== 'text' || next?.kind !== 'item') return false
  const isShort = countWords(text) <= SHORT_TITLE && /^\p{Lu}[^.!?,;…]*[\p{L}\p{N})]$/u.test(text)
  return (/[:：]$/.test(text) && text.length <= MAX_TITLE) || isShort
}
