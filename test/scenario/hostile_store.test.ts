import { mkdtempSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Level } from 'level'
import test, { type ExecutionContext } from 'ava'

import { freePort } from '#test/_free_port.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { untilFound } from '#test/scenario/_found_works.ts'
import {
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { forEachOf, request } from '#test/scenario/_request.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

const worksPerLife = 40
const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

/** A sound data directory with works in table files and in the .log, and a copy made in between. */
type Sound = {
  readonly dataDir: string
  readonly earlierStore: string
  /** The title of every work, by ARK. */
  readonly titles: ReadonlyMap<string, string>
}

const dir = mkdtempSync(path.join(os.tmpdir(), 'arklog-'))
test.after.always(() => fs.rm(dir, { recursive: true, force: true }))

let made: Promise<Sound> | undefined

/** Made by the first test that asks, then copied by all. */
async function damagedCopy(
  t: ExecutionContext,
  damage: (store: string, sound: Sound) => Promise<void>,
): Promise<{ readonly dataDir: string; readonly sound: Sound }> {
  made ??= makeSound(t)
  const sound = await made
  const dataDir = await newDataDir(t)
  await fs.cp(sound.dataDir, dataDir, { recursive: true })
  await damage(path.join(dataDir, 'live'), sound)
  return { dataDir, sound }
}

async function makeSound(t: ExecutionContext): Promise<Sound> {
  const dataDir = path.join(dir, 'data')
  const earlierStore = path.join(dir, 'earlier')
  const settings = { DATA_DIR: dataDir, ...quiet }
  const titles = new Map<string, string>()
  const first = await startServer(t, settings)
  const key = firstKey(first)
  await registerSome(first, key, titles)
  await first.end('SIGTERM')
  await fs.cp(path.join(dataDir, 'live'), earlierStore, { recursive: true })
  const second = await startServer(t, settings)
  await registerSome(second, key, titles)
  await second.end('SIGTERM')
  return { dataDir, earlierStore, titles }
}

async function registerSome(
  server: Server,
  key: string,
  titles: Map<string, string>,
): Promise<void> {
  const works = Array.from({ length: worksPerLife }, (_, index) =>
    newWork(`Work ${titles.size + index} of those whose store is to be damaged`),
  )
  type Item = { readonly ark_identifier: string; readonly work_title: string }
  const { body } = await request<{ results: Item[] }>(server, '/v1/works/bulk', {
    key,
    body: { works },
  })
  for (const { ark_identifier: ark, work_title: title } of body.results) titles.set(ark, title)
}

async function newestFile(store: string, ending: string): Promise<string> {
  const names = (await fs.readdir(store)).filter((name) => name.endsWith(ending)).sort()
  return path.join(store, names.at(-1) ?? `no ${ending}`)
}

/** Damage that every start must refuse: what is done to the store, and what is said. */
const refused: readonly {
  readonly name: string
  readonly damage: (store: string, sound: Sound) => Promise<void>
  readonly error: string
  readonly message: RegExp
}[] = [
  {
    name: 'a store without its file CURRENT',
    damage: (store) => fs.rm(path.join(store, 'CURRENT')),
    error: 'store_missing',
    message: /has lost its file CURRENT but still holds .*: restore the whole directory/,
  },
  {
    name: 'a store without its manifest',
    damage: async (store) => {
      const manifest = (await fs.readdir(store)).find((name) => name.startsWith('MANIFEST'))
      await fs.rm(path.join(store, manifest ?? ''))
    },
    error: 'store_corrupt',
    message: /restore the whole directory from a backup/,
  },
  {
    name: 'a store without one of its table files',
    damage: async (store) => fs.rm(await newestFile(store, '.ldb')),
    error: 'store_corrupt',
    message: /LevelDB found it damaged: restore the whole directory from a backup/,
  },
  {
    name: 'a store whose journal was cut',
    damage: async (store) => {
      const file = await newestFile(path.join(store, 'journal'), '.log')
      await fs.truncate(file, Math.floor((await fs.stat(file)).size / 2))
    },
    error: 'log_rolled_back',
    message: /^the journal of the store \S+ ends with batch \d+, but batch \d+ was written/,
  },
  {
    name: 'a store whose journal has lost its .log',
    damage: async (store) => fs.rm(await newestFile(path.join(store, 'journal'), '.log')),
    error: 'log_rolled_back',
    message: /it is an older copy, or has lost writes. Restore the newest copy/,
  },
  {
    name: 'a store without its journal',
    damage: async (store) => fs.rm(path.join(store, 'journal'), { recursive: true }),
    error: 'store_missing',
    message: /has lost its journal: restore the whole directory from a backup/,
  },
  {
    name: 'an older copy of a store',
    damage: async (store, { earlierStore }) => {
      await fs.rm(store, { recursive: true })
      await fs.cp(earlierStore, store, { recursive: true })
    },
    error: 'log_rolled_back',
    message: /going on from here would sign a second history of the same log/,
  },
  {
    name: 'a store that was emptied',
    damage: async (store) => {
      for (const name of await fs.readdir(store)) {
        await fs.rm(path.join(store, name), { recursive: true })
      }
    },
    error: 'store_missing',
    message: /is missing or empty: .* only a first start makes a new store/,
  },
]

for (const { name, damage, error, message } of refused) {
  test.serial(`46: ${name} is refused`, async (t) => {
    const { dataDir } = await damagedCopy(t, damage)
    const before = await fs.readdir(path.join(dataDir, 'live'))
    // The second start must not take what the first one left for a new registry.
    for (const start of ['first', 'second']) {
      const settings = { DATA_DIR: dataDir, ...quiet }
      const { code, stdout, stderr } = await runArklog(t, ['serve', '--json'], settings)
      t.is(code, 1, start)
      t.is(stdout, '')
      const refusal = JSON.parse(stderr) as { error: string; message: string }
      t.is(refusal.error, error)
      t.regex(refusal.message, message)
    }
    if (before.length === 0) t.deepEqual(await fs.readdir(path.join(dataDir, 'live')), [])
  })
}

const flips = countOf({ few: 2, full: 4 })

for (const [folder, ending] of [
  ['journal', '.log'],
  ['journal', '.ldb'],
  ['', '.ldb'],
] as const) {
  const place = `a ${ending} file of the ${folder || 'views'}`
  test.serial(`46: a flipped bit in ${place} never makes a wrong answer`, async (t) => {
    for (let seed = 0; seed < flips; seed += 1) {
      const { dataDir, sound } = await damagedCopy(t, async (store) => {
        const file = await newestFile(path.join(store, folder), ending)
        t.log(`seed ${seed}: bit ${await flipBit(file, seededRandom(seed))} of ${file}`)
      })
      const outcome = await startServer(t, { DATA_DIR: dataDir, ...quiet }).catch(String)
      if (typeof outcome === 'string') {
        // LevelDB itself ends a process that meets a key too short, or keys out of order.
        t.regex(
          outcome,
          /"error":"(store_corrupt|log_rolled_back|log_inconsistent)"|deps\/leveldb\/.*: Assertion/,
        )
      } else {
        await assertNoWrongAnswer(t, outcome, sound)
        await outcome.end('SIGTERM')
      }
    }
  })
}

async function flipBit(file: string, random: () => number): Promise<number> {
  const bytes = await fs.readFile(file)
  const bit = Math.floor(random() * bytes.length * 8)
  const at = Math.floor(bit / 8)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8))
  await fs.writeFile(file, bytes)
  return bit
}

/** A row that turns out to be damaged is a 500; it may not be missing, and not be another. */
async function assertNoWrongAnswer(
  t: ExecutionContext,
  server: Server,
  { titles }: Sound,
): Promise<void> {
  let right = 0
  await forEachOf(titles, async ([ark, title]) => {
    const { status, body } = await request(server, `/api/v1/works/${ark}`)
    if (status === 200) right += 1
    if (status === 200) t.is(body['work_title'], title)
    else t.is([status, body['error']].join(' '), '500 record_damaged')
  })
  t.log(`it is served: ${right} of ${titles.size} works are right, the others are errors`)
  t.true(right > 0)
}

/** Alters the value of a row, as a disk would: the checksum stays what it was. */
async function damageRow(store: string, key: string): Promise<void> {
  const level = new Level<string, Uint8Array>(store, { valueEncoding: 'view' })
  await level.open()
  const row = await level.get(key)
  if (row === undefined) throw new Error(`there is no row ${key}`)
  row[0] = (row[0] ?? 0) ^ 1
  await level.put(key, row, { sync: true })
  await level.close()
}

const hostileReads = 1_000

test.serial('a damaged row fails its own requests and nothing else, however often', async (t) => {
  let damaged = ''
  const { dataDir, sound } = await damagedCopy(t, async (store, { titles }) => {
    damaged = [...titles.keys()].at(-1) ?? ''
    await damageRow(store, `work/${damaged.replace('ark:/', '')}`)
  })
  const adminPort = await freePort()
  const settings = { DATA_DIR: dataDir, ...quiet, ADMIN_PORT: String(adminPort) }
  const server = await startServer(t, settings)
  const keyArgs = [
    'key',
    'create',
    '--owner',
    'org:demo',
    '--scopes',
    'works:read,works:write,search:read',
  ]
  const { key } = await runJson<{ key: string }>(t, keyArgs, settings)
  const answers = new Set<string>()
  await forEachOf(Array(hostileReads).keys(), async (turn) => {
    const targets = ['resolve', 'works', 'receipts', 'update'] as const
    const target = targets[turn % targets.length] ?? 'resolve'
    const version = target === 'receipts' ? '/v1' : ''
    const { status, body } =
      target === 'update'
        ? await request(server, `/v1/works/${damaged}`, {
            method: 'PUT',
            key,
            body: { work_title: `Attempt ${turn}` },
          })
        : await request(server, `/api/v1/${target}/${damaged}${version}`)
    answers.add([target, status, body['error']].join(' '))
  })
  t.deepEqual([...answers].sort(), [
    'receipts 500 record_damaged',
    'resolve 500 record_damaged',
    'update 500 record_damaged',
    'works 500 record_damaged',
  ])
  await assertOthersAreWell(t, server, { key, titles: sound.titles, damaged })
  const stranger = await request(server, '/readyz')
  t.deepEqual([stranger.status, stranger.body], [200, { ready: true }])
  const { checks } = (await (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).json()) as {
    checks: Record<string, { ok: boolean; problem?: string }>
  }
  t.true(checks['live']?.ok)
  t.regex(checks['live']?.problem ?? '', /^the row "work\/12345\/\w+" fails its checksum, so /)
  t.deepEqual(checks['sandbox']?.problem, undefined)
  t.is((await server.end('SIGTERM')).code, 0)
})

async function assertOthersAreWell(
  t: ExecutionContext,
  server: Server,
  { key, titles, damaged }: { key: string; titles: Sound['titles']; damaged: string },
): Promise<void> {
  const others = [...titles].filter(([ark]) => ark !== damaged)
  await forEachOf(others, async ([ark, title]) => {
    const { status, body } = await request(server, `/api/v1/works/${ark}`)
    t.deepEqual([status, body['work_title']], [200, title])
    for (const target of ['resolve', 'receipts']) {
      const version = target === 'receipts' ? '/v1' : ''
      t.is((await request(server, `/api/v1/${target}/${ark}${version}`)).status, 200)
    }
  })
  const minted = await request(server, '/v1/works', { key, body: newWork('After the damage') })
  t.is(minted.status, 201)
  type Held = { readonly works: readonly unknown[] }
  const { status, body } = await request<Held>(server, '/v1/organizations/demo/works?limit=100', {
    key,
  })
  t.deepEqual([status, body.works.length], [200, others.length + 1])
  // Lists of all works show what is sound.
  for (const target of ['/feeds/works.atom', '/sitemap.xml', '/sitemaps/0.xml']) {
    const list = await fetch(server.started.local_url + target)
    t.is(list.status, 200, target)
    t.false((await list.text()).includes(damaged), target)
  }
  // What was indexed before it was damaged is still found.
  await untilFound(server, { key, word: 'store', count: others.length })
}
