/** The shards of `specs/tasks.md` are in `specs/tasks.shards`. */
export function shardFolder(plan: string): string {
  return `${plan.replace(/\.[^./]*$/, '')}.shards`
}
