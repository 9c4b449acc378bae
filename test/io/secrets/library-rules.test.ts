/** The behaviour of the library that we rely on, so that an update that changes it is noticed. */

import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { expect, test } from 'vitest'
import { LIBRARY_RULES } from '../../../src/core/secrets/library-kinds.ts'
import { LEFT_OUT, librarySecrets } from '../../../src/io/secrets/library-rules.ts'
import { chance, SECRETS, WORDY } from '../../support/secrets.ts'

const ids = (rules as readonly { meta: { id: string } }[]).map(({ meta }) =>
  meta.id.replace('@secretlint/secretlint-rule-', ''),
)

test('every rule is known: it runs with keywords or is left out for a reason', () => {
  const known = [...Object.keys(LIBRARY_RULES), ...Object.keys(LEFT_OUT)]
  expect(ids.toSorted()).toEqual(known.toSorted())
})

test('a secret is located where it is, not where the name before it begins', () => {
  const secret = chance(40, WORDY, 200)
  const text = `export AWS_SECRET_ACCESS_KEY=${secret} # here`
  const [found] = librarySecrets(text)
  expect(text.slice(found?.start, found?.end)).toBe(secret)
})

test('a comment in the text does not turn the detector off', () => {
  const token = `gh${'p_'}${chance(36)}`
  expect(librarySecrets(`secretlint-disable\n// secretlint-disable-line ${token}`)).toHaveLength(1)
})

test('secrets with the same beginning are all found', () => {
  const tokens = [1, 2, 3].map((seed) => `gh${'p_'}${chance(36, WORDY, seed)}`)
  expect(librarySecrets(tokens.join(' '))).toHaveLength(3)
  expect(librarySecrets(`${tokens[0]} ${tokens[0]}`)).toHaveLength(2)
})

test('the library alone knows most providers', () => {
  const known = SECRETS.filter(({ text }) => librarySecrets(text).length > 0)
  expect(known.length).toBeGreaterThan(15)
})
