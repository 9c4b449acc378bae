/**
 * The real Claude Code, offline, with a context that fills step by step: what it is told, and what is written in time.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { json } from '../cli/words.ts'
import { sessionLog } from '../sessions/readers.ts'
import type { Answer } from './model.ts'
import { connected, play, signals, start, told, until } from './play.ts'
import { isNotHere, PROGRAMS } from './programs.ts'

const { shell } = PROGRAMS.claude

/** A person's pause: keys that arrive all at once are taken for pasted text. */
const PAUSE = 1500

/** Fixed, so that it does not matter which model the program prefers. */
const LIMIT = 100_000

function followed(): Repo {
  const repo = connected('claude')
  repo.write('.ledger-git.yaml', `context.limit: ${LIMIT}\n`)
  repo.ledger('install', '--agent', 'claude', '--context')
  repo.commit('chore: follow the context')
  return repo
}

const read = (repo: Repo) => ({
  name: 'Read',
  input: { file_path: join(repo.folder, 'README.md') },
})
const reads = (repo: Repo, tokens: number): Answer => ({
  tools: [read(repo)],
  usage: { cached: tokens },
})

/**
 * Answers with these numbers of tokens, each sent once the program's log has the one before, as with a model that takes
 * its time.
 */
function answers(
  repo: Repo,
  sizes: readonly number[],
  answer: (tokens: number) => Answer,
): Answer[] {
  const isLogged = (tokens: number | undefined) => {
    const log = told(repo).at(-1)?.['transcript_path']
    const counted = `"cache_read_input_tokens":${tokens},`
    return tokens === undefined || readFileSync(String(log), 'utf8').includes(counted)
  }
  return sizes.map((tokens, i) => ({
    ...answer(tokens),
    after: () =>
      until(
        () => isLogged(sizes[i - 1]),
        () => `${sizes[i - 1]} tokens in the log`,
      ),
  }))
}

const documents = (repo: Repo) =>
  repo.exists('.claude/handoffs') ? readdirSync(join(repo.folder, '.claude/handoffs')) : []

describe.skipIf(isNotHere('claude'))('the context of Claude Code', () => {
  test('is reported to the model level by level, even after tools that only read', async () => {
    const repo = followed()
    // A hook may run before the program logs the response at hand: then the next hook reports the level.
    const sizes = [69_000, 70_500, 70_600, 84_000, 86_000, 86_100, 96_000, 96_100]
    const { model } = await play(repo, 'claude', 'Read all of it', [
      ...answers(repo, sizes, (tokens) =>
        tokens === 86_000
          ? { tools: [shell('echo 1')], usage: { cached: tokens } }
          : reads(repo, tokens),
      ),
      { text: 'Read.', usage: { cached: 96_500 } },
    ])
    const last = model.requests.at(-1) ?? ''
    for (const level of ['L1, 70% of the limit', 'L2, 8', 'L3, 9'])
      expect(last, sessionLog(repo)).toContain(level)
    expect(last.match(/L1, 70% of the limit/g)).toHaveLength(1)
    expect(documents(repo).length).toBeGreaterThan(0)
    const [{ session } = { session: '' }] = signals(repo, 'claude')
    expect(json(repo, 'context', 'status', '--session', session)).toMatchObject({
      currentLevel: 'L3',
      effectiveLimit: LIMIT,
    })
  })

  test('blocks a stop once, and a context checkpoint is written', async () => {
    const repo = followed()
    const { model } = await play(repo, 'claude', 'Read all of it', [
      reads(repo, 86_000),
      { text: 'That is all.', usage: { cached: 86_100 } },
      { text: 'I stop.', usage: { cached: 86_200 } },
    ])
    expect(model.requests.at(-1)).toContain('ledger-git context checkpoint')
    expect(documents(repo)).toHaveLength(1)
  })

  test('is shown in the terminal below the user’s own status line', async () => {
    const repo = followed()
    repo.write(
      '.claude/settings.json',
      repo
        .read('.claude/settings.json')
        .replace('{', '{"statusLine": {"type": "command", "command": "echo theirs-$((40 + 2))"},'),
    )
    const script = [{ text: 'Hello there.', usage: { cached: 72_000 } }]
    const playing = await start(repo, 'claude', ['Say hello'], script, { inTerminal: true })
    await until(
      () => /theirs-42/.test(playing.said()) && /CTX:[^\]]*L1/.test(playing.said()),
      () => playing.said().slice(-2000),
    )
    await sleep(PAUSE)
    playing.type('/exit')
    await sleep(PAUSE)
    playing.type('\r')
    await playing.ended
  })
})
