// Works are registered in bulk, 1,000 with FULL_COUNTS=1, while the registry is killed in the
// middle, by the official client and by those that generators make: afterwards each is there once,
// and proven offline.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { Arklog, parseTrustedKeys, verifyReceipt } from '#src/client/arklog.ts'
import type { UploadedWork } from '#src/client/upload.ts'
import type { Receipt } from '#src/client/types.ts'
import { freePort } from '#test/_free_port.ts'
import { countOf } from '#test/long/_full_counts.ts'
import {
  copyPrograms,
  generatePython,
  generateTypeScript,
  hasTypeScriptGenerators,
  pythonGenerator,
} from '#test/long/_generated_clients.ts'
import { newDataDir, runJson, type Server, startServer } from '#test/scenario/_process.ts'

const batches = 10
const batchWorks = countOf({ few: 30, full: 100 })
const count = batches * batchWorks

/** The batch whose answer is the last one before the kill: the next is under way by then. */
const killAfter = 3

/** A registry at one address through all its lives. */
class KilledServer {
  readonly #t: ExecutionContext
  readonly #settings: Readonly<Record<string, string>>
  server: Server
  kills = 0

  constructor(t: ExecutionContext, settings: Readonly<Record<string, string>>, server: Server) {
    this.#t = t
    this.#settings = settings
    this.server = server
  }

  get url(): string {
    return this.server.started.local_url
  }

  /** Kills the process and starts it again on the same data. */
  async kill(): Promise<void> {
    const { signal, stderr } = await this.server.end('SIGKILL')
    this.#t.is(signal, 'SIGKILL', stderr)
    this.kills += 1
    this.server = await startServer(this.#t, this.#settings)
  }
}

async function begin(t: ExecutionContext) {
  const PORT = String(await freePort())
  const settings = { DATA_DIR: await newDataDir(t), PORT, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
  const killed = new KilledServer(t, settings, await startServer(t, settings))
  const scopes = 'works:read,works:write,receipts:read'
  const args = ['key', 'create', '--owner', 'org:demo', '--scopes', scopes]
  const { key } = await runJson<{ readonly key: string }>(t, args, settings)
  const keys = await (await fetch(`${killed.url}/.well-known/svc-keys.json`)).text()
  return { killed, key, keys }
}

type Begun = Awaited<ReturnType<typeof begin>>

/** Every receipt is proven by itself and the keys of before, and no work is there twice. */
async function judge(
  t: ExecutionContext,
  { killed, key, keys }: Begun,
  receipts: readonly Receipt[],
): Promise<void> {
  t.is(killed.kills, 1)
  const trusted = await parseTrustedKeys(keys, 'live')
  const proven = new Set<string>()
  for (const receipt of receipts) {
    proven.add((await verifyReceipt(receipt, trusted, { version: 1 })).statement.ark)
  }
  t.is(proven.size, count)
  const client = new Arklog({ baseUrl: killed.url, key, keys })
  const titles: string[] = []
  const arks: string[] = []
  for await (const { type, ark = '', metadata } of client.changes.follow()) {
    if (type !== 'work.registered') continue
    arks.push(ark)
    titles.push((metadata as { readonly work_title: string }).work_title)
  }
  t.is(arks.length, count, 'so many works are registered')
  t.is(new Set(titles).size, count, 'none is registered twice')
  t.deepEqual(
    arks.filter((ark) => !proven.has(ark)),
    [],
  )
}

test('the official client goes on after a kill, and mints nothing twice', async (t) => {
  const begun = await begin(t)
  const { killed, key, keys } = begun
  const works = Array.from({ length: count }, (_, number) => ({
    work_title: `Work ${number}`,
    work_type: 'article' as const,
    authors: 'Ox, Ada',
    work_url: `https://press.example/${number}`,
  }))
  const options = { run: 'story', batchItems: batchWorks }
  const first = new Arklog({ baseUrl: killed.url, key, keys })
  let kill: Promise<void> | undefined
  for await (const { index } of first.works.upload(works, options)) {
    if (index < killAfter * batchWorks) continue
    // Whoever uploads is gone as well, with calls under way.
    kill = killed.kill()
    break
  }
  await kill

  const second = new Arklog({ baseUrl: killed.url, key, keys })
  const results: UploadedWork[] = []
  for await (const result of second.works.upload(works, options)) {
    if (result.type === 'registered') results.push(result)
    else t.fail(result.message)
  }
  t.true(results.some(({ replayed }) => replayed))
  t.true(results.every(({ receipt, ark }) => receipt?.statement.ark === ark))
  const receipts: Receipt[] = []
  for (const { ark, version } of results) receipts.push(await second.receipts.get(ark, version))
  await judge(t, begun, receipts)
})

test('the official client waits for a registry that comes back', async (t) => {
  const begun = await begin(t)
  const { killed, key, keys } = begun
  const lines = Array.from({ length: count }, (_, number) =>
    JSON.stringify({
      work_title: `Line ${number}`,
      work_type: 'article',
      authors: 'Ox, Ada',
      work_url: `https://press.example/line/${number}`,
    }),
  )
  const client = new Arklog({ baseUrl: killed.url, key, keys, maxRetries: 50 })
  const bundles: Receipt[] = []
  let kill: Promise<void> | undefined
  const options = { batchItems: batchWorks, verify: false }
  for await (const result of client.works.upload(lines.join('\n'), options)) {
    if (result.type !== 'registered') return t.fail(result.message)
    if (result.index === killAfter * batchWorks) kill ??= killed.kill()
    bundles.push(await client.receipts.get(result.ark, result.version))
  }
  await kill
  await judge(t, begun, bundles)
})

/** Runs a program that registers batches, and kills the registry between two of them. */
async function runKilling(
  t: ExecutionContext,
  begun: Begun,
  cwd: string,
  [program = '', ...args]: readonly string[],
): Promise<void> {
  const { killed, key } = begun
  const file = path.join(cwd, 'receipts.jsonl')
  const given = [...args, killed.url, key, file, String(batches), String(batchWorks)]
  const child = spawn(program, given, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    if (line === `batch ${killAfter}`) await killed.kill()
  }
  const [code] = (await ended) as [number | null]
  t.is(code, 0)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const receipts = lines.map((line) => JSON.parse(line) as Receipt)
  await judge(t, begun, receipts)
}

for (const [name, file] of [
  ['openapi-typescript with openapi-fetch', 'bulk_openapi_fetch.mts'],
  ['hey-api', 'bulk_hey_api.mts'],
] as const) {
  const title = `a client by ${name} does so too`
  if (!hasTypeScriptGenerators) {
    test.skip(`${title} (skipped: it is not installed)`, () => undefined)
    continue
  }
  test(title, async (t) => {
    const begun = await begin(t)
    const folder = await copyPrograms(begun.killed.server)
    generateTypeScript(folder)
    await runKilling(t, begun, folder, [process.execPath, file])
  })
}

const titleOfPython = 'a client by openapi-python-client does so too'
if (pythonGenerator !== undefined) {
  test(titleOfPython, async (t) => {
    const begun = await begin(t)
    const folder = await copyPrograms(begun.killed.server)
    const python = generatePython(folder, pythonGenerator ?? '')
    await runKilling(t, begun, folder, [python, 'bulk_python_client.py'])
  })
} else {
  test.skip(`${titleOfPython} (skipped: it is not installed)`, () => undefined)
}
