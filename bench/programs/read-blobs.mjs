/**
 * Floor of a cold run: reads the blobs whose ids are listed in a file, through one `git cat-file --batch`, and
 * does nothing with them.
 */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ids = readFileSync(process.argv[2])
const child = spawn('git', ['cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'] })
const chunks = []
child.stdout.on('data', (chunk) => chunks.push(chunk))
child.stdin.end(ids)
child.on('close', (status) => {
  const bytes = Buffer.concat(chunks)
  let blobs = 0
  for (let at = 0; at < bytes.length; blobs++) {
    const end = bytes.indexOf(10, at)
    const size = Number(bytes.toString('latin1', at, end).split(' ')[2])
    at = end + 1 + size + 1
  }
  const wanted = ids.toString('latin1').trim().split('\n').length
  process.exitCode = status === 0 && blobs === wanted ? 0 : 1
})
