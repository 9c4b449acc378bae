/** Before each test file. */

import { install } from './fast-spawn.mjs'

install()
