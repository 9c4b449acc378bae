/** The manifest and the lock file: installing the package runs nothing and prints no warning. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))

/** Scripts that npm runs when the package, or a clone of it, is installed. */
const AT_INSTALL = new Set([
  'preinstall',
  'install',
  'postinstall',
  'prepare',
  'preprepare',
  'postprepare',
  'dependencies',
])

test('none of our scripts runs automatically when npm installs', () => {
  const { scripts } = read('package.json') as { scripts: Record<string, string> }
  expect(Object.keys(scripts).filter((name) => AT_INSTALL.has(name))).toEqual([])
})

/** True if the range, such as `^20.19.0 || >=22.12.0`, accepts Node 20. */
function takesNode20(range: string): boolean {
  return range.split('||').some((part) => {
    const [, sign, major] = /^\s*([<>=^~]*)\s*v?(\d+|\*)/.exec(part) ?? []
    if (major === '*' || sign === '<') return true
    return sign?.startsWith('>') === true ? Number(major) <= 20 : Number(major) === 20
  })
}

test('npm ci prints no engine warning on Node 20', () => {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { engines?: { node?: string } }>
  }
  const wrong = Object.entries(packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !takesNode20(engines.node))
    .map(([path, { engines }]) => `${path}: ${engines?.node}`)
  expect(wrong).toEqual([])
})
