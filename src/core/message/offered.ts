/** The options that a message offers by letter or number, and the one that a reply chooses. Pure. */

import { plainLine, sentencesOf } from '../text/markdown-to-text.ts'
import { cellsOf, isRow } from '../text/table-row.ts'
import { CHOOSES, isQuestion } from './questions.ts'

interface Chosen {
  /** Undefined for a table of options that only a recommendation introduces. */
  readonly question: string | undefined
  readonly option: string
  readonly others: readonly string[]
}

/** `B`, `2.`, `Option A`: nothing but the name of an option. */
const NAME = /^(?:option )?([a-h]|\d)[.)!]?$/i
const NAMES = [[...'ABCDEFGH'], [...'123456789']] as const

/**
 * The option that the reply names. Undefined if that is not certain: the name occurs twice, nothing else is offered, or
 * the list is no choice, such as a menu or an offer of more work.
 */
export function chosenIn(message: string, reply: string): Chosen | undefined {
  const [, name = ''] = NAME.exec(reply.trim()) ?? []
  const names = NAMES.find((some) => some.includes(name.toUpperCase()))
  const lines = message.split('\n')
  const offered = (names ?? []).flatMap((one) => {
    const [place = -1, ...others] = placesOf(lines, one)
    return place === -1 || others.length > 0
      ? []
      : [{ name: one, place, text: optionAt(lines, one, place) }]
  })
  const chosen = offered.find((one) => one.name === name.toUpperCase())
  if (chosen === undefined || offered.length < 2) return undefined
  const isLettered = names === NAMES[0]
  const question = questionBeside(
    lines,
    offered.map(({ place }) => place),
    isLettered,
  )
  const isTable = isLettered && isRow(lines[chosen.place] ?? '')
  if (question === undefined && !isTable) return undefined
  const others = offered.filter((one) => one !== chosen).map(({ text }) => text)
  return { question, option: chosen.text, others }
}

/** The newest option with this letter or number; of a table row, the first cell after it. */
export function optionNamed(message: string, name: string): string | undefined {
  const lines = message.split('\n')
  const place = placesOf(lines, name).at(-1)
  return place === undefined ? undefined : optionAt(lines, name, place)
}

function placesOf(lines: readonly string[], name: string): number[] {
  const label = labelOf(name)
  return lines.flatMap((line, i) => (label.test(line) ? [i] : []))
}

function optionAt(lines: readonly string[], name: string, place: number): string {
  const line = lines[place] ?? ''
  const option = line.replace(labelOf(name), '')
  return isRow(line) ? (cellsOf(option)[0] ?? '') : option
}

function labelOf(name: string): RegExp {
  return new RegExp(
    String.raw`^[\s#>*_|([-]*(?:\p{L}+ )?${name}\s*(?:[.):\]*|]|[–—-] )+\s*(?=\S)`,
    'iu',
  )
}

/**
 * What is asked right above the options, or right below them if that lets the reader choose. Numbers below a question of
 * yes or no may be steps.
 */
function questionBeside(
  lines: readonly string[],
  places: readonly number[],
  isLettered: boolean,
): string | undefined {
  const isOther = (line: string) => line.trim() !== '' && !isRow(line)
  const above = lines.slice(0, Math.min(...places)).findLast(isOther) ?? ''
  const below = lines.slice(Math.max(...places) + 1).find(isOther) ?? ''
  const asked = sentencesOf(plainLine(above)).at(-1) ?? ''
  const isChoice = isLettered || CHOOSES.test(asked) || !YES_OR_NO.test(asked)
  if (isQuestion(asked) && isChoice) return asked
  return sentencesOf(plainLine(below)).find((one) => isQuestion(one) && CHOOSES.test(one))
}

const YES_OR_NO =
  /^(?:do|does|did|is|are|was|were|have|has|can|could|will|would|shall|should|may)\b/i
