/** The page, and a page that contains every kind of content: texts by strangers remain texts. */

import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { HEADERS, scriptJson, selfContainedPage, SHELL } from '../../../src/core/dashboard/page.ts'
import { HOSTILE } from '../../support/fleets.ts'
import { runs } from '../../support/long.ts'

test('the shell contains no data and no inline code', () => {
  expect(
    [...SHELL.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes?.trim()),
  ).toEqual(['src="/dashboard.js" defer'])
  expect(SHELL).not.toMatch(/<style|\son[a-z]+=|javascript:/i)
})

test('the policy forbids inline code, other sites, frames, and HTML from texts', () => {
  const policy = HEADERS['content-security-policy'] ?? ''
  expect(policy).not.toMatch(/unsafe|\*|http:/)
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]) {
    expect(policy.split('; ')).toContain(rule)
  }
})

const ODD = fc
  .array(fc.constantFrom('\u2028', '\u2029', '\ud800', '\0', '<', '&', 'é'))
  .map((all) => all.join(''))

test('law: data read back unchanged, and close no element', () => {
  const text = fc.oneof(fc.string(), ODD, fc.constantFrom(...HOSTILE, '</SCRIPT >', '<!--'))
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const json = scriptJson(texts)
      expect(json).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(json)).toEqual(texts)
    }),
    runs(300),
  )
})

test('a self-contained page allows its own script and style by hash, and nothing else', () => {
  const script = 'const a = "</script><b>"; run(a)'
  const style = 'p { color: red }'
  const page = selfContainedPage({ script, style }, { said: HOSTILE })
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code]) => code ?? '')
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, code]) => code ?? '')
  const hash = (code: string) => `sha256-${createHash('sha256').update(code).digest('base64')}`
  expect(scripts).toEqual([String.raw`const a = "<\/script><b>"; run(a)`])
  expect(policy).toContain(`script-src '${hash(scripts[0] ?? '')}'`)
  expect(policy).toContain(`style-src '${hash(styles[0] ?? '')}'`)
  expect(policy).not.toMatch(/connect-src|unsafe|'self'/)
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page).not.toMatch(/https?:(?!\/\/www\.w3\.org)/)
})
