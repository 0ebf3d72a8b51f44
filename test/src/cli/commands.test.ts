import { readFile } from 'node:fs/promises'
import test from 'ava'
import { Command } from 'commander'
import { addCommands } from '#src/cli/run.ts'
import { createProgram, parseList } from '#src/cli/program.ts'
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

test('an option that takes a list adds to it when it is given again', (t) => {
  t.deepEqual(parseList('https://a.example/1, https://a.example/2'), [
    'https://a.example/1',
    'https://a.example/2',
  ])
  const option = new Command().option('--redirect <addresses>', 'addresses', parseList)
  option.parse(['--redirect', 'a,b', '--redirect', 'c'], { from: 'user' })
  t.deepEqual(option.opts(), { redirect: ['a', 'b', 'c'] })
})
