import test, { type ExecutionContext } from 'ava'

import { decodeJournalRow, journalKey } from '#actors/journal/pool.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import { LogRecovery } from '#actors/registry/recovery.ts'
import { audit } from '#log/store/audit.ts'
import { checkpointIn } from '#log/tlog/checkpoint.ts'
import { noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { entryKey } from '#log/store/log_rows.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { openLog } from '#log/store/open_log.ts'
import {
  admin,
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  other,
  register,
  registration,
  type TestRegistry,
  tickSigner,
} from '#test/actors/_environment.ts'
import { fetched, unavailable } from '#test/actors/_content.ts'
import { openWorld, recheck, settle } from '#test/actors/_world.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { type MemoryDisk, openMemoryStore } from '#test/contracts/_memory_store.ts'

// Later than all that is registered; what follows is dated with it, once that is accepted.
const lostAt = '2100-01-01T00:00:00.000Z'

/** What a mirror has of a log: its entries, and its newest signed checkpoint. */
function mirrorOf(disk: MemoryDisk, environment: Environment) {
  const { treeSize, checkpoint } = environment.log.head()
  const entries = Array.from({ length: treeSize }, (_, leaf) => {
    const entry = disk.get(entryKey(leaf))
    if (entry === undefined) throw new Error(`entry ${leaf} is missing`)
    return new Uint8Array(entry)
  })
  return { entries, ...checkpointIn(checkpoint) }
}

/** A recovery into an older copy of a registry's rows, which it changes. */
async function beginRecovery({ options }: TestRegistry, backup: MemoryDisk) {
  const { origin, logKey } = options
  const store = openMemoryStore(backup)
  const signer = noteSigner(origin, logKey)
  const vkey = formatVkey(origin, ed25519Type, logKey.publicKey)
  const log = await openLog(store, {
    kind: 'registry',
    origin,
    signer,
    verifier: noteVerifier(vkey),
    vkey,
    create: false,
    createdAt: '',
  })
  const { publicKey: receiptKey } = options.receiptSigner(undefined)
  const head = { ...decodeJournalRow(store.get(journalKey)), log }
  return { store, recovery: new LogRecovery({ store, head, signer, receiptKey }) }
}

type Mirror = ReturnType<typeof mirrorOf>

/** Recovers all that a mirror has more, in one batch. */
async function recover(registry: TestRegistry, backup: MemoryDisk, mirror: Mirror) {
  const { store, recovery } = await beginRecovery(registry, backup)
  const from = recovery.head.log.treeSize
  await recovery.append(mirror.entries.slice(from), mirror)
  const report = await recovery.finish(lostAt)
  await store.close()
  return report
}

/** Holds a store to be sound, with the tree of the mirror in it. */
async function checkSound(
  t: ExecutionContext,
  { options }: TestRegistry,
  disk: MemoryDisk,
  mirror: Mirror,
) {
  const { origin, logKey } = options
  const verifier = noteVerifier(formatVkey(origin, ed25519Type, logKey.publicKey))
  const store = openMemoryStore(disk)
  const log = await audit(store, { origin, verifier })
  t.deepEqual(log.problems, [])
  t.is(log.treeSize, mirror.treeSize)
  t.deepEqual(Buffer.from(log.rootHash), Buffer.from(mirror.rootHash))
  const { position: events } = decodeJournalRow(store.get(journalKey))
  const { faults } = await auditRegistry(store, {
    events,
    treeSize: log.treeSize,
    firstReceiptKey: options.receiptSigner(undefined).publicKey,
    scratch: openMemoryStore(),
    progress: () => {},
  })
  t.deepEqual(faults, [])
}

async function resolved(environment: Environment, ark: string): Promise<Record<string, unknown>> {
  const found = await environment.catalogue.resolve(ark, `ark:/${ark}`)
  if (found.type === 'not_found') return {}
  return JSON.parse(Buffer.from(found.body).toString('utf8')) as Record<string, unknown>
}

/** A registry with works of before and after its backup, as it was last. */
async function supersededBackup(t: ExecutionContext) {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const kept = arkOf(await register(environment, metadataOf('Kept')))
  const changed = arkOf(
    await register(environment, metadataOf('Changed', { existing_doi: '10.5555/12345678' })),
  )
  const ended = arkOf(await register(environment, metadataOf('Ended')))
  const backup = new Map(registry.disk)
  const lost = arkOf(await register(environment, metadataOf('Lost'), { by: other }))
  await environment.works.update({ ark: changed, patch: { work_title: 'Anew' }, by: demo })
  await environment.works.update({ ark: lost, patch: { work_title: 'Lost anew' }, by: other })
  await environment.works.withdraw({ ark: ended, reason: 'test', by: demo })
  const gone = arkOf(await register(environment, metadataOf('Gone')))
  await environment.works.withdraw({ ark: gone, reason: 'retraction', by: demo })
  const mirror = mirrorOf(registry.disk, environment)
  await environment.close()
  return { registry, backup, mirror, kept, changed, ended, lost, gone }
}

test('a log goes on from an older copy as its mirror has it, and an audit is clean', async (t) => {
  const { registry, backup, mirror, ...arks } = await supersededBackup(t)
  t.deepEqual(await recover(registry, backup, mirror), { entries: 6, lostWorks: 3 })
  await checkSound(t, registry, backup, mirror)

  registry.disk.clear()
  for (const [key, value] of backup) registry.disk.set(key, value)
  const environment = await registry.open()
  registry.options.clock.accept()
  t.is((await resolved(environment, arks.kept))['status'], 'registered')
  t.like(await resolved(environment, arks.ended), { status: 'withdrawn', reason: 'test' })
  t.like(await resolved(environment, arks.gone), { reason: 'retraction', metadata_lost: true })
  for (const [ark, version] of [
    [arks.lost, 2],
    [arks.changed, 2],
  ] as const) {
    t.like(await resolved(environment, ark), {
      status: 'withdrawn',
      reason: 'data_lost',
      metadata_lost: true,
      lost_at: lostAt,
      version,
    })
    const receipt = await environment.catalogue.receipt(ark, version)
    t.is(receipt.type, 'found')
  }
  const { occurrences } = await environment.records.occurrences(0, environment.records.events)
  const works = occurrences.filter((one) => one.about === 'work')
  const losses = works.filter(({ type }) => type === 'work.metadata_lost')
  t.is(losses.length, 3)
  t.true(losses.every(({ status }) => status === 'withdrawn'))
  // No lost work can be changed by its owner of before, who is not known any more.
  const change = { ark: arks.lost, patch: { work_title: 'Mine' }, by: other }
  t.is((await environment.works.update(change)).type, 'forbidden')
  const erased = await environment.works.erase({
    ark: arks.changed,
    reason: 'legal',
    withdraws: false,
    by: admin,
  })
  t.is(erased.type, 'changed')
  await register(environment, metadataOf('After'))
  const newest = mirrorOf(registry.disk, environment)
  t.is(newest.treeSize, mirror.treeSize + 1)
  await environment.close()
  await checkSound(t, registry, registry.disk, newest)
})

test('names that were minted after the copy are never minted again', async (t) => {
  const { registry, backup, mirror, lost } = await supersededBackup(t)
  await recover(registry, backup, mirror)
  const store = openMemoryStore(backup)
  t.truthy(store.get(`minted/${lost}`))
  t.truthy(store.get(`work/${lost}`))
  await store.close()
})

test('what a mirror has otherwise than the log signed it is not gone on from', async (t) => {
  const { registry, backup, mirror } = await supersededBackup(t)
  const before = new Map(backup)
  const attempt = async (entries: readonly Uint8Array[]) => {
    const { store, recovery } = await beginRecovery(registry, backup)
    const error = await t.throwsAsync(recovery.append(entries, mirror))
    await store.close()
    t.deepEqual(backup, before)
    return error as Error & { code?: string }
  }
  const newer = mirror.entries.slice(3)
  // Another order, one too few, and one that nobody has signed.
  t.is((await attempt(newer.toReversed())).code, 'recovery_impossible')
  t.is((await attempt(newer.slice(0, -1))).code, 'log_inconsistent')
  const text = Buffer.from(newer[0] ?? '').toString('utf8')
  // Another signature, whatever this one begins with.
  const forged = Buffer.from(
    text.replace(/("signature":")(..)/, (_, member: string, byte: string) => {
      return `${member}${byte === '00' ? 'ff' : '00'}`
    }),
  )
  t.is((await attempt([forged, ...newer.slice(1)])).code, 'recovery_impossible')
  t.is((await attempt([Buffer.from('{}'), ...newer.slice(1)])).code, 'recovery_impossible')
})

test('without the receipt key that the log has announced nothing is gone on from', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  await register(environment, 'Before')
  const backup = new Map(registry.disk)
  await environment.receiptKeys.rotate(tickSigner(7), admin)
  await environment.works.register(registration('After'))
  const mirror = mirrorOf(registry.disk, environment)
  await environment.close()
  await t.throwsAsync(recover(registry, backup, mirror), {
    code: 'recovery_key_lost',
    message: /Restore a backup that was made after that key/,
  })
})

for (const seed of [1, 2]) {
  test(`wherever the copy was made, it goes on as mirrors have it (seed ${seed})`, async (t) => {
    const random = seededRandom(seed)
    const below = (count: number) => Math.floor(random() * count)
    const { world, registry, environment } = await openWorld(t)
    const addresses = [0, 1, 2, 3].map((nth) => `https://example.org/${nth}`)
    const arks: string[] = []
    const copies: MemoryDisk[] = []
    for (let step = 0; step < 30; step += 1) {
      copies.push(new Map(registry.disk))
      world.nowMs += 1 + below(10)
      const work_url = addresses[below(4)] ?? ''
      const isServed = random() < 0.6
      world.served.set(work_url, isServed ? fetched(`file ${below(3)}`) : unavailable(404))
      const ark = arks[below(arks.length)]
      const what = below(6)
      if (what < 2 || ark === undefined) {
        const work = metadataOf(`Work ${step}`, { work_url })
        arks.push(arkOf(await register(environment, work, { allowRepeat: true })))
      } else if (what < 4) {
        const patch = { work_title: `Work ${step}`, work_url: addresses[below(4)] ?? '' }
        await environment.works.update({ ark, patch, by: demo })
      } else if (what === 4) {
        await environment.works.withdraw({ ark, reason: 'test', by: demo })
      } else {
        await environment.fixity.recheck(ark, admin)
      }
      // Some versions are superseded before anybody has looked at their content.
      if (random() < 0.4) await settle(environment)
    }
    await settle(environment)
    const mirror = mirrorOf(registry.disk, environment)
    await environment.close()
    for (const copy of copies.filter((_, nth) => nth % 8 === 4)) {
      await recover(registry, copy, mirror)
      await checkSound(t, registry, copy, mirror)
    }
    // The next version of what stands is numbered as the log has it, and checks go on.
    const [copy = new Map()] = copies.slice(20, 21)
    registry.disk.clear()
    for (const [key, value] of copy) registry.disk.set(key, value)
    const again = await registry.open()
    registry.options.clock.accept()
    for (const ark of arks) {
      const state = again.catalogue.state(ark)
      if (state?.status !== 'registered') continue
      const patch = { work_title: 'After the recovery' }
      const answer = await again.works.update({ ark, patch, by: demo })
      t.like(answer, { type: 'changed', change: { version: state.version + 1 } })
      await recheck(again, ark)
    }
    const newest = mirrorOf(registry.disk, again)
    await again.close()
    await checkSound(t, registry, registry.disk, newest)
  })
}
