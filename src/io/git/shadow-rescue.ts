/** What `recover` needs: which worktrees exist, what branches hold, and files that are created but never replaced. */

import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { RescuePort, RestoredFile } from '../../app/shadow/git-ports.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { attempt, bytePath, isMissing, orUnwritable, namesIn, unwritable } from '../files/files.ts'
import { elsewhere, Git, LOG } from '../process/exec.ts'
import { GitWorktree } from './git-worktree.ts'
import { listWorktrees } from './list-worktrees.ts'

export function shadowRescue(git: Git, { commonDir }: Place): RescuePort {
  const linked = join(commonDir, 'worktrees')
  return {
    worktrees: async () => {
      // The first is the main one, also when asked from another.
      const [main] = await listWorktrees(git)
      const found = main === undefined || main.isBare ? [] : [{ name: '', path: main.path }]
      for (const name of namesIn(linked)) {
        const file = attempt(() => readFileSync(join(linked, name, 'gitdir'), 'utf8').trim())
        if (file !== undefined) found.push({ name, path: dirname(resolve(linked, name, file)) })
      }
      return found.filter(({ path }) => existsSync(join(path, '.git')))
    },
    open: (worktree) => new GitWorktree(new Git(worktree, elsewhere(git.env))),
    committedBlobs: async (folder) => {
      // -m: an event may first appear in a merge commit.
      const args = [...LOG, '--branches', '--remotes', '-m', '--raw', '--no-abbrev', '--no-renames']
      const wanted = ['--format=', '--diff-filter=AMT', '--', folder]
      const result = await git.run(['--literal-pathspecs', ...args, ...wanted])
      const lines = result.stdout.toString('latin1').matchAll(/^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /gm)
      return new Set([...lines].map(([, oid = '']) => oid))
    },
    restore: async (folder, files) => {
      const top = resolve(folder)
      if (files.length > 0) orUnwritable(top, () => mkdirSync(top, { recursive: true }))
      return files.map((file) => create(top, file))
    },
  }
}

function create(top: string, { path, mode, content }: RestoredFile): boolean {
  const at = (name: ByteName) => bytePath(top, name)
  try {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const folder = at(path.slice(0, slash))
      const found = lstatSync(folder, { throwIfNoEntry: false })
      if (found === undefined) mkdirSync(folder)
      else if (!found.isDirectory()) return false
    }
    if (mode === '120000') symlinkSync(Buffer.from(content), at(path))
    else write(at(path), content, mode === '100755' ? 0o755 : 0o644)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || isMissing(error)) return false
    throw unwritable(`${top}/${path}`, error)
  }
}

/** Writes a file whole or not at all: half a file would keep the next attempt from writing it. */
function write(file: Buffer, content: Uint8Array, mode: number): void {
  const fd = openSync(file, 'wx', mode)
  try {
    for (let at = 0; at < content.length;) at += writeSync(fd, content, at)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}
