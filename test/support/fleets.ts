/** Sample fleets, for the code that displays them. */

import type {
  Attention,
  Fleet,
  FleetAgent,
  FleetWorktree,
  TimelineEvent,
} from '../../src/core/fleet/fleet.ts'

export const NOW = Date.parse('2026-03-02T10:00:00Z')

/** The time `minutes` before `NOW`. */
export function ago(minutes: number): string {
  return new Date(NOW - minutes * 60_000).toISOString()
}

const NONE = {
  attention: 0,
  worktrees: 0,
  branches: 0,
  decisions_differ: 0,
  open_questions: 0,
  timeline: 0,
  checkpoints: 0,
  agents: 0,
}

/** The fleet of a repository without worktrees, agents and events. */
export const EMPTY_FLEET: Fleet = {
  generated_at: ago(0),
  at: null,
  main_branch: null,
  attention: [],
  worktrees: [],
  branches: [],
  decisions_differ: [],
  open_questions: [],
  timeline: [],
  checkpoints: [],
  errors: [],
  more: NONE,
}

const needs = (
  kind: Attention['kind'],
  subject: string,
  message: string,
  minutes: number,
  command: string | null,
): Attention => ({ kind, subject, message, since: ago(minutes), command })

const event = (
  minutes: number,
  agent: string,
  branch: string,
  summary: string,
  more: Partial<TimelineEvent> = {},
): TimelineEvent => ({
  file: `${ago(minutes).replaceAll(/[-:.]/g, '')}_${agent}_${branch.replaceAll('/', '-')}.md`,
  ts: ago(minutes),
  agent,
  branch,
  type: 'session',
  summary,
  pending: false,
  ...more,
})

const worktree = (
  name: string,
  branch: string | null,
  more: Partial<FleetWorktree>,
): FleetWorktree => ({
  path: `/home/ada/work/${name}`,
  branch,
  head: 'c0ffee1234c0ffee1234c0ffee1234c0ffee1234',
  main: false,
  fresh: true,
  pending: 0,
  ahead: 0,
  behind: 0,
  note: null,
  agents: [],
  ...more,
})

const atWork = (
  agent: string,
  session: string,
  phase: FleetAgent['phase'],
  now: string,
  minutes: number,
  percent: number,
): FleetAgent => ({
  agent,
  session,
  phase,
  now,
  now_since: ago(minutes),
  last_sign: ago(minutes),
  context: { percent, level: 'L0' },
})

/** Eight worktrees that together contain every kind of content. */
export const BUSY_FLEET: Fleet = {
  ...EMPTY_FLEET,
  main_branch: 'main',
  attention: [
    needs(
      'stalled',
      'codex on feat/search',
      'active, but no sign for 47 min; its last words: indexing the archive',
      47,
      'git ledger session show 7f3a91c2',
    ),
    needs(
      'waiting',
      'claude on fix/login',
      'asks: may I drop the column users.legacy_id?',
      12,
      'git ledger session show 1b22d0aa',
    ),
    needs(
      'stale',
      'chore/deps',
      'current.md is not what its events give',
      95,
      'git -C /home/ada/work/deps ledger synthesize',
    ),
    needs(
      'context',
      'claude on feat/billing',
      'context 86 % full (L2)',
      4,
      'git ledger context checkpoint',
    ),
    needs(
      'question',
      'open for 3 days',
      'Do we keep Node 18 for the CLI?',
      4320,
      'git ledger event list',
    ),
  ],
  worktrees: [
    worktree('shop', 'main', {
      main: true,
      agents: [
        {
          agent: 'ada',
          session: null,
          phase: 'unknown',
          now: 'reviewing the billing branch',
          now_since: ago(130),
          last_sign: ago(130),
          context: null,
        },
      ],
    }),
    worktree('shop-billing', 'feat/billing', {
      ahead: 7,
      behind: 2,
      pending: 2,
      agents: [
        {
          agent: 'claude',
          session: 's1',
          phase: 'active',
          now: 'moving invoice totals to integer cents, tests of rounding first',
          now_since: ago(3),
          last_sign: ago(0),
          context: { percent: 86, level: 'L2' },
        },
        {
          agent: 'gemini',
          session: 's2',
          phase: 'idle',
          now: 'checked the tax table against the published rates',
          now_since: ago(18),
          last_sign: ago(18),
          context: { percent: 41, level: 'L0' },
        },
      ],
    }),
    worktree('shop-login', 'fix/login', {
      ahead: 3,
      behind: 2,
      agents: [
        {
          agent: 'claude',
          session: 's3',
          phase: 'idle',
          now: 'waits for an answer about users.legacy_id',
          now_since: ago(12),
          last_sign: ago(12),
          context: { percent: 58, level: 'L0' },
        },
      ],
    }),
    worktree('shop-search', 'feat/search', {
      ahead: 12,
      behind: 5,
      agents: [
        {
          agent: 'codex',
          session: 's4',
          phase: 'active',
          now: 'indexing the archive',
          now_since: ago(47),
          last_sign: ago(47),
          context: null,
        },
      ],
    }),
    worktree('shop-deps', 'chore/deps', {
      ahead: 1,
      behind: 9,
      fresh: false,
      agents: [
        {
          agent: 'codex',
          session: 's5',
          phase: 'ended',
          now: 'vite 7, vitest 4, no source changed',
          now_since: ago(95),
          last_sign: ago(95),
          context: { percent: 22, level: 'L0' },
        },
      ],
    }),
    worktree('shop-perf', 'perf/cart', {
      ahead: 2,
      behind: 2,
      agents: [
        {
          agent: 'claude',
          session: 's6',
          phase: 'active',
          now: 'one query for the whole cart in place of one an item',
          now_since: ago(7),
          last_sign: ago(1),
          context: { percent: 34, level: 'L0' },
        },
      ],
    }),
    worktree('shop-try', null, {
      note: 'detached HEAD',
      ahead: null,
      behind: null,
      fresh: null,
      pending: null,
    }),
    worktree('shop-old', 'spike/graphql', {
      note: 'gone: the folder is missing',
      fresh: null,
      pending: null,
    }),
  ],
  branches: [
    {
      name: 'main',
      head: 'aaaaaaaaa',
      fresh: true,
      ahead: 0,
      behind: 0,
      would_change: [],
      more: 0,
    },
    {
      name: 'chore/deps',
      head: 'bbbbbbbbb',
      fresh: false,
      ahead: 1,
      behind: 9,
      would_change: ['+ done: vite 7, vitest 4, no source changed'],
      more: 0,
    },
    {
      name: 'feat/billing',
      head: 'ccccccccc',
      fresh: true,
      ahead: 7,
      behind: 2,
      would_change: [
        '~ now: reviewing the billing branch → moving invoice totals to integer cents',
        '+ decision money: integer cents',
        '+ next: migrate the stored invoices',
        '- question: float or integer for money?',
      ],
      more: 9,
    },
    {
      name: 'feat/search',
      head: 'ddddddddd',
      fresh: true,
      ahead: 12,
      behind: 5,
      would_change: ['+ decision index: sqlite fts5', '+ next: index the archive'],
      more: 0,
    },
    {
      name: 'fix/login',
      head: 'eeeeeeeee',
      fresh: true,
      ahead: 3,
      behind: 2,
      would_change: [],
      more: 0,
    },
    {
      name: 'perf/cart',
      head: 'fffffffff',
      fresh: null,
      ahead: 2,
      behind: 2,
      would_change: null,
      more: 0,
    },
  ],
  decisions_differ: [
    {
      key: 'money',
      both_sides: true,
      values: [
        {
          value: 'integer cents',
          agent: 'claude',
          branch: 'feat/billing',
          ts: ago(55),
          held_on: ['feat/billing'],
        },
        {
          value: 'decimal strings, as the bank sends them',
          agent: 'codex',
          branch: 'feat/search',
          ts: ago(190),
          held_on: ['feat/search', 'main'],
        },
      ],
    },
    {
      key: 'session.store',
      both_sides: false,
      values: [
        {
          value: 'redis',
          agent: 'claude',
          branch: 'fix/login',
          ts: ago(240),
          held_on: ['fix/login', 'main'],
        },
        { value: null, agent: 'ada', branch: 'chore/deps', ts: ago(900), held_on: ['chore/deps'] },
      ],
    },
  ],
  open_questions: [
    { text: 'Do we keep Node 18 for the CLI?', ts: ago(4320), agent: 'ada', branch: 'main' },
    {
      text: 'May I drop the column users.legacy_id? Nothing in src reads it, two reports might.',
      ts: ago(12),
      agent: 'claude',
      branch: 'fix/login',
    },
  ],
  timeline: [
    event(2, 'claude', 'perf/cart', 'one query for the whole cart in place of one an item', {
      pending: true,
    }),
    event(9, 'claude', 'feat/billing', 'rounding: half to even, with a table of cases', {
      pending: true,
      type: 'manual',
    }),
    event(18, 'gemini', 'feat/billing', 'checked the tax table against the published rates'),
    event(47, 'codex', 'feat/search', 'indexing the archive'),
    event(55, 'claude', 'feat/billing', 'decided money: integer cents', { type: 'manual' }),
    event(95, 'codex', 'chore/deps', 'vite 7, vitest 4, no source changed'),
    event(130, 'ada', 'main', 'reviewing the billing branch', { type: 'manual' }),
    event(190, 'codex', 'feat/search', 'decided money: decimal strings, as the bank sends them'),
    event(240, 'claude', 'fix/login', 'decided session.store: redis'),
    event(300, 'claude', 'fix/login', 'login fails for accounts that were merged in 2024'),
  ],
  checkpoints: [
    {
      id: 'a1b2c3d4e5f6',
      ts: ago(20),
      agent: 'claude',
      branch: 'feat/billing',
      commits: ['ccccccccc0000'],
      summary: 'Invoice totals as integers; three call sites left',
    },
    {
      id: '0f1e2d3c4b5a',
      ts: ago(110),
      agent: 'codex',
      branch: 'chore/deps',
      commits: ['bbbbbbbbb0000', 'bbbbbbbbb1111'],
      summary: 'Dependencies up to date',
    },
  ],
  more: { ...NONE, timeline: 34, checkpoints: 3 },
}

/** Three worktrees with one agent each: small enough for the README's first screen. */
export const SMALL_FLEET: Fleet = {
  ...EMPTY_FLEET,
  main_branch: 'main',
  attention: [
    needs(
      'waiting',
      'codex on fix/login',
      'asks: may I drop legacy_id?',
      12,
      'git ledger session show 1b22d0aa',
    ),
  ],
  worktrees: [
    worktree('shop', 'main', {
      main: true,
      agents: [atWork('gemini', 's1', 'active', 'writing the release notes', 4, 23)],
    }),
    worktree('shop-billing', 'feat/billing', {
      ahead: 7,
      behind: 2,
      pending: 2,
      agents: [atWork('claude', 's2', 'active', 'moving totals to cents', 1, 61)],
    }),
    worktree('shop-login', 'fix/login', {
      ahead: 3,
      agents: [atWork('codex', 's3', 'idle', 'login of merged accounts', 12, 48)],
    }),
  ],
  decisions_differ: [
    {
      key: 'money',
      both_sides: true,
      values: [
        {
          value: 'integer cents',
          agent: 'claude',
          branch: 'feat/billing',
          ts: ago(55),
          held_on: ['feat/billing'],
        },
        {
          value: 'decimal strings',
          agent: 'codex',
          branch: 'fix/login',
          ts: ago(190),
          held_on: ['fix/login'],
        },
      ],
    },
  ],
}

/** Texts that try to be interpreted as more than text. */
export const HOSTILE = [
  '<img src=x onerror="window.hacked=1">',
  '</script><script>window.hacked=2</script>',
  '\u001b]0;title\u0007 \u202egnp.exe \u2066',
  '{{constructor.constructor("window.hacked=3")()}}',
  'javascript:window.hacked=4',
  '<!--<script>\u2028\u2029',
] as const
