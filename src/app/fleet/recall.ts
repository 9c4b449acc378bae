/** What the look before found out, if it is still asked for. */

import type { FleetMemory } from './fleet-context.ts'

/** `what`: whose answers these are; each has its own type. `make` is asked where nobody remembers `key`. */
export type Recall = <T>(
  what: 'distance' | 'freshness' | 'changes' | 'checkpoints',
  key: string,
  make: () => Promise<T>,
) => Promise<T>

/** `memory`: all that was asked for. */
export function recallOf(before: FleetMemory | undefined): {
  readonly recall: Recall
  readonly memory: FleetMemory
} {
  const memory = new Map<string, unknown>()
  const recall: Recall = async <T>(what: string, key: string, make: () => Promise<T>) => {
    const name = `${what} ${key}`
    const value = (memory.get(name) ?? before?.get(name) ?? (await make())) as T
    memory.set(name, value)
    return value
  }
  return { recall, memory }
}
