#!/usr/bin/env node
/** `cc-synthesize` is the seed's name for `ledger-git synthesize`. */

process.argv.splice(2, 0, 'synthesize')
void import('./main.ts')
