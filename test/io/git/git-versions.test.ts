import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { findGitVersions } from '../../../src/io/git/git-versions.ts'
import { Git } from '../../../src/io/process/exec.ts'
import { Sandbox } from '../../support/git-repo.ts'

// Without developer tools, that program opens a window.
test('does not start /usr/bin/git on macOS if another git runs', async () => {
  const { folder } = new Sandbox()
  writeFileSync(join(folder, 'git'), '#!/bin/sh\necho git version 2.99.0\n')
  chmodSync(join(folder, 'git'), 0o755)
  const git = new Git(folder, { PATH: [folder, '/usr/bin', '/bin'].join(delimiter) })
  const [onLinux, onMac] = await Promise.all(
    ['linux', 'darwin'].map((platform) => findGitVersions(git, platform)),
  )
  expect(onMac?.running).toBe('2.99.0')
  const there = existsSync('/usr/bin/git') ? 1 : 0
  expect(onMac?.others).toHaveLength((onLinux?.others.length ?? 0) - there)
})
