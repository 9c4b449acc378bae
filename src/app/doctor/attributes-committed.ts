/** Do other clones get our attributes, including clones in which ledger-git was not set up? */

import { DRIVERS } from '../../core/setup/install-texts.ts'
import { blocksOf, isNewerBlock } from '../../core/setup/marked-block.ts'
import { attributePattern } from '../../core/setup/path-blocks.ts'
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
  const what = `HEAD has no ${lacking} in .gitattributes: it applies in this clone only`
  if (top === undefined) {
    if ((await repository.history.head()).oid === undefined) return ok(name, 'no commit yet')
    return warning(name, what, `in a clone: ${INSTALL}, commit what it lists, and push`)
  }
  if (files.kind(`${top}/.gitattributes`) === 'other') {
    const link =
      '.gitattributes is a link, and git does not follow it: the attributes apply in this clone only'
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

/** The first attribute that a `.gitattributes` lacks; a block of a newer release is taken to be complete. */
function lackingIn(text: string): string | undefined {
  const blocks = blocksOf(text)
  if (blocks.some(isNewerBlock)) return undefined
  const values = DRIVERS.map(({ name }) => `merge=${name}`)
  return values.find((value) => !blocks.some((block) => block.split(/\s/).includes(value)))
}

/**
 * In a clone without ledger-git, our `info/attributes` does not have the last word: a line after our block or a
 * `.gitattributes` in a sub-folder can override the block.
 */
async function overruledElsewhere(setup: Setup) {
  const { repository, probes, settings } = setup
  const { root } = settings
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
    const decider = await deciderOf({ path, attribute }, texts, setup)
    return {
      what: `in clones without ledger-git, ${path} has ${attribute}=${found}, not ${value}`,
      fix: `${fixIn(decider, path, `${attribute}=${value}`)}, and commit that`,
    }
  }
  return undefined
}

/** The deepest file that sets the attribute: a different value placed at the top of that file has no effect. */
async function deciderOf(
  { path, attribute }: { readonly path: string; readonly attribute: string },
  texts: ReadonlyMap<string, Uint8Array>,
  { probes }: Setup,
): Promise<string> {
  const above = Buffer.from(`* ${attribute}=above\n`)
  for (const [file, text] of [...texts].toReversed()) {
    const tried = new Map(texts).set(file, Buffer.concat([above, text]))
    const [said] = await probes.attributesBy(tried, [attribute], [path])
    if (said?.[attribute] !== 'above') return file
  }
  return '.gitattributes'
}

function fixIn(file: string, path: string, attribute: string): string {
  if (file === '.gitattributes') return `move the block of ledger-git to the end of ${file}`
  const below = path.slice(file.lastIndexOf('/') + 1)
  // Any handoff, any event.
  const pattern = attributePattern('{root}', below).replace(
    /\/(?:NAME(?=\/current\.md"?$)|EVENT(?=\.md"?$))/,
    '/*',
  )
  return `end ${file} with the line '${pattern} ${attribute}'`
}
