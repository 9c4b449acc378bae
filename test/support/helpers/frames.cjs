/** Messages over a blocking pipe: a head in JSON, then bytes. */

const { readSync, writeSync } = require('node:fs')

/** @returns {[any, ...Buffer[]] | undefined} undefined at the end of the pipe */
exports.receive = (fd) => {
  const size = read(fd, 4)
  if (size === undefined) return undefined
  const { head, lengths } = JSON.parse(read(fd, size.readUInt32LE()).toString())
  return [head, ...lengths.map((length) => read(fd, length))]
}

exports.send = (fd, head, ...parts) => {
  const bytes = parts.map((part) => Buffer.from(part))
  const text = Buffer.from(JSON.stringify({ head, lengths: bytes.map(({ length }) => length) }))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(text.length)
  for (const part of [size, text, ...bytes]) {
    for (let at = 0; at < part.length;) at += writeSync(fd, part, at)
  }
}

function read(fd, length) {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const got = readSync(fd, bytes, at, length - at, null)
    if (got === 0) return undefined
    at += got
  }
  return bytes
}
