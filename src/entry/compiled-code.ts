/**
 * Keeps the code that V8 compiled from the files next to this one for the next start: a tenth of a merge's time.
 *
 *     FOLDER/BUILD-V8-NAME         NAME ran once: code that may never run again is not worth keeping
 *     FOLDER/BUILD-V8-NAME-FILE    V8's data, twice: V8 trusts its input, and comparing is the fastest check
 *
 * Node 22 and newer keep compiled code, too, but one copy for all commands: functions that the command which wrote
 * the copy did not call are compiled again each time (docs/decisions/0028). This is only a cache: code that cannot be
 * kept or read is compiled.
 */

import type { Script } from 'node:vm'

/** Hash of all source; filled in by the build. */
declare const LEDGER_GIT_BUILD: string

/** Node's internal method that turns a file's text into its exports. */
interface ModulePrototype {
  _compile(this: NodeJS.Module, text: string, file: string, ...rest: unknown[]): unknown
}

/** Files of other builds are removed when they are this old. Milliseconds. */
const OTHER_BUILD_AGE = 7 * 86_400_000

/** `name`: what is started. Each name has its own data, since each calls other functions. */
export function keepCompiledCode(folder: string, name: string): void {
  const { Module } = process.getBuiltinModule('node:module')
  const { Script, constants } = process.getBuiltinModule('node:vm')
  const { basename, dirname } = process.getBuiltinModule('node:path')
  const prototype = Module.prototype as unknown as ModulePrototype
  const { _compile: compile } = prototype
  const start = `${folder}/${LEDGER_GIT_BUILD}-${process.versions.v8}-${name}`
  if (!hasRun(folder, start)) return
  const fresh: [path: string, script: Script][] = []
  prototype._compile = function (text, file, ...rest) {
    if (dirname(file) !== __dirname) return compile.call(this, text, file, ...rest)
    const path = `${start}-${basename(file)}`
    const cachedData = readKept(path)
    const script = new Script(Module.wrap(text), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData && { cachedData }),
    })
    if (cachedData === undefined || script.cachedDataRejected === true) fresh.push([path, script])
    const load = script.runInThisContext() as (...given: unknown[]) => unknown
    const require = Module.createRequire(file)
    return load.call(this.exports, this.exports, require, this, file, dirname(file))
  }
  // By then, V8 has also compiled the functions that were called.
  process.on('exit', () => keep(folder, fresh))
}

/** True from the second run on. The first run costs what it would without this cache. */
function hasRun(folder: string, mark: string): boolean {
  const fs = process.getBuiltinModule('node:fs')
  try {
    if (fs.existsSync(mark)) return true
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    fs.writeFileSync(mark, '', { mode: 0o600 })
  } catch {
    // Nothing can be kept.
  }
  return false
}

function readKept(path: string): Buffer | undefined {
  try {
    const kept = process.getBuiltinModule('node:fs').readFileSync(path)
    const data = kept.subarray(0, kept.length / 2)
    return data.equals(kept.subarray(data.length)) ? data : undefined
  } catch {
    return undefined
  }
}

function keep(folder: string, fresh: readonly [path: string, script: Script][]): void {
  if (fresh.length === 0) return
  const fs = process.getBuiltinModule('node:fs')
  try {
    for (const [path, script] of fresh) {
      const temporary = `${path}.${process.pid}.tmp`
      const fd = fs.openSync(temporary, 'wx', 0o600)
      try {
        const data = script.createCachedData()
        fs.writeFileSync(fd, Buffer.concat([data, data]))
        fs.renameSync(temporary, path)
      } finally {
        fs.closeSync(fd)
        fs.rmSync(temporary, { force: true })
      }
    }
    removeOld(folder)
  } catch {
    // The code is compiled again next time.
  }
}

function removeOld(folder: string): void {
  const fs = process.getBuiltinModule('node:fs')
  for (const file of fs.readdirSync(folder)) {
    const path = `${folder}/${file}`
    const isOld = Date.now() - fs.statSync(path).mtimeMs > OTHER_BUILD_AGE
    const isOthers = !file.startsWith(LEDGER_GIT_BUILD) || file.endsWith('.tmp')
    if (isOld && isOthers) fs.rmSync(path, { recursive: true, force: true })
  }
}
