/** `OutboxPort` as files: `<common-dir>/ledger-git/outbox/`, one item per file, which only their owner may read. */

import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { OutboxPort, OutboxState } from '../../app/tracker/tracker-ports.ts'
import { parseTrackedPlans } from '../../core/plan/parts.ts'
import { isCount, parseObject, renderJson } from '../../core/text/json-values.ts'
import { parseIssues, renderIssues } from '../../core/tracker/known-issues.ts'
import type { OutboxItem } from '../../core/tracker/outbox-item.ts'
import { fileNameOf, isItemName, parseItem, renderItem } from '../../core/tracker/outbox-item.ts'
import { namesIn, orUnwritable, readTextIfAny, writeFileAtomic } from '../files/files.ts'
import { takeLock, tryLock, whileHeld } from '../files/lock.ts'

const STATE = 'state.json'
const ISSUES = 'issues.json'
const PLANS = 'plans.json'

/** How long an agent's hook waits for another process, in milliseconds. */
const LOCK_TIMEOUT = 2000

export function outboxFiles(commonDir: string): OutboxPort {
  const folder = join(commonDir, 'ledger-git', 'outbox')
  // The item may have been sent and removed by now.
  const read = (name: string) => readTextIfAny(join(folder, name))
  const write = (name: string, text: string) => {
    orUnwritable(folder, () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o700)
    })
    writeFileAtomic(join(folder, name), text, 0o600)
  }
  const readPlans = () => parseTrackedPlans(read(PLANS))
  return {
    list: () => {
      const items: OutboxItem[] = []
      const damaged: string[] = []
      for (const name of namesIn(folder).filter((name) => !name.startsWith('.'))) {
        if (!isItemName(name)) continue
        const text = read(name)
        if (text === undefined) continue
        const item = parseItem(name, text)
        if (item === undefined) damaged.push(join(folder, name))
        else items.push(item)
      }
      return { items, damaged }
    },
    write: (item) => write(fileNameOf(item), renderItem(item)),
    remove: (item) => {
      const path = join(folder, fileNameOf(item))
      orUnwritable(path, () => rmSync(path, { force: true }))
    },
    readState: (): OutboxState => {
      const { pausedUntil, toldNoKey } = parseObject(read(STATE))
      return {
        pausedUntil: isCount(pausedUntil) ? pausedUntil : 0,
        toldNoKey: toldNoKey === true,
      }
    },
    writeState: (state) => write(STATE, renderJson(state)),
    readIssues: () => parseIssues(parseObject(read(ISSUES))),
    writeIssues: (issues) => write(ISSUES, renderJson(renderIssues(issues))),
    readPlans,
    changePlans: async (change) =>
      whileHeld(await takeLock(join(folder, 'plans.lock'), LOCK_TIMEOUT), async () =>
        write(PLANS, renderJson(await change(readPlans()))),
      ),
    locked: async (action) => {
      const lock = tryLock(join(folder, 'sender.lock'))
      return lock && whileHeld(lock, () => action(() => lock.isHeld()))
    },
  }
}
