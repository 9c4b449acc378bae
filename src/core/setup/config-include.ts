/** Adds our include to a clone's git configuration, and removes it without affecting what others wrote. Pure. */

import { CONFIG_INCLUDE } from './install-texts.ts'
import { removeBlock } from './marked-block.ts'

export function putInclude(text: string, block: string): { text: string; inserted: string } {
  if (text.includes(block)) return { text, inserted: block }
  const inserted = text === '' || text.endsWith('\n') ? block : `\n${block}`
  return { text: text + inserted, inserted }
}

/** git adds the user's own includes below our section header. In that case the header is kept for them. */
export function withoutInclude(text: string, inserted: string | undefined): string {
  if (!text.includes(CONFIG_INCLUDE)) return text
  const [header = '', path = ''] = CONFIG_INCLUDE.split(/(?<=\n)/)
  const after = text.slice(text.indexOf(CONFIG_INCLUDE) + CONFIG_INCLUDE.length)
  if (/^\s*(?:$|\[)/.test(after)) return removeBlock(text, inserted ?? CONFIG_INCLUDE)
  return text.replace(header + path, () => header)
}
