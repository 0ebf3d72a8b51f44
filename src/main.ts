import { setFlagsFromString } from 'node:v8'

import { addCommands } from '#src/cli/commands.ts'
import { createProgram, runProgram } from '#src/cli/program.ts'

// What any command writes is its owner's alone, unless it says otherwise.
process.umask(0o077)

// What `--max-semi-space-size` says is for the heap of this thread, which has it by now. V8 would
// set it above what every other thread is started with, which is mostly less.
setFlagsFromString('--max-semi-space-size=0')

const program = createProgram()
const [, , name = ''] = process.argv
await addCommands(program, name)

// The code is set, not passed to process.exit: what was printed must reach a pipe first, and a
// server goes on after its command.
process.exitCode = await runProgram(program, process.argv)
