/** Reading in process or through git: the figures behind the choice of reader (docs/decisions/0004). */

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../bundle.mjs'
import { interleave, timeOf } from '../measure.mjs'
import { ratioRow } from '../rows.mjs'

const READ = fileURLToPath(new URL('../programs/read-objects.mjs', import.meta.url))

/** Objects to read, and mebibytes of other objects that are packed with them (0: all objects are loose). */
const SCENES = [
  { objects: 1, megabytes: 0 },
  { objects: 20, megabytes: 0 },
  { objects: 1000, megabytes: 0 },
  { objects: 20, megabytes: 1 },
  { objects: 20, megabytes: 16 },
]

export async function measureReaders({ sandbox, quick }) {
  const bundles = join(sandbox.folder, 'readers')
  await bundle(bundles, {
    isomorphic: 'io/objects/isomorphic-reader.ts',
    'cat-file': 'io/objects/cat-file-reader.ts',
    batch: 'io/objects/batch-reader.ts',
    exec: 'io/process/exec.ts',
  })
  return SCENES.flatMap((scene) => measureScene({ sandbox, bundles, quick }, scene))
}

function measureScene({ sandbox, bundles, quick }, { objects, megabytes }) {
  const folder = join(sandbox.folder, `objects-${objects}-${megabytes}`)
  const list = `${folder}-ids`
  writeFileSync(list, `${store(sandbox, folder, objects, megabytes).join('\n')}\n`)
  const read = (name) => () =>
    timeOf(() => sandbox.run(folder, process.execPath, [READ, bundles, name, folder, list]))
  const samples = interleave(
    { isomorphic: read('isomorphic'), catFile: read('cat-file'), batch: read('batch') },
    quick ? 2 : 15,
  )
  const where = megabytes === 0 ? 'loose' : `beside ${megabytes} MB of packs`
  const work = `${objects} ${objects === 1 ? 'object' : 'objects'}, ${where}:`
  const floor = samples.catFile
  return [
    ratioRow({ work: `${work} in process, to a git child`, ours: samples.isomorphic, floor }),
    ratioRow({ work: `${work} one git batch, to a git child`, ours: samples.batch, floor }),
  ]
}

function store(sandbox, folder, objects, megabytes) {
  sandbox.git(sandbox.folder, 'init', '-q', folder)
  for (let i = 0; i < objects; i++) writeFileSync(join(folder, `o${i}`), `event ${i}\n`.repeat(40))
  if (megabytes > 0) writeFileSync(join(folder, 'big'), randomBytes(megabytes * 1024 * 1024))
  sandbox.git(folder, 'add', '-A')
  sandbox.git(folder, 'commit', '-q', '-m', 'objects')
  if (megabytes > 0) sandbox.git(folder, 'gc', '-q')
  const lines = sandbox.git(folder, 'ls-tree', 'HEAD').split('\n')
  return lines.filter((line) => /\to\d+$/.test(line)).map((line) => line.split(/\s/)[2])
}
