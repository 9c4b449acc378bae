/**
 * Reads objects with one of the product's readers.
 *
 *   node read-objects.mjs FOLDER-OF-BUNDLES isomorphic|cat-file|batch REPOSITORY FILE-OF-IDS
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [bundles, name, repository, list] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(join(bundles, `${file}.mjs`)).href)
const ids = readFileSync(list, 'utf8').trim().split('\n')
const reader = await open()
const objects = await Promise.all(ids.map((id) => reader.read(id)))
reader.close()
if (objects.some((object) => object === undefined)) process.exit(1)

async function open() {
  const module = await load(name)
  if (name === 'isomorphic') return new module.IsomorphicReader(join(repository, '.git'))
  const { Git } = await load('exec')
  const git = new Git(repository, process.env)
  return name === 'batch' ? new module.BatchReader(git) : new module.CatFileReader(git)
}
