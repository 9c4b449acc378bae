/** Our rendering of many events, compared with other tools that compile as many fragments of the same text. */

import { sentences } from '../events.mjs'
import { compare, interleave, median, ratio, timeOf } from '../measure.mjs'
import { compileFragments, findPeers } from '../peers.mjs'
import { forgetCache } from '../repositories.mjs'
import { ratioRow, unmeasuredRow } from '../rows.mjs'

export function measurePeers({ sandbox, repositories, quick }) {
  const fragments = quick ? 100 : 1000
  const folder = repositories.withEvents(fragments)
  const texts = sentences(fragments)
  const render = () => timeOf(() => sandbox.ledger(folder, 'synthesize', '--stdout'))
  const cold = () => {
    forgetCache(folder)
    return render()
  }
  const work = `synthesize --stdout, ${fragments.toLocaleString('en')} events, cold`
  return findPeers().map((peer) => {
    const title = `${work}, to ${peer.name} ${peer.work}`
    if (peer.program === undefined) return unmeasuredRow({ work: title, why: 'not installed' })
    const project = peer.prepare(sandbox, texts)
    const { ours, warm, floor } = interleave(
      { ours: cold, warm: render, floor: () => compileFragments(sandbox, peer, project) },
      quick ? 1 : 5,
    )
    const { value } = compare(warm, floor, ratio)
    const note = `warm ${value.toFixed(2)} × (${median(warm).toFixed(0)} ms)`
    return ratioRow({ work: title, ours, floor, note })
  })
}
