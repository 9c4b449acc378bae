/**
 * A hosting service on this machine: a paginated API, repositories over HTTP (with real git behind it), and a
 * registry that has this build of ledger-git. It answers only requests with the right token.
 */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Repo, Sandbox } from './git-repo.ts'
import { packTarball } from './pack.ts'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

export const VERSION = (
  JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
).version

/** Token that may list requests. */
export const JOB_TOKEN = 'job-token-4f1c'
/** Token that may also push. */
export const WRITE_TOKEN = 'write-token-9a7e'

export const PROJECT = 'acme/tool'

/** An open request: its branch, and whether it comes from a fork. */
export interface OpenRequest {
  readonly branch: string
  readonly isFork?: boolean
}

/** True if git has what a job additionally needs for HTTP. */
export function hasHttpGit(): boolean {
  const folder = spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim()
  return ['git-http-backend', 'git-remote-http'].every((name) => existsSync(join(folder, name)))
}

export class CiHost {
  /** The open requests that target `main`. */
  requests: readonly OpenRequest[] = []
  /** The page size, whatever size a client asks for. */
  pageSize = 100
  /** Tokens that may push. */
  pushers: readonly string[] = [WRITE_TOKEN]
  /** Called before anything is pushed. */
  beforePush: () => void = () => undefined
  readonly url: string
  readonly #sandbox: Sandbox
  readonly #tarball: Buffer

  private constructor(server: Server, sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.#tarball = packed ??= readFileSync(packTarball(sandbox).path)
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  /** Serves the bare repository that `repo` calls origin. */
  static async start({ sandbox }: Repo): Promise<CiHost> {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return new CiHost(server, sandbox)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const path = decodeURIComponent(url.pathname)
    if (path.startsWith('/npm/')) return this.#registry(path, response)
    if (path.startsWith(`/${PROJECT}.git/`)) return this.#git(url, request, response)
    if (path === `/api/v3/repos/${PROJECT}/pulls`) {
      const isKnown = isOneOf(request.headers.authorization, 'Bearer ')
      return this.#list(url, url.searchParams.get('base'), isKnown, response)
    }
    if (path === '/api/v4/projects/7/merge_requests') {
      const isKnown = isOneOf(request.headers['private-token'], '')
      return this.#list(url, url.searchParams.get('target_branch'), isKnown, response)
    }
    response.writeHead(404).end('{}')
  }

  #list(url: URL, base: string | null, isKnown: boolean, response: ServerResponse): void {
    if (!isKnown) return this.#refuse(response)
    // Requests that target other branches are not part of the answer.
    const all = base === 'main' ? this.requests : [{ branch: 'other-base' }]
    const page = Number(url.searchParams.get('page') ?? 1)
    const size = Math.min(this.pageSize, Number(url.searchParams.get('per_page') ?? 20))
    const entries = all.slice((page - 1) * size, page * size).map(({ branch, isFork }) => ({
      head: { ref: branch, repo: isFork === true ? null : { id: 7 } },
      base: { repo: { id: 7 } },
      source_branch: branch,
      source_project_id: isFork === true ? 8 : 7,
      project_id: 7,
    }))
    const link = (number: number, rel: string) => {
      const other = new URL(url)
      other.searchParams.set('page', String(number))
      return `<${other.href}>; rel="${rel}"`
    }
    const links = page * size < all.length ? [link(page + 1, 'next')] : []
    response.setHeader('link', [link(1, 'first'), ...links].join(', '))
    response.end(JSON.stringify(entries))
  }

  #refuse(response: ServerResponse): void {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="host"' }).end('{}')
  }

  #registry(path: string, response: ServerResponse): void {
    if (path.endsWith('.tgz')) return void response.end(this.#tarball)
    if (path !== '/npm/ledger-git') return void response.writeHead(404).end('{}')
    const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as object
    const dist = { tarball: `${this.url}/npm/ledger-git.tgz` }
    const { devDependencies: _, scripts: __, ...published } = manifest as Record<string, unknown>
    const versions = { [VERSION]: { ...published, dist } }
    response.end(JSON.stringify({ name: 'ledger-git', 'dist-tags': { latest: VERSION }, versions }))
  }

  async #git(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const service = url.searchParams.get('service') ?? url.pathname
    if (service.endsWith('git-receive-pack')) {
      if (!this.pushers.includes(passwordIn(request.headers.authorization)))
        return this.#refuse(response)
      if (request.method === 'GET') this.beforePush()
    }
    const { status, headers, body } = await backend(this.#sandbox, url, request)
    response.writeHead(status, headers).end(body)
  }
}

function isOneOf(header: string | string[] | undefined, prefix: string): boolean {
  return [JOB_TOKEN, WRITE_TOKEN].some((token) => header === `${prefix}${token}`)
}

function passwordIn(header: string | undefined): string {
  const words = Buffer.from(header?.replace(/^Basic /, '') ?? '', 'base64').toString()
  return words.slice(words.indexOf(':') + 1)
}

/** git's own server, as a CGI program. */
async function backend(sandbox: Sandbox, url: URL, request: IncomingMessage) {
  const child = spawn('git', ['http-backend'], {
    env: {
      ...sandbox.env,
      GIT_PROJECT_ROOT: sandbox.folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname).replace(`/${PROJECT}.git`, '/remote.git'),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_USER: 'somebody',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  request.pipe(child.stdin)
  const answer = await buffer(child.stdout)
  const end = answer.indexOf('\r\n\r\n')
  const lines = answer.subarray(0, end).toString('utf8').split('\r\n')
  const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)))
  const { Status = '200', ...headers } = fields as Record<string, string>
  return { status: Number.parseInt(Status, 10), headers, body: answer.subarray(end + 4) }
}

/** Packed once per worker; no test builds again. */
let packed: Buffer | undefined
