/** Copies of events on their way into a commit: what the marks of commits keep. */

import type { EventCopies, EventCopy, MarkStore } from '../../app/ports.ts'
import { nameToText } from '../../core/git/objects.ts'

export class MarkedCopies implements EventCopies {
  readonly #marks: MarkStore

  constructor(marks: MarkStore) {
    this.#marks = marks
  }

  async list(): Promise<readonly EventCopy[]> {
    return this.#marks
      .list()
      .flatMap(({ copies }) => copies)
      .map(({ path, oid, bytes }) => ({ path: nameToText(path), oid, text: bytes }))
  }

  async drop(path: string): Promise<void> {
    for (const mark of this.#marks.list()) {
      const copies = mark.copies.filter((copy) => nameToText(copy.path) !== path)
      if (copies.length === mark.copies.length) continue
      if (copies.length === 0 && mark.entries.length === 0) this.#marks.remove(mark.id)
      else this.#marks.replace({ ...mark, copies })
    }
  }
}
