/**
 * What is left to do and what is asked, under many headings and inside sentences; and text that
 * only looks like it.
 */

import { describe, expect, test } from 'vitest'
import { quoteOf } from '../../../src/core/message/quote.ts'
import { nextStepsIn } from '../../../src/core/message/left.ts'
import { questionsIn } from '../../../src/core/message/questions.ts'
import { sentencesOf } from '../../../src/core/text/markdown-to-text.ts'

describe('a title that announces remaining work', () => {
  test.each([
    'Next steps:',
    '## 🚀 Next Steps',
    '**Next**',
    '## Required setup',
    '### Manual steps',
    '**What you need to do:**',
    'You need to:',
    'Setup required:',
    '## Remaining',
    '## Known follow-ups',
    '## Suggested Next Steps (optional)',
    'Still to do:',
    "**What's left:**",
    '**Not done yet:**',
    '## Before you merge',
    '## Action items',
    '## TODO',
    'Next Steps',
    '## Manual follow-up',
    "**What I can't do from here:**",
    "To deploy it, you'll need to:",
    'The keys are yours — you need to do this by hand:',
    'Before the next release, you need to configure:',
    "## What I'd do next",
    '## What to do now (for your setup)',
    'What you should do now:',
    '## To deploy the fix',
    '## How to verify',
    'Apply it on your machine:',
    '**Test It Out**',
    'A few things to check:',
    '## One thing to check on your end',
    '## Open threads from the session',
    '## Open follow-ups (not blocking the merge)',
    "After the merge, you'd need to:",
    "**What I couldn't verify here:**",
    '## Handoff prompt for the next session',
    '**다음 단계:**',
    '次のステップ:',
    '## 下一步',
    'Prochaines étapes :',
    'Here’s how to clean it up:',
    "Here's how to fix the push:",
  ])('%s', (title) => {
    expect(
      nextStepsIn(`It works.\n\n${title}\n\n- Set the key\n  - in the vault\n- Restart`),
    ).toEqual(['Set the key', 'Restart'])
  })

  test('leaves out what is ticked off', () => {
    const rows = '| Part | Done |\n| --- | --- |\n| Timer | ✅ |\n| Docs | – |\n| Tests | ✔ |'
    expect(nextStepsIn(`## Remaining coverage\n\n${rows}`)).toEqual(['Docs - –'])
    expect(nextStepsIn('## Remaining\n\n- ✅ The timer\n- The docs')).toEqual(['The docs'])
  })

  test.each([
    ['Intentionally deferred:', 'deferred: Redis'],
    ['**Deferred**', 'deferred: Redis'],
    ['## Noted for later', 'for later: Redis'],
  ])('%s: marks each item', (title, step) => {
    expect(nextStepsIn(`${title}\n\n- Redis`)).toEqual([step])
    expect(nextStepsIn(`${title}\n- Redis\n\nNext: the docs`)).toEqual(['the docs', step])
  })

  test.each([
    'Changes:',
    '## Summary',
    'How the next page is found:',
    '## Setup of the tests was wrong.',
    'What I did next is in the log. See:',
    'Usage:',
    'To run it:',
    'If it fails, you need to:',
    '## Everything you need to know',
    '## Deployment',
    '## Test results',
    'How to use it:',
    "Here's how it works:",
    'Here is how I fixed it:',
    'What to expect now:',
    '## What I left alone',
    '## Open source licences',
    'Things that changed:',
    '## Handoff',
  ])('not %s', (title) => {
    expect(nextStepsIn(`${title}\n\n- Set the key\n- Restart`)).toEqual([])
  })

  test('takes the rows of a table below the title if there is no list', () => {
    const table = '| What | When |\n| --- | --- |\n| Firebase project | today |\n| Keys | — |'
    expect(nextStepsIn(`## What YOU still need to do\n\n${table}`)).toEqual([
      'Firebase project - today',
      'Keys - —',
    ])
  })

  test('drops an item that only introduces others, and keeps those', () => {
    expect(nextStepsIn('## Next steps\n1. Delete it:\n   ```sh\n   rm a\n   ```\n2. Wait')).toEqual(
      ['Delete it: `rm a`', 'Wait'],
    )
    expect(nextStepsIn('## Next actions\n- Mend it\n- Commands:\n  1. `a`\n  2. `b`')).toEqual([
      'Mend it',
      '`a`',
      '`b`',
    ])
  })

  test('takes the fix below a state, and the line that an item goes on in', () => {
    const warnings =
      '**Remaining warnings:**\n\n1. **The worker is down**\n   - Since: today\n   - Fix: Run `make worker`\n2. Two names clash\n   - `a` and `b`'
    expect(nextStepsIn(warnings)).toEqual([
      'The worker is down: Run `make worker`',
      'Two names clash',
    ])
    const wrapped = 'Here’s how to fix it:\n\n- Install it, then run  \n  `make worker`\n- Push'
    expect(nextStepsIn(wrapped)).toEqual(['Install it, then run `make worker`', 'Push'])
  })

  test('takes the commands right below a title as steps, and not the text after them', () => {
    const message =
      'It runs.\n\n### Próximos pasos\n\n```bash\n# what it learned\nnpx x stats\n\nnpx x hooks\n```\n\nIt is ready to work. You will see it tomorrow.'
    expect(nextStepsIn(message)).toEqual(['`npx x stats`', '`npx x hooks`'])
  })

  test('takes the text up to the first code below a title, with the code that it introduces', () => {
    expect(
      nextStepsIn(
        '## Next steps\nYou can commit it at any time:\n```sh\n# the notes\ngit add notes\ngit commit\n```\nThe list is saved in `list.md`.',
      ),
    ).toEqual(['You can commit it at any time: `git add notes; git commit`'])
  })

  test('takes numbered headings right below the title, with their code or list', () => {
    const steps =
      '### 1) On your machine\n```sh\nnpm run build\ngit push\n```\n### Step 2: In the browser\n- Clear the cache'
    const message = `## What to do now\n\n${steps}\n\n## Result\n\n- It is built`
    expect(nextStepsIn(message)).toEqual([
      'On your machine: `npm run build; git push`',
      'Clear the cache',
    ])
    expect(nextStepsIn(`## What changed\n\n${steps}`)).toEqual([])
    expect(nextStepsIn('## 1. Next steps\n\n## 2. Limits\n- None above 9')).toEqual([])
    expect(nextStepsIn('## Next steps\n- Merge\n\n## 3. Limits\n- None above 9')).toEqual(['Merge'])
  })

  test('ends at a heading that asks', () => {
    expect(nextStepsIn('## Next steps\n\nMerge it.\n\n## Is it safe?\n\n- Yes')).toEqual([
      'Merge it.',
    ])
  })

  test('takes each text with the code that it introduces', () => {
    expect(
      nextStepsIn(
        '## What to do now\nBuild it:\n```sh\nmake\n```\nThen push:\n```sh\ngit push\n```\nIf it fails, clean up:\n```sh\nmake clean\n```',
      ),
    ).toEqual(['Build it: `make`', 'Then push: `git push`'])
  })

  test('takes a quote or a fence without a language right below the title', () => {
    expect(nextStepsIn('## Handoff for the next session\n\n> Build the page; see T26')).toEqual([
      'Build the page; see T26',
    ])
  })

  test('drops choices of a question, results, and what was left as it is', () => {
    expect(
      nextStepsIn(
        '## One thing to check on your end\nLine 3 has a typo. I left it as it is. Want me to:\n- mend it, or\n- drop it?',
      ),
    ).toEqual(['Line 3 has a typo.'])
    expect(
      nextStepsIn(
        '## What you should do now\n1. Reload the page\n2. You should see lines like:\n   - `ok`\n   - `up`',
      ),
    ).toEqual(['Reload the page'])
  })

  test('takes the text below a heading, but not “none”, ticked items and questions', () => {
    expect(nextStepsIn('## Next steps\n\nRun the migration. Then tell the team.')).toEqual([
      'Run the migration.',
      'Then tell the team.',
    ])
    expect(nextStepsIn('## Next steps\n\nNone.')).toEqual([])
    expect(
      nextStepsIn('## Remaining\n- [x] a thing\n- ✅ a second\n- Release?\n- ~~x y~~'),
    ).toEqual([])
    expect(
      nextStepsIn(
        '**Deferred:** 4\n\n## Next steps\n- Told the team\n- Task 8 marked as completed',
      ),
    ).toEqual(['Told the team'])
  })
})

describe('a step in a sentence', () => {
  test.each([
    [
      'You need to run this yourself:\n\n```sh\nnpm login\n```',
      ['You need to run this yourself: `npm login`'],
    ],
    [
      'No tests were run; please exercise both forms by hand. The page is shorter.',
      ['No tests were run; please exercise both forms by hand.'],
    ],
    ['Please test the worker and send me its log. It is short.', []],
    ['The page says *please verify it*. It is shorter.', []],
    ['Next step: visually verify the panel.', ['visually verify the panel']],
    ["Don't forget to run both migrations.", ["Don't forget to run both migrations."]],
    ['Remember to set CRON_SECRET.', ['Remember to set CRON_SECRET.']],
    ['Remember that it counts by user.', []],
    ['The next step is to wire it up.', ['wire it up']],
    ['Next: wire it into the CLI.', ['wire it into the CLI']],
    [
      'After merging #186, push a new tag to deploy.',
      ['After merging #186, push a new tag to deploy.'],
    ],
    ['Next focus: continue with phase 4', ['continue with phase 4']],
    ['You still need to set `API_KEY`.', ['You still need to set `API_KEY`.']],
    ["You'll need to restart the server.", ["You'll need to restart the server."]],
    ['The story is done and ready for review.', []],
    ['One commit ahead of origin. Ready to push when you want.', ['Ready to push when you want.']],
    [
      'Committed. Ready for `/plan 14` whenever you want to continue.',
      ['Ready for `/plan 14` whenever you want to continue.'],
    ],
    [
      'The debug flag must be reverted before merging.',
      ['The debug flag must be reverted before merging.'],
    ],
    [
      'To go on, you need to add these keys in the settings:\n\n| Key | Value |\n| --- | --- |\n| `API_KEY` | a token |\n| `API_URL` | where it runs |\n\nIt fails without them.',
      [
        'To go on, you need to add these keys in the settings: `API_KEY` - a token; `API_URL` - where it runs',
      ],
    ],
    [
      'You need to set the key at:\n**https://example.org/keys**',
      ['You need to set the key at: https://example.org/keys'],
    ],
    [
      'It is not in this release yet — you will need to merge it first.',
      ['It is not in this release yet — you will need to merge it first.'],
    ],
    [
      'Once the keys are set, you can re-run the workflow.',
      ['Once the keys are set, you can re-run the workflow.'],
    ],
    ["Once merged, you'll need a new tag.", ["Once merged, you'll need a new tag."]],
    [
      'After the worker is deployed, rerun `update` by hand.',
      ['After the worker is deployed, rerun `update` by hand.'],
    ],
    ["Next step when you're ready: `/plan 14`.", ["Next step when you're ready: `/plan 14`."]],
    [
      'Ready for `/gsd:plan 14` whenever you like.',
      ['Ready for `/gsd:plan 14` whenever you like.'],
    ],
    ['Commit from your terminal when ready.', ['Commit from your terminal when ready.']],
    [
      "The branch can now be merged whenever you're ready!",
      ["The branch can now be merged whenever you're ready!"],
    ],
    [
      "Let me know when you've set it and I'll retry the login.",
      ["Let me know when you've set it and I'll retry the login."],
    ],
    [
      'The remaining issue is not the key: the limit is read twice.',
      ['The remaining issue is not the key: the limit is read twice.'],
    ],
    ['Review is still pending.', ['Review is still pending.']],
    ['You can now run `bun dev` to see it.', ['You can now run `bun dev` to see it.']],
    ['It is out. Test again once it is deployed.', ['Test again once it is deployed.']],
    ['Remaining: the docs', ['the docs']],
    ['Next step (per PLAN.md): the docs.', ['the docs']],
    ['Recommended next step: Create the PRD.', ['Create the PRD']],
    ['Suggested next command: `/plan`', ['`/plan`']],
    ['⏭ Next: wire it up', ['wire it up']],
    ['Ready to help whenever you are.', []],
    ['It is ready for you to commit and deploy.', ['It is ready for you to commit and deploy.']],
    ['It is ready for you to enjoy.', []],
    [
      '**Next up** after the login:\n\n`/gsd:plan-phase 12`\n\n`/clear` first',
      ['Next up after the login: `/gsd:plan-phase 12`'],
    ],
    [
      'Remaining rollout work is deploy the service, then rerun the job.',
      ['deploy the service, then rerun the job'],
    ],
    ['The remaining tasks are: the docs', ['the docs']],
    [
      'Since I have no key, you will need to manually run `git push`.',
      ['Since I have no key, you will need to manually run `git push`.'],
    ],
    // Some of these only look like steps.
    ['Fertig. Nächste Schritte: Prüfen', ['Prüfen']],
    ['Fertig. Nächster Schritt-für-Schritt-Plan ist in plan.md.', []],
    ['Feito.\n\nPróximas ações sugeridas:\n- Testar', ['Testar']],
    ['Fait. Prochaine étape logique : ouvrir `/learn`.', ['ouvrir `/learn`']],
    ['Готово.\n\nСледующие шаги:\n1. Проверить', ['Проверить']],
    ['If you want more, you need to raise the limit.', []],
    ["The other file is the binary, which doesn't need to be committed.", []],
    ['Nothing needs to be changed back, so no key has to be rotated.', []],
    ['The remaining issue is expected: the limit is read twice.', []],
    ['Let me know when you are done.', []],
    ['Old keys are still valid until they expire.', []],
    ['You need to run:\n```\n# nothing yet\n```', []],
    ['Once the limit is reached, calls wait.', []],
    ['After a run, update events are merged.', []],
    ['They will need to log in, but you can stay.', []],
    ['The next page is empty.', []],
    ['The remaining tasks are all done.', []],
    ['The remaining work is in progress.', []],
    ['The remaining budget is 5 dollars.', []],
    ['Ready to merge: No', []],
    ['`You need to log in` is what it printed.', []],
    ['```\nTODO: write docs\nNext step: x\n```', []],
    ['> Next step: x', []],
    ['To try it, run:\n```\nnpm start\n```', []],
    ['Do you still need to log in?', []],
    ['You have to be logged in to see it.', []],
    // What the user has to do, if the message ends with it.
    ['The table is made. Try the login again.', ['Try the login again.']],
    ['It is mended.\n\nPlease re-run the call to confirm.', ['Please re-run the call to confirm.']],
    ['Paste the output of `ls` here.', ['Paste the output of `ls` here.']],
    ['Run `bun dev` to see it.', ['Run `bun dev` to see it.']],
    ['Intenta de nuevo el login.', ['Intenta de nuevo el login.']],
    ['Please refresh and look again.', ['Please refresh and look again.']],
    [
      'It is mended.\n\nPlease re-run lint:\n```\nnpm run lint\n```\n\nIf anything else pops up, tell me.',
      ['Please re-run lint: `npm run lint`'],
    ],
    ['Restart it now.\n\nIf it works, it listens on 80.\n\nThe rest is as it was.', []],
    ['Next steps: 1) Share the list 2) Lock the order', ['Share the list', 'Lock the order']],
    [
      'The spec is checked and ready for `/plan` (or `/ask`).',
      ['The spec is checked and ready for `/plan` (or `/ask`).'],
    ],
    [
      'Ready to go on with the notifier whenever you have the client ID.',
      ['Ready to go on with the notifier whenever you have the client ID.'],
    ],
    // What stays open wherever the message says it.
    ['- It has a title; the date is left as TODO.', ['It has a title; the date is left as TODO.']],
    ['The date is TODO(RELEASE_DATE).', ['The date is TODO(RELEASE_DATE).']],
    ['`TODO(RELEASE_DATE)` is for you.', ['`TODO(RELEASE_DATE)` is for you.']],
    ['The TODO comments are gone.', []],
    ['It is in:\n```ts\n// TODO(ada): a date\n```', []],
    ['## Next steps\n- Run it\n- If you want more, I can add it.', ['Run it']],
    ['Now you need to choose a way:\n\n![a way](a.png)', []],
    ['Run `bun dev` to see it. It listens on 80. The rest is as it was.', []],
    ['Run it again if it fails.', []],
    [
      'Run this from your terminal:\n```sh\ngit commit -m x\n```\nThen verify the trailer:\n```sh\ngit show\n```\nIf you want, I can check it.',
      ['Run this from your terminal: `git commit -m x`', 'Then verify the trailer: `git show`'],
    ],
    [
      'It is made.\n\nJust push the changes to deploy:\n```sh\ngit push\n```\n\nIt takes a minute.',
      ['Just push the changes to deploy: `git push`'],
    ],
    ['Commit pushed to `main`:\n```\n9759b67d docs\n```', []],
    ['Push failed because of a rule:\n```\nno force\n```', []],
    ['Add the flag, if you like:\n```sh\nx --y\n```', []],
    ['Run the tests:\n\nThey pass.', []],
    [
      'It is built. Restart Codex to pick up the new copy.',
      ['Restart Codex to pick up the new copy.'],
    ],
    [
      'Important: restart the service so the page is there.',
      ['Important: restart the service so the page is there.'],
    ],
    ['Please hard refresh `/play` to see it.', ['Please hard refresh `/play` to see it.']],
    ['Restart the server after any change of it.', []],
    ['Restart logic is in place and tested.', []],
    ['All green. Ready for your next review run.', ['Ready for your next review run.']],
    ['Ready for your next instructions.', []],
    ['I have not merged it yet.', ['I have not merged it yet.']],
    [
      'The fixes are there but not committed yet (3 files).',
      ['The fixes are there but not committed yet (3 files).'],
    ],
    ['It is not yet deployed because you asked so.', []],
    ['I did not run the tests since only the docs changed.', []],
    [
      'One thing worth confirming on your side: the version is not raised.',
      ['One thing worth confirming on your side: the version is not raised.'],
    ],
    ['It should be fixed now.', []],
    // Statements.
    ...[
      'Refresh tokens are rotated on every login.',
      'Retry logic is in place with exponential backoff.',
      'Reload no longer loses the state.',
      'Test suite passes now.',
      'Open issues are at zero now.',
      'Rerun gave the same failure: 3 tests are red.',
      'Run `npm test` fails with 3 errors.',
    ].map((said): [string, string[]] => [said, []]),
    ['Restart it now. Shall I push it as well?', []],
    ['Next: the docs. Then restart it.', ['the docs']],
  ])('%s', (message, steps) => {
    expect(nextStepsIn(message)).toEqual(steps)
  })
})

describe('an open question', () => {
  const asked = (message: string) => questionsIn(message, 300)

  test.each([
    [
      'a demand that ends the message',
      'There is no such file. Please provide the exact path of it.',
      ['Please provide the exact path of it.'],
    ],
    ['a demand followed by more text', 'Please provide the path.\n\nI went on without it.', []],
    [
      'a question with the choices after it',
      'Where should the counters live?\n- Redis — survives a restart\n- Memory: fast',
      ['Where should the counters live? (Redis / Memory)'],
    ],
    [
      'a question with the choices before it',
      'Two ways:\n1. Redis\n2. Memory\n\nWhich one do you prefer?',
      ['Which one do you prefer? (Redis / Memory)'],
    ],
    [
      'a question with its own choices, not those of an earlier list',
      'Other ways:\n- Homebrew\n- A nightly\n\nShall I do it, or do you prefer to run it yourself?',
      ['Shall I do it, or do you prefer to run it yourself?'],
    ],
    [
      'a question with its own choices, whose names come before it',
      'Two ways:\n1. Install it\n2. Switch it off\n\nWhich do you want, install it or not?',
      ['Which do you want, install it or not? (Install it / Switch it off)'],
    ],
    [
      'a question with *which* that lets nobody choose from the list before it',
      'For these rows:\n1. Now: add a team\n2. Later: nothing\n\nShall I check which users have no team?',
      ['Shall I check which users have no team?'],
    ],
    [
      'a question about things that are not in the list before it',
      'Gaps:\n- Posts are missing\n- Scopes are missing\n\nCan you confirm which formats you want for it?',
      ['Can you confirm which formats you want for it?'],
    ],
    [
      'a title that asks nothing about the list before it',
      'What may come:\n- A cache\n- A page\n\n### How to proceed?\nShall I begin with the cache?',
      ['Shall I begin with the cache?'],
    ],
    [
      'an offer at the end, whatever follows in the same paragraph',
      'Would you like me to help you with that? The key step is the address. You open it.',
      ['Would you like me to help you with that?'],
    ],
    [
      'a choice at the end, whatever follows in the same paragraph',
      'It is in. Do you want to keep the old flag, or drop it? The new one is shorter.',
      ['Do you want to keep the old flag, or drop it?'],
    ],
    [
      'a question that names one choice and leaves the others open',
      'It is in. Want me to push it, or anything else?',
      ['It is in. Want me to push it, or anything else?'],
    ],
    [
      'a reply that the agent waits for',
      'This rewrites the branch. Reply “yes, rewrite” and I’ll do it.',
      ['Reply “yes, rewrite” and I’ll do it.'],
    ],
    [
      'a question with its own choices after a dash, not those of the list before it',
      'What helps:\n- A prompt\n- A tool\n\nWhich client do you use — a browser, or something else?',
      ['Which client do you use — a browser, or something else?'],
    ],
    [
      'an offer followed by more paragraphs',
      'Would you like me to help you with that? I did it.\n\nThe key step is the address.',
      [],
    ],
    [
      'a question after a list that only the words before the question are about',
      'Tunables:\n- WARM = 18\n- MELT = 30\n\nOne thing is still easy. Want me to make it harder?',
      ['One thing is still easy. Want me to make it harder?'],
    ],
    [
      'a question after a list that is not its choices',
      'To use the first:\n\n1. Add a key\n2. Restart\n\nShall I set that up for you (option 1)?',
      ['Shall I set that up for you (option 1)?'],
    ],
    [
      'a bare question, with its subject',
      'The plan has 3 steps.\n\nProceed?',
      ['The plan has 3 steps. Proceed?'],
    ],
    [
      'a bare question, with the list or code before it',
      'It is ready.\n\n**The plan:**\n- Add a key\n  - a long one\n- Drop the table\n\nProceed?',
      ['The plan: Add a key; Drop the table. Proceed?'],
    ],
    [
      'a bare question, with the list or code before it',
      'I run:\n\n```sh\ngit add -A\ngit push\n```\n\nOk to go?',
      ['I run: git add -A; git push. Ok to go?'],
    ],
    [
      'a question with choices that are titles',
      '**Option 1: Redis**\n- fast\n\n**Option 2: Memory**\n- small\n\nWhich one do you prefer?',
      ['Which one do you prefer? (Redis / Memory)'],
    ],
    [
      'a question in bold at the end',
      'It is done.\n\n**Should I push it?**',
      ['It is done. Should I push it?'],
    ],
    [
      'a question to the user in the middle',
      'Do you want the old flag gone? I would keep it.\n\nThe rest is done.',
      ['Do you want the old flag gone?'],
    ],
    [
      'a question below a title',
      '## Open questions\n- Is the limit per user?\n\n## Summary\nIt works.',
      ['Is the limit per user?'],
    ],
    [
      'a list whose last item has the question mark',
      'Lint passes.\n\nWant me to:\n1) wire up `isSaving`,\n2) add a script (or use `npx`),\n3) build with Node 20?',
      ['Want me to: wire up `isSaving`; add a script (or use `npx`); build with Node 20?'],
    ],
    [
      'a list whose last item has the question mark',
      'Should I also:\n- fix it\n- drop the old table?',
      ['Should I also: fix it; drop the old table?'],
    ],
    [
      'a list that does not form one question',
      'Left to check:\n- the importer\n- should we drop the old table?',
      ['should we drop the old table?'],
    ],
    [
      'a list in which each item asks',
      'Do you want:\n- a flag for it?\n- no flag at all, for you alone?',
      ['a flag for it?', 'no flag at all, for you alone?'],
    ],
    [
      'a heading that its list answers',
      '## Warum schlug er fehl?\n- Kein Pfad\n- War er leer?\n\nEr läuft.',
      [],
    ],
    [
      'a question that the agent answers itself',
      'Why did it pass? Because the test was skipped.',
      [],
    ],
    [
      'a question that only the user can answer, with more behind it',
      'Can you unlock the folder `maps`? It holds only drawings.\n\n## What it costs\n\nLittle.',
      ['Can you unlock the folder `maps`?'],
    ],
    [
      'a question that only the user can answer, with more behind it',
      'On which floor did you hear it — the first or the second? That tells which pump it is.',
      ['On which floor did you hear it — the first or the second?'],
    ],
    ['a question that yes or no answers', 'Do you lose the old maps? No, they stay.', []],
    ['a question that “sure” answers', 'Can you keep the old maps? Sure, for a year.', []],
    ['a question about anybody', 'So what do you get? A quicker parser.', []],
    ['a question about anybody', 'Which would you use? The first is simpler.', []],
    [
      'a heading that asks below a title for questions',
      '## Questions for you\n\n### Should the limit be per user?\n\nI would take per user.',
      ['Should the limit be per user?'],
    ],
    ['a question about the way', 'How do you start it? `make run` is enough.', []],
    ['a heading that its text answers', '## Verdict: should you buy the atlas?\n\nYes.', []],
    ['a rhetorical question', 'So what is slow? The parser.\n\nI made it lazy.', []],
    ['a question to nobody in the middle', 'What about caching?\n\nIt is not there.', []],
    ['a polite phrase', 'Done.\n\nAnything else?', []],
    ['a polite phrase', 'You good?', []],
    ['a polite phrase', '准备就绪，有什么可以帮你的？', []],
    ['a polite phrase', '何かお手伝いできることはありますか？', []],
    ['a polite phrase', '무엇을 도와드릴까요?', []],
    ['a polite phrase', 'Comment puis-je vous aider ?', []],
    ['a polite phrase', 'Wie kann ich dir helfen?', []],
    ['a polite phrase', "It is deployed. What's next?", []],
    ['a quoted question', 'It prints:\n```\nOverwrite? [y/N]\n```', []],
    ['a quoted question', '> Are you sure?', []],
    ['a quoted question', 'Lines to learn:\n\n1. "I keep bees."\n2. "Would you keep a goat?"', []],
    ['a quoted question', 'Its dialog asks: “Do you want to stay?”', []],
  ])('%s: %j', (_, message, questions) => {
    expect(asked(message)).toEqual(questions)
  })
})

describe('quotes the message in its own words', () => {
  test.each([
    [
      '**Ready to merge: No**\n\n`a.ts` skips the check.',
      'Ready to merge: No. `a.ts` skips the check.',
    ],
    [
      '## Constitution update\n\n- Version is 1.0.0 now',
      'Constitution update: Version is 1.0.0 now',
    ],
    ['✅ **All green!** The limit holds.', '✅ All green! The limit holds.'],
    ['- One\n- Two\n\nBoth are in.', 'One; Two. Both are in.'],
    ['The list is kept:\n- one\n- two', 'The list is kept: one; two'],
    ['Awaiting your instructions.', undefined],
    ['Got it, leave it as it is then.', 'Got it, leave it as it is then.'],
    ['Perfect! 👍 The limit holds for all.', 'Perfect! 👍 The limit holds for all.'],
    ['Committed. All 42 tests pass.', 'Committed. All 42 tests pass.'],
    ['Not necessarily.\n\nThe limit is by key.', 'Not necessarily. The limit is by key.'],
    ['The mark is set. If you like, I go on.', 'The mark is set.'],
    ['Run this:\n```\nnpm start\n```', 'Run this: `npm start`'],
    [
      'Pushed. Pull request:\nhttps://example.invalid/7\n\nStill untracked:\n`a.csv`',
      'Pushed. Pull request: https://example.invalid/7. Still untracked: `a.csv`',
    ],
    [
      'All 3 tasks are complete:\n\n**T1:** The limit holds.',
      'All 3 tasks are complete: T1: The limit holds.',
    ],
    [
      '**Two files made:**\n\n| File |\n| --- |\n| a.ts |\n\n**Three tests:** all of them pass.',
      'Two files made. Three tests: all of them pass.',
    ],
    ['## All of the checks pass now!\n\n| a |\n| --- |\n| b |', 'All of the checks pass now!'],
    [
      '## All of the checks pass now\n\n| Check |\n| --- |\n| a |\n\n## Files\n\n| b |\n| --- |\n| c |\n\nIt is in.',
      'All of the checks pass now. Files. It is in.',
    ],
    ['The limit holds. It is open:\n\nShall I go on?', 'The limit holds.'],
    ['The limit holds.\n\nNext up after the merge:\n\n`/plan 2`', 'The limit holds.'],
    [
      'To see it in the browser run these two:\n```\nnpm install\nnpm start\n```\nIt listens on 80.',
      'To see it in the browser run these two: `npm install` … It listens on 80.',
    ],
    [
      'The type of the limit now has a unit:\n```\nimport unit from "./unit"\nlimit of(unit)\n```',
      'The type of the limit now has a unit.',
    ],
    [
      'The limit holds. The configuration in `render.yaml` is:\n```\na: 1\nb: 2\n```',
      'The limit holds.',
    ],
    [
      'It does:\n- Follow-ups:\n  1. mend `a`\n  2. mend `b`',
      'It does: Follow-ups: mend `a`; mend `b`',
    ],
    ['Can you say more? If you can name the hand, I look into it.', undefined],
    [
      'It has "one step." It holds. It reads `1-...` to `9`.',
      'It has "one step." It holds. It reads `1-...` to `9`.',
    ],
    [
      'Checklist status:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe limit holds.',
      'The limit holds.',
    ],
    [
      'The pages are made.\n\n| Page | What |\n|---|---|\n| Home | It names the three trades |\n| Team | x |',
      'The pages are made. Home - It names the three trades',
    ],
    [
      `The pages are made. ${'Each of them has a title and a way back. '.repeat(5)}\n\n| Page | What |\n|---|---|\n| Home | It names the three trades |`,
      `The pages are made. ${'Each of them has a title and a way back. '.repeat(5)}`.trim(),
    ],
    [
      'The flow makes two calls by way of the hook:\n| a |\n|---|\n| 1 |',
      'The flow makes two calls by way of the hook.',
    ],
    ['**Open:**\n- one\n\n**Unmapped tasks:**\n- T1\n- T2', 'Open: one. Unmapped tasks: T1; T2'],
    [
      'The limit is in now.\n- You try:\n  - Is it the first run?\n  - Is it the last one?',
      'The limit is in now.',
    ],
    [
      'The limit is in now.\n- Added `a.ts`\n  - You need to set MAX in `.env`',
      'The limit is in now. Added `a.ts`',
    ],
    ['The limit is small:\n$$\nIt holds for all.', 'The limit is small: It holds for all.'],
    [
      'The limit is small:\n\\[\nx = 1\n\\]\nIt holds for all.',
      'The limit is small: `x = 1`. It holds for all.',
    ],
    ['I’m here. Let me know what you’d like me to work on.', 'I’m here.'],
    ['The limit holds. Save it? (Y/N)', 'The limit holds.'],
    ['The limit holds. Awaiting instructions.', 'The limit holds.'],
    [
      'The limit is in now. Why 9? Nobody has more. Shall I raise it?',
      'The limit is in now. Why 9? Nobody has more.',
    ],
    [
      'The limit is in now:\n- it counts\n- it answers “may I add one?”',
      'The limit is in now: it counts; it answers “may I add one?”',
    ],
    [
      'The limit is in now. Want me to raise it?\n\nIt counts by day. Want more? Let me know.',
      'The limit is in now. It counts by day.',
    ],
    [
      'The limit is in now. Want me to raise it? That is one line.',
      'The limit is in now. Want me to raise it? That is one line.',
    ],
    [
      'The limit is in now.\n\nIf you want, I can:\n1. Tell how\n2. Test it',
      'The limit is in now. If you want, I can: Tell how; Test it',
    ],
    [
      'The limit is in now.\n- cart.ts\n  - counts\n  - is fast',
      'The limit is in now. cart.ts: counts; is fast',
    ],
    [
      'The limit is in now.\n- The cart counts them now\n  - by day',
      'The limit is in now. The cart counts them now; by day',
    ],
  ])('%j', (message, headline) => {
    expect(quoteOf(message, 300)).toBe(headline)
  })

  test('keeps nested items if all of them fit, and an introduction with what it introduces', () => {
    const message =
      'The limit is in now.\n- cart.ts\n  - counts\n- menu.ts\n- Copied into:\n  - `b.md`\n  - `c.md`'
    const whole = 'The limit is in now. cart.ts: counts; menu.ts; Copied into: `b.md`; `c.md`'
    expect(quoteOf(message, whole.length)).toBe(whole)
    const most = 'The limit is in now. cart.ts; menu.ts; Copied into: `b.md`; `c.md`'
    expect(quoteOf(message, whole.length - 1)).toBe(most)
  })
})

test('does not end a sentence at dots inside it', () => {
  expect(sentencesOf('Name it (a user, etc.) and a key, e.g. Redis, etc. Then wait.')).toEqual([
    'Name it (a user, etc.) and a key, e.g. Redis, etc.',
    'Then wait.',
  ])
  expect(sentencesOf('“Why?” is answered now. He asked “Why?” Nobody knew.')).toEqual([
    '“Why?” is answered now.',
    'He asked “Why?”',
    'Nobody knew.',
  ])
  expect(sentencesOf('It is set... wait, let me look: It is not... Then set it.')).toEqual([
    'It is set... wait, let me look: It is not...',
    'Then set it.',
  ])
  expect(sentencesOf('It waits … for a key. It stops… Then it goes on.')).toEqual([
    'It waits … for a key.',
    'It stops…',
    'Then it goes on.',
  ])
})

test('does not quote an offer of an earlier turn, which the user passed over', () => {
  const offer = 'It is there.\n\nIf you want, I can:\n1. Start with the plan\n2. Write the docs\n'
  expect(quoteOf(offer, 400, true)).toBe('It is there.')
  const advice = 'It is there.\n\nIf the port is taken:\n- Stop the other server\n'
  expect(quoteOf(advice, 400, true)).toContain('Stop the other server')
})
