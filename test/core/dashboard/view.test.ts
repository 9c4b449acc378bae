/** What the page keeps in its address, and how it filters. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTimelinePage } from '../../../src/core/dashboard/timeline-page.ts'
import {
  facetWord,
  parseFilter,
  readFragment,
  toggleFacet,
  writeFragment,
} from '../../../src/web/view.ts'
import { BUSY_FLEET } from '../../support/fleets.ts'
import { runs } from '../../support/long.ts'

const ODD = fc
  .array(fc.constantFrom('&', '=', '#', '%', '+', ' ', 'é', '\u2028'))
  .map((all) => all.join(''))

describe('the address', () => {
  test('law: reads back what it wrote, and never writes a token', () => {
    const view = fc.record({
      query: fc.oneof(fc.string(), ODD).map((text) => text.trim()),
      at: fc.option(
        fc.oneof(
          fc.string({ minLength: 1 }),
          ODD.map((odd) => `x${odd}`),
        ),
      ),
    })
    fc.assert(
      fc.property(view, (shown) => {
        const fragment = writeFragment(shown)
        expect(readFragment(fragment)).toEqual({ view: shown, token: null })
      }),
      runs(300),
    )
  })

  test("the server's link has a token and nothing else", () => {
    expect(readFragment('#t=abc')).toEqual({ view: { query: '', at: null }, token: 'abc' })
    expect(writeFragment({ query: '  ', at: null })).toBe('')
  })
})

describe('the filter', () => {
  const entry = { agents: ['claude'], branches: ['feat/a', null], texts: ['Integer cents', null] }

  test.each([
    ['', true],
    ['integer', true],
    ['INTEGER cents', true],
    ['integer dollars', false],
    ['agent:claude', true],
    ['agent:clau', false],
    ['agent:claude integer', true],
    ['agent:codex integer', false],
    ['branch:feat/a', true],
    ['branch:feat', false],
    ['feat', true],
    ['"integer cents"', true],
    ['"cents integer"', false],
    ['agent:', false],
    ['(', false],
  ])('%j: %s', (query, accepted) => {
    expect(parseFilter(query).accepts(entry)).toBe(accepted)
  })

  test('law: choosing a facet accepts its name, and choosing it again removes it', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !text.includes('"'))
    const words = fc.array(fc.stringMatching(/^[a-z]{1,5}$/))
    fc.assert(
      fc.property(name, words, (agent, others) => {
        const query = others.join(' ')
        const chosen = toggleFacet(query, 'agent', agent)
        const texts = others
        expect(parseFilter(chosen).accepts({ agents: [agent], branches: [], texts })).toBe(true)
        expect(parseFilter(chosen).accepts({ agents: [`${agent}x`], branches: [], texts })).toBe(
          false,
        )
        expect(toggleFacet(chosen, 'agent', agent)).toBe(query)
      }),
      runs(300),
    )
  })

  test('allows one agent at a time', () => {
    expect(toggleFacet('agent:a x', 'agent', 'b')).toBe('x agent:b')
    expect(facetWord('agent', 'two words')).toBe('agent:"two words"')
  })
})

describe('pages of the timeline', () => {
  const files = (names: readonly string[]) =>
    names.map(
      (file) => ({ ...BUSY_FLEET.timeline[0], file }) as (typeof BUSY_FLEET.timeline)[number],
    )

  test('law: all pages together contain every entry once', () => {
    fc.assert(
      fc.property(fc.nat(1700), (length) => {
        const all = files(Array.from({ length }, (_, i) => `e${i}`))
        const seen: string[] = []
        for (let after: string | null = null; ;) {
          const page = readTimelinePage(all, 0, after)
          seen.push(...page.entries.map(({ file }) => file))
          expect(page.more).toBe(length - seen.length)
          if (page.more === 0) break
          after = seen.at(-1) ?? null
        }
        expect(seen).toEqual(all.map(({ file }) => file))
      }),
      runs(40),
    )
  })

  test('starts over if the entry to continue from is gone', () => {
    expect(readTimelinePage(files(['a', 'b']), 7, 'gone').entries).toHaveLength(2)
    expect(readTimelinePage(files(['a', 'b']), 7, 'a')).toMatchObject({ more: 7 })
  })
})
