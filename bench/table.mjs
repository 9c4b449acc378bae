/** The results as a Markdown table. */

const HEAD = ['work', 'budget', 'measured (quartiles)', '', 'in this run']

export function renderTable(rows, { machine, quick }) {
  const cells = rows.map((row) => [
    row.work,
    budgetOf(row),
    measuredOf(row),
    verdictOf(row),
    row.note,
  ])
  const widths = HEAD.map((title, i) =>
    Math.max(title.length, ...cells.map((row) => row[i].length)),
  )
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const facts = Object.values(machine).join(', ')
  return [line(HEAD), rule, ...cells.map(line), '', `${quick ? 'Quick run; ' : ''}${facts}.`].join(
    '\n',
  )
}

function budgetOf({ budget, unit }) {
  return budget === null ? '–' : `≤ ${amount(budget, unit)}`
}

function measuredOf({ value, low, high, unit }) {
  if (value === null) return 'not measured'
  return `${amount(value, unit)} (${amount(low, '')}–${amount(high, '')})`
}

function amount(value, unit) {
  const digits = unit === 'MB' || value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${Number(value.toFixed(digits))}${unit === '' ? '' : ` ${unit}`}`
}

function verdictOf({ ok, value }) {
  if (value === null || ok === null) return '–'
  return ok ? 'ok' : 'over'
}
