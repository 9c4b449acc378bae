/** What the look before found out, if it is still asked for. */

import type { FleetMemory } from './fleet-context.ts'

export type Recall<T> = (key: string, make: () => Promise<T>) => Promise<T>

type Kept<K extends keyof FleetMemory> =
  FleetMemory[K] extends ReadonlyMap<string, infer T> ? T : never

export interface Recalls {
  readonly distance: Recall<Kept<'distances'>>
  readonly freshness: Recall<Kept<'freshness'>>
  readonly changes: Recall<Kept<'changes'>>
  readonly checkpoints: Recall<Kept<'checkpoints'>>
  /** All that was asked for. */
  readonly memory: FleetMemory
}

export function recallsOf(before: FleetMemory | undefined): Recalls {
  const memory = {
    distances: new Map<string, Kept<'distances'>>(),
    freshness: new Map<string, boolean>(),
    changes: new Map<string, Kept<'changes'>>(),
    checkpoints: new Map<string, Kept<'checkpoints'>>(),
  }
  return {
    distance: recall(before?.distances, memory.distances),
    freshness: recall(before?.freshness, memory.freshness),
    changes: recall(before?.changes, memory.changes),
    checkpoints: recall(before?.checkpoints, memory.checkpoints),
    memory,
  }
}

function recall<T>(before: ReadonlyMap<string, T> | undefined, now: Map<string, T>): Recall<T> {
  return async (key, make) => {
    const value = now.get(key) ?? before?.get(key) ?? (await make())
    now.set(key, value)
    return value
  }
}
