import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { Command } from 'commander'
import { addCommands } from '#src/cli/run.ts'
import { createProgram, parseList } from '#src/cli/program.ts'
import { startArklog } from '#test/src/cli/_command.ts'
import { renderCommandTable } from '#test/src/cli/_command_table.ts'

test('the table of docs/commands.md is the one that the program gives', async (t) => {
  const program = createProgram()
  await addCommands(program, '')
  const table = renderCommandTable(program)
  const document = await readFile('docs/commands.md', 'utf8')
  t.true(document.includes(table), `\n${table}\n`)
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

test('a command whose reader leaves does its work, and says nothing of it', async (t) => {
  const child = startArklog(['--help'])
  child.stdout.destroy()
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  t.is(await text(child.stderr), '')
  t.is(await ended, 0)
})
