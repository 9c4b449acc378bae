/** The output of `git cat-file --batch`: one answer a request, in order. */

import type { GitObject } from '../../app/ports.ts'

/** Undefined when the output ends too early; an answer is undefined when there is no such object. */
export function readBatch(
  output: Buffer,
  requests: number,
): readonly (GitObject | undefined)[] | undefined {
  const answers: (GitObject | undefined)[] = []
  let at = 0
  while (answers.length < requests) {
    const end = output.indexOf(10, at)
    if (end === -1) return undefined
    // "<oid> <type> <size>", else "<name> missing" or "<name> ambiguous"
    const header = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(
      output.toString('latin1', at, end),
    )
    at = end + 1
    const [, oid = '', type = '', size = ''] = header ?? []
    if (header === null) answers.push(undefined)
    else {
      const content = output.subarray(at, at + Number(size))
      if (content.length < Number(size)) return undefined
      answers.push({ oid, type: type as GitObject['type'], content })
      at += Number(size) + 1 // the content is followed by a line break
    }
  }
  return answers
}
