/** What an iteration will work on: an open item of the prompt or of the loop's plan, or else the prompt itself. */

import { expect, test } from 'vitest'
import { itemAhead } from '../../../src/app/ralph/item-ahead.ts'
import { ledgerRepo } from '../../support/git-repo.ts'
import { sessionContext } from '../../support/session-context.ts'

test('finds the next item with the files it names, and warns if it does not fit', async () => {
  const repo = ledgerRepo()
  const session = await sessionContext(repo.folder, repo.sandbox.env)
  const ahead = (prompt: string) => itemAhead(session, prompt, 200_000)
  expect((await ahead('# Task: Sign in\n\nBuild it.\n')).said).toMatch(
    /^"Sign in" takes about 5k tokens/,
  )
  const story = (id: string, priority: number, passes: boolean, description = 'short') => ({
    id,
    title: `story ${id}`,
    description,
    priority,
    passes,
    acceptanceCriteria: ['one'],
  })
  const stories = (description?: string) => [
    story('US-1', 1, true),
    story('US-2', 3, false),
    story('US-3', 2, false, description),
  ]
  repo.write('prd.json', JSON.stringify({ userStories: stories() }))
  const next = await ahead('Work on the prd.\n')
  expect(next.said).toMatch(/^"US-3 story US-3" takes about \d+k tokens/)
  expect(next.warning).toBeUndefined()
  repo.write('prd.json', JSON.stringify({ userStories: stories('word '.repeat(80_000)) }))
  expect((await ahead('Work on the prd.\n')).warning).toContain('a subagent for heavy reading')
  // If the prompt has check boxes, they decide what is next.
  repo.write('big.txt', 'x'.repeat(60_000))
  const boxes = '- [x] wire the form\n- [ ] read big.txt\n'
  const [small, read] = [await ahead('- [ ] read it\n'), await ahead(boxes)]
  expect(small.said).toMatch(/^"read it" takes about 5k/)
  expect(read.said).toMatch(/^"read big\.txt" takes about 38k/)
})
