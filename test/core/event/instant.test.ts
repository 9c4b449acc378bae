import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatInstant,
  instantFromMillis,
  instantToMillis,
  parseInstant,
} from '../../../src/core/event/instant.ts'

const print = (text: string) => {
  const parsed = parseInstant(text)
  return parsed && formatInstant(parsed.instant)
}
const anyMillis = fc.integer({ min: Date.parse('0000-01-01'), max: Date.UTC(9999, 11, 31) })

describe('parseInstant', () => {
  test.each([
    ['2026-01-10T13:03:52Z', '2026-01-10T13:03:52Z'],
    ['2026-01-10T13:03:52.000Z', '2026-01-10T13:03:52Z'],
    ['2026-01-10T13:03:52.417Z', '2026-01-10T13:03:52.417Z'],
    ['2026-01-10T13:03:52.4Z', '2026-01-10T13:03:52.400Z'],
    ['2026-01-10T13:03:52,5Z', '2026-01-10T13:03:52.500Z'],
    ['2026-01-10T13:03:52.123456789123Z', '2026-01-10T13:03:52.123456789Z'],
    ['2026-01-10T13:03:52.000001Z', '2026-01-10T13:03:52.000001Z'],
    ['2026-01-10T00:30:00+10:00', '2026-01-09T14:30:00Z'],
    ['2026-01-10T00:30:00+1000', '2026-01-09T14:30:00Z'],
    ['2026-01-10T00:30:00+10', '2026-01-09T14:30:00Z'],
    ['2026-12-31T23:30:00-05:45', '2027-01-01T05:15:00Z'],
    ['2026-01-10 13:03:52 +00:00', '2026-01-10T13:03:52Z'],
    ['2026-01-10t13:03z', '2026-01-10T13:03:00Z'],
    ['20260110T130352Z', '2026-01-10T13:03:52Z'],
    ['2026-01-10', '2026-01-10T00:00:00Z'],
    [' 2026-01-10T13:03:52Z\n', '2026-01-10T13:03:52Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
  ])('%s', (text, expected) => expect(print(text)).toBe(expected))

  test.each([
    '',
    'yesterday',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-10T24:00:00Z',
    '2026-01-10T12:60:00Z',
    '2026-01-10T12:00:61Z',
    '2026-01-10T12:00:00+24:00',
    '2026-01-10T12:00:00+10:60',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '26-01-10T12:00:00Z',
    '1768050232',
    '2026-01-10T13:03:52Z extra',
    '２026-01-10T13:03:52Z',
  ])('refuses %j', (text) => expect(parseInstant(text)).toBeUndefined())

  test('reports whether there was an offset', () => {
    expect(parseInstant('2026-01-10T13:03:52')?.offset).toBe(false)
    expect(parseInstant('2026-01-10')?.offset).toBe(false)
    expect(parseInstant('2026-01-10T13:03:52Z')?.offset).toBe(true)
    expect(parseInstant('2026-01-10T13:03:52+00')?.offset).toBe(true)
  })
})

describe('instants form a timeline', () => {
  test('agree with the calendar of Date', () => {
    fc.assert(
      fc.property(anyMillis, (millis) => {
        const iso = new Date(millis).toISOString()
        expect(parseInstant(iso)?.instant).toBe(`${iso.slice(0, -1)}000000Z`)
        expect(instantFromMillis(millis)).toBe(parseInstant(iso)?.instant)
        expect(instantToMillis(instantFromMillis(millis))).toBe(millis)
      }),
    )
  })

  test('sort as strings in time order, whatever the offset', () => {
    const anyOffset = fc.integer({ min: -23 * 60, max: 23 * 60 })
    fc.assert(
      fc.property(anyMillis, anyMillis, anyOffset, (a, b, offset) => {
        const local = new Date(a + offset * 60_000).toISOString().slice(0, -1)
        fc.pre(/^\d{4}-/.test(local))
        const sign = offset < 0 ? '-' : '+'
        const [h, m] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60]
        const zone = `${sign}${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`
        const [x, y] = [parseInstant(local + zone)?.instant, instantFromMillis(b)]
        expect(x).toBe(instantFromMillis(a))
        expect(Math.sign(a - b)).toBe(x === y ? 0 : (x ?? '') < y ? -1 : 1)
      }),
    )
  })

  test('read back as the same instant after printing', () => {
    const anyFraction = fc.stringMatching(/^\d{1,12}$/)
    fc.assert(
      fc.property(anyFraction, (fraction) => {
        const first = parseInstant(`2026-01-10T13:03:52.${fraction}Z`)?.instant
        expect(first && parseInstant(formatInstant(first))?.instant).toBe(first)
        expect(first && formatInstant(first)).not.toMatch(/\.000Z$|\.\d{1,2}Z$/)
      }),
    )
  })

  test('throw out of range instead of writing nonsense', () => {
    expect(() => instantFromMillis(Date.UTC(10_000, 0, 1))).toThrow(RangeError)
  })
})
