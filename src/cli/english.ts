/**
 * The messages of yargs in English. Replaces `y18n` in the bundle, which looks for translations in a file
 * outside the package.
 */

import { format } from 'node:util'

// oxlint-disable-next-line import/no-default-export -- yargs imports the default export
export default function english() {
  return {
    __: (text: string, ...values: unknown[]) => format(text, ...values),
    __n: (singular: string, plural: string, count: number, ...values: unknown[]) => {
      const text = count === 1 ? singular : plural
      return format(text, ...(text.includes('%d') ? [count] : []), ...values)
    },
    getLocale: () => 'en',
    setLocale: () => {},
    updateLocale: () => {},
  }
}
