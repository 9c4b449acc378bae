/**
 * The three interfaces through which coding agents call their models: how each is called, and how it streams an answer.
 */

import type { Answer, ToolCall, Usage } from './model.ts'

type Json = Readonly<Record<string, unknown>>

export interface Dialect {
  /** The path that is requested. */
  readonly path: RegExp
  /** True for a request of the agent proper, which offers tools. Requests for titles and the like offer none. */
  isWork(body: Json): boolean
  /** Messages of the request, oldest first, with the words of each. */
  messages(body: Json): readonly Message[]
  /** Server-sent events; `n` makes ids differ. */
  events(answer: Answer, n: number): readonly Json[]
}

export interface Message {
  readonly isUser: boolean
  readonly text: string
}

const NO_USAGE: Required<Usage> = { input: 10, cached: 0, output: 5 }

const anthropic: Dialect = {
  path: /^\/v1\/messages(?:\?|$)/,
  isWork: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  messages: ({ messages }) => list(messages).map((one) => message(one, 'content')),
  events({ text, tools = [], usage }, n) {
    const { input, cached, output } = { ...NO_USAGE, ...usage }
    const tokens = {
      input_tokens: input,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
    }
    const head = {
      id: `msg_${n}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-8',
      content: [],
    }
    const words =
      text === undefined
        ? []
        : [
            [
              { type: 'text', text: '' },
              { type: 'text_delta', text },
            ],
          ]
    const calls = tools.map(({ name, input }, i) => [
      { type: 'tool_use', id: `toolu_${n}_${i}`, name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    ])
    const blocks = [...words, ...calls].flatMap(([content_block, delta], index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ])
    const stop_reason = tools.length > 0 ? 'tool_use' : 'end_turn'
    return [
      { type: 'message_start', message: { ...head, usage: { ...tokens, output_tokens: 1 } } },
      ...blocks,
      {
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null },
        usage: { ...tokens, output_tokens: output },
      },
      { type: 'message_stop' },
    ]
  },
}

const openai: Dialect = {
  path: /^\/v1\/responses(?:\?|$)/,
  // Tools of newer models are in the input.
  isWork: ({ tools, input }) =>
    list(tools).length > 0 || list(input).some(({ type }) => type === 'additional_tools'),
  messages: ({ input }) =>
    list(input)
      .filter(({ type }) => type === 'message')
      .map((one) => message(one, 'content')),
  events({ text, tools = [], usage }, n) {
    const { input, cached, output } = { ...NO_USAGE, ...usage }
    const id = `resp_${n}`
    const words =
      text === undefined
        ? []
        : [
            {
              type: 'message',
              id: `msg_${n}`,
              role: 'assistant',
              content: [{ type: 'output_text', text }],
            },
          ]
    const items = [...words, ...tools.map((tool, i) => openaiCall(tool, `${n}_${i}`))]
    return [
      { type: 'response.created', response: { id } },
      ...items.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        { type: 'response.output_item.done', output_index, item },
      ]),
      {
        type: 'response.completed',
        response: {
          id,
          usage: {
            input_tokens: input + cached,
            input_tokens_details: { cached_tokens: cached },
            output_tokens: output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: input + cached + output,
          },
        },
      },
    ]
  },
}

/** A tool whose input is one text is a custom one. */
function openaiCall({ name, input }: ToolCall, id: string): Json {
  const call = { call_id: `call_${id}`, name, status: 'completed' }
  return typeof input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${id}`, ...call, input }
    : { type: 'function_call', id: `fc_${id}`, ...call, arguments: JSON.stringify(input) }
}

const gemini: Dialect = {
  path: /^\/v1beta\/models\/[^/]+:(?:streamGenerateContent|generateContent)(?:\?|$)/,
  isWork: ({ tools }) => list(tools).length > 0,
  messages: ({ contents }) => list(contents).map((one) => message(one, 'parts')),
  events({ text, tools = [], usage }, n) {
    const { input, cached, output } = { ...NO_USAGE, ...usage }
    const words = text === undefined ? [] : [{ text }]
    const calls = tools.map(({ name, input: args }, i) => ({
      functionCall: { id: `${name}_${n}_${i}`, name, args },
    }))
    return [
      {
        candidates: [
          {
            content: { role: 'model', parts: [...words, ...calls] },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: {
          promptTokenCount: input + cached,
          cachedContentTokenCount: cached,
          candidatesTokenCount: output,
          totalTokenCount: input + cached + output,
        },
        modelVersion: 'gemini-script',
      },
    ]
  },
}

export const DIALECTS = { anthropic, openai, gemini }

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

/** Answers of tools and reminders of the program do not count as words. */
function message(one: Json, key: string): Message {
  const content = one[key]
  const parts = typeof content === 'string' ? [{ text: content }] : list(content)
  const texts = parts.map(({ text }) => text).filter((text) => typeof text === 'string')
  const said = texts.filter((text) => !text.startsWith('<system-reminder>'))
  return { isUser: one['role'] === 'user', text: said.join('\n') }
}
