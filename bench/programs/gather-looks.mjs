/**
 * Looks at a fleet as the dashboard's process does: once, and again after each of some commits.
 *
 *   node gather-looks.mjs FOLDER-OF-BUNDLES in-process|by-git REPOSITORY LOOKS
 *
 * Prints the milliseconds of the first look, and the sum of the later ones.
 */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [bundles, name, folder, looks] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(join(bundles, `${file}.mjs`)).href)
const { openRepository, Repository } = await load('repository')
const { LongLivedReader } = await load('long-lived')
const { openCatFileReader } = await load('open-reader')
const { openSessionContext } = await load('session-context')
const { openFleet } = await load('fleet')
const { gatherFleet } = await load('gather-fleet')

const readers = {
  'in-process': (git, place) => new LongLivedReader(git, place),
  'by-git': openCatFileReader,
}
const { git, place } = await openRepository(folder, process.env)
const repository = new Repository(git, place, readers[name])
const sessions = await openSessionContext(folder, process.env, repository)
const context = { ...(await openFleet(repository, sessions)), repository }
let memory
const look = async () => {
  const start = performance.now()
  const seen = await gatherFleet(context, {}, memory)
  memory = seen.memory
  return performance.now() - start
}
const first = await look()
let later = 0
for (let i = 0; i < Number(looks); i++) {
  execFileSync('git', ['-C', folder, 'commit', '-q', '-n', '--allow-empty', '-m', `look ${i}`])
  later += await look()
}
process.stdout.write(JSON.stringify({ first, later }))
process.exit()
