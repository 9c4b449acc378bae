/** One request over HTTP: no redirects, a timeout, and no more of the answer than anybody needs. */

import type { Reply } from '../../core/tracker/answer.ts'

const TIMEOUT_MS = 20_000
const MAX_BYTES = 1024 * 1024

/** Returns `failed`, with the reason, if no whole answer came: the request may have arrived, or not. */
export async function postJson(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  timeout = TIMEOUT_MS,
): Promise<Reply | { readonly failed: string }> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      // The key is for this address only.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    const { status } = response
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      return { failed: `the address answers with a redirect (${status}), which is not followed` }
    }
    const text = await readBounded(response)
    if (text === undefined) return { failed: `the answer has more than ${MAX_BYTES} bytes` }
    return { status, headers: new Map(response.headers), body: text }
  } catch (error) {
    return { failed: reasonOf(error, timeout) }
  }
}

async function readBounded(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(parts).toString('utf8')
    size += value.length
    if (size > MAX_BYTES) {
      await reader.cancel()
      return undefined
    }
    parts.push(value)
  }
}

/** A code, never the error's text, which might hold what was sent. */
function reasonOf(error: unknown, timeout: number): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
  if (name === 'TimeoutError') return `no answer in ${timeout / 1000} seconds`
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : ''
  return `no connection${code}`
}
