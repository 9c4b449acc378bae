/** `.ralph/`: a loop whose program passes on `PROMPT.md` and resumes a stored session. */

import { isCount, parseObject } from '../text/json-values.ts'
import type { Dialect } from './loop.ts'
import { editOf, PLAIN_LOOP } from './loop.ts'
import { openItem, titleOfPrompt } from './prompt.ts'
import { putResume, takeResume } from './resume-block.ts'
import { resumeLines } from './resume.ts'

const FOLDER = '.ralph'
export const FIX_PLAN_PROMPT = `${FOLDER}/PROMPT.md`
const PLAN = `${FOLDER}/fix_plan.md`
const STATUS = `${FOLDER}/status.json`
/** While this file exists, the next iteration continues with the full context. */
const SESSION = `${FOLDER}/.claude_session_id`

export const fixPlanLoop: Dialect = {
  files: [FIX_PLAN_PROMPT, PLAN, STATUS, SESSION],

  find(read) {
    const [prompt, plan] = [read(FIX_PLAN_PROMPT), read(PLAN)]
    if (prompt === undefined && plan === undefined) return undefined
    const { loop_count: count } = parseObject(read(STATUS))
    return {
      ...PLAIN_LOOP,
      dialect: 'fix-plan',
      file: plan === undefined ? FIX_PLAN_PROMPT : PLAN,
      iteration: isCount(count) ? count : undefined,
      task: (plan && openItem(plan)) ?? (prompt && titleOfPrompt(prompt)) ?? undefined,
      isAtWork: plan === undefined || openItem(plan) !== undefined,
    }
  },

  resume: (read, { point, memory }) => [
    ...editOf(read, FIX_PLAN_PROMPT, (text) => putResume(text, resumeLines(point, memory))),
    ...(read(SESSION) === undefined ? [] : [{ path: SESSION, text: undefined }]),
  ],

  clear: (read) => editOf(read, FIX_PLAN_PROMPT, (text) => takeResume(text)),
}
