/** `doctor`: finds what is broken here, and fixes it. */

import { examine, fixFindings } from '../../app/doctor/doctor.ts'
import type { Finding } from '../../app/doctor/finding.ts'
import { broken, INSTALL, isBroken } from '../../app/doctor/finding.ts'
import type { Setup } from '../../app/setup/setup.ts'
import { BrokenConfig } from '../../core/errors/errors.ts'
import type { Command } from '../command/command.ts'
import { flag } from '../command/command.ts'
import type { CliContext } from '../command/context.ts'
import { safeText } from '../command/format.ts'
import type { Paint } from '../command/paint.ts'

export const doctor: Command = {
  name: 'doctor',
  busyWith: 'trying out driver and hooks',
  describe:
    'Check this clone by trying out its merge driver and hooks; exit 1 when something is broken',
  examples: [
    ['ledger-git doctor', 'every check, with the command that fixes what is broken'],
    ['ledger-git doctor --fix', 'fixes what it can; never touches history'],
  ],
  options: { fix: flag('fix what can be fixed, then check again') },
  run: async (input) => {
    const { context } = input
    const fix = input.flag('fix')
    const fixed = fix ? await fixConfig(context) : []
    let { findings, setup } = await examineHere(context)
    if (fix && setup !== undefined) fixed.push(...(await fixFindings(findings, setup)))
    // The earlier findings no longer hold.
    if (fixed.length > 0) ({ findings, setup } = await examineHere(context))
    const isOk = !findings.some(isBroken)
    const lines = linesOf(findings, fixed, input.paint).map(context.named)
    input.print({ ok: isOk, findings, fixed }, lines)
    const count = (status: Finding['status']) =>
      `${findings.filter((finding) => finding.status === status).length} ${status}`
    if (!input.json) input.say(`${count('ok')}, ${count('warning')}, ${count('broken')}`)
    return isOk ? 0 : 1
  },
}

/** All findings; if git cannot read its configuration, that finding alone. */
async function examineHere(context: CliContext): Promise<{ findings: Finding[]; setup?: Setup }> {
  try {
    const setup = await context.setup()
    return { findings: await examine(setup), setup }
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error
    return { findings: [broken('installation', error.message, error.next ?? 'see the message')] }
  }
}

async function fixConfig(context: CliContext): Promise<string[]> {
  try {
    return (await context.fixConfig()).map(({ change, path }) => `${change} ${path}`)
  } catch (error) {
    if (error instanceof BrokenConfig) return [] // not our file: reported as a finding
    throw error
  }
}

function linesOf(findings: readonly Finding[], fixed: readonly string[], paint: Paint): string[] {
  const colours = { ok: paint.green, warning: paint.yellow, broken: paint.red }
  // If the same fix is still needed, what was done did not help.
  const isAgain = ({ fix }: Finding) => fix === INSTALL || fix === 'ledger-git doctor --fix'
  const state = findings.some((each) => isBroken(each) && isAgain(each)) ? 'changed' : 'fixed  '
  return [
    ...fixed.map((what) => `${state}  ${safeText(what)}`),
    ...findings.flatMap(({ name, status, message, fix }) => {
      const steps = fix === null ? [] : fix.split('\n').map((step) => safeText(step, Infinity))
      return [
        `${colours[status](status.padEnd(8))} ${name}: ${safeText(message)}`,
        ...steps.map((step, i) => `         ${i === 0 ? 'fix:' : '    '} ${step}`),
      ]
    }),
  ]
}
