/** Entry point of `dist/hot.cjs`, which the launcher starts for git where it finds it. */

import { runHot } from './git-entry.ts'
import { runProcess } from './run-process.ts'

// Everything is written by then, and taking the heap down is not worth waiting for.
void runProcess(async (words) => (await runHot(words)) ?? 2).then(() => process.exit())
