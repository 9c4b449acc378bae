import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CONFIG_INCLUDE, configText, hookBlock } from '../../../src/core/setup/install-texts.ts'
import { attributesBlock, excludeBlock } from '../../../src/core/setup/path-blocks.ts'

const template = readFileSync(new URL('../../../gitattributes.template', import.meta.url), 'utf8')
const lines = (root: string) => attributesBlock(template, root).split('\n')

describe('attributesBlock', () => {
  test('anchors the patterns below the root', () => {
    expect(lines('thoughts/shared/handoffs').slice(2, 5)).toEqual([
      '/thoughts/shared/handoffs/current.md merge=ledger text eol=lf linguist-generated',
      '/thoughts/shared/handoffs/*/current.md merge=ledger-handoff',
      '/thoughts/shared/handoffs/events/*.md text=auto eol=lf !merge',
    ])
  })

  test('escapes glob characters of the root, but not those of the template', () => {
    // The pattern `/a\*b/...` has a backslash, so it is quoted in C style.
    expect(lines('a*b')[2]).toMatch(/^"\/a\\\\\*b\/current\.md" merge=ledger /)
    expect(lines('a*b')[3]).toMatch(/^"\/a\\\\\*b\/\*\/current\.md" merge=ledger-handoff$/)
    expect(lines('a*b')[4]).toMatch(/^"\/a\\\\\*b\/events\/\*\.md" /)
    expect(lines('a[1]')[2]).toMatch(/^"\/a\\\\\[1\\\\\]\/current\.md" /)
    expect(lines('a?')[2]).toMatch(/^"\/a\\\\\?\/current\.md" /)
  })

  test('quotes spaces and quotes, and leaves other text bare', () => {
    expect(lines('my notes')[2]).toMatch(/^"\/my notes\/current\.md" merge=ledger /)
    expect(lines('say "x"')[2]).toMatch(/^"\/say \\"x\\"\/current\.md" /)
    expect(lines('nötes/日本')[2]).toMatch(/^\/nötes\/日本\/current\.md merge=ledger /)
    expect(lines('$&')[2]).toMatch(/^\/\$&\/current\.md /)
    expect(lines('#a')[2]).toMatch(/^\/#a\/current\.md /)
  })
})

test('the driver commands leave placeholders unquoted, and each comes before its name', () => {
  const text = configText()
  const drivers = text.split(/(?=\[merge )/).slice(0, 2)
  expect(drivers.map((section) => section.split('\n')[0])).toEqual([
    '[merge "ledger"]',
    '[merge "ledger-handoff"]',
  ])
  for (const section of drivers) {
    expect(section.indexOf('driver =')).toBeLessThan(section.indexOf('name ='))
  }
  expect(text).toContain('set -- handoff-driver %O %A %B %L %P; . ')
  expect(text).toContain('merge-driver %O %A %B %L %P %S %X %Y;')
  expect(text).not.toMatch(/["']%/)
  expect(text).toContain('set -- merge-driver %O %A %B %L %P %S %X %Y; . \\"$d/ledger-git/run\\"')
  expect(CONFIG_INCLUDE).toBe('[include]\n\tpath = ledger-git/config\n')
})

test('a hook block is one marked block without bare exits', () => {
  for (const hook of ['prepare-commit-msg', 'pre-push', 'post-rewrite']) {
    const text = hookBlock(hook)
    expect(text.startsWith('# >>> ledger-git v')).toBe(true)
    expect(text.endsWith('# <<< ledger-git <<<\n')).toBe(true)
    expect(text).toContain(`/ledger-git/hooks/${hook}"`)
    expect(text).not.toMatch(/^\s*exit\b/m)
  }
  expect(hookBlock('pre-push')).toContain('exec <<ledger_git_end')
  expect(hookBlock('post-commit')).not.toContain('exec <<')
})

test('the block in pre-commit runs the rest of its file first, and ends it', () => {
  const lines = hookBlock('pre-commit').split('\n')
  const rest = lines.findIndex((line) => line.includes('exec "$0" "$@"'))
  const ours = lines.findIndex((line) => line.includes('( . '))
  expect(rest).toBeGreaterThan(0)
  expect(ours).toBeGreaterThan(rest)
  expect(lines[ours + 1]).toMatch(/^ *exit 0\b/)
})

describe('excludeBlock', () => {
  test('hides local files', () => {
    const block = excludeBlock({ root: 'notes', shareActiveLedgers: false }).split('\n')
    expect(block).toContain('/conductor/sessions/active/LEDGER.md')
    expect(block).toContain('/conductor/sessions/active/.LEDGER.lock*')
    expect(block).toContain('/conductor/sessions/archive/')
    const shared = excludeBlock({ root: 'notes', shareActiveLedgers: true })
    expect(shared).not.toContain('/conductor/sessions/archive/')
    expect(block).toContain('/notes/.synth.lock')
    expect(block).toContain('/notes/.synth.lock.*') // of a process that died while taking the lock
    expect(block).toContain('.ledger-git-*.tmp') // of a write that was killed
  })

  test('escapes glob characters of the root', () => {
    expect(excludeBlock({ root: 'a[1]', shareActiveLedgers: true })).toContain(
      '/a\\[1\\]/.synth.lock',
    )
  })
})
