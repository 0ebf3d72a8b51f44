import { mkdtempSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import {
  firstKey,
  newDataDir,
  newWork,
  runArklog,
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
    name: 'a store whose .log was cut',
    damage: async (store) => {
      const file = await newestFile(store, '.log')
      await fs.truncate(file, Math.floor((await fs.stat(file)).size / 2))
    },
    error: 'log_rolled_back',
    message: /^the store holds \d+ entries, but a checkpoint of 80 was signed/,
  },
  {
    name: 'a store without its .log',
    damage: async (store) => fs.rm(await newestFile(store, '.log')),
    error: 'log_rolled_back',
    message: /it is an older copy, or has lost writes. Restore the newest copy/,
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
      for (const name of await fs.readdir(store)) await fs.rm(path.join(store, name))
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

const flips = 4

for (const ending of ['.log', '.ldb']) {
  test.serial(`46: a flipped bit in a ${ending} file never makes a wrong answer`, async (t) => {
    for (let seed = 0; seed < flips; seed += 1) {
      const { dataDir, sound } = await damagedCopy(t, async (store) => {
        const file = await newestFile(store, ending)
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

/** A row that turns out to be damaged may be a 500; it may not be missing, and not be another. */
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
    else t.is([status, body['error']].join(' '), '500 internal_error')
  })
  t.log(`it is served: ${right} of ${titles.size} works are right, the others are errors`)
  t.true(right > 0)
}
