/** Packages as package managers lay them out: which path to record. */

import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { lastingPath } from '../../../src/io/files/lasting-path.ts'
import { Sandbox } from '../../support/git-repo.ts'

const RELEASE = 'ledger-git@0.1.0/node_modules/ledger-git'
const LINK = 'project/node_modules/ledger-git'

test.each([
  ['pnpm', `project/node_modules/.pnpm/${RELEASE}`, LINK],
  ['bun', `project/node_modules/.bun/${RELEASE}`, LINK],
  ['npm, linked', `project/node_modules/.store/${RELEASE}`, LINK],
  [
    'pnpm, of a package of a workspace',
    `project/node_modules/.pnpm/${RELEASE}`,
    `project/packages/a/node_modules/ledger-git`,
  ],
  ['pnpm, one store for all projects', `store/links/${RELEASE}`, LINK],
  ['pnpm, for the user', `global/5/.pnpm/${RELEASE}`, 'global/5/node_modules/ledger-git'],
])('lastingPath returns the link of a package of %s', (_, release, link) => {
  const { folder } = new Sandbox()
  const root = join(folder, release)
  mkdirSync(root, { recursive: true })
  mkdirSync(dirname(join(folder, link)), { recursive: true })
  const project = join(folder, 'project')
  const folders = [project, join(project, 'packages/a/')]
  expect(lastingPath(root, folders)).toBe(root)
  symlinkSync(root, join(folder, link))
  expect(lastingPath(`${root}/`, folders)).toBe(join(folder, link))
  rmSync(join(folder, link))
  const other = join(folder, 'other')
  mkdirSync(other)
  symlinkSync(other, join(folder, link))
  expect(lastingPath(root, folders)).toBe(root)
})

test('lastingPath returns a folder itself, even if a link to it is above the project', () => {
  const { folder } = new Sandbox()
  const root = join(folder, 'above/project/node_modules/ledger-git')
  mkdirSync(root, { recursive: true })
  mkdirSync(join(folder, 'above/node_modules'))
  symlinkSync(root, join(folder, 'above/node_modules/ledger-git'))
  expect(lastingPath(root, [join(folder, 'above/project')])).toBe(root)
  expect(lastingPath(root, [])).toBe(root)
})

test('install records the link', () => {
  const repo = new Sandbox().init()
  repo.commit('init')
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const link = join(repo.folder, 'node_modules', basename(root))
  mkdirSync(dirname(link))
  symlinkSync(root, link)
  repo.ledger('install')
  expect(repo.read('.git/ledger-git/launch')).toContain(`\n${link}/dist/main.js\n`)
})
