// The rows themselves, without a registry: test/long/interface.test.ts tries them against one.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'

import { Mismatch } from '#test/interface/_expect.ts'
import { anchorsOf, documentPath, trySection } from '#test/interface/_outcome.ts'
import { differs, filled, row } from '#test/interface/_row.ts'
import { sections } from '#test/interface/_sections.ts'
import { count, formatOutcomes } from '#test/interface/_table.ts'
import { NotTried, World } from '#test/interface/_world.ts'

const root = path.join(import.meta.dirname, '../..')

const nowhere = new World(
  {
    baseUrl: 'http://127.0.0.1:1',
    authUrl: 'http://127.0.0.1:1/auth',
    settings: {},
    content: undefined,
    institution: undefined,
    logged: undefined,
  },
  { teardown: () => undefined },
)

const fails = async () => {
  throw new Mismatch('the version is 2, not 1')
}

test('each row that is not as written is explained, and each explanation has a row', async (t) => {
  const document = await readFile(path.join(root, documentPath), 'utf8')
  const own = document.matchAll(/^### .+$/gm)
  const explained = new Set(Array.from(own, ([heading]) => [...anchorsOf(heading)].join()))
  const standings = sections.flatMap(({ rows }) => rows.map(({ standing }) => standing))
  const linked = standings.flatMap((each) => (each.type === 'written' ? [] : [each.anchor]))
  t.deepEqual([...new Set(linked)].toSorted(), [...explained].toSorted())
})

test('no claim is made twice in a section', (t) => {
  for (const { name, rows } of sections) {
    const claims = rows.map(({ claim }) => claim)
    t.deepEqual(claims, [...new Set(claims)], name)
  }
})

test('what came of a row is told with its reason', async (t) => {
  const rows = [
    row('it is so', async () => undefined),
    row('it is not so', fails),
    differs('here', 'it is otherwise', async () => undefined),
    filled('here', 'it was decided so, and is not so', fails),
    differs('nowhere', 'it is otherwise, and nobody says so', async () => undefined),
    row('it cannot be tried', async () => nowhere.content),
    row('nobody is there', () => nowhere.call('GET /v1/works')),
  ]
  const outcomes = await trySection(nowhere, { name: 'A section', rows }, 3, anchorsOf('## Here\n'))
  const found = outcomes.map(({ id, result, see, reason }) => [id, result, see ?? reason])
  t.deepEqual(found, [
    ['3.1', 'written', undefined],
    ['3.2', 'failed', 'the version is 2, not 1'],
    ['3.3', 'differs', 'docs/interface.md#here'],
    ['3.4', 'failed', 'the version is 2, not 1'],
    ['3.5', 'failed', 'it is not as the text has it, and docs/interface.md#nowhere is not there'],
    ['3.6', 'not_tried', 'no site is named whose content the registry may read (--content-port)'],
    ['3.7', 'failed', 'fetch failed'],
  ])
  t.like(count(outcomes), { rows: 7, written: 1, differs: 1, filled: 0, not_tried: 1, failed: 4 })
  const table = formatOutcomes(outcomes)
  t.true(table.includes('3.3  it is otherwise\n        differs: see docs/interface.md#here'))
  t.true(table.includes('3.2  it is not so\n        FAILS: the version is 2, not 1'))
  t.false(table.includes('3.1  it is so'), 'what is as written is only counted')
  t.throws(() => nowhere.content, { instanceOf: NotTried })
})

test('the command says how it is called', async (t) => {
  const main = path.join(import.meta.dirname, 'main.ts')
  const run = promisify(execFile)
  const help = await run(process.execPath, [main, '--help'])
  t.regex(help.stderr, /--data-dir FOLDER/)
  t.regex(help.stderr, /24 {2}Versions and the sandbox/)
  for (const [args, words] of [
    [['--url', 'http://127.0.0.1:3000'], /--url needs --data-dir/],
    [['--section', '99'], /there is no section 99/],
    [['--colour'], /Unknown option '--colour'/],
  ] as const) {
    await t.throwsAsync(run(process.execPath, [main, ...args]), { code: 2, message: words })
  }
})
