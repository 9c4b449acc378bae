/** `LEDGER_LONG=1 npm test`: every pair, every step, every way; else a sample that people wait for. */
export const IS_LONG = process.env['LEDGER_LONG'] === '1'
