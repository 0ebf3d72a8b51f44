import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import anyTest, { type ExecutionContext, type TestFn } from 'ava'

import { openCheckpoint } from '#src/client/verify/checkpoint.js'
import { parseTrustedKeys } from '#src/client/verify/trusted_keys.js'
import { checkDump } from '#src/discovery/dump/dump_check.ts'
import type { DumpManifest } from '#src/discovery/dump/dump_file.ts'
import { makeDailyDumps, newestDump, writeDump } from '#src/discovery/dump/dump_writer.ts'
import { mint, type ServedRegistry, serveRegistry, work } from '#test/src/_served_registry.ts'
import { until } from '#test/_until.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

type Line = Record<string, unknown> & { metadata: Record<string, unknown> | null }
type Files = { manifest: DumpManifest; works: Line[]; log: string[] }
type Context = {
  readonly registry: ServedRegistry
  readonly dumps: string
  readonly keys: string
  readonly files: Files
}

const test = anyTest as TestFn<Context>

test.before(async (t) => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'arklog-dump-'))
  const registry = await serveRegistry({ DATA_DIR: dir })
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const call = async (method: string, at: string, body: unknown) => {
    const answer = await registry.call(at, { method, key, body })
    if (answer.status !== 200) throw new Error(answer.body)
  }
  const arks: string[] = []
  for (const title of ['One', 'Zwei “quoted”', 'Trois', 'Cuatro', 'Cinco']) {
    arks.push((await mint(registry, key, { ...work, work_title: title })).ark_identifier)
  }
  await call('PUT', `/v1/works/${arks[1]}`, { work_title: 'Zwei, changed' })
  await call('POST', `/v1/works/${arks[2]}/withdraw`, { reason: 'retraction' })
  await call('POST', `/v1/works/${arks[3]}/withdraw`, { reason: 'legal' })
  await registry.admin.call('/works/erase', { ark: arks[3] ?? '', withdraw: false })
  const dumps = path.join(dir, 'dumps')
  await writeDump(sourceOf(registry), dumps)
  const keys = (await registry.call('/.well-known/svc-keys.json')).body
  const folder = (await newestDump(dumps))?.folder ?? ''
  Object.assign(t.context, { registry, dumps, keys, files: await readFiles(folder) })
  registry.search.live.start()
})
test.after.always(async (t) => {
  await t.context.registry.close()
  await rm(path.dirname(t.context.dumps), { recursive: true, force: true })
})

function sourceOf({ environments, baseUrl }: ServedRegistry) {
  const signal = new AbortController().signal
  return { environment: environments.live, name: 'Test', baseUrl, nowMs: Date.now, signal }
}

function fileOf(manifest: DumpManifest, holds: 'works' | 'log') {
  const file = manifest.files.find((one) => one.holds === holds && one.encoding === 'gzip')
  if (file === undefined) throw new Error(`no file of ${holds}`)
  return file
}

async function readFiles(folder: string): Promise<Files> {
  const manifest = JSON.parse(
    await readFile(path.join(folder, 'manifest.json'), 'utf8'),
  ) as DumpManifest
  const linesOf = async (holds: 'works' | 'log') => {
    const packed = await readFile(path.join(folder, fileOf(manifest, holds).name))
    return gunzipSync(packed).toString('utf8').trimEnd().split('\n')
  }
  const works = (await linesOf('works')).map((line) => JSON.parse(line) as Line)
  return { manifest, works, log: await linesOf('log') }
}

/** Writes a dump whose manifest agrees with its files, as a forger would. */
async function writeFiles(
  t: ExecutionContext<Context>,
  { manifest, works, log }: Files,
  texts: readonly string[] = works.map((line) => JSON.stringify(line)),
): Promise<string> {
  const folder = await makeTempDir(t)
  const describe = async (holds: 'works' | 'log', lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('')
    const packed = gzipSync(text)
    const file = fileOf(manifest, holds)
    await writeFile(path.join(folder, file.name), packed)
    const hashes = { sha256: hashOf(packed), lines_sha256: hashOf(text) }
    return { ...file, bytes: packed.length, lines: lines.length, ...hashes }
  }
  const files = [await describe('works', texts), await describe('log', log)]
  const counts = {
    works: works.length,
    withdrawn: works.filter(({ status }) => status === 'withdrawn').length,
    without_metadata: works.filter(({ metadata }) => metadata === null).length,
  }
  const name = path.join(folder, 'manifest.json')
  await writeFile(name, JSON.stringify({ ...manifest, counts, files, tables: [] }))
  return name
}

async function check({ context }: ExecutionContext<Context>, manifest: string) {
  const { log } = await parseTrustedKeys(context.keys, 'live')
  return checkDump(manifest, (note) => openCheckpoint(note, log))
}

test.serial('a dump has all works as they were registered, and the log proves it', async (t) => {
  const { dumps, files } = t.context
  const { folder, manifest } = (await newestDump(dumps)) ?? {}
  const proven = await check(t, path.join(folder ?? '', 'manifest.json'))
  t.deepEqual(proven.manifest, manifest)
  t.deepEqual(
    proven.tables,
    manifest?.tables.map(({ name }) => name),
  )
  t.deepEqual(manifest?.counts, { works: 5, withdrawn: 2, without_metadata: 1 })
  const [, second, third, fourth] = files.works
  t.like(second, { version: 2, status: 'registered', metadata: { work_title: 'Zwei, changed' } })
  t.like(third, { status: 'withdrawn', withdrawal_reason: 'retraction' })
  t.is(third?.metadata?.['work_title'], 'Trois')
  t.like(fourth, { status: 'withdrawn', metadata: null })
  const zstd = manifest?.files.find(({ encoding }) => encoding === 'zstd')
  const unpacked = zstdDecompressSync(await readFile(path.join(folder ?? '', zstd?.name ?? '')))
  t.is(createHash('sha256').update(unpacked).digest('hex'), zstd?.lines_sha256 ?? '')
  await t.notThrowsAsync(check(t, await writeFiles(t, files)), 'what a forger leaves as it is')
})

/** What a forger does to the works, whose manifest then agrees with it. */
const forgeries: Readonly<Record<string, (works: Line[]) => unknown>> = {
  'takes the first out': (works) => works.shift(),
  'takes one out': (works) => works.splice(2, 1),
  'takes the last out': (works) => works.pop(),
  'takes all out': (works) => works.splice(0),
  'takes an erased one out': (works) => works.splice(3, 1),
  'has one twice': (works) => works.push({ ...works[0] } as Line),
  'adds one': (works) => works.push({ ...works[0], ark: 'ark:/12345/k2new' } as Line),
  'adds one without an ARK': (works) => works.push({ ...works[0], ark: null } as unknown as Line),
  'adds no object': (works) => works.push('k2new' as unknown as Line),
  'puts one in place of another': (works) => (works[0] = { ...works[1] } as Line),
  'exchanges ARKs': ([one, other]) => exchange(one, other, 'ark'),
  'exchanges metadata': ([one, other]) => exchange(one, other, 'metadata'),
  'changes a title': (works) => change(works[0], { work_title: 'Another' }),
  'changes a title of a withdrawn one': (works) => change(works[2], { work_title: 'Another' }),
  'changes authors': (works) => change(works[0], { authors: 'Somebody Else' }),
  'adds a DOI': (works) => change(works[0], { existing_doi: '10.5555/forged' }),
  'adds a field': (works) => change(works[0], { note: 'forged' }),
  'takes a field out': (works) => delete works[0]?.metadata?.['authors'],
  'takes the metadata out': (works) => set(works[0], { metadata: null }),
  'takes the metadata of a withdrawn one out, and its mark': (works) =>
    set(works[3], { status: 'registered', withdrawn_at: null, withdrawal_reason: null }),
  'gives an erased one metadata': (works) => set(works[3], { metadata: works[0]?.metadata }),
  'has half a character': (works) => change(works[0], { work_title: '\ud800' }),
  'forgets a withdrawal': (works) => set(works[2], { status: 'registered' }),
  'withdraws one': (works) => set(works[0], { status: 'withdrawn' }),
  'changes a reason': (works) => set(works[2], { withdrawal_reason: 'legal' }),
  'changes the time of a withdrawal': (works) => set(works[2], { withdrawn_at: early }),
  'changes the time of a registration': (works) => set(works[0], { registered_at: early }),
  'changes the time of a version': (works) => set(works[1], { version_registered_at: early }),
  'changes a version': (works) => set(works[1], { version: 1 }),
  'changes a receipt': (works) => set(works[0], { receipt_id: 'rcpt_2026_01_01_000000000000' }),
  'changes both hash and metadata': (works) => {
    change(works[0], { work_title: 'Another' })
    set(works[0], { metadata_hash: `sha256:${'0'.repeat(64)}` })
  },
  'changes the hash of a content': (works) =>
    set(works[0], { content_hash: `sha256:${'0'.repeat(64)}` }),
  'adds a member': (works) => set(works[0], { note: 'forged' }),
}

const early = '2020-01-01T00:00:00.000Z'

function set(line: Line | undefined, members: object): void {
  if (line !== undefined) Object.assign(line, members)
}

function change(line: Line | undefined, members: object): void {
  if (line?.metadata) Object.assign(line.metadata, members)
}

function exchange(one: Line | undefined, other: Line | undefined, name: string): void {
  const [first, second] = [one?.[name], other?.[name]]
  set(one, { [name]: second })
  set(other, { [name]: first })
}

for (const [name, forge] of Object.entries(forgeries)) {
  test(`a dump is refused of which a forger ${name}`, async (t) => {
    const works = structuredClone(t.context.files.works)
    forge(works)
    const forged = await writeFiles(t, { ...t.context.files, works })
    await t.throwsAsync(check(t, forged), { code: 'dump_not_proven' })
  })
}

test('a dump is refused with another log, or a line that says two things', async (t) => {
  const { files } = t.context
  const { manifest, works, log } = files
  for (const other of [log.slice(0, -1), log.toReversed(), [...log, log[0] ?? ''], []]) {
    const forged = await writeFiles(t, { ...files, log: other })
    await t.throwsAsync(check(t, forged), { code: 'dump_not_proven' })
  }
  const smaller = { ...manifest.log, tree_size: manifest.log.tree_size - 1 }
  const cut = await writeFiles(t, { ...files, manifest: { ...manifest, log: smaller } })
  await t.throwsAsync(check(t, cut), { code: 'dump_not_proven' })
  const checkpoint = manifest.log.checkpoint.replace(/\n\d+\n/, '\n1\n')
  const unsigned = { ...manifest, log: { ...manifest.log, checkpoint } }
  await t.throwsAsync(check(t, await writeFiles(t, { ...files, manifest: unsigned })), {
    code: 'wrong_signature',
  })
  const texts = works.map((line) => JSON.stringify(line))
  const twice = texts.with(0, texts[0]?.replace('{', '{"ark":"ark:/12345/k2new",') ?? '')
  await t.throwsAsync(check(t, await writeFiles(t, files, twice)), { code: 'dump_not_proven' })
  const spaced = texts.with(0, `${texts[0]} `)
  await t.throwsAsync(check(t, await writeFiles(t, files, spaced)), { code: 'dump_not_proven' })
})

test('a file that was cut off or changed is refused by its hash', async (t) => {
  const manifest = await writeFiles(t, t.context.files)
  const file = path.join(path.dirname(manifest), fileOf(t.context.files.manifest, 'works').name)
  const bytes = await readFile(file)
  await writeFile(file, bytes.subarray(0, -9))
  await t.throwsAsync(check(t, manifest), { code: 'dump_unusable' })
  await writeFile(file, Buffer.concat([bytes, Buffer.from(gzipSync(''))]))
  await t.throwsAsync(check(t, manifest), { code: 'dump_not_proven' })
  await rm(file)
  await t.throwsAsync(check(t, manifest), { code: 'dump_unusable' })
  const log = fileOf(t.context.files.manifest, 'log').name
  await rm(path.join(path.dirname(manifest), log))
  const missing = {
    code: 'dump_unusable',
    message: `${log} is missing: put it beside the manifest`,
  }
  await t.throwsAsync(check(t, manifest), missing)
  await writeFile(manifest, '{}')
  await t.throwsAsync(check(t, manifest), { code: 'dump_unusable' })
})

/** A copy of the dump, whose manifest a forger changes with its files. */
async function copyDump(
  t: ExecutionContext<Context>,
  forge: (folder: string, manifest: DumpManifest) => Promise<DumpManifest>,
): Promise<string> {
  const { folder = '', manifest } = (await newestDump(t.context.dumps)) ?? {}
  if (manifest === undefined) throw new Error('there is no dump')
  const copy = await makeTempDir(t)
  await cp(folder, copy, { recursive: true })
  const name = path.join(copy, 'manifest.json')
  await writeFile(name, JSON.stringify(await forge(copy, manifest)))
  return name
}

const hashOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

test.serial('tables say what the works and the log say, or are refused', async (t) => {
  const { tables } = t.context.files.manifest
  const rows = Object.fromEntries(tables.map(({ holds, rows: count }) => [holds, count]))
  t.like(rows, { works: 5, authors: 8, funding: 0, relations: 0 })
  for (const { name, form } of tables) {
    const without = await copyDump(t, async (folder, manifest) => {
      await rm(path.join(folder, name))
      return manifest
    })
    const { tables: checked } = await check(t, without)
    t.deepEqual(
      checked,
      tables.map((one) => one.name).filter((one) => one !== name),
    )
    const others = tables.filter((one) => one.form === form && one.name !== name)
    const exchanged = await copyDump(t, async (folder, manifest) => {
      const [other] = others
      if (other === undefined) throw new Error('there are several tables')
      await cp(path.join(folder, other.name), path.join(folder, name))
      const { bytes, sha256 } = other
      const forged = manifest.tables.map((one) =>
        one.name === name ? { ...one, bytes, sha256 } : one,
      )
      return { ...manifest, tables: forged }
    })
    await t.throwsAsync(check(t, exchanged), undefined, name)
  }
  const changed = await copyDump(t, async (folder, manifest) => {
    const forged = manifest.tables.map(async (one) => {
      if (one.holds !== 'works' || one.form !== 'csv') return one
      const file = path.join(folder, one.name)
      const text = gunzipSync(await readFile(file))
        .toString()
        .replace('Cinco', 'Seis')
      const packed = gzipSync(text)
      await writeFile(file, packed)
      const hashes = { sha256: hashOf(packed), rows_sha256: hashOf(text) }
      return { ...one, bytes: packed.length, ...hashes }
    })
    return { ...manifest, tables: await Promise.all(forged) }
  })
  await t.throwsAsync(check(t, changed), { code: 'dump_not_proven', message: /^works-\d+\.csv/ })
  const miscounted = await copyDump(t, async (_, manifest) => ({
    ...manifest,
    tables: manifest.tables.map((one) => ({ ...one, rows: one.rows + 1 })),
  }))
  await t.throwsAsync(check(t, miscounted), { code: 'dump_not_proven' })
})

test.serial('works stand in the file of the month in which they changed last', async (t) => {
  const wrong = await copyDump(t, async (_, manifest) => ({
    ...manifest,
    files: manifest.files.map((one) =>
      one.holds === 'works' ? { ...one, month: '2020-01' } : one,
    ),
  }))
  await t.throwsAsync(check(t, wrong), { message: /another month/ })
  const { registry } = t.context
  const dir = await makeTempDir(t)
  await writeDump({ ...sourceOf(registry), partsOf: () => 3 }, dir)
  const { folder = '' } = (await newestDump(dir)) ?? {}
  const parts = await readFiles(folder)
  const sorted = (lines: readonly Line[]) => lines.map((line) => JSON.stringify(line)).toSorted()
  t.deepEqual(sorted(parts.works), sorted(t.context.files.works), 'works are looked at in parts')
  await t.notThrowsAsync(check(t, path.join(folder, 'manifest.json')))
})

test.serial(
  'the newest dump is served with its files, and takes the place of the one before',
  async (t) => {
    const { registry, dumps, files } = t.context
    const page = await registry.call('/data', { headers: [['accept', 'text/html']] })
    t.is(page.status, 200)
    const answer = await registry.call('/data/manifest.json')
    t.deepEqual(answer.json(), JSON.parse(JSON.stringify(files.manifest)))
    for (const { name, bytes } of [...files.manifest.files, ...files.manifest.tables]) {
      t.true(page.body.includes(`href="/data/${name}"`), name)
      const file = await registry.call(`/data/${name}`)
      t.deepEqual([file.status, file.headers['content-length']], [200, `${bytes}`])
      const head = await registry.call(`/data/${name}`, { method: 'HEAD' })
      t.deepEqual([head.status, head.headers['content-length']], [200, `${bytes}`])
    }
    t.is((await registry.call('/data/works-0.jsonl.gz')).status, 404)
    t.is((await registry.call('/data/..%2fkeys')).status, 404)
    const key = await registry.key({ scopes: ['works:write'] })
    await mint(registry, key, { ...work, work_title: 'Six' })
    const { log, counts } = await writeDump(sourceOf(registry), dumps)
    t.is(counts.works, 6)
    const newest = await newestDump(dumps)
    t.is(newest?.manifest.log.tree_size, log.tree_size)
    await check(t, path.join(newest?.folder ?? '', 'manifest.json'))
    const aborted = { ...sourceOf(registry), signal: AbortSignal.abort() }
    await t.throwsAsync(writeDump(aborted, dumps), { name: 'AbortError' })
    t.is((await newestDump(dumps))?.folder, newest?.folder, 'what was begun is no dump')
  },
)

test.serial(
  'a dump that takes longer than a look is made to its end before the next',
  async (t) => {
    const { registry } = t.context
    const source = sourceOf(registry)
    const { log, catalogue, origin } = source.environment
    const ended = new AbortController()
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const head = () => {
      begun += 1
      return log.head()
    }
    async function* entries(from: number, to: number) {
      await gate.promise
      yield* log.entries(from, to)
    }
    const environment = { catalogue, origin, log: { head, entries } }
    const made: DumpManifest[] = []
    const dumps = {
      firstMs: 1,
      everyMs: 1,
      hasRoom: () => true,
      made: (one: DumpManifest) => made.push(one),
    }
    const making = makeDailyDumps(
      { ...source, environment, signal: ended.signal },
      await makeTempDir(t),
      { ...dumps, failed: (error) => t.fail(String(error)) },
    )
    await until('the first is begun', () => begun === 1)
    // Timers of one length come in their order: a look that waited for no dump would have come.
    for (let looks = 0; looks < 3; looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 1))
    t.is(begun, 1)
    gate.resolve()
    await until('it is made', () => made.length === 1)
    ended.abort()
    await making
    t.is(begun, 1, 'one a day')
  },
)
