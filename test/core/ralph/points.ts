/** Where sessions stopped: one with everything, and any, including hostile ones. */

import * as fc from 'fast-check'
import type { Handover } from '../../../src/core/ralph/loop.ts'
import type { ResumePoint } from '../../../src/core/ralph/resume.ts'
import { anyText } from '../../support/arbitraries.ts'

export const POINT: ResumePoint = {
  timestamp: '2026-01-07T11:45:00Z',
  level: 'L2',
  percent: 87,
  handoffFile: '.claude/handoffs/2026-01-07-1145.md',
  summary: 'Implementing OAuth callback handler',
  files: [{ path: 'src/auth/oauth.ts', lines: '45-120' }],
  item: 'Implement OAuth callback',
  progress: '70%',
}

export const HANDOVER: Handover = {
  point: POINT,
  memory: [],
  when: '2026-01-07 11:45',
  session: 'abc',
  prompt: 'PROMPT.md',
}

const anyWord = fc.oneof(
  anyText,
  fc.constantFrom(
    '<promise>COMPLETE</promise>',
    '< / Promise >',
    '<!-- ledger-git: end -->',
    'x\n<!-- ledger-git: end -->\n',
    '---',
  ),
)
const optional = fc.option(anyWord, { nil: undefined })

export const anyPoint: fc.Arbitrary<ResumePoint> = fc.record({
  timestamp: fc.constantFrom('2026-01-07T11:45:00Z', '2026-01-08T00:00:00Z'),
  level: fc.constantFrom('L2', 'L3', 'unknown'),
  percent: fc.option(fc.nat(100), { nil: undefined }),
  handoffFile: fc.oneof(fc.constantFrom('.claude/handoffs/a.md', '.claude/handoffs/b.md'), anyWord),
  summary: optional,
  files: fc.array(fc.record({ path: anyWord, lines: optional }), { maxLength: 2 }),
  item: optional,
  progress: optional,
})
