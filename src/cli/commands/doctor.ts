import { examine } from '../../app/doctor/doctor.ts'
import type { DoctorContext } from '../../app/doctor/context.ts'
import type { Finding } from '../../app/doctor/finding.ts'
import { broken, INSTALL } from '../../app/doctor/finding.ts'
import { mend } from '../../app/doctor/fix.ts'
import { BrokenConfig } from '../../core/errors/errors.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import type { CliContext } from '../context.ts'
import { safeText } from '../format.ts'

export const doctor: Command = {
  name: 'doctor',
  hot: true,
  describe: 'Try out merge driver and hooks as they are here; exit 1 when something is broken',
  examples: [
    ['ledger-git doctor', 'every check, with the command that mends what is broken'],
    ['ledger-git doctor --fix', 'mends what it can; never touches history'],
  ],
  options: { fix: flag('fix what can be fixed, then look again') },
  run: async (input) => {
    const { context } = input
    const fix = input.flag('fix')
    const fixed = fix ? await mendConfig(context) : []
    let { findings, found } = await look(context)
    if (fix && found !== undefined) fixed.push(...(await mend(findings, found)))
    // Nothing of what was found before holds now.
    if (fixed.length > 0) ({ findings, found } = await look(context))
    const isBroken = findings.some(({ status }) => status === 'broken')
    if (input.json) input.print({ ok: !isBroken, findings, fixed }, [])
    else print(findings, fixed, context)
    return isBroken ? 1 : 0
  },
}

/** Every finding; where git cannot read its configuration, that alone. */
async function look(context: CliContext): Promise<{ findings: Finding[]; found?: DoctorContext }> {
  const { files, clock, env, nodeVersion, version } = context
  try {
    const found = { ...(await context.setup()), files, clock, env, nodeVersion, version }
    return { findings: await examine(found), found }
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error
    return { findings: [broken('installation', error.message, error.next ?? 'see the message')] }
  }
}

async function mendConfig(context: CliContext): Promise<string[]> {
  try {
    return (await context.mendConfig()).map(({ change, path }) => `${change} ${path}`)
  } catch (error) {
    if (error instanceof BrokenConfig) return [] // not ours: a finding
    throw error
  }
}

/** True for what `--fix` does. */
function isOurs(fix: string | null): boolean {
  return fix === `${INSTALL}` || fix === 'ledger-git doctor --fix'
}

function print(findings: readonly Finding[], fixed: readonly string[], context: CliContext): void {
  // What was done did not help where the same is to be done again.
  const isMended = !findings.some(({ status, fix }) => status === 'broken' && isOurs(fix))
  for (const what of fixed) {
    context.stdout(`${isMended ? 'fixed  ' : 'changed'}  ${safeText(what)}\n`)
  }
  for (const { name, status, message, fix } of findings) {
    context.stdout(`${status.padEnd(8)} ${name}: ${safeText(message)}\n`)
    if (fix !== null) {
      context.stdout(
        `         fix: ${fix
          .split('\n')
          .map((line) => safeText(line))
          .join('\n              ')}\n`,
      )
    }
  }
  const count = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status).length
  context.stderr(`${count('ok')} ok, ${count('warning')} warning, ${count('broken')} broken\n`)
}
