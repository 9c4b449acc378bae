/** `specs/tasks.md` has its shards in `specs/tasks.shards`. */
export function shardFolder(plan: string): string {
  return `${plan.replace(/\.[^./]*$/, '')}.shards`
}
