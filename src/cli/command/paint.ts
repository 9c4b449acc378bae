/** Colours for people: none if nobody would see them, or if the user does not want them. */

type Painter = (text: string) => string

export interface Paint {
  readonly bold: Painter
  readonly dim: Painter
  readonly red: Painter
  readonly green: Painter
  readonly yellow: Painter
  readonly cyan: Painter
}

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
  const painter = isColoured(env, isTty)
    ? (code: number, end: number): Painter =>
        (text) =>
          `\u001b[${code}m${text}\u001b[${end}m`
    : (): Painter => (text) => text
  return {
    bold: painter(1, 22),
    dim: painter(2, 22),
    red: painter(31, 39),
    green: painter(32, 39),
    yellow: painter(33, 39),
    cyan: painter(36, 39),
  }
}
