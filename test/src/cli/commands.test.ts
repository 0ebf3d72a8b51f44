import { readFile } from 'node:fs/promises'
import test from 'ava'
import { addCommands } from '#src/cli/run.ts'
import { createProgram } from '#src/cli/program.ts'
import { renderCommandTable } from '#test/src/cli/_command_table.ts'

test('the table of docs/commands.md is the one that the program gives', async (t) => {
  const program = createProgram()
  await addCommands(program, '')
  const table = renderCommandTable(program)
  const text = await readFile('docs/commands.md', 'utf8')
  t.true(text.includes(table), `\n${table}\n`)
})

test('a command that is named is added alone, and an unknown name adds all', async (t) => {
  const named = createProgram()
  await addCommands(named, 'audit')
  t.deepEqual(
    named.commands.map((command) => command.name()),
    ['audit'],
  )
  const unknown = createProgram()
  await addCommands(unknown, 'frobnicate')
  t.true(unknown.commands.length > 10)
})
