import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { endWithNpm } from '#src/cli/npm_parent.ts'

// What any command writes is its owner's alone, unless it says otherwise.
process.umask(0o077)

// What `--max-semi-space-size` says is for the heap of this thread, which has it by now. V8 would
// set it above what every other thread is started with, which is mostly less.
setFlagsFromString('--max-semi-space-size=0')

endWithNpm(process.env, fileURLToPath(new URL('../package.json', import.meta.url)))

// Half of what a start costs is compiling modules, so what comes of that is kept, for all threads.
// Whoever may write beside the packages could change the program itself; where this process may
// not, nothing is kept unless the variable names another folder.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('../node_modules/.cache/compiled', import.meta.url),
)
enableCompileCache()

// Whatever is imported before that is compiled anew each time.
const { addCommands } = await import('#src/cli/commands.ts')
const { createProgram, runProgram } = await import('#src/cli/program.ts')

const program = createProgram()
const [, , name = ''] = process.argv
await addCommands(program, name)

// The code is set, not passed to process.exit: what was printed must reach a pipe first, and a
// server goes on after its command.
process.exitCode = await runProgram(program, process.argv)
