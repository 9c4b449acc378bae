/**
 * README and documents to the letter: every block marked `sh` runs as it is written, one after the other, in a clean
 * repository in which ledger-git is what `npm install` fetches from a registry.
 */

import { spawn } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Block } from '../support/document-blocks.ts'
import { blocksOf, DOCUMENTS } from '../support/document-blocks.ts'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'
import { packTarball } from '../support/pack.ts'

/** A registry that contains this build and nothing else. */
async function startRegistry(sandbox: Sandbox): Promise<string> {
  const tarball = readFileSync(packTarball(sandbox).path)
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(tarball)
    if (request.url !== '/ledger-git') return response.writeHead(404).end('{}')
    const { version, bin } = MANIFEST
    const dist = { tarball: `${url}/ledger-git.tgz` }
    const versions = { [version]: { name: 'ledger-git', version, bin, dist } }
    const tags = { latest: version }
    return response.end(JSON.stringify({ name: 'ledger-git', 'dist-tags': tags, versions }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return url
}

const MANIFEST = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string; bin: Record<string, string> }

interface Outcome {
  readonly status: number | null
  readonly output: string
}

/** Runs a block as a person would in a shell; if one line fails, the whole block fails. */
function runBlock(repo: Repo, { text }: Block, registry: string): Promise<Outcome> {
  const env = {
    ...repo.sandbox.env,
    npm_config_registry: registry,
    npm_config_cache: `${repo.sandbox.folder}/npm-cache`,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
  const child = spawn('bash', ['-eo', 'pipefail', '-c', text], { cwd: repo.folder, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  }
  child.stdin.end()
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })))
}

async function runAll(repo: Repo, blocks: readonly Block[], registry: string): Promise<string[]> {
  const outputs: string[] = []
  for (const block of blocks) {
    const { status, output } = await runBlock(repo, block, registry)
    outputs.push(output)
    const where = `${block.document}:${block.line}\n${block.text}\n${output}`
    expect.soft(status, where).toBe(0)
    expect.soft(output, where).not.toMatch(/this is a bug|npm warn/)
  }
  return outputs
}

const shell = (document: string) => blocksOf(document).filter(({ language }) => language === 'sh')

function cleanRepository(sandbox: Sandbox): Repo {
  const repo = sandbox.init('repo')
  repo.commit('init', { 'app.js': 'one\n', '.gitignore': 'node_modules\n' })
  return repo
}

test('README.md: two agents, one merge', async () => {
  const repo = ledgerRepo()
  const [, story] = shell('README.md')
  const [output] = await runAll(repo, story === undefined ? [] : [story], '')
  for (const said of ['Review the fix', 'Write release notes']) expect(output).toContain(said)
  expect(repo.status()).toBe('')
})

longTest('README.md, from the installation to the last command', async () => {
  const sandbox = new Sandbox()
  const repo = cleanRepository(sandbox)
  await runAll(repo, shell('README.md'), await startRegistry(sandbox))
})

const FIRST = shell('README.md').slice(0, 1)
const OTHERS = DOCUMENTS.filter((name) => name !== 'README.md' && shell(name).length > 0)

longTest('every other document, in a repository set up as README.md says', async () => {
  const sandbox = new Sandbox()
  const registry = await startRegistry(sandbox)
  const template = cleanRepository(sandbox)
  await runAll(template, FIRST, registry)
  for (const document of OTHERS) {
    // docs/install.md begins with the installation itself.
    const isFirst = shell(document)[0]?.text.startsWith('npm install') === true
    const repo = isFirst ? sandbox.init(document) : sandbox.at(join(sandbox.folder, document))
    if (isFirst) repo.commit('init', { '.gitignore': 'node_modules\n' })
    else cpSync(template.folder, repo.folder, { recursive: true, verbatimSymlinks: true })
    await runAll(repo, shell(document), registry)
  }
})

longTest('docs/commands.md: each block also works alone', async () => {
  const sandbox = new Sandbox()
  const registry = await startRegistry(sandbox)
  const template = cleanRepository(sandbox)
  await runAll(template, FIRST, registry)
  for (const [i, block] of shell('docs/commands.md').entries()) {
    const repo = sandbox.at(join(sandbox.folder, `alone-${i}`))
    cpSync(template.folder, repo.folder, { recursive: true, verbatimSymlinks: true })
    await runAll(repo, [block], registry)
  }
})
