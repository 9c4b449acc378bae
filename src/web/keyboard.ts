/** Keys of the page. */

export interface KeyActions {
  focusFilter(): void
  showHelp(): void
  step(direction: -1 | 1): void
  /** Goes back to now; if already there, clears the filter. */
  clear(): void
}

export function listenToKeys(actions: KeyActions): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (document.querySelector('dialog[open]') !== null) return
    const target = event.target instanceof Element ? event.target : document.body
    if (target.closest('input') !== null) {
      if (event.key !== 'Escape') return
      if (target instanceof HTMLElement) target.blur()
    }
    if (act(event.key, target, actions)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/** True if the key is one of the page's. */
function act(key: string, target: Element, actions: KeyActions): boolean {
  const row = target.closest<HTMLElement>('[data-row]')
  const isRow = row !== null && row === target
  switch (key) {
    case 'j':
      return moveRow(row, 1)
    case 'k':
      return moveRow(row, -1)
    case 'ArrowDown':
      return isRow && moveRow(row, 1)
    case 'ArrowUp':
      return isRow && moveRow(row, -1)
    case 'c':
      row?.querySelector<HTMLElement>('[data-copy]')?.click()
      return row !== null
    case 'Enter':
      if (!isRow) return false
      row.querySelector<HTMLElement>('summary, .step')?.click()
      return true
    case '/':
      actions.focusFilter()
      return true
    case '?':
      actions.showHelp()
      return true
    case '[':
    case ']':
      actions.step(key === '[' ? -1 : 1)
      return true
    case 'Escape':
      actions.clear()
      return true
    default:
      return /^[1-7]$/.test(key) && goToPanel(Number(key) - 1)
  }
}

function moveRow(from: HTMLElement | null, by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = from === null ? (by === 1 ? -1 : rows.length) : rows.indexOf(from)
  const row = rows[at + by]
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
  return true
}

function goToPanel(index: number): boolean {
  const heading = document.querySelectorAll<HTMLElement>('[data-panel] h2')[index]
  goToHeading(heading ?? null)
  return heading !== undefined
}

export function goToHeading(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'start' })
}
