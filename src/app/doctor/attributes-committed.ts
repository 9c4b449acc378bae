/** Do clones get our attributes, also those that nobody set ledger-git up in? */

import { DRIVERS } from '../../core/setup/install-texts.ts'
import { blocksOf, isNewerBlock } from '../../core/setup/marked-block.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { INSTALL, ok, warning } from './finding.ts'
import { mergedBy } from './look.ts'

export async function attributesCommitted(setup: Setup): Promise<Finding> {
  const name = 'attributes-committed'
  const { repository, files } = setup
  const committed = await repository.objects.find('HEAD:.gitattributes')
  const lacking = lackingIn(Buffer.from(committed?.content ?? []).toString('latin1'))
  if (lacking === undefined) {
    const overruled = await overruledElsewhere(setup)
    return overruled === undefined
      ? ok(name, '.gitattributes is committed: other clones have it')
      : warning(name, overruled.what, overruled.fix)
  }
  const { top } = repository.place
  const what = `HEAD has no ${lacking} in .gitattributes: it holds in this clone only`
  if (top === undefined) {
    if ((await repository.history.head()).oid === undefined) return ok(name, 'no commit yet')
    return warning(name, what, `in a clone: ${INSTALL}, commit what it lists, and push`)
  }
  if (files.kind(`${top}/.gitattributes`) === 'other') {
    const link =
      '.gitattributes is a link, and git reads no attributes through one: they hold in this clone only'
    return warning(
      name,
      link,
      `put a file in its place, then ${INSTALL} && git add :/.gitattributes && git commit`,
    )
  }
  const isWritten = lackingIn(files.read(`${top}/.gitattributes`) ?? '') === undefined
  const commit = 'git add :/.gitattributes && git commit'
  return warning(name, what, isWritten ? commit : `${INSTALL} && ${commit}`)
}

/** The first attribute that a `.gitattributes` does not give; a newer release's has its own. */
function lackingIn(text: string): string | undefined {
  const blocks = blocksOf(text)
  if (blocks.some(isNewerBlock)) return undefined
  const values = DRIVERS.map(({ name }) => `merge=${name}`)
  return values.find((value) => !blocks.some((block) => block.split(/\s/).includes(value)))
}

/**
 * Where ledger-git was not set up, no `info/attributes` of ours has the last word: a line after our block has it, or a
 * file of a folder below.
 */
async function overruledElsewhere({ repository, probes, settings: { root } }: Setup) {
  const { current, events } = ledgerPaths(root)
  const parts = events.split('/')
  const files = ['', ...parts].map((_, depth) =>
    [...parts.slice(0, depth), '.gitattributes'].join('/'),
  )
  const texts = new Map<string, Uint8Array>()
  for (const file of files) {
    const found = await repository.objects.find(`HEAD:${file}`)
    if (found?.type === 'blob') texts.set(file, found.content)
  }
  const event = `${events}/EVENT.md`
  const wanted = [
    ...DRIVERS.map((driver) => ['merge', driver.name, mergedBy(driver, root)] as const),
    ...[current, event].map((path) => ['eol', 'lf', path] as const),
  ]
  const paths = wanted.map(([, , path]) => path)
  const said = await probes.attributesBy(texts, ['merge', 'eol'], paths)
  for (const [i, [attribute, value, path]] of wanted.entries()) {
    const found = said[i]?.[attribute]
    if (found === value) continue
    return {
      what: `in clones without ledger-git, ${path} has ${attribute}=${found}, not ${value}`,
      fix: `make ${[...texts.keys()].join(' or ')} say ${attribute}=${value} of it, and commit that`,
    }
  }
  return undefined
}
