/** The changelog follows Keep a Changelog, and has the section that a release needs. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const lines = read('CHANGELOG.md').split('\n')
const headings = (marks: string) =>
  lines.filter((line) => line.startsWith(`${marks} `)).map((line) => line.slice(marks.length + 1))

const versions = headings('##').map((text) => {
  const [, version = text, date] =
    /^\[(Unreleased|\d+\.\d+\.\d+)\](?: - (unreleased|\d{4}-\d\d-\d\d))?$/.exec(text) ?? []
  return { version, date }
})

test('versions: the unreleased one is at the top, and each of the others has its date', () => {
  const [newest, ...others] = versions.filter(({ version }) => version !== 'Unreleased')
  expect(newest?.date).toMatch(/^(?:unreleased|\d{4}-\d\d-\d\d)$/)
  expect(others.filter(({ date }) => !/^\d{4}/.test(date ?? ''))).toEqual([])
  const unreleased = versions.findIndex(({ version }) => version === 'Unreleased')
  expect(unreleased, 'not above').toBeLessThanOrEqual(0)
  // There must not be two places for what is not released yet.
  if (newest?.date === 'unreleased') expect(unreleased).toBe(-1)
  const dates = others.map(({ date }) => date ?? '')
  expect(dates).toEqual(dates.toSorted().toReversed())
})

test('the version of the package has a section', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(versions.map((one) => one.version)).toContain(version)
})

test('changes are of the six kinds, and each heading is followed by a list', () => {
  const kinds = new Set(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'])
  expect(headings('###').filter((kind) => !kinds.has(kind))).toEqual([])
  const body = lines.filter((line) => line !== '')
  const empty = body.filter((line, i) => {
    const next = body[i + 1] ?? ''
    return /^#{3,4} /.test(line) && !/^- |^#### /.test(next)
  })
  expect(empty).toEqual([])
})
