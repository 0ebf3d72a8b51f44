// Carries out commands of the program, one after another, for a test file: most of what a command
// costs is loading what it needs. Each has the environment that it is given, and ends what it wrote
// on both of its outputs with a mark.

import { getPriority } from 'node:os'
import path from 'node:path'

import { bundledProgram } from '#src/cli/bundle/bundle_stamp.ts'
import type * as Run from '#src/cli/run.ts'

/** A command with its environment, whose whole environment it is. */
export type CommandOrder = {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** How a command ended, and whether it leaves this process as others need it. */
export type CommandEnd = { readonly code: number | null; readonly isUsable: boolean }

const root = path.join(import.meta.dirname, '../..')

// As the program does for itself.
process.umask(0o077)
// Each command that waits for a signal listens, and its process would end.
process.setMaxListeners(0)

const bundled = bundledProgram(root)
const { run } =
  bundled === undefined ? await import('#src/cli/run.ts') : ((await import(bundled)) as typeof Run)

// A backup lowers its own, for good.
const priority = getPriority()

process.on('message', ({ args, env }: CommandOrder) => {
  process.env = { ...env }
  process.argv = [process.execPath, path.join(root, 'src/main.ts'), ...args]
  void run(process.argv).then(async (code) => {
    await Promise.all([endOutput(process.stdout), endOutput(process.stderr)])
    // One that failed may leave a connection behind whose end nobody hears.
    const isUsable = code === 0 && getPriority() === priority
    const end: CommandEnd = { code, isUsable }
    process.send?.(end)
  })
})
process.once('disconnect', () => process.exit())

/** Marks the end of what a command has written, behind all of it. */
function endOutput(output: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    output.write('\0the end\0', () => resolve())
  })
}

process.send?.('ready')
