/** Limits on what sessions keep, so that a talkative agent does not slow down hooks. */

/** At most `limit` UTF-16 units of whole characters, well-formed; text that was cut ends with `…`. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed()
  const kept = text.slice(0, limit - 1)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`.toWellFormed()
}

/** The same, but cut in the middle, because both ends of a text say the most. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed()
  const half = Math.floor((limit - 3) / 2)
  const end = text.slice(text.length - half)
  const tail = /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end
  return `${cutText(text, half + 1)}\n\n${tail}`.toWellFormed()
}

export function newest<Item>(items: readonly Item[], limit: number): readonly Item[] {
  return items.length <= limit ? items : items.slice(-limit)
}
