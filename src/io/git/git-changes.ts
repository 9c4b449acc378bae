/** What changed between commits, trees and the index; which commits say something. */

import type { ChangesPort } from '../../app/shadow/git-ports.ts'
import type { FileChange } from '../../core/checkpoint/condensation.ts'
import { isNullOid, nameToText } from '../../core/git/objects.ts'
import type { Git } from '../process/exec.ts'
import { splitNul } from '../process/exec.ts'

export class GitChanges implements ChangesPort {
  readonly #git: Git

  constructor(git: Git) {
    this.#git = git
  }

  ofIndex(tree: string): Promise<FileChange[]> {
    // A file that `git add -N` announced is in no commit of this index.
    return this.#changes(['diff-index', '--cached', '--ita-invisible-in-index'], [tree])
  }

  between(from: string, to: string): Promise<FileChange[]> {
    return this.#changes(['diff-tree', '-r'], [from, to])
  }

  async saying(text: string, base: string | undefined): Promise<string[]> {
    const words = ['log', '--format=%H', '--no-show-signature', '--fixed-strings', `--grep=${text}`]
    const where = ['HEAD', '--branches', ...(base === undefined ? [] : ['--not', base])]
    // No commit at all yet, or a base that is gone: nothing can be said.
    const { status, stdout } = await this.#git.run([...words, ...where, '--'])
    return status === 0 ? stdout.toString('utf8').split('\n').filter(Boolean) : []
  }

  async #changes(command: readonly string[], trees: readonly string[]): Promise<FileChange[]> {
    // A renamed file is one that went and one that came; settings of the user count for nothing.
    const options = ['--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none']
    const fields = splitNul(await this.#git.output([...command, ...options, ...trees]))
    const changes: FileChange[] = []
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [, , before = '', after = '', status] = (fields[at] ?? '').split(' ')
      // Unmerged paths come twice; the other line has what there is.
      if (status === 'U') continue
      changes.push({
        path: nameToText(fields[at + 1] ?? ''),
        before: isNullOid(before) ? undefined : before,
        after: isNullOid(after) ? undefined : after,
      })
    }
    return changes
  }
}
