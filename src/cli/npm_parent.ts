import { readFileSync, writeSync } from 'node:fs'

/** How often the processes above this one are looked at. */
const lookMs = 500

/** The exit code of a process that SIGTERM has ended, as a shell reports it. */
const terminatedCode = 128 + 15

/**
 * Ends a command that a script of this package has started once npm, or the shell between them, is
 * gone: as SIGTERM does. npm passes signals on to its shell, which most shells do not pass on, and
 * it cannot pass on SIGKILL at all. `packageFile` is the path of our `package.json`.
 */
export function endWithNpm(env: NodeJS.ProcessEnv, packageFile: string): void {
  const { npm_package_json: startedFrom, npm_lifecycle_script: script = '' } = env
  // Of other packages a script may start a registry that is to outlive it.
  if (startedFrom !== packageFile) return
  const before = parentsOf(script)
  const look = setInterval(() => {
    if (parentsOf(script) === before && isRunning(process.ppid)) return
    clearInterval(look)
    end()
  }, lookMs)
  look.unref()
}

/**
 * The ids of the parent and, where that is the shell which npm runs the script with, of npm itself.
 * A process that has lost its parent gets another one at once.
 */
function parentsOf(script: string): string {
  const parent = process.ppid
  try {
    // Only Linux tells. Elsewhere `sh` becomes the program, so that npm is its parent.
    const words = readFileSync(`/proc/${parent}/cmdline`, 'utf8')
    if (script === '' || !words.includes(script)) return `${parent}`
    const [, fields = ''] = readFileSync(`/proc/${parent}/stat`, 'latin1').split(/\) (?!.*\) )/s)
    const [, grandparent] = fields.split(' ')
    return `${parent} ${grandparent}`
  } catch {
    return `${parent}`
  }
}

// Windows gives nobody another parent.
function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function end(): void {
  try {
    writeSync(2, 'arklog: npm, which has started this command, is gone, so the command ends too.\n')
  } catch {
    // The terminal is gone as well.
  }
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(terminatedCode)
}
