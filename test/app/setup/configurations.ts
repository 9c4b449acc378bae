/** The kinds of repository that `install` meets in the wild, each made from scratch. */

import { copyFileSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Repo, Sandbox } from '../../support/git-repo.ts'

export interface Configuration {
  readonly name: string
  /** Returns the place where `install` is called. */
  make(sandbox: Sandbox): Repo
  /** Hooks that cannot hold a block: they are kept as a whole, and our hooks run them. */
  readonly keeps?: readonly string[]
  /** Part of a note that must be shown. */
  readonly note?: RegExp
  /** True if commits cannot be kept fresh, because there is no worktree or the hooks are not ours to write. */
  readonly hasNoHooks?: boolean
}

/** A repository with one commit, after which `prepare` runs. */
function plain(prepare: (repo: Repo) => void = () => {}, name = 'repo') {
  return (sandbox: Sandbox): Repo => {
    const repo = sandbox.init(name)
    repo.commit('init', { 'README.md': '# demo\n' })
    prepare(repo)
    return repo
  }
}

function withHook(text: string, mode = 0o755, hook = 'pre-commit') {
  return plain((repo) => {
    repo.write(`.git/hooks/${hook}`, text)
    repo.chmod(`.git/hooks/${hook}`, mode)
  })
}

const husky9 = plain((repo) => {
  const run = `import husky from 'husky'; process.stdout.write(husky())`
  repo.write('package.json', '{"name": "demo", "private": true}\n')
  repo.write('.gitignore', 'node_modules\n')
  mkdirSync(join(repo.folder, 'node_modules'))
  const real = fileURLToPath(new URL('../../../node_modules/husky', import.meta.url))
  symlinkSync(real, join(repo.folder, 'node_modules/husky'))
  const ran = repo.run(process.execPath, ['--input-type=module', '-e', run])
  if (ran.status !== 0 || ran.stdout !== '') throw new Error(ran.stdout + ran.stderr)
  repo.write('.husky/pre-commit', 'echo "husky says $0"\n')
  repo.commit('chore: husky')
})

const husky8 = plain((repo) => {
  repo.write('.husky/_/.gitignore', '*\n')
  repo.write('.husky/_/husky.sh', '#!/usr/bin/env sh\nhusky_was_here=1\n')
  const text = '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\necho "husky 8"\n'
  repo.write('.husky/pre-commit', text)
  repo.chmod('.husky/pre-commit', 0o755)
  repo.git('config', 'core.hooksPath', '.husky')
  repo.commit('chore: husky')
})

export const CONFIGURATIONS: readonly Configuration[] = [
  { name: 'a plain repository', make: plain() },
  { name: 'a repository without a commit', make: (sandbox) => sandbox.init() },
  {
    name: 'a linked worktree',
    make: (sandbox) => {
      const repo = plain()(sandbox)
      repo.git('worktree', 'add', '-q', '-b', 'topic', '../linked')
      return sandbox.at(join(sandbox.folder, 'linked'))
    },
  },
  {
    name: 'a bare repository',
    hasNoHooks: true,
    make: (sandbox) => {
      plain()(sandbox).git('clone', '-q', '--bare', '.', '../bare.git')
      return sandbox.at(join(sandbox.folder, 'bare.git'))
    },
  },
  {
    name: 'a git folder elsewhere (.git is a file)',
    make: (sandbox) => {
      const repo = sandbox.init('repo', `--separate-git-dir=${join(sandbox.folder, 'git-data')}`)
      repo.commit('init', { 'README.md': '# demo\n' })
      return repo
    },
  },
  {
    name: 'a submodule',
    make: (sandbox) => {
      const library = plain(undefined, 'library')(sandbox)
      const repo = plain(undefined, 'parent')(sandbox)
      repo.git('submodule', '--quiet', 'add', library.folder, 'lib')
      repo.commit('chore: library')
      return sandbox.at(join(repo.folder, 'lib'))
    },
  },
  {
    name: 'SHA-256 objects',
    make: (sandbox) => {
      const repo = sandbox.init('repo', '--object-format=sha256')
      repo.commit('init', { 'README.md': '# demo\n' })
      return repo
    },
  },
  { name: 'husky 9', make: husky9 },
  { name: 'husky 8', make: husky8 },
  {
    name: 'core.hooksPath of the repository',
    make: plain((repo) => repo.git('config', 'core.hooksPath', '.githooks')),
  },
  {
    name: 'core.hooksPath outside the repository',
    hasNoHooks: true,
    note: /git takes them from .*elsewhere, outside this repository/,
    make: plain((repo) => repo.git('config', 'core.hooksPath', `${repo.sandbox.folder}/elsewhere`)),
  },
  {
    name: 'a global core.hooksPath',
    hasNoHooks: true,
    note: /git takes them from .*global-hooks, outside this repository/,
    make: plain((repo) => {
      const folder = `${repo.sandbox.folder}/global-hooks`
      mkdirSync(folder)
      repo.git('config', '--global', 'core.hooksPath', folder)
    }),
  },
  {
    name: 'a hooks folder that is a link to a shared one',
    hasNoHooks: true,
    note: /git takes them from .*hooks, outside this repository/,
    make: plain((repo) => {
      mkdirSync(`${repo.sandbox.folder}/shared-hooks`)
      rmSync(join(repo.folder, '.git/hooks'), { recursive: true })
      symlinkSync('../../shared-hooks', join(repo.folder, '.git/hooks'))
    }),
  },
  { name: 'an sh hook that ends with exec', make: withHook('#!/bin/sh\nexec true\n') },
  {
    name: 'a bash hook that ends with exit',
    make: withHook('#!/usr/bin/env bash\n[[ a ]]\nexit 0'),
  },
  { name: 'a hook without an interpreter line', make: withHook('true\n') },
  { name: 'an interpreter line without a line break', make: withHook('#!/bin/sh') },
  {
    name: 'a python hook',
    keeps: ['pre-push'],
    make: withHook('#!/usr/bin/env python3\nprint("python")\n', 0o755, 'pre-push'),
  },
  {
    name: 'a hook that is not executable',
    keeps: ['post-merge'],
    make: withHook('#!/bin/sh\nexit 1\n', 0o644, 'post-merge'),
  },
  {
    name: 'a hook that is a link',
    keeps: ['post-merge'],
    make: plain((repo) => {
      repo.write('tools/hook.sh', '#!/bin/sh\n')
      repo.chmod('tools/hook.sh', 0o755)
      symlinkSync('../../tools/hook.sh', join(repo.folder, '.git/hooks/post-merge'))
    }),
  },
  {
    name: 'a hook that is a folder',
    keeps: ['post-merge'],
    make: plain((repo) => repo.write('.git/hooks/post-merge/note.txt', 'mine\n')),
  },
  {
    name: 'a program as a hook',
    keeps: ['pre-commit'],
    make: plain((repo) => {
      copyFileSync(realpathSync('/bin/true'), join(repo.folder, '.git/hooks/pre-commit'))
      repo.chmod('.git/hooks/pre-commit', 0o755)
    }),
  },
  {
    name: 'hooks that are links to one dispatcher',
    keeps: ['pre-commit', 'post-commit'],
    make: plain((repo) => {
      repo.write('.git/hooks/dispatch', '#!/bin/sh\necho "${0##*/}" >>"$HOME/dispatched"\n')
      repo.chmod('.git/hooks/dispatch', 0o755)
      symlinkSync('dispatch', join(repo.folder, '.git/hooks/pre-commit'))
      symlinkSync('./dispatch', join(repo.folder, '.git/hooks/post-commit'))
    }),
  },
  {
    name: 'files in Latin-1',
    make: plain((repo) => {
      const text = Buffer.from('# caf\xe9 \xfc\n', 'latin1')
      for (const path of ['.gitattributes', '.git/info/exclude', '.git/info/attributes']) {
        repo.write(path, text)
      }
      repo.write('.git/config', Buffer.concat([Buffer.from(repo.read('.git/config')), text]))
      repo.write('.git/hooks/pre-commit', Buffer.concat([Buffer.from('#!/bin/sh\n'), text]))
      repo.chmod('.git/hooks/pre-commit', 0o755)
    }),
  },
  {
    name: '.git/info and .git/hooks missing',
    make: plain((repo) => {
      rmSync(join(repo.folder, '.git/info'), { recursive: true })
      rmSync(join(repo.folder, '.git/hooks'), { recursive: true })
    }),
  },
  {
    name: 'files without a final line break',
    make: plain((repo) => {
      repo.write('.gitattributes', '*.bin binary')
      repo.write('.git/info/exclude', '*.local')
      repo.write('.git/info/attributes', '*.mine text')
      repo.write('.git/config', repo.read('.git/config').trimEnd())
    }),
  },
  {
    name: 'empty files',
    make: plain((repo) => {
      for (const path of ['.gitattributes', '.git/info/exclude', '.git/info/attributes']) {
        repo.write(path, '')
      }
      repo.write('.git/hooks/post-commit', '')
      repo.chmod('.git/hooks/post-commit', 0o755)
    }),
  },
  {
    name: '.gitattributes with CRLF and its own merge driver',
    make: plain((repo) =>
      repo.write('.gitattributes', '*.bin binary\r\nCHANGELOG.md merge=union\r\n'),
    ),
  },
  {
    name: 'spaces, quotes and other scripts in the path',
    make: plain(undefined, `a b 'c' "d" ü 猫`),
  },
  {
    name: 'a root with special characters',
    make: plain((repo) => repo.write('.ledger-git.yaml', 'ledger:\n  root: "my notes/[a] ü"\n')),
  },
  {
    name: 'a ledger kept by hand',
    note: /current\.md is kept by hand/,
    make: plain((repo) =>
      repo.commit('docs', { 'thoughts/shared/handoffs/current.md': '# Mine\n' }),
    ),
  },
  {
    name: 'events of a teammate, never installed',
    make: plain((repo) =>
      repo.commit('ledger', {
        'thoughts/shared/handoffs/events/a.md':
          '---\nts: 2026-01-01T00:00:00Z\nagent: toast\n---\n\nnow: x\n',
      }),
    ),
  },
  {
    name: 'called from a sub-folder',
    make: plain((repo) => {
      mkdirSync(join(repo.folder, 'src/deep'), { recursive: true })
      repo.write('src/deep/a.txt', 'a\n')
    }, 'with-folder'),
  },
]

/** The folder in which `install` is called. */
export function callFolder(configuration: Configuration, repo: Repo): Repo {
  if (configuration.name !== 'called from a sub-folder') return repo
  return repo.sandbox.at(join(repo.folder, 'src/deep'))
}
