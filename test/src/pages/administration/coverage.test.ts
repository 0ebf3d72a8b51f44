import { readFile } from 'node:fs/promises'
import test from 'ava'
import type { Command } from 'commander'

import { addCommands } from '#src/cli/run.ts'
import { createProgram } from '#src/cli/program.ts'
import { openRegistry } from '#test/src/_registry.ts'

/** Groups of commands on accounts and organizations, and on what acts for them. */
const groups = ['account', 'organization', 'application', 'key']

const row = /^\| `(?<command>[a-z -]+)` \| (?<cell>.+) \|$/gm

test('what commands do to accounts and organizations has a page, or a reason', async (t) => {
  const registry = await openRegistry()
  t.teardown(registry.close)
  const text = await readFile('docs/administration.md', 'utf8')
  const rows = new Map(
    [...text.matchAll(row)].map(({ groups: found }) => [found?.['command'], found?.['cell'] ?? '']),
  )
  const program = createProgram()
  await addCommands(program, '')
  const commands = program.commands.filter((each) => groups.includes(each.name()))
  const named = commands.flatMap((each) => namesOf(each, ''))
  t.true(named.length > 15)
  t.deepEqual(
    named.filter((name) => !rows.has(name)),
    [],
    'commands that docs/administration.md does not have',
  )
  const all = program.commands.flatMap((each) => namesOf(each, ''))
  for (const [command = '', cell] of rows) {
    t.true(all.includes(command), `there is a command ${command}`)
    const pages = [...cell.matchAll(/`(\/[^`]+)`/g)].map(([, page = '']) => page)
    t.true(pages.length > 0 || /none: \w/.test(cell), `${command} has a page or a reason`)
    for (const page of pages) {
      t.true(registry.server.hasRoute({ method: 'GET', url: `/auth${page}` }), page)
    }
  }
})

function namesOf(command: Command, parents: string): readonly string[] {
  const name = `${parents}${command.name()}`
  if (command.commands.length === 0) return [name]
  return command.commands.flatMap((child) => namesOf(child, `${name} `))
}
