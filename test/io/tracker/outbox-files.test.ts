import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileNameOf, newItem } from '../../../src/core/tracker/outbox-item.ts'
import { outboxFiles } from '../../../src/io/tracker/outbox-files.ts'

function outbox() {
  const commonDir = mkdtempSync(join(tmpdir(), 'outbox-'))
  onTestFinished(() => rmSync(commonDir, { recursive: true, force: true }))
  const folder = join(commonDir, 'ledger-git', 'outbox')
  return { commonDir, folder, outbox: outboxFiles(commonDir) }
}

const item = (place: number) =>
  newItem('ANV-1', { kind: 'shard', title: `t${place}`, tokens: 1, text: 'x' }, 1, place)

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('lists what was written, for its owner only, whatever mode the folder had', () => {
  const { folder, outbox: box } = outbox()
  expect(box.list()).toEqual({ items: [], damaged: [] })
  box.write(item(1))
  chmodSync(folder, 0o755)
  box.write(item(2))
  expect(box.list().items).toEqual([item(1), item(2)])
  expect(modeOf(folder)).toBe('700')
  expect(modeOf(join(folder, fileNameOf(item(2))))).toBe('600')
  box.remove(item(1))
  box.remove(item(1))
  expect(box.list().items).toEqual([item(2)])
})

test('reports and keeps a damaged file, and ignores other files, links and temporary files', () => {
  const { folder, outbox: box } = outbox()
  box.write(item(1))
  const cut = join(folder, fileNameOf(item(2)))
  writeFileSync(cut, '{"format": 1')
  writeFileSync(join(folder, '.ledger-git-1-x.tmp'), '{')
  writeFileSync(join(folder, 'notes.json'), '{}')
  symlinkSync(join(folder, fileNameOf(item(1))), join(folder, fileNameOf(item(3))))
  expect(box.list()).toEqual({ items: [item(1)], damaged: [cut] })
  expect(readdirSync(folder)).toHaveLength(5)
})

test('remembers its state, and starts over if that is invalid', () => {
  const { folder, outbox: box } = outbox()
  expect(box.readState()).toEqual({ pausedUntil: 0, toldNoKey: false })
  box.writeState({ pausedUntil: 7, toldNoKey: true })
  expect(box.readState()).toEqual({ pausedUntil: 7, toldNoKey: true })
  expect(modeOf(join(folder, 'state.json'))).toBe('600')
  writeFileSync(join(folder, 'state.json'), '{"pausedUntil": "soon", "toldNoKey": 1}')
  expect(box.readState()).toEqual({ pausedUntil: 0, toldNoKey: false })
})

test('lets one sender in at a time, and the next one also after a failure', async () => {
  const { commonDir, outbox: box } = outbox()
  const other = outboxFiles(commonDir)
  const inside = await box.locked(async (isHeld) => {
    return [isHeld(), await other.locked(async () => 'two at once')]
  })
  expect(inside).toEqual([true, undefined])
  const failing = box.locked(async () => {
    throw new Error('x')
  })
  await expect(failing).rejects.toThrow('x')
  expect(await other.locked(async () => 'next')).toBe('next')
})
