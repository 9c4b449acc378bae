/** What a reader must know about the machine to compare numbers, and nothing that identifies it. */

import { arch, availableParallelism, cpus, platform } from 'node:os'

export function machineFacts(sandbox) {
  return {
    processor: `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    system: `${platform()} ${arch()}`,
    node: `Node ${process.versions.node}`,
    git: sandbox.git(sandbox.folder, '--version'),
    folder: sandbox.inMemory ? 'repositories in memory' : 'repositories on disk',
  }
}
