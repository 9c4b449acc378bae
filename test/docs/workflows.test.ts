/** Our own workflows: every supported Node and system, everything pinned, no more permissions than needed. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const FOLDER = new URL('../../.github/workflows/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')

interface Workflow {
  readonly permissions: Record<string, string>
  readonly jobs: Record<
    string,
    {
      strategy?: { matrix: { os: string[]; node: number[] } }
      permissions?: Record<string, string>
      steps: readonly { run?: string }[]
    }
  >
}
const workflow = (name: string) => parse(read(name)) as Workflow

test('ci runs on Node 20, 22 and 24, on Linux and macOS', () => {
  expect(workflow('ci.yml').jobs['test']?.strategy?.matrix).toEqual({
    os: ['ubuntu-latest', 'macos-latest'],
    node: [20, 22, 24],
  })
})

test('every script that a workflow runs exists', () => {
  const { scripts } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { scripts: Record<string, string> }
  for (const name of readdirSync(FOLDER)) {
    const runs = Object.values(workflow(name).jobs).flatMap(({ steps }) => steps)
    const named = runs.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:-]+)/g)])
    expect(named.length).toBeGreaterThan(0)
    expect(named.map(([, script = '']) => script).filter((one) => !(one in scripts))).toEqual([])
  }
})

test('actions are pinned to a commit, and only the publishing job may get an identity token', () => {
  for (const name of readdirSync(FOLDER)) {
    const uses = [...read(name).matchAll(/uses: (.*)$/gm)].map(([, action = '']) => action)
    expect(uses.filter((action) => !/@[0-9a-f]{40} # v\d/.test(action))).toEqual([])
    expect(workflow(name).permissions).toEqual({ contents: 'read' })
  }
  const { publish } = workflow('release.yml').jobs
  expect(publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  expect(publish?.steps.at(-1)?.run).toBe('npm publish --provenance --access public')
})

test('.ci/run runs the commands of the README, and the checks that CONTRIBUTING.md lists', () => {
  const text = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  const steps = new Set(
    [...text('.ci/run').matchAll(/^step (npm [^\n]*)$/gm)].map(([, step = '']) => step),
  )
  const readme = [...text('README.md').matchAll(/`npm ci && (npm [^`]+)`/g)]
  expect(readme.map(([, command]) => command)).toEqual(['npm run demo', 'npm test'])
  const listed = [
    ...text('CONTRIBUTING.md').matchAll(/^\| `(npm (?:run check:|run build|test)[\w-]*)`/gm),
  ]
  const commands = [...readme, ...listed].map(([, command = '']) => command)
  expect(commands).toHaveLength(9)
  expect(commands.filter((command) => !steps.has(command))).toEqual([])
})
