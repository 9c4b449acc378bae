import { describe, expect, test } from 'vitest'
import { agentCommand } from '../../../src/core/agents/agent-command.ts'
import { findSwitchedOff } from '../../../src/core/agents/agent-switch.ts'

const [SHARED, LOCAL] = ['.claude/settings.json', '.claude/settings.local.json']
const OFF = '{ "disableAllHooks": true }'
const ON = '{ "disableAllHooks": false }'

const reader = (files: Record<string, string>) => (file: string) => files[file]

describe('Claude Code', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['no setting', { [SHARED]: '{}' }, undefined],
    ['off for the team', { [SHARED]: `\uFEFF// why\n${OFF}` }, SHARED],
    ['off in this clone', { [SHARED]: '{}', [LOCAL]: OFF }, LOCAL],
    ['on again in this clone', { [SHARED]: OFF, [LOCAL]: ON }, undefined],
    ['off in this clone, on for the team', { [SHARED]: ON, [LOCAL]: OFF }, LOCAL],
    ['off for the team, with a broken local file', { [SHARED]: OFF, [LOCAL]: '{ oops' }, SHARED],
    ['only set at a deeper level', { [SHARED]: `{ "env": ${OFF} }` }, undefined],
  ])('%s', (_name, files, file) => {
    const setting = 'disableAllHooks: true'
    const wanted = file === undefined ? undefined : { file, setting }
    expect(findSwitchedOff('claude', reader(files))).toEqual(wanted)
  })
})

describe('Gemini CLI', () => {
  test.each<[object, string | undefined]>([
    [{}, undefined],
    [{ hooksConfig: { enabled: true, disabled: ['other'] } }, undefined],
    [{ hooksConfig: { enabled: false } }, 'hooksConfig.enabled: false'],
    [
      { hooksConfig: { disabled: ['x', 'ledger-git'] } },
      'hooksConfig.disabled: has our hooks in it',
    ],
    [
      { hooksConfig: { disabled: [agentCommand('gemini', 'SessionStart')] } },
      'hooksConfig.disabled: has our hooks in it',
    ],
  ])('%j', (settings, setting) => {
    const file = '.gemini/settings.json'
    const wanted = setting === undefined ? undefined : { file, setting }
    expect(findSwitchedOff('gemini', reader({ [file]: JSON.stringify(settings) }))).toEqual(wanted)
  })
})

describe('Codex', () => {
  test.each<[string, string | undefined]>([
    ['', undefined],
    ['[features]\nhooks = true\n', undefined],
    ['[features] # x\r\n  hooks = false # y\r\n', 'features.hooks = false'],
    ['features.hooks = false\n', 'features.hooks = false'],
    ['[features]\ncodex_hooks = false\n', 'features.codex_hooks = false'],
    ['[features]\ncodex_hooks = false\nhooks = true\n', undefined],
    ['[features]\n# hooks = false\n', undefined],
    ['[features]\n[other]\nhooks = false\n', undefined],
    ['[features]\n[[other]]\nhooks = false\n', undefined],
  ])('%j', (text, setting) => {
    const file = '.codex/config.toml'
    const wanted = setting === undefined ? undefined : { file, setting }
    expect(findSwitchedOff('codex', reader({ [file]: text }))).toEqual(wanted)
  })
})
