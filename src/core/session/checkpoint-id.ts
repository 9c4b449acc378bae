/** The id of a checkpoint: 12 lowercase hex digits, as in the trailer. */

declare const brand: unique symbol
export type CheckpointId = string & { readonly [brand]: 'checkpoint' }

export function isCheckpointId(text: string): text is CheckpointId {
  return /^[0-9a-f]{12}$/.test(text)
}

/** An id made from random bytes; six of them are used. */
export function checkpointIdFrom(bytes: Uint8Array): CheckpointId {
  const id = Buffer.from(bytes.subarray(0, 6)).toString('hex')
  if (!isCheckpointId(id)) throw new RangeError('a checkpoint id takes six bytes')
  return id
}
