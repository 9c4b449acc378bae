/** Colours for people: none if nobody would see them, or if the user does not want them. */

import { styleText } from 'node:util'

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const
type Style = (typeof STYLES)[number]

export type Paint = Readonly<Record<Style, (text: string) => string>>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The usual rules: `NO_COLOR` with any text switches colours off; `FORCE_COLOR` switches them on, or off with `0`
 * and `false`; otherwise a terminal that supports colours gets them.
 */
function isColoured(env: Environment, isTty: boolean): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = env
  if (NO_COLOR !== '') return false
  if (FORCE_COLOR !== '') return !['0', 'false'].includes(FORCE_COLOR)
  return isTty && TERM !== 'dumb'
}

export function paintFor(env: Environment, isTty: boolean): Paint {
  const isOn = isColoured(env, isTty)
  // Not validated: Node would ask the environment and the terminal of this process.
  const painter = (style: Style) => (text: string) =>
    isOn ? styleText(style, text, { validateStream: false }) : text
  return Object.fromEntries(STYLES.map((style) => [style, painter(style)])) as Paint
}
