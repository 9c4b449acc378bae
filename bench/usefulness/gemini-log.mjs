/** Reads Gemini CLI's log: a single document in older releases, else lines that repeat a message as it grows. */

const NOT_TYPED = /^\s*(?:[/?]|<(?:session|hook)_context>)/

export function readGemini(records) {
  const head = records.find(({ sessionId }) => sessionId !== undefined) ?? {}
  const isDocument = Array.isArray(head.messages)
  const messages = isDocument
    ? head.messages.map((message, i) => ({ message, upTo: i + 1 }))
    : lastVersions(records)
  const slice = isDocument
    ? (upTo) => `${JSON.stringify({ ...head, messages: head.messages.slice(0, upTo) }, null, 2)}\n`
    : undefined
  const moments = withEnds(messages.flatMap(({ message, upTo }) => momentsOf(message, upTo)))
  return { moments, cwd: folderIn(moments), session: head.sessionId, slice }
}

function lastVersions(records) {
  const found = new Map()
  records.forEach((record, i) => {
    const all =
      record.messages ?? record.$set?.messages ?? (record.id === undefined ? [] : [record])
    if (record.$rewindTo !== undefined) {
      const ids = [...found.keys()]
      for (const id of ids.slice(Math.max(0, ids.indexOf(record.$rewindTo)))) found.delete(id)
    }
    for (const message of all) found.set(message.id, { message, upTo: i + 1 })
  })
  return [...found.values()]
}

function momentsOf(message, upTo) {
  const about = { at: Date.parse(message.timestamp), upTo }
  const text = textOf(message.content)
  if (message.type === 'user') {
    return NOT_TYPED.test(text) || text.trim() === '' ? [] : [{ kind: 'prompt', text, ...about }]
  }
  if (message.type === 'info' && /cancel/i.test(text)) return [{ kind: 'aborted', ...about }]
  if (message.type !== 'gemini') return []
  const words = text.trim() === '' ? [] : [{ kind: 'words', text, ...about }]
  const calls = (message.toolCalls ?? []).flatMap((call) => [
    { kind: 'call', id: call.id, name: call.name, input: call.args ?? {}, ...about },
    ...answersOf(call).map((one) => ({ ...one, ...about })),
  ])
  return [...words, ...calls]
}

function answersOf(call) {
  if (!['success', 'error', 'cancelled'].includes(call.status ?? 'success')) return []
  const { response } = call.result?.[0]?.functionResponse ?? {}
  const text = response?.output ?? response?.error ?? JSON.stringify(response ?? '')
  const failed = call.status !== undefined && call.status !== 'success'
  return [{ kind: 'answer', id: call.id, text, response: { llmContent: text }, failed }]
}

function textOf(content) {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : ''
}

/** The log has no ends of turns: the last words before a prompt count as the end, with all words of the turn. */
function withEnds(moments) {
  let said = []
  return moments.flatMap((moment, i) => {
    if (moment.kind === 'prompt') said = []
    if (moment.kind !== 'words') return [moment]
    said.push(moment.text)
    const next = moments[i + 1]
    const isEnd = next === undefined || next.kind === 'prompt'
    return isEnd ? [moment, { ...moment, kind: 'finished', text: said.join('\n') }] : [moment]
  })
}

/** The log does not name the working directory, so it is the common folder of the files that tools used. */
function folderIn(moments) {
  const paths = moments
    .flatMap(({ kind, input }) => (kind === 'call' ? [input.file_path, input.absolute_path] : []))
    .filter((path) => typeof path === 'string' && /^(?:\/|[A-Za-z]:\\)/.test(path))
  if (paths.length === 0) return undefined
  const separator = paths[0].startsWith('/') ? '/' : '\\'
  const parts = paths.map((path) => path.split(/[\\/]/).slice(0, -1))
  const [first] = parts
  const isApart = (part, i) => parts.some((other) => other[i]?.toLowerCase() !== part.toLowerCase())
  const at = first.findIndex(isApart)
  const common = at === -1 ? first : first.slice(0, at)
  return common.length > 2 ? common.join(separator) : undefined
}
