// A registry that is backed up while works are registered, and restored elsewhere.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import {
  type Asserter,
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  type Settings,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { share } from '#test/scenario/_shared_server.ts'
import { lockBackups } from '#src/keeping/data_dir/lock.ts'
import { until } from '#test/_until.ts'

type Backup = { readonly id: string; readonly new_chunks: number; readonly chunks: number }
type Restored = { readonly tree_size: number; readonly root_hash: string }

type Recovered = { readonly recovered_entries: number; readonly lost_works: number }

/** A registry with some works, whose address others have too: with it goes the name of its log. */
async function startRegistry(t: Asserter) {
  const settings = {
    DATA_DIR: await newDataDir(t),
    SEARCH: 'off',
    BASE_URL: 'http://127.0.0.1',
    LIMIT_WORKS_CREATE: 'off',
    // Works are registered at once, each over a connection of its own.
    CONNECTIONS_PER_ADDRESS_MAX: 'off',
  }
  const server = await startServer(t, settings)
  await registerWorks(server, 40)
  return { server, settings, target: path.join(path.dirname(settings.DATA_DIR), 'backups') }
}

const shared = share(startRegistry)

/** A registry that tests share which leave it as it is, and a target of one test. */
function sharedRegistry() {
  const registry = shared()
  return { ...registry, target: path.join(path.dirname(registry.target), randomUUID()) }
}

async function registerWorks(
  server: Server,
  count: number,
  key = firstKey(server),
): Promise<readonly string[]> {
  const works = Array.from({ length: count }, (_, nth) =>
    newWork(`Work ${nth} of ${count} ${randomUUID()}`),
  )
  const replies = await Promise.all(works.map((body) => call(server, '/v1/works', { key, body })))
  return replies.map(({ status, body }) => {
    if (status !== 201) throw new Error(`a work was refused: ${JSON.stringify(body)}`)
    return String(body['ark_identifier'])
  })
}

/** Registers works, twenty at a time, as long as something else is under way. */
async function registerUntil(server: Server, other: Promise<unknown>): Promise<void> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  other.then(over, over)
  while (!isOver) await registerWorks(server, 20)
}

/** Gives the key of the registry's log, which restores the backup with nothing newer. */
function nothingNewer(server: Server): readonly string[] {
  return ['--nothing-newer', '--vkey', server.started.vkey]
}

async function elsewhere(t: ExecutionContext, settings: Settings): Promise<Settings> {
  return { ...settings, DATA_DIR: await newDataDir(t) }
}

test('a backup that is made under load restores all that was there before it', async (t) => {
  const { server, settings, target } = await startRegistry(t)
  const arks = await registerWorks(server, 20)
  const backup = runJson<Backup>(t, ['backup', target], settings)
  await registerUntil(server, backup)
  const { id } = await backup
  await registerWorks(server, 20)
  const more = await runJson<Backup>(t, ['backup', target], settings)
  t.true(more.new_chunks > 0)
  const newest = await fetch(`${server.started.local_url}/log/checkpoint`)
  const size = Number((await newest.text()).split('\n')[1])

  const own = await elsewhere(t, settings)
  const url = `${server.started.local_url}/log`
  const older = await runArklog(t, ['restore', target, '--backup', id, '--newest', url], own)
  t.is(older.code, 1)
  t.regex(older.stderr, /were registered after it, would be lost/)
  t.false(existsSync(own['DATA_DIR'] ?? ''))

  const restored = await runJson<Restored>(t, ['restore', target, '--newest', url], own)
  t.is(restored.tree_size, size)
  const key = firstKey(server)
  await server.end('SIGTERM')
  const audit = await runArklog(t, ['audit'], own)
  t.is(audit.code, 0, audit.stdout)
  const again = await startServer(t, own)
  for (const ark of arks) t.is((await call(again, `/v1/resolve/${ark}`)).status, 200)
  const registered = await call(again, '/v1/works', { key, body: newWork('After the restore') })
  t.is(registered.status, 201)
})

test('a backup and a mirror go on without a fork, and none does without the mirror', async (t) => {
  const { server, settings, target } = await startRegistry(t)
  await runJson<Backup>(t, ['backup', target], settings)
  const folder = path.dirname(settings.DATA_DIR)
  const keys = path.join(folder, 'keys.json')
  const local = server.started.local_url
  const list = await (await fetch(`${local}/.well-known/svc-keys.json`)).text()
  await fs.writeFile(keys, list)
  const copy = path.join(folder, 'copy')
  const mirror = ['mirror', '--keys', keys, '--dir', copy]
  t.is((await runArklog(t, [...mirror, `${local}/log`], {})).code, 0)
  const arks = await registerWorks(server, 300)
  t.is((await runArklog(t, [...mirror, `${local}/log`], {})).code, 0)
  // The machine is lost, and what it has.
  await server.end('SIGKILL')

  const own = await elsewhere(t, settings)
  const refused = await runArklog(t, ['restore', target, '--newest', `${local}/log`], own)
  t.regex(refused.stderr, /cannot be read/)
  const both = ['restore', target, '--nothing-newer', '--recover', copy]
  t.regex((await runArklog(t, both, own)).stderr, /--nothing-newer says it is not/)
  const none = await runArklog(t, ['restore', target, '--recover', folder], own)
  t.regex(none.stderr, /checkpoint is not there.*nothing was put in place/)
  const keyless = await runArklog(t, ['restore', target, '--identity', `${folder}/none`], own)
  t.is(keyless.code, 1)
  t.regex(keyless.stderr, /--identity .*none cannot be read: there is no such file; name the file/)
  const recover = ['restore', target, '--recover', copy]
  const restored = await runJson<Restored & Recovered>(t, recover, own)
  t.like(restored, { tree_size: 340, recovered_entries: 300, lost_works: 300 })
  const audit = await runArklog(t, ['audit'], own)
  t.is(audit.code, 0, audit.stdout)

  const again = await startServer(t, own)
  const [ark = ''] = arks
  const lost = await call(again, `/v1/resolve/${ark}`)
  t.is(lost.status, 410)
  t.like(lost.body, { error: 'gone', reason: 'data_lost', metadata_lost: true })
  t.like(lost.body, { message: 'What was registered of the work is lost' })
  const headers = { accept: 'text/html' }
  const page = await fetch(`${again.started.local_url}/${ark}`, { headers })
  t.is(page.status, 410)
  t.regex(await page.text(), /the registry has lost its record/)
  await registerWorks(again, 20, firstKey(server))
  // Whoever has watched the log before finds that it goes on: a program that trusts its key alone.
  const followed = await runArklog(t, [...mirror, `${again.started.local_url}/log`], {})
  t.is(followed.code, 0, followed.stdout)
  t.is((await runArklog(t, [...mirror, '--verify'], {})).code, 0)
  const receipt = await fetch(`${again.started.local_url}/api/v1/receipts/${ark}/v1`)
  const file = path.join(folder, 'receipt.json')
  await fs.writeFile(file, await receipt.text())
  const verified = await runArklog(t, ['verify', file, '--keys', keys], {})
  t.is(verified.code, 0, verified.stdout + verified.stderr)
})

test('a registry that does not run is backed up, for whoever has the key alone', async (t) => {
  const { server, settings, target } = await startRegistry(t)
  await server.end('SIGTERM')
  const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
  const args = ['backup', target, '--recipient', recipient]
  await runJson<Backup>(t, args, settings)
  const refused = await runArklog(t, ['restore', target, '--verify'], settings)
  t.is(refused.code, 1)
  t.regex(refused.stderr, /encrypted and cannot be decrypted/)
  const misspelt = await runArklog(t, ['backup', target, '--recipient', 'age1nobody'], settings)
  t.is(misspelt.code, 2)
  t.regex(misspelt.stderr, /is not an age recipient/)
})

test.serial('nothing is restored by mistake', async (t) => {
  const { server, settings, target } = sharedRegistry()
  const own = await elsewhere(t, settings)
  const none = await runArklog(t, ['restore', target, '--nothing-newer'], own)
  t.regex(none.stderr, /There is no backup there/)
  await runJson<Backup>(t, ['backup', target], settings)

  const unsaid = await runArklog(t, ['restore', target], own)
  t.regex(unsaid.stderr, /signs a second history/)
  const strange = await runArklog(t, ['restore', target, '--nothing-newer'], own)
  t.regex(strange.stderr, /Nothing proves that backup \S+ is of your registry: it is of the log/)
  t.true(strange.stderr.includes(server.started.vkey))
  t.false(existsSync(own['DATA_DIR'] ?? ''))
  const pinned = ['restore', target, ...nothingNewer(server)]
  const taken = await runArklog(t, pinned, settings)
  t.regex(taken.stderr, /Another process uses the data directory/)
  const other = { ...own, ARK_NAAN: '12148' }
  const foreign = await runArklog(t, pinned, other)
  t.regex(foreign.stderr, /set ARK_NAAN=12345/)
  for (const { code } of [none, unsaid, strange, taken, foreign]) t.is(code, 1)
  const verified = await runJson<{ rows: number }>(t, ['restore', target, '--verify'], own)
  t.true(verified.rows > 400)
})

test.serial('a forged backup is restored for nobody who knows the key of the log', async (t) => {
  const { server, settings, target } = sharedRegistry()
  await runJson<Backup>(t, ['backup', target], settings)
  // Somebody who may write to the target has made a registry of the same name, and a longer log.
  const forged = { ...settings, DATA_DIR: await newDataDir(t) }
  const forger = await startServer(t, forged)
  await registerWorks(forger, 60)
  const { id } = await runJson<Backup>(t, ['backup', target], forged)

  const own = await elsewhere(t, settings)
  const unknown = await runArklog(t, ['restore', target, '--nothing-newer'], own)
  t.is(unknown.code, 1)
  t.true(unknown.stderr.includes(forger.started.vkey))
  const keys = path.join(path.dirname(settings.DATA_DIR), 'keys.json')
  const vkey = ['--vkey', server.started.vkey]
  const named = await runArklog(t, ['restore', target, '--backup', id, ...vkey], own)
  t.regex(named.stderr, /is of the log \S+, but you gave the key/)
  const both = await runArklog(t, ['restore', target, ...vkey, '--keys', keys], own)
  t.regex(both.stderr, /either --keys or --vkey/)
  const url = `${forger.started.local_url}/log`
  const mistaken = ['restore', target, '--backup', id, ...vkey, '--newest', url]
  t.is((await runArklog(t, mistaken, own)).code, 1)
  t.false(existsSync(own['DATA_DIR'] ?? ''))
  const pinned = ['restore', target, ...nothingNewer(server)]
  const restored = await runJson<Restored>(t, pinned, own)
  t.is(restored.tree_size, 40)
})

test.serial('backups that were planted count for nothing, and are told', async (t) => {
  const { settings, target } = sharedRegistry()
  const first = await runJson<Backup>(t, ['backup', target], settings)
  const file = (id: string) => path.join(target, 'backups', `${id}.json`)
  const manifest = JSON.parse(await fs.readFile(file(first.id), 'utf8')) as object
  for (const id of ['29990101T000000.000Z', '29990102T000000.000Z']) {
    await fs.writeFile(file(id), JSON.stringify({ ...manifest, id }))
  }
  const { code, stdout, stderr } = await runArklog(t, ['backup', target, '--keep', '2'], settings)
  t.is(code, 1)
  t.regex(stdout, /left alone {2}backups\/29990101T000000\.000Z\.json: was not authenticated/)
  t.regex(stderr, /was made, but 2 files are in the target that are not authentic backups/)
  const listed = await runArklog(t, ['restore', target, '--list'], settings)
  t.is(listed.stdout.match(/ 40 entries of /g)?.length, 2)
  t.is(listed.stdout.match(/UNPROVEN/g)?.length, 2)
  const doctor = await runArklog(t, ['doctor', '--backups', target], settings)
  t.regex(doctor.stdout, /WARNING backup.*29990101T000000\.000Z\.json is not an authentic backup/)
  t.regex(doctor.stdout, /ok {6}backup.*The newest backup, 20\d+T\S+, is 0 hours old/)
  const verified = await runJson<{ backup: string }>(t, ['restore', target, '--verify'], settings)
  t.notRegex(verified.backup, /^2999/)
})

/** Kills a restore while it copies; one that was done before the kill is made again elsewhere. */
async function killWhileCopying(
  t: ExecutionContext,
  restore: readonly string[],
  settings: Settings,
): Promise<Settings> {
  for (;;) {
    const own = await elsewhere(t, settings)
    const killed = spawnArklog(t, restore, own)
    const copying = path.join(own['DATA_DIR'] ?? '', 'copying')
    const isOver = () => killed.child.exitCode !== null
    await until('it has begun, or is over', () => existsSync(copying) || isOver(), { pauseMs: 1 })
    await killed.end('SIGKILL')
    if (existsSync(copying)) return own
  }
}

test.serial(
  'a restore that is killed leaves nothing that starts, and is begun again',
  async (t) => {
    const { server, settings, target } = sharedRegistry()
    await runJson<Backup>(t, ['backup', target], settings)
    const restore = ['restore', target, ...nothingNewer(server)]
    const own = await killWhileCopying(t, restore, settings)
    const start = await runArklog(t, ['serve'], own)
    t.is(start.code, 1)
    t.regex(start.stderr, /A copy of a registry to .* was interrupted/)
    const { tree_size: size } = await runJson<Restored>(t, restore, own)
    t.is(size, 40)
    t.deepEqual((await fs.readdir(own['DATA_DIR'] ?? '')).includes('copying'), false)
  },
)

test.serial('one backup of a registry is made at a time', async (t) => {
  const { settings, target } = sharedRegistry()
  const lock = lockBackups(settings.DATA_DIR)
  const refused = await runArklog(t, ['backup', target], settings)
  lock.release()
  t.is(refused.code, 1)
  t.regex(refused.stderr, /Another backup of .* is being made/)
  t.false(existsSync(target))
  await runJson<Backup>(t, ['backup', target], settings)
})
