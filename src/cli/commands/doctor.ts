import { examine } from '../../app/doctor/doctor.ts'
import type { Finding } from '../../app/doctor/finding.ts'
import { mend } from '../../app/doctor/mend.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import type { CliContext } from '../context.ts'
import { printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const doctor: Command = {
  name: 'doctor',
  hot: true,
  describe: 'Try out merge driver and hooks as they are here; exit 1 when something is broken',
  examples: [
    ['ledger-git doctor', 'every check, with the command that mends what is broken'],
    ['ledger-git doctor --fix', 'mends what it can; never touches history'],
  ],
  options: (yargs) =>
    yargs.option('fix', { type: 'boolean', describe: 'mend what can be mended, then look again' }),
  run: async (args, context) => {
    const { files, clock, env, nodeVersion, version } = context
    const setup = await context.setup()
    const doctorContext = { ...setup, files, clock, env, nodeVersion, version }
    let findings = await examine(doctorContext)
    const fixed = flag(args, 'fix') ? await mend(findings, doctorContext) : []
    if (fixed.length > 0) findings = await examine(doctorContext)
    const isBroken = findings.some(({ status }) => status === 'broken')
    if (flag(args, 'json')) printJson(context, { ok: !isBroken, findings, fixed })
    else print(findings, fixed, context)
    return isBroken ? 1 : 0
  },
}

function print(findings: readonly Finding[], fixed: readonly string[], context: CliContext): void {
  for (const what of fixed) context.stdout(`fixed    ${safeText(what)}\n`)
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
