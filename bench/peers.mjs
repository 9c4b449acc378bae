/** Tools that compile fragments into one text, if they are installed: on PATH or in BENCH_PEERS. */

import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { timeOf } from './measure.mjs'

const PEERS = [
  {
    name: 'towncrier',
    work: 'build --draft',
    command: 'towncrier',
    prepare: prepareTowncrier,
    args: ['build', '--draft', '--version', '1.0', '--date', 'today'],
  },
  { name: 'reno', work: 'report', command: 'reno', prepare: prepareReno, args: ['report', '.'] },
  {
    name: 'changesets',
    work: 'version',
    command: 'changeset',
    prepare: prepareChangesets,
    args: ['version'],
  },
]

/** All peers; `program` is undefined for those that are not installed. */
export function findPeers() {
  return PEERS.map((peer) => ({ ...peer, program: findProgram(peer.command) }))
}

/** Milliseconds of one compilation in a folder made by `prepare`. */
export function compileFragments(sandbox, { program, args }, folder) {
  sandbox.git(folder, 'reset', '-q', '--hard') // changesets consumes its fragments
  return timeOf(() => sandbox.run(folder, program, args))
}

function findProgram(name) {
  const peers = process.env.BENCH_PEERS
  const own = peers === undefined ? [] : [join(peers, 'node_modules/.bin'), peers]
  const folders = [...own, ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function prepareTowncrier(sandbox, texts) {
  const settings =
    '[tool.towncrier]\nname = "bench"\ndirectory = "newsfragments"\nfilename = "NEWS.md"\n'
  return project(sandbox, 'towncrier', {
    'pyproject.toml': settings,
    ...fragments(
      texts,
      (i) => `newsfragments/${i}.feature`,
      (text) => `${text}\n`,
    ),
  })
}

function prepareReno(sandbox, texts) {
  const id = (i) => i.toString(16).padStart(16, '0')
  return project(
    sandbox,
    'reno',
    fragments(
      texts,
      (i) => `releasenotes/notes/note-${id(i)}.yaml`,
      (text) => `---\nfeatures:\n  - ${JSON.stringify(text)}\n`,
    ),
  )
}

function prepareChangesets(sandbox, texts) {
  return project(sandbox, 'changesets', {
    'package.json': '{"name":"bench","version":"1.0.0"}\n',
    '.changeset/config.json':
      '{"changelog":"@changesets/cli/changelog","commit":false,"baseBranch":"main"}\n',
    ...fragments(
      texts,
      (i) => `.changeset/note-${i}.md`,
      (text) => `---\n"bench": patch\n---\n\n${text}\n`,
    ),
  })
}

function fragments(texts, pathOf, contentOf) {
  return Object.fromEntries(texts.map((text, i) => [pathOf(i), contentOf(text)]))
}

/** A repository in which these files are committed. */
function project(sandbox, name, files) {
  const folder = join(sandbox.folder, name)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  sandbox.git(folder, 'init', '-q')
  sandbox.git(folder, 'add', '-A')
  sandbox.git(folder, 'commit', '-q', '-m', 'feat: fragments')
  return folder
}
