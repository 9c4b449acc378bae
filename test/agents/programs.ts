/** The coding agents as programs: where they are, how they are set up and started, and how their models use tools. */

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentName } from '../../src/core/agents/agents.ts'
import { AGENTS } from '../../src/core/agents/agents.ts'
import { IS_LONG } from '../support/long.ts'
import { notRunUnless } from '../support/not-run.ts'
import type { ToolCall } from './model.ts'

/** What a program needs to know about the place where it runs. */
export interface Place {
  readonly home: string
  readonly folder: string
  /** The port of the model. */
  readonly port: number
  /** A shell command that records what a hook is told. */
  readonly record: string
}

export interface Program {
  /** Empty if npm has not installed it. */
  readonly file: string
  /** Set if our Node starts the program. */
  readonly isScript?: boolean
  /** Writes its settings below the home folder; returns its environment. */
  configure(place: Place): Record<string, string>
  /** The words that every start has. */
  words(place: Place): readonly string[]
  /** The words for one prompt without a terminal. */
  once(prompt: string): readonly string[]
  /** The same in a session that has ended. */
  goOn(session: string, prompt: string): readonly string[]
  /** The words for a start in a terminal. */
  readonly open: readonly string[]
  /** In a terminal: what shows that it is ready and that it was interrupted, and the names of its commands. */
  readonly screen: { readonly ready: RegExp; readonly interrupted: RegExp }
  readonly commands: { readonly compact: string; readonly quit: string }
  /** Events that the tests look at beside those for which our hooks are installed. */
  readonly events: readonly string[]
  /** How its model writes a file and runs a command. */
  write(path: string, content: string): ToolCall
  shell(command: string): ToolCall
}

const PACKAGES = fileURLToPath(new URL('node_modules/', import.meta.url))
const SYSTEM = `${process.platform}-${process.arch}`
const KEY = 'sk-ant-api03-script-script-script-script-script'

const claude: Program = {
  file: existing(join(PACKAGES, `@anthropic-ai/claude-code-${SYSTEM}/claude`)),
  configure({ home, folder, port, record }) {
    writeJson(join(home, '.claude/settings.json'), { hooks: recorders('claude', record) })
    writeJson(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      theme: 'dark',
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    })
    return {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1', // otherwise it skips permissions only if it is not root
    }
  },
  words: () => ['--dangerously-skip-permissions'],
  once: (prompt) => ['-p', prompt],
  goOn: (session, prompt) => ['-p', '--resume', session, prompt],
  open: [],
  screen: { ready: /❯/, interrupted: /Interrupted/ },
  commands: { compact: '/compact', quit: '/exit' },
  events: [
    'PreToolUse',
    'PostToolUseFailure',
    'SubagentStart',
    'Notification',
    'PermissionRequest',
  ],
  write: (path, content) => ({ name: 'Write', input: { file_path: path, content } }),
  shell: (command) => ({ name: 'Bash', input: { command, description: 'Run it' } }),
}

const codex: Program = {
  file: codexFile(),
  configure({ home, folder, record }) {
    const settings = join(home, '.codex')
    writeJson(join(settings, 'hooks.json'), { hooks: recorders('codex', record) })
    const trust = [`[projects."${folder}"]`, 'trust_level = "trusted"']
    writeFileSync(join(settings, 'config.toml'), `${trust.join('\n')}\n`)
    return { CODEX_HOME: settings, SCRIPT_KEY: 'none' }
  },
  words: ({ port }) => [
    '--dangerously-bypass-hook-trust',
    ...[
      'model="gpt-5.5"',
      // Otherwise it offers another one in a terminal.
      'notice.model_migrations={"gpt-5.5"="gpt-6-sol"}',
      'model_provider="script"',
      'approval_policy="never"',
      'sandbox_mode="danger-full-access"',
      'model_providers.script.name="script"',
      `model_providers.script.base_url="http://127.0.0.1:${port}/v1"`,
      'model_providers.script.wire_api="responses"',
      'model_providers.script.env_key="SCRIPT_KEY"',
    ].flatMap((setting) => ['-c', setting]),
  ],
  once: (prompt) => ['exec', prompt],
  goOn: (session, prompt) => ['exec', 'resume', session, prompt],
  // Otherwise the session runs in a daemon, which stays.
  open: ['--disable', 'daemon_auto_start'],
  screen: { ready: /for shortcuts/, interrupted: /interrupted/ },
  commands: { compact: '/compact', quit: '/quit' },
  events: ['PreToolUse', 'SubagentStart', 'PostCompact'],
  write: (path, content) => {
    const lines = content
      .trimEnd()
      .split('\n')
      .map((line) => `+${line}\n`)
    const patch = `*** Begin Patch\n*** Add File: ${path}\n${lines.join('')}*** End Patch\n`
    return { name: 'apply_patch', input: patch }
  },
  // Otherwise it reports a command that takes ten seconds before that has ended.
  shell: (cmd) => ({ name: 'exec_command', input: { cmd, yield_time_ms: 30_000 } }),
}

const gemini: Program = {
  file: existing(join(PACKAGES, '@google/gemini-cli/bundle/gemini.js')),
  isScript: true,
  configure({ home, folder, port, record }) {
    writeJson(join(home, '.gemini/settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      hooks: recorders('gemini', record),
    })
    writeJson(join(home, '.gemini/trustedFolders.json'), { [folder]: 'TRUST_FOLDER' })
    return {
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
      GEMINI_API_KEY: 'none',
      GEMINI_CLI_NO_RELAUNCH: 'true', // so the process that was started is the one that works
    }
  },
  words: () => ['-m', 'gemini-2.5-pro', '--yolo'],
  once: (prompt) => ['-p', prompt],
  goOn: (session, prompt) => ['--resume', session, '-p', prompt],
  open: [],
  screen: { ready: /Type your message/, interrupted: /cancelled/ },
  commands: { compact: '/compress', quit: '/quit' },
  events: ['BeforeTool', 'Notification'],
  write: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'Run it' } }),
}

export const PROGRAMS: Readonly<Record<AgentName, Program>> = { claude, codex, gemini }

/** For `skipIf`: true, with the reason printed, if a program is not run. */
export function isNotHere(agent: AgentName): boolean {
  const isHere = PROGRAMS[agent].file !== ''
  const why = IS_LONG ? 'npm could not install it' : 'LEDGER_LONG=1 installs and runs it'
  return notRunUnless(IS_LONG && isHere, AGENTS[agent].title, why)
}

function existing(file: string): string {
  return existsSync(file) ? file : ''
}

/** In a folder that is named after the system as Rust does. */
function codexFile(): string {
  const vendor = join(PACKAGES, `@openai/codex-${SYSTEM}/vendor`)
  const [name] = existsSync(vendor) ? readdirSync(vendor) : []
  return name === undefined ? '' : existing(join(vendor, name, 'bin/codex'))
}

/** The user's own hooks beside ours, for every event: they are what the tests look at. */
function recorders(agent: AgentName, command: string): Record<string, unknown> {
  const events = [...AGENTS[agent].hooks.map(({ event }) => event), ...PROGRAMS[agent].events]
  return Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: 'command', command }] }]]),
  )
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(value))
}
