/** What a person needs to judge an event: its fields, and how the transcript actually ended. */

/** The fields that are counted, and how to read them from an event. */
const FIELDS = {
  goal: ({ goal }) => goal,
  now: ({ now }) => now,
  this_session: ({ thisSession }) => thisSession,
  next: ({ next }) => next,
  questions: ({ openQuestions }) => openQuestions,
  decisions: ({ decisions }) => decisions.map(({ key, text }) => `${key}: ${text}`),
  test: ({ test }) => test,
}

/** The fields that are not empty. The field `files` has the changed files (the argument) that the event names. */
export function fieldsOf(event, files) {
  if (event === undefined) return {}
  const said = Object.entries(FIELDS).map(([name, read]) => [name, read(event)])
  const done = event.thisSession.join('\n')
  const named = files.filter((file) => done.includes(file.slice(file.lastIndexOf('/') + 1)))
  return Object.fromEntries(
    [...said, ['files', named]].filter(([, value]) => value !== undefined && value.length > 0),
  )
}

export const FIELD_NAMES = [...Object.keys(FIELDS), 'files']

/** A short name of how the session ended, from the last moment. */
export function endingOf(moments) {
  const last = moments.findLast(({ isSidechain }) => isSidechain !== true)
  switch (last?.kind) {
    case 'finished':
      return /[?？][*)"\s]*$/.test(last.text) ? 'question' : 'finished turn'
    case 'call':
      return /question|ask_user|plan_mode|ExitPlanMode/i.test(last.name)
        ? 'open question'
        : 'pending tool'
    case 'answer':
      return last.failed ? 'failed or refused tool' : 'no words after a tool'
    case 'aborted':
      return 'interruption'
    case 'prompt':
      return 'no reply'
    case 'words':
      return 'cut off in a turn'
    case 'compaction':
      return 'compaction'
    default:
      return 'nothing'
  }
}

/** The last words of the user and the agent, and the last tool calls with their answers. */
export function endOf(moments) {
  const own = moments.filter(({ isSidechain }) => isSidechain !== true)
  const lastOf = (kind, count) => own.filter((one) => one.kind === kind).slice(-count)
  const answers = new Map(own.filter(({ kind }) => kind === 'answer').map((one) => [one.id, one]))
  const prompts = own.filter(({ kind }) => kind === 'prompt')
  return {
    ending: endingOf(moments),
    turns: prompts.length,
    first: cut(prompts[0]?.text ?? '', 500),
    user: prompts
      .slice(1)
      .slice(-4)
      .map(({ text }) => cut(text, 500)),
    agent: lastOf('words', 2).map(({ text }) => cut(text, 2500)),
    tools: lastOf('call', 4).map(({ id, name, input }) => {
      const answer = answers.get(id)
      const told = answer === undefined ? 'NO ANSWER' : cut(answer.text, 240)
      return `${name} ${cut(JSON.stringify(input), 300)} → ${answer?.failed ? 'FAILED ' : ''}${told}`
    }),
  }
}

function cut(text, max) {
  if (text.length <= max) return text
  const half = Math.floor(max / 2)
  return `${text.slice(0, half)} […] ${text.slice(-half)}`
}
