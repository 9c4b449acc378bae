/**
 * The open tasks of plans in an order in which they can be done: the order of the plan, except that a task follows the
 * tasks it depends on. Pure.
 */

import type { Plan, Unit } from './plan.ts'
import { isOpen } from './plan.ts'

/** Dependencies are resolved within one plan. Those that are done, unknown, or circular do not block a task. */
export function openInOrder({ units }: Pick<Plan, 'units'>): Unit[] {
  const open = units.filter(isOpen)
  const byId = new Map(
    open.flatMap((unit) => (unit.task?.id ? [[unit.task.id.toUpperCase(), unit]] : [])),
  )
  const placed = new Set<Unit>()
  const seen = new Set<Unit>()
  for (const unit of open) {
    // An explicit stack: a chain of dependencies may be as long as the plan.
    const stack = [unit]
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const before = seen.has(top) ? [] : dependencies(top, byId).filter((one) => !seen.has(one))
      seen.add(top)
      if (before.length > 0) stack.push(...before.toReversed())
      else placed.add(stack.pop() ?? top)
    }
  }
  return [...placed]
}

function dependencies({ task }: Unit, byId: ReadonlyMap<string, Unit>): Unit[] {
  return (task?.after ?? []).flatMap((id) => byId.get(id) ?? [])
}
