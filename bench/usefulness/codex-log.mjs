/** Reads Codex's log: one `{timestamp, type, payload}` per line, with most texts logged twice. */

/** The tools' names in hooks. */
const HOOK_NAMES = {
  shell: 'Bash',
  shell_command: 'Bash',
  local_shell: 'Bash',
  exec_command: 'Bash',
  apply_patch: 'apply_patch',
  update_plan: 'update_plan',
}

const NOT_TYPED = /^\s*(?:<[a-z_]+>|# AGENTS\.md instructions)/

export function readCodex(records) {
  const all = records.flatMap(({ timestamp, type, payload = {} }, i) => {
    const about = { at: Date.parse(timestamp), upTo: i + 1 }
    const found = type === 'compacted' ? [{ kind: 'compaction' }] : momentsOf(type, payload)
    return found.map((one) => ({ ...one, ...about }))
  })
  const { payload = {} } = records.find(({ type }) => type === 'session_meta') ?? {}
  return { moments: withEnds(withoutTwins(all)), cwd: payload.cwd, session: payload.id }
}

function momentsOf(type, payload) {
  if (type === 'event_msg') {
    if (payload.type === 'user_message') return promptOf(payload.message)
    if (payload.type === 'agent_message') return [{ kind: 'words', text: payload.message }]
    if (payload.type === 'turn_aborted') return [{ kind: 'aborted' }]
    const isEnd = payload.type === 'task_complete' || payload.type === 'turn_complete'
    return isEnd ? [{ kind: 'finished', text: payload.last_agent_message ?? '' }] : []
  }
  if (type !== 'response_item') return []
  const input = payload.arguments ?? payload.input ?? payload.action
  switch (payload.type) {
    case 'message': {
      const text = (payload.content ?? []).map((part) => part.text ?? '').join('\n')
      if (payload.role === 'user') return promptOf(text)
      return payload.role === 'assistant' ? [{ kind: 'words', text }] : []
    }
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      return [
        {
          kind: 'call',
          id: payload.call_id,
          name: payload.name ?? 'local_shell',
          input: fieldsOf(input),
        },
      ]
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return [answerOf(payload)]
    default:
      return []
  }
}

/** Stands for a picture in what the model gets, but not in what the person typed. */
const PICTURE = /<image(?: name=\[Image #\d+\][^>\n]*)?>\s*<\/image>/g

function promptOf(message = '') {
  const text = message.replace(PICTURE, '').trim()
  return NOT_TYPED.test(text) || text.trim() === '' ? [] : [{ kind: 'prompt', text }]
}

/** The input as hooks get it: for a shell, a single `command`. */
function fieldsOf(input) {
  const fields = typeof input === 'string' ? parse(input) : input
  if (typeof fields !== 'object' || fields === null) return { command: String(input) }
  const command = fields.command ?? fields.cmd
  if (command === undefined) return fields
  return { ...fields, command: Array.isArray(command) ? command.join(' ') : command }
}

function answerOf({ call_id: id, output }) {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '')
  const inner = parse(text)
  const shown = typeof inner?.output === 'string' ? inner.output : text
  const failed = /aborted by user|^(?:exec_command|shell) failed|rejected by user/i.test(text)
  return { kind: 'answer', id, text: shown, response: shown, failed }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Removes duplicates: most texts are logged both as an event and as an item. */
function withoutTwins(moments) {
  const last = {}
  return moments.filter(({ kind, text }) => {
    if (kind === 'prompt') last.words = undefined
    if (kind === 'words') last.prompt = undefined
    if (kind !== 'prompt' && kind !== 'words') return true
    const isTwin = last[kind] === text.trim()
    last[kind] = text.trim()
    return !isTwin
  })
}

/** Older releases do not log the end of a turn. For these, the last words before a prompt count as the end. */
function withEnds(moments) {
  if (moments.some(({ kind }) => kind === 'finished')) return moments
  return moments.flatMap((moment, i) => {
    const next = moments[i + 1]
    const isEnd = moment.kind === 'words' && (next === undefined || next.kind === 'prompt')
    return isEnd ? [moment, { ...moment, kind: 'finished' }] : [moment]
  })
}

/** @param {string} name */
export function codexHookName(name) {
  return HOOK_NAMES[name] ?? name
}
