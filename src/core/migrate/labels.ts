/** The words that people and agents use as section headings in a ledger, and the fields they mean. */

export type ListField = 'thisSession' | 'next' | 'openQuestions'
export type RegisterField = 'goal' | 'test' | 'now'
export type Field = ListField | RegisterField | 'decisions' | 'checkpoints'

const WORDS: Record<Field, readonly string[]> = {
  goal: ['goal'],
  test: ['test', 'test command'],
  now: ['now', 'focus'],
  thisSession: [
    'this session',
    'this_session',
    'done',
    'done this session',
    'done_this_session',
    'completed',
    'what was done',
    "what's done",
  ],
  next: [
    'next',
    'next step',
    'next steps',
    'next action',
    'next actions',
    "what's next",
    'remaining',
    'to do',
    'todo',
    'pending actions',
    'follow-up',
    'follow-ups',
    'follow-up work',
  ],
  decisions: ['decisions', 'key decisions', 'key_decisions', 'decisions made'],
  openQuestions: ['open questions', 'open_questions', 'questions'],
  checkpoints: ['checkpoints', 'phase status'],
}
const FIELDS = new Map(
  Object.entries(WORDS).flatMap(([field, words]) => words.map((word) => [word, field as Field])),
)

/** Words for facts about the source itself. */
const ABOUT = {
  updated: [
    'updated',
    'last updated',
    'last_updated',
    'date',
    'timestamp',
    'created',
    'created_at',
  ],
  branch: ['branch', 'git_branch', 'stream'],
  session: ['session', 'session_name', 'session_id', 'track_id'],
  agent: ['agent', 'author'],
  commit: ['commit', 'git_commit'],
} as const
export type About = keyof typeof ABOUT
const ABOUT_BY_WORD = new Map<string, About>(
  Object.entries(ABOUT).flatMap(([about, words]) => words.map((word) => [word, about as About])),
)

/** Other words that may remain of a line whose text is in a field. */
const MARKS = [
  'ledger',
  'work stream',
  'phase',
  'status',
  'task',
  'decision',
  'reasoning',
  'rationale',
  'when',
  // From the template that Codex uses for its CONTINUITY.md.
  'goal (incl. success criteria)',
  'open questions (unconfirmed if needed)',
]
const KNOWN_WORDS = new Set([...FIELDS.keys(), ...ABOUT_BY_WORD.keys(), ...MARKS].map(squeeze))

export function fieldOf(label: string): Field | undefined {
  return FIELDS.get(label)
}

/** True for headings in the template of ledgers, whether they have a field or not. */
export function isTemplate(label: string): boolean {
  return (
    FIELDS.has(label) ||
    ABOUT_BY_WORD.has(label) ||
    /^(?:constraints|state|working set)\b/.test(label)
  )
}

export function aboutOf(label: string): About | undefined {
  return ABOUT_BY_WORD.get(label)
}

/** `### Now — CHECKPOINT (today)`: the label `now`, and the text after it. */
export function splitLabel(title: string): { label: string; suffix: string } {
  const plain = title.replace(/^[^\p{L}\p{N}]+/u, '').replaceAll('\u2019', "'")
  const cut = /\s*(?:\(|\s[\u2014\u2013/-]\s|:)/u.exec(plain)
  const head = cut === null ? plain : plain.slice(0, cut.index)
  const label = head.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, '')
  const suffix = cut === null ? '' : plain.slice(cut.index).replace(/^[\s\u2014\u2013/:-]+/u, '')
  return { label, suffix: suffix.trim() }
}

/** True for text that contains no words, or only known labels of lines and tables. */
export function isMarkup(rest: string): boolean {
  const bare = rest.replace(/^\s*\d{1,9}[.)](?=\s|$)/, '').replace(/\[[ xX]\]/g, '')
  return bare.split('|').every((cell) => {
    const word = squeeze(cell.replace(MARKS_ONLY, ''))
    return word === '' || KNOWN_WORDS.has(word)
  })
}

/** List, quotation, emphasis, and code marks, arrows and status icons, dashes. */
const MARKS_ONLY = /[\s\-*+_#>`:;,"'[\]{}\u2190-\u2193\u2713\u25cb\u2717\u2013\u2014]/g

function squeeze(label: string): string {
  return label.toLowerCase().replace(/[\s_'-]/g, '')
}

/** True for texts that mean "nothing": `None`, `(none yet)`, `None — all merged.`, `*No decisions yet*`, `Нет.` */
export function isPlaceholder(text: string): boolean {
  const bare = text.replace(/^[\s*_`(]+|[\s*_`).\u2026]+$/g, '')
  return bare === '' || NOTHING.test(bare)
}

const NOTHING = new RegExp(
  String.raw`^(?:-|n\/a|tbd|not started|нет|なし|no [\p{L} -]{1,40} yet|` +
    String.raw`no (?:open |pending |active |further |other |more )[\p{L} -]{1,30}|` +
    // After `None`, text behind a punctuation mark, or about how long this holds, is a remark.
    String.raw`(?:none|nothing)(?: (?:yet|pending|currently|planned|left|at (?:this|the) \w+|for now|right now|now|so far|` +
    String.raw`known|open|needed|required|remaining))?(?:\s*[\u2013\u2014:;,.(-]\s?.{0,200}| (?:until|unless|after|beyond) .{0,200})?)$`,
  'iu',
)
