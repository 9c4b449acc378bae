/** The forms of setting values: what each expects, how it is read, and how it is shown so that it can be read again. */

import type { Value } from '../event/yaml-value.ts'
import type { Settings } from './settings.ts'
import { parseDuration, renderDuration } from './settings.ts'

export interface SettingForm {
  /** The expected value in words, used in the documents and at the end of error messages. */
  readonly form: string
  /** The part of the settings that a value sets; undefined if the value does not fit the form. */
  read(value: Value): Partial<Settings> | undefined
  /** The value as written in a file. */
  show(settings: Settings): string | readonly string[]
}

/** One of these words. */
export function choice<
  Name extends 'mode' | 'onEvent' | 'activeLedger' | 'ask' | 'contextWip' | 'contextMemory',
>(name: Name, words: readonly Settings[Name][]): SettingForm {
  const quoted = words.map((word) => `\`${word}\``)
  return {
    form: `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
    read: (value) => {
      const word = words.find((one) => one === textOf(value))
      return word && { [name]: word }
    },
    show: (settings) => settings[name],
  }
}

export function folder(name: 'root' | 'handoffs'): SettingForm {
  return {
    form: 'a folder below the top of the repository',
    read: (value) => {
      const path = readFolder(textOf(value))
      return path === undefined ? undefined : { [name]: path }
    },
    show: (settings) => settings[name],
  }
}

export function truth(
  name: 'pushCheckpoints' | 'shareActiveLedgers' | 'commitsContext',
): SettingForm {
  return {
    form: '`true` or `false`',
    read: (value) => {
      const text = textOf(value)
      return text === 'true' || text === 'false' ? { [name]: text === 'true' } : undefined
    },
    show: (settings) => String(settings[name]),
  }
}

/** A duration in milliseconds, such as `example`; `none`: the word for no limit. */
export function duration(
  name: keyof Settings & `${string}Millis`,
  example: string,
  none?: string,
): SettingForm {
  return {
    form: `${none === undefined ? '' : `\`${none}\`, or `}a duration such as \`${example}\``,
    read: (value) => {
      const text = textOf(value)
      const millis = parseDuration(text)
      return millis === undefined && text !== none ? undefined : { [name]: millis }
    },
    show: ({ [name]: millis }) => (millis === undefined ? (none ?? '') : renderDuration(millis)),
  }
}

function textOf(value: Value): string {
  return value.kind === 'scalar' ? value.text : ''
}

function readFolder(text: string): string | undefined {
  const folder = text.replace(/\/+$/, '').replace(/^\.\//, '')
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(folder)) return undefined
  const isSafe = (part: string) => !['', '.', '..', '.git'].includes(part.toLowerCase())
  return folder.split('/').every(isSafe) ? folder : undefined
}

/** A text or a list of texts, none of them empty. `noun`: what each text is. */
export function texts(name: 'protectedBranches' | 'memoryTools', noun: string): SettingForm {
  return {
    form: `a ${noun} or a list of ${noun}s`,
    read: (value) => {
      const all = value.kind === 'null' ? [] : value.kind === 'list' ? value.items : [value]
      const found = all.map(textOf)
      return found.includes('') ? undefined : { [name]: found }
    },
    show: (settings) => settings[name],
  }
}

export const levels: SettingForm = {
  form: 'three rising percentages such as `[70, 85, 95]`',
  read: (value) => {
    const texts = (value.kind === 'list' ? value.items : []).map(textOf)
    const numbers = texts.map((text) => (/^\d{1,3}$/.test(text) ? Number(text) : 0))
    const [l1 = 0, l2 = 0, l3 = 0] = numbers
    const isRising = 0 < l1 && l1 < l2 && l2 < l3 && l3 <= 100
    return texts.length === 3 && isRising ? { contextLevels: [l1, l2, l3] } : undefined
  },
  show: ({ contextLevels }) => contextLevels.map(String),
}

export const limit: SettingForm = {
  form: '`auto`, or a number of tokens such as `150000`',
  read: (value) => {
    const text = textOf(value)
    if (text === 'auto') return { contextLimit: undefined }
    return /^[1-9]\d{0,8}$/.test(text) ? { contextLimit: Number(text) } : undefined
  },
  show: ({ contextLimit }) => String(contextLimit ?? 'auto'),
}
