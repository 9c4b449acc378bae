/** Bounds of what sessions keep: a hook must not slow down because an agent talks a lot. */

/** At most `limit` UTF-16 units, whole characters, well-formed; `…` at the end of what was cut. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed()
  const kept = text.slice(0, limit - 1)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`.toWellFormed()
}

export function newest<Item>(items: readonly Item[], limit: number): readonly Item[] {
  return items.length <= limit ? items : items.slice(-limit)
}
