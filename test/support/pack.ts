/** The tarball as a registry receives it: the built files, with the manifest that packing writes. */

import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from './git-repo.ts'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

export interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { path: string; mode: number; size: number }[]
}

/** Packs a copy, because building, or another manifest, would break the command for other tests that are running. */
export function packTarball(sandbox: Sandbox): Packed & { readonly path: string } {
  const copy = join(sandbox.folder, 'to-pack')
  mkdirSync(copy)
  const manifest = readFileSync(join(PACKAGE, 'package.json'), 'utf8')
  const { files } = JSON.parse(manifest) as { files: string[] }
  const always = ['package.json', 'LICENSE', 'README.md', 'scripts/pack-manifest.mjs']
  for (const path of [...files, ...always]) {
    cpSync(join(PACKAGE, path), join(copy, path), { recursive: true })
  }
  const repo = sandbox.at(copy)
  const env = { npm_config_cache: join(sandbox.folder, 'npm-cache') }
  const steps = [
    [process.execPath, 'scripts/pack-manifest.mjs', 'strip'],
    ['npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', sandbox.folder],
  ] as const
  const [, ran] = steps.map(([command, ...words]) => repo.run(command, words, { env }))
  if (ran?.status !== 0) throw new Error(`npm pack: ${ran?.stderr}`)
  const [packed] = JSON.parse(ran.stdout) as [Packed]
  return { ...packed, path: join(sandbox.folder, packed.filename) }
}
