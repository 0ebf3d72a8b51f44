import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'

import { bundledProgram } from '#src/cli/bundle/bundle_stamp.ts'
import { endWithNpm } from '#src/cli/npm_parent.ts'
import type * as Run from '#src/cli/run.ts'

// What any command writes is its owner's alone, unless it says otherwise.
process.umask(0o077)

// What `--max-semi-space-size` says is for the heap of this thread, which has it by now. V8 would
// set it above what every other thread is started with, which is mostly less.
setFlagsFromString('--max-semi-space-size=0')

// Whoever reads what a command writes may leave before its end, as `head` does. What is written
// then reaches nobody; the command does what it was asked all the same, and a server goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const root = path.join(import.meta.dirname, '..')
endWithNpm(process.env, path.join(root, 'package.json'))

// Half of what a start costs is compiling modules, so what comes of that is kept, for all threads.
// Whoever may write beside the packages could change the program itself; where this process may
// not, nothing is kept unless the variable names another folder.
process.env['NODE_COMPILE_CACHE'] ??= path.join(root, 'node_modules', '.cache', 'compiled')
enableCompileCache()

// Whatever is imported before that is compiled anew each time. A few files in place of thousands
// load in less time, and take less memory; once the sources have changed, they are what runs.
const bundled = bundledProgram(root)
const { run } =
  bundled === undefined ? await import('#src/cli/run.ts') : ((await import(bundled)) as typeof Run)

// The code is set, not passed to process.exit: what was printed must reach a pipe first, and a
// server goes on after its command.
process.exitCode = await run(process.argv)
