#!/usr/bin/env node
/** `continuity` is the name by which Conductor's scripts call `ledger-git continuity`. */

process.argv.splice(2, 0, 'continuity')
void import('./main.ts')
