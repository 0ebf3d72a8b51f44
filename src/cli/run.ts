import { addCommands } from '#src/cli/commands.ts'
import { createProgram, runProgram } from '#src/cli/program.ts'

/** Runs the command that `argv` (with node and the script) asks for; gives the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const program = createProgram()
  const [, , name = ''] = argv
  await addCommands(program, name)
  return runProgram(program, argv)
}
