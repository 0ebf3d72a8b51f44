import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'

import { readBatches } from '#src/cli/import_batch.ts'
import { readCollection } from '#src/cli/import_entries.ts'
import { openCollection, openSource } from '#src/cli/import_source.ts'
import { readJsonItems } from '#src/cli/line_reader.ts'
import { readRecordLine } from '#src/discovery/citation_files/record_line.ts'
import { writeFolder } from '#test/src/cli/_command.ts'

function record(number: number) {
  const attributes = {
    doi: `10.5555/c.${number}`,
    state: 'findable',
    titles: [{ title: `Record ${number}: "quoted", [x] {y} \\ ,` }],
    creators: [{ name: 'Ox, Ada' }],
    publicationYear: 2024,
    types: { resourceTypeGeneral: 'Dataset' },
  }
  return { id: attributes.doi, type: 'dois', attributes }
}

const records = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => record(first + index))
const lines = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** The files of a dump: lines and lists, packed and plain, with what stands beside records. */
const long = 'a_long_folder_name_that_no_header_of_tar_has_room_for/'.repeat(4)

const dump = {
  MANIFEST: 'dois/part_0000.jsonl.gz 9\n',
  'dois/part_0000.jsonl.gz': gzipSync(lines(records(1, 3))),
  'dois/part_0001.jsonl.gz': gzipSync(''),
  'dois/part_0002.jsonl.zst': zstdCompressSync(lines(records(4, 5))),
  'dois/part_0003.json.gz': gzipSync(JSON.stringify({ items: records(6, 8) })),
  'dois/part_0004.json': JSON.stringify({ data: [] }),
  'dois/part_0005.jsonl': lines([
    { ...record(9), attributes: { ...record(9).attributes, state: 'registered' } },
    record(10),
  ]),
  'dois/2024-01.csv.gz': gzipSync(
    'doi,state,client_id,updated\n10.5555/c.1,findable,a.b,2024\n10.5555/c.11,draft,a.b,2024\n',
  ),
  'own.jsonl': lines([{ work_title: 'Own', work_type: 'article', existing_doi: '10.5555/c.20' }]),
  'notes.txt': 'No records, but words.',
  [`${long}part_0006.jsonl.gz`]: gzipSync(lines(records(12, 12))),
}

async function writeDump(t: ExecutionContext): Promise<string> {
  const folder = (await writeFolder(t, {}))('.')
  for (const [name, content] of Object.entries(dump)) {
    const file = path.join(folder, 'dump', name)
    await fs.mkdir(path.dirname(file), { recursive: true })
    await fs.writeFile(file, content)
  }
  return path.join(folder, 'dump')
}

/** The DOI that the registry reads of an entry; none of one whose state hides it. */
function doisIn(form: string, bytes: Buffer): readonly string[] {
  if (form !== 'record')
    return [(JSON.parse(bytes.toString()) as { existing_doi: string }).existing_doi]
  const entries = readRecordLine(bytes, { line: 1, key: 'record' })
  return entries.flatMap(({ body }) => (body === undefined ? [] : [String(body['existing_doi'])]))
}

async function read(file: string, place = { done: 0, before: 0 }, filesDone = 0) {
  const collection = await openCollection(file)
  if (collection === undefined) throw new Error('it is a file of its own')
  const groups = readCollection(collection, filesDone)
  const batches = await Array.fromAsync(readBatches(groups, place))
  const works = batches.flatMap((batch) => batch.works)
  return {
    dois: works.flatMap(({ form, bytes }) => doisIn(form, bytes)).toSorted(),
    hidden: works.filter(({ form, bytes }) => doisIn(form, bytes).length === 0).length,
    numbers: works.map(({ number }) => number),
    batches,
    leftOut: batches.reduce((sum, batch) => sum + batch.leftOut, 0),
    failures: batches.flatMap((batch) => batch.failures.map(({ message }) => message)),
    isRead: collection.bytesRead === collection.bytes,
  }
}

const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 20]
const findable = numbers.map((number) => `10.5555/c.${number}`).toSorted()

const archives: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['dump.tar', ['--format=pax', '-cf']],
  ['gnu.tar', ['--format=gnu', '-cf']],
  ['dump.tar.gz', ['-czf']],
]

test('a dump is read as a folder and as an archive of each kind', async (t) => {
  const folder = await writeDump(t)
  const whole = await read(folder)
  t.deepEqual(whole.dois, findable)
  t.deepEqual([whole.leftOut, whole.hidden], [1, 1])
  t.deepEqual(whole.failures, [
    'notes.txt: notes.txt is not read in a folder or an archive: import it by itself.',
  ])
  t.true(whole.isRead)
  for (const [name, args] of archives) {
    const file = path.join(path.dirname(folder), name)
    execFileSync('tar', [...args, file, '-C', folder, '.'])
    const { dois, leftOut, failures } = await read(file)
    t.deepEqual([dois, leftOut, failures], [findable, 1, whole.failures], name)
  }
})

test('what was read before is passed over, whole files unread, and numbers stay', async (t) => {
  const folder = await writeDump(t)
  const file = path.join(path.dirname(folder), 'dump.tar')
  execFileSync('tar', ['-cf', file, '-C', folder, '.'])
  for (const source of [folder, file]) {
    const { batches } = await read(source)
    const all = batches.flatMap((batch) => batch.works)
    const last = batches.at(-1)
    t.truthy(last?.place)
    for (const done of [0, 1, 4, 8]) {
      const rest = await read(source, { done, before: 0 })
      t.deepEqual(
        rest.numbers,
        all.map(({ number }) => number).filter((number) => number > done),
      )
    }
    const { index = 0, before = 0 } = last?.place ?? {}
    const behind = await read(source, { done: last?.lastLine ?? 0, before }, index)
    t.deepEqual(behind.numbers, [])
    const late = await read(source, { done: before, before }, index)
    t.true(late.numbers.length > 0 || late.leftOut > 0 || late.failures.length > 0)
    t.true(late.numbers.every((number) => number > before))
  }
})

test('items of a list are cut out wherever chunks end, and long ones never held', async (t) => {
  const values = [...records(1, 4), 'a "text" \\', 7, null, [], [1, [2]], { a: '\\"' }]
  for (const before of ['', '{"items":', ' { "data" : ']) {
    const text = `${before}${JSON.stringify(values)}${before === '' ? '' : '}'}\n`
    for (const size of [1, 2, 3, 7, 1_000]) {
      const chunks = async function* () {
        for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
      }
      const items = (await Array.fromAsync(readJsonItems(chunks(), 1_000))).flat()
      t.deepEqual(
        items.map(({ bytes }) => JSON.parse(String(bytes)) as unknown),
        values,
        `${before} ${size}`,
      )
      const short = (await Array.fromAsync(readJsonItems(chunks(), 100))).flat()
      t.deepEqual(
        short.map(({ bytes }) => bytes === undefined),
        values.map((value) => JSON.stringify(value).length > 100),
      )
    }
  }
})

test('attack: what unpacks without end, is damaged or cut is refused in words', async (t) => {
  const bomb = gzipSync(Buffer.alloc(64 * 1_048_576))
  const at = await writeFolder(t, {
    'bomb.json.gz': bomb,
    'cut.jsonl.gz': gzipSync(lines(records(1, 500))).subarray(0, 300),
  })
  const readAll = async (file: string) => {
    for await (const _ of (await openSource(file)).text) continue
  }
  await t.throwsAsync(readAll(at('bomb.json.gz')), { message: /more than 200 times as large/ })
  await t.throwsAsync(readAll(at('cut.jsonl.gz')), { message: /^The compressed file is damaged/ })
  const folder = await writeDump(t)
  const file = path.join(path.dirname(folder), 'dump.tar')
  execFileSync('tar', ['-cf', file, '-C', folder, '.'])
  const whole = await fs.readFile(file)
  for (const length of [700, 5_000]) {
    await fs.writeFile(file, whole.subarray(0, length))
    await t.throwsAsync(read(file), { message: /is not a tar file, or it is damaged/ })
  }
})
