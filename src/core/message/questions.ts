/**
 * What an agent's message asks the user, with the context of each question: the choices next to it or, for a short
 * question, the statement before it.
 *
 * A question is open if it ends the message, is listed among questions, or addresses the user. It is not open if the
 * agent answers it or if it is a courtesy. Pure.
 */

import type { Block } from '../text/message-blocks.ts'
import { hasWords, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import type { Part } from './message-parts.ts'
import { partsOf } from './message-parts.ts'

export function isQuestion(sentence: string): boolean {
  return /[?？][)"'”’*]*$/.test(sentence)
}

/** A question in quotation marks: somebody else asks it. */
const QUOTED = /(?:[“„«「『][^“”„«»「」『』]*|(?<![\p{L}\p{N}])"[^"]*)[?？]["”»」』][)*]*$/u

/** Polite phrases that leave nothing open. */
const COURTESIES = [
  /\bwould you like (?:me )?to (?:do|work on) (?:next|now)\b|\bwhat(?:'s|’s| is| should (?:i|we) do) next\b/i,
  /\bwhat would you like\b|\bwhat else\b|\bhow (?:can|may) i help\b|\b(?:does (?:that|this)|is (?:that|this|everything)) (?:help|clear|ok(?:ay)?|make sense)\b/i,
  /^(?:you(?:'re| are|’re) (?:very |most )?welcome|my pleasure|no problem|glad (?:i could|to) help|(?:many )?thanks?(?: you)?)\b/i,
  /^(?=.*[?？])(?:(?!, or\b).)*\b(?:anything|something) (?:else|specific)\b|\b(?:can|may|could|shall) i (?:help|assist)\b|\bwhat can i (?:do|help)\b/i,
  /^(?:(?:so,? )?(?:do|did) you (?:understand|follow)(?: (?:it|that|this|so far|me|now))?|understood|c['’]est (?:plus )?clair) ?\?$|^.{0,12}이해(?:돼|됐|되셨|했|하셨).{0,6}[?？]$|^.{0,6}明白了?吗？?$/i,
  /^[([]?y(?:es)?\s?\/\s?no?[)\]]?\.?$/i,
  /^(?:that['’]s an? |yes, )?(?:great|good|excellent|fair|nice|interesting) (?:question|idea|catch|find|eye)[.!]$/i,
  /^(?:(?:are )?you good|ready|good|ok(?:ay)?|right|sounds good|make sense)\?$/i,
  /有什么.{0,6}帮|需要我?帮(?:忙|你做)什么|何か.{0,8}手伝|무엇을 도와|(?:comment|que) puis-je (?:vous |t['’])?aider|wie kann ich (?:dir|ihnen) helfen|en qué puedo ayudar/i,
  /\blet me know what you(?:['’]d| would) like\b/i,
  /\bawait(?:ing)? .{0,20}\b(?:instructions?|input|orders)\b/i,
  /^(?:please )?(?:let me know|feel free|happy to help|don't hesitate)\b|^n['’]hésitez pas\b/i,
]

export function isCourtesy(sentence: string): boolean {
  return COURTESIES.some((pattern) => pattern.test(sentence))
}

/** A conditional offer, which leaves nothing open. */
export function isOffer(sentence: string): boolean {
  return OFFER.test(sentence)
}

const OFFER =
  /^if you(?:['’]d| would)? (?:want|wish|like|prefer|need)\b.*\bI(?:['’]ll| can| could| will)\b/i

/** Input that the agent waits for. */
const DEMAND =
  /^please (?:provide|send|share|tell me|confirm|paste|specify|choose|pick|clarify|give me|point me|upload)\b|^reply (?:with )?["“`][^"”`]+["”`]/i

/** What may follow a question without answering it. */
const MAY_FOLLOW =
  /^(?:let me know|if |i(?:'d|’d|'ll|’ll| would| can| could| will| recommend| suggest| think)\b|my (?:recommendation|suggestion|preference|vote|pick)|otherwise|either|options?\b|please|just\b|feel free|or\b|e\.g\.|for example|\(|say\b|reply|answer|tell me|once |the (?:alternative|other option)|both|[a-c1-4][.):])/i

const TO_THE_USER =
  /\b(?:you|your|shall|should|want|prefer|i|me|we|us|ok|okay|confirm|vous|voulez|usted|quieres|sie|möchten)\b|\bvocê/i

/** Offers: if they are the end, the agent waits for the user's answer, even if more text follows. */
const OFFERS =
  /^(?:(?:where |which |how |what )?(?:would you (?:like|prefer|want)|do you (?:want|prefer))|want me to|(?:shall|should) (?:i|we))\b/i
/**
 * Only the user can answer it, so what follows is not the answer, unless that is a yes or no. In `Where do you put it?`,
 * `you` is anybody.
 */
const ASKS_USER =
  /^(?!(?:how|why|when)\b|(?:\w+ )?(?:what|where|which|who)\b.*\b(?:do|can|could|would|will) you\b).*\b(?:are|were|do|did|have|can|could|would|will) you\b/i
const YES_OR_NO = /^(?:yes|no|not|only|sure|never|of course)\b/i

/** A question shorter than this is about the text before it. */
const SHORT = 40
/** In `Shall I check which users have none?`, nobody chooses. */
export const CHOOSES =
  /^(?:(?:so|and|but|or|then),? )*which\b|\b(?:which (?:of|one|option|approach|way)|one of (?:these|them|the)|either|prefer|choose|pick|option(?! \d))\b/i
const MAX_CHOICES = 6

export function questionsIn(message: string, max: number): string[] {
  const parts = partsOf(message)
  const all = parts.flatMap((part) => [...titleOf(part), ...part.blocks])
  const end = all.findLastIndex((block) => !isAtEnd(block))
  const lastTitle = parts.findLastIndex(({ title }) => title !== undefined)
  const options = optionTitles(all)
  let before = 0
  return parts.flatMap((part, place) => {
    const { kind, blocks } = part
    const start = before + titleOf(part).length
    before = start + blocks.length
    return blocks.flatMap((block, i) => {
      if (block.kind !== 'text' && block.kind !== 'item' && block.kind !== 'heading') return []
      const here = start + i
      const isLast = place >= lastTitle
      const isAsked = kind === 'asked' || (isLast && end <= here)
      const sentences = sentencesOf(block.text)
      return sentences.flatMap((sentence, at) => {
        if (DEMAND.test(sentence) && isLast && end <= here) return [shorten(sentence, max)]
        if (!isQuestion(sentence) || isCourtesy(sentence) || sentence.length < 6) return []
        if (QUOTED.test(sentence)) return []
        // A title that asks is answered by the text below it, unless it is below a title such as `Open questions`.
        const isTitle = block.kind === 'heading' && kind !== 'asked'
        if (isTitle && all[here + 1]?.kind === 'text') return []
        const list = at === sentences.length - 1 ? listQuestion(all, here) : undefined
        if (list !== undefined) return [shorten(list, max)]
        const isEnd = here === all.length - 1
        if (isAnswered(sentence, sentences[at + 1], isEnd)) return []
        if (!isAsked && !TO_THE_USER.test(sentence)) return []
        const said = sentences[at - 1] ?? (isVeryShort(sentence) ? lastSaid(all, here) : '')
        const whole =
          sentence.length < SHORT && said !== '' && !isQuestion(said)
            ? `${said} ${sentence}`
            : sentence
        const choices = at === sentences.length - 1 ? (options ?? choicesBeside(all, here)) : []
        const full = choices.length === 0 ? whole : `${whole} (${choices.join(' / ')})`
        return [
          [full, whole, sentence].find(({ length }) => length <= max) ?? shorten(sentence, max),
        ]
      })
    })
  })
}

/**
 * Whether a sentence of the message is a question that a quote leaves out: an open one, which the event reports, or an
 * offer. One that the agent answers itself belongs to the answer.
 */
export function asksIn(message: string): (sentence: string) => boolean {
  const asked = questionsIn(message, Infinity).join('\n')
  return (sentence) => isQuestion(sentence) && (OFFERS.test(sentence) || asked.includes(sentence))
}

/** What a quote keeps of a paragraph. A question with a kept sentence behind it is what that sentence is about. */
export function keptSentences(
  paragraph: string,
  isLeftOut: (sentence: string) => boolean,
): readonly string[] {
  const sentences = sentencesOf(paragraph).filter(hasWords)
  const end = sentences.findLastIndex((one) => !isLeftOut(one))
  const isSubject = (one: string) => isQuestion(one) && !isCourtesy(one)
  return sentences.filter((one, at) => !isLeftOut(one) || (at < end && isSubject(one)))
}

/** `next`: what follows the question. `isEnd`: this is the last text of the message. */
function isAnswered(question: string, next: string | undefined, isEnd: boolean): boolean {
  if (next === undefined || isQuestion(next) || MAY_FOLLOW.test(next)) return false
  if (OFFERS.test(question)) return !isEnd
  return !ASKS_USER.test(question) || YES_OR_NO.test(next)
}

function titleOf({ title }: Part): Block[] {
  return title === undefined ? [] : [{ kind: 'heading', text: title }]
}

/** A question, its choices, or courtesies: a question before these is still at the end of the message. */
function isAtEnd({ kind, text }: Block): boolean {
  if (kind !== 'text') return kind === 'item' || kind === 'code' || kind === 'quote'
  return sentencesOf(text).every(
    (one) => isQuestion(one) || isCourtesy(one) || MAY_FOLLOW.test(one),
  )
}

/** At most four words: `Proceed?` */
function isVeryShort(sentence: string): boolean {
  return sentence.split(' ').length <= 4
}

/** The sentence before the block; or the list or code before it, with its introduction. */
function lastSaid(blocks: readonly Block[], place: number): string {
  const isShown = ({ kind }: Block) => kind === 'item' || kind === 'code' || kind === 'quote'
  const before = adjacentBlocks(blocks, place, -1, isShown)
  const lead = blocks[place - before.length - 1]
  const said = sentencesOf(lead?.text ?? '').at(-1) ?? ''
  const shown = before.filter(({ isNested }) => isNested !== true)
  if (shown.some(({ text }) => isQuestion(text))) return ''
  if (shown.length === 0) return lead?.kind === 'text' ? said : ''
  const lines = shown.map(({ text }) => shorten(text, MAX_SHOWN).replace(/[.;]$/, ''))
  const most = lines.length > MAX_CHOICES ? [...lines.slice(0, MAX_CHOICES), '…'] : lines
  return `${said === '' ? '' : `${said.replace(/[:：.]$/, '')}: `}${most.join('; ')}.`
}

const MAX_SHOWN = 70

const OPTION_TITLE = /^(?:option|variant|approach|alternative|choice)\s+\w{1,3}\s*[:.)–—-]\s*/i

/** Options in headings are the choices of every question. */
function optionTitles(blocks: readonly Block[]): string[] | undefined {
  const titles = blocks.filter(({ kind, text }) => kind === 'heading' && OPTION_TITLE.test(text))
  if (titles.length < 2) return undefined
  return titles.map(({ text }) => choiceName(text.replace(OPTION_TITLE, '')))
}

/** The list after a question, or before a question that asks the user to choose. */
function choicesBeside(blocks: readonly Block[], place: number): string[] {
  const isChoice = (block: Block) => block.kind === 'item' && !isQuestion(block.text)
  const { kind, text = '' } = blocks[place] ?? {}
  if (kind === 'item') return []
  const behind = adjacentBlocks(blocks, place, 1, isChoice)
  const sentence = sentencesOf(text).at(-1) ?? ''
  // `…, or will you run it yourself?` already contains its choices, and so does `Which one – a or b?`.
  const dash = /\bwhich\b/i.test(sentence) ? sentence.search(/[–—-] /) : 0
  const hasOwn = dash !== -1 && /\bor\b/i.test(sentence.slice(dash))
  const asksToChoose = sentencesOf(text).some((one) => isQuestion(one) && CHOOSES.test(one))
  const isOpen = asksToChoose && !hasOwn
  const before = isOpen ? adjacentBlocks(blocks, place, -1, isChoice) : []
  const all = behind.length > 0 ? behind : before
  const found = all.filter(({ isNested }) => isNested !== true)
  return found.length < 2 || found.length > MAX_CHOICES
    ? []
    : found.map((one) => choiceName(one.text))
}

/** `Want me to:` with a list below it, in which only the last item has a question mark. */
function listQuestion(blocks: readonly Block[], place: number): string | undefined {
  const isItem = ({ kind }: Block) => kind === 'item'
  const before = blocks[place]?.kind === 'item' ? adjacentBlocks(blocks, place, -1, isItem) : []
  const lead = blocks[place - before.length - 1]?.text.replace(/[:：]$/, '') ?? ''
  const isOne =
    before.length > 0 &&
    ASKS_WITH_LIST.test(lead) &&
    !adjacentBlocks(blocks, place, 1, isItem).length
  if (!isOne || before.some(({ text }) => isQuestion(text))) return undefined
  const items = [...before, ...blocks.slice(place, place + 1)].map(({ text }) =>
    shorten(text.replace(/[,;.]$/, ''), MAX_SHOWN),
  )
  return `${lead}: ${items.join('; ')}`
}

const ASKS_WITH_LIST =
  /^(?:(?:do|would) you|(?:want|like) me to|(?:shall|should|can|may) (?:i|we)|which|soll ich|voulez-vous|¿?quieres que)\b/i

/** The adjacent blocks on one side that match, up to the first that does not; in their original order. */
function adjacentBlocks(
  blocks: readonly Block[],
  place: number,
  step: 1 | -1,
  fits: (block: Block) => boolean,
): readonly Block[] {
  let end = place + step
  for (let block = blocks[end]; block !== undefined && fits(block); block = blocks[end]) end += step
  return step === 1 ? blocks.slice(place + 1, end) : blocks.slice(end + 1, place)
}

/** `Redis — survives a restart`: the text before the dash. */
function choiceName(text: string): string {
  const [name = text] = text.split(/\s+[–—-]\s+|:\s|\.\s/)
  return shorten(name, 60).replace(/[.:]$/, '')
}
