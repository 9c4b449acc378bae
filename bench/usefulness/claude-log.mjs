/** Reads Claude Code's log: one record per line. A response may span several records with the same `message.id`. */

/** Text that the program adds in the user's name; such a record does not begin a turn. */
const NOT_TYPED =
  /^\s*(?:<(?:command-|local-command|bash-|task-notification|system-reminder)|Caveat: |\[Request interrupted)/
const INTERRUPTED = /^\[Request interrupted by user/

export function readClaude(records) {
  const moments = []
  let open // the response that may be the last of the turn
  const close = () => {
    if (open?.isLast === true) moments.push({ ...open, kind: 'finished' })
    open = undefined
  }
  records.forEach((record, i) => {
    const about = { at: Date.parse(record.timestamp), upTo: i + 1 }
    const isSidechain = record.isSidechain === true
    if (record.type === 'system' && record.subtype === 'compact_boundary') {
      close()
      moments.push({ ...about, kind: 'compaction' })
    } else if (record.type === 'user') {
      for (const one of userMoments(record)) {
        if (one.kind === 'prompt') close()
        else open = undefined
        moments.push({ ...one, ...about, isSidechain })
      }
    } else if (record.type === 'assistant' && record.message?.model !== '<synthetic>') {
      for (const one of responseMoments(record.message)) {
        moments.push({ ...one, ...about, isSidechain })
        if (isSidechain) continue
        const isSame = open !== undefined && open.id === record.message.id
        const text = one.kind === 'words' ? [isSame ? open.text : '', one.text] : []
        open = {
          ...about,
          id: record.message.id,
          text: text.filter(Boolean).join('\n\n'),
          isLast:
            one.kind === 'words' &&
            !['tool_use', 'max_tokens'].includes(record.message.stop_reason),
        }
      }
    }
  })
  close()
  const first = records.find(({ cwd }) => typeof cwd === 'string')
  const session = records.find(({ sessionId }) => typeof sessionId === 'string')?.sessionId
  return { moments, cwd: first?.cwd, session }
}

function userMoments(record) {
  const { content } = record.message ?? {}
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const answers = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({
      kind: 'answer',
      id: block.tool_use_id,
      text: textOf(block.content),
      response: record.toolUseResult ?? block.content,
      failed: block.is_error === true,
    }))
  const text = textOf(blocks.filter(({ type }) => type === 'text'))
  if (INTERRUPTED.test(text)) return [...answers, { kind: 'aborted' }]
  const isTyped =
    record.isMeta !== true && record.isCompactSummary !== true && !NOT_TYPED.test(text)
  const isPrompt = isTyped && record.isSidechain !== true && text.trim() !== ''
  return isPrompt ? [...answers, { kind: 'prompt', text }] : answers
}

function responseMoments({ content = [] } = {}) {
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return blocks.flatMap((block) => {
    if (block.type === 'text') return [{ kind: 'words', text: block.text }]
    if (block.type !== 'tool_use') return []
    return [{ kind: 'call', id: block.id, name: block.name, input: block.input ?? {} }]
  })
}

function textOf(content) {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text ?? '').join('\n')
}
