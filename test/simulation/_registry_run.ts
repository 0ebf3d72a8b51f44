import assert from 'node:assert/strict'
import type { ExecutionContext } from 'ava'
import type { Environment } from '#actors/registry/environment.ts'
import { parseDueKey } from '#actors/works/fixity_views.ts'
import type { MetadataPatch } from '#actors/works/metadata.ts'
import type { ReceiptSigner } from '#actors/receipts/signer.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import { parseEntry } from '#actors/receipts/statement.ts'
import type { ChangeAnswer } from '#actors/works/port.ts'
import type { Operation, Store } from '#log/store.ts'
import { personKeys } from '#test/actors/people/_seal.ts'
import { fetched, unavailable } from '#test/actors/_content.ts'
import {
  admin,
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  registration,
  type TestRegistry,
  tickSigner,
} from '#test/actors/_environment.ts'
import { erasureOf } from '#test/actors/_erasure.ts'
import { replaceCommit } from '#test/contracts/_commit_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { interleave } from '#test/simulation/_interleaving.ts'
import { PersonPromises } from '#test/simulation/_person_operations.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import type { ContentFetcher, ContentOutcome } from '#actors/fixity/content_fetcher.ts'

// One run: some lives of a process, each with some clients that each do some operations.
const livesPerRun = 4
const clientsPerLife = 5
const operationsPerClient = 6
// Turns of the event loop in which the last checks end.
const settlingTurnsMax = 100_000
// The chance that a commit fails; then it was lost or kept with equal chances.
const faultChance = 0.08

/** What clients were told, which must hold for ever. */
type Promises = {
  /** The newest acknowledged version of each work, by ARK, and whether it was ended, and how. */
  readonly works: Map<string, { version: number; withdrawn: boolean; erased: boolean }>
  /** The work that was registered under each idempotency key. */
  readonly keyed: Map<string, string>
  /** Every root that was ever shown, by tree size. */
  readonly roots: Map<number, string>
  readonly people: PersonPromises
}

/**
 * Runs a registry through crashes under one seed, which decides what clients do, how everything
 * interleaves, and which writes fail. Throws an assertion that names the seed at the first promise
 * that was broken.
 */
export async function runRegistry(t: ExecutionContext, seed: number): Promise<void> {
  const random = seededRandom(seed)
  let nowMs = Date.UTC(2026, 10, 21)
  const web = new SimulatedWeb(random)
  const keys: ReceiptSigner[] = [tickSigner(0)]
  const registry = await makeRegistry(t, {
    ...personKeys(),
    receiptSigner: (publicKey = keys[0]?.publicKey) => {
      const signer = keys.find((known) => known.publicKey === publicKey)
      assert(signer !== undefined, 'a key is durable before the log names it')
      return signer
    },
    // Now and then the machine's clock is set back, or hours go by in which checks become due.
    systemMs: () => {
      const dice = random()
      nowMs += dice < 0.02 ? -60_000 : dice < 0.04 ? 8 * 3_600_000 : Math.floor(random() * 3)
      return nowMs
    },
    fetchContent: web.fetch,
    random: (count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)),
    report: () => {},
  })
  const promises: Promises = {
    works: new Map(),
    keyed: new Map(),
    roots: new Map(),
    people: new PersonPromises(),
  }
  try {
    await interleave(seed, async () => {
      for (let life = 0; life < livesPerRun; life += 1) {
        await runLife(registry, random, promises, keys, `life ${life}`)
      }
      web.isCalm = true
      await checkRegistry(registry, promises, keys[0]?.publicKey ?? '')
    })
  } catch (cause) {
    throw new Error(`seed ${seed}: ${(cause as Error).message}`, { cause })
  }
}

async function runLife(
  registry: TestRegistry,
  random: () => number,
  promises: Promises,
  keys: ReceiptSigner[],
  life: string,
): Promise<void> {
  const store = faultyStore(openMemoryStore(registry.disk), random)
  let environment: Environment
  try {
    environment = await registry.open(store)
  } catch (error) {
    // A write of the start itself may fail; the next life starts again.
    if (error instanceof InjectedFault) return
    throw error
  }
  await Promise.all([
    runRotation(environment, random, keys),
    ...Array.from({ length: clientsPerLife }, async (_, client) => {
      for (let step = 0; step < operationsPerClient; step += 1) {
        const name = `${life}, client ${client}, step ${step}`
        await runOperation(environment, random, promises, name)
        noteRoot(environment, promises)
      }
    }),
  ])
  await environment.close()
}

/** What addresses serve, and how badly: the seed decides. Until all is calm, nothing is certain. */
class SimulatedWeb {
  readonly #random: () => number
  readonly #underWay = new Set<string>()
  isCalm = false

  constructor(random: () => number) {
    this.#random = random
  }

  readonly fetch: ContentFetcher = async (url, { signal, onStart }) => {
    onStart?.()
    assert(!this.#underWay.has(url), `${url} is checked twice at one time`)
    this.#underWay.add(url)
    for (let turns = Math.floor(this.#random() * 8); turns > 0; turns -= 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#underWay.delete(url)
    return signal.aborted ? { type: 'aborted' } : this.#answer(url)
  }

  #answer(url: string): ContentOutcome {
    const dice = this.isCalm ? 0 : this.#random()
    if (dice < 0.6) return fetched(url)
    if (dice < 0.75) return fetched(`another ${url}`)
    if (dice < 0.9) return unavailable(404)
    return { type: 'postponed', url, retryAfterMs: 1 + Math.floor(this.#random() * 60_000) }
  }
}

class InjectedFault extends Error {}

function faultyStore(below: Store, random: () => number): Store {
  let isBroken = false
  return replaceCommit(below, async (operations: readonly Operation[]) => {
    assert(!isBroken, 'nothing is written after a write of unknown outcome')
    if (random() >= faultChance) return below.commit(operations)
    isBroken = true
    if (random() < 0.5) await below.commit(operations)
    throw new InjectedFault('the outcome is unknown')
  })
}

async function runOperation(
  environment: Environment,
  random: () => number,
  promises: Promises,
  name: string,
): Promise<void> {
  const arks = [...promises.works.keys()]
  const ark = arks[Math.floor(random() * arks.length)]
  const dice = random()
  try {
    if (random() < 0.2) await promises.people.run(environment, random, name)
    else if (ark === undefined || dice < 0.45)
      await runRegistration(environment, random, promises, name)
    else if (dice < 0.65) await runUpdate(environment, promises, ark, { description: name })
    else if (dice < 0.75) await runUpdate(environment, promises, ark, { work_url: urlOf(name) })
    else if (dice < 0.9) await runRecheck(environment, ark)
    else if (dice < 0.96) await runWithdrawal(environment, promises, ark)
    else await runErasure(environment, promises, ark)
  } catch (error) {
    // A client that got no answer knows nothing.
    assert.equal((error as { code?: string }).code, 'fault', String(error))
  }
}

// Once in a life, some turns after its beginning.
async function runRotation(
  environment: Environment,
  random: () => number,
  keys: ReceiptSigner[],
): Promise<void> {
  for (let turns = Math.floor(random() * 40); turns > 0; turns -= 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const next = tickSigner(keys.length)
  keys.push(next)
  try {
    const { type } = await environment.receiptKeys.rotate(next, admin)
    assert.equal(type, 'rotated')
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'fault', String(error))
  }
}

async function runRegistration(
  environment: Environment,
  random: () => number,
  promises: Promises,
  name: string,
): Promise<void> {
  // A few keys, so that requests are retried, in flight and after crashes.
  const key = `key ${Math.floor(random() * 8)}`
  const idempotency = { key, bodyHash: '00' }
  const metadata = metadataOf(name, { work_url: urlOf(name) })
  const answer = await environment.works.register(registration(metadata, { idempotency }))
  if (answer.type === 'idempotency_in_flight') return
  if (answer.type === 'erased') {
    assert.equal(arkOf(answer), promises.keyed.get(key), 'a key is one work for ever')
    return
  }
  assert.equal(answer.type, 'registered')
  if (answer.type !== 'registered') return
  const ark = arkOf(answer.work)
  const before = promises.keyed.get(key)
  if (before !== undefined) assert.equal(ark, before, 'a key is one work for ever')
  promises.keyed.set(key, ark)
  if (!promises.works.has(ark))
    promises.works.set(ark, { version: 1, withdrawn: false, erased: false })
}

async function runUpdate(
  environment: Environment,
  promises: Promises,
  ark: string,
  patch: MetadataPatch,
): Promise<void> {
  keepPromise(promises, ark, await environment.works.update({ ark, patch, by: demo }))
}

// An address of its own for each operation, so that no two works have the same.
function urlOf(name: string): string {
  return `https://host${name.length % 3}.example/${name.replaceAll(/\W+/g, '-')}`
}

// A withdrawal may have been kept that nobody was told of.
async function runRecheck(environment: Environment, ark: string): Promise<void> {
  const { type } = await environment.fixity.recheck(ark, admin)
  assert(type === 'queued' || type === 'gone', type)
}

async function runWithdrawal(
  environment: Environment,
  promises: Promises,
  ark: string,
): Promise<void> {
  keepPromise(promises, ark, await environment.works.withdraw({ ark, reason: 'test', by: demo }))
}

async function runErasure(
  environment: Environment,
  promises: Promises,
  ark: string,
): Promise<void> {
  const answer = await environment.works.erase(erasureOf(ark, true))
  const known = promises.works.get(ark)
  assert(known !== undefined)
  assert('change' in answer, `an administrator was told ${answer.type}`)
  if (known.erased) assert.equal(answer.type, 'unchanged', 'metadata is erased once')
  known.withdrawn = true
  known.erased = true
}

function keepPromise(promises: Promises, ark: string, answer: ChangeAnswer): void {
  const known = promises.works.get(ark)
  assert(known !== undefined)
  if (answer.type === 'gone') return
  assert.equal(answer.type, 'changed')
  if (answer.type !== 'changed') return
  assert(!known.withdrawn, 'a withdrawn work does not change')
  known.version = Math.max(known.version, answer.change.version)
  known.withdrawn ||= answer.change.kind === 'withdrawn'
}

function noteRoot(environment: Environment, promises: Promises): void {
  const { treeSize, rootHash } = environment.log.head()
  const root = Buffer.from(rootHash).toString('hex')
  assert.equal(promises.roots.get(treeSize) ?? root, root, `two roots for size ${treeSize}`)
  promises.roots.set(treeSize, root)
}

/** Opens the registry once more without faults and holds it to everything it promised. */
async function checkRegistry(
  registry: TestRegistry,
  promises: Promises,
  firstReceiptKey: string,
): Promise<void> {
  const environment = await registry.open()
  noteRoot(environment, promises)
  await settleChecks(environment)
  for (const [ark, { version, withdrawn, erased }] of promises.works) {
    const state = environment.catalogue.state(ark)
    assert(state !== undefined, `the acknowledged work ${ark} is lost`)
    assert(state.version >= version, `version ${version} of ${ark} is lost`)
    if (erased) assert(state.erased_at !== undefined, `the erasure of ${ark} is lost`)
    if (withdrawn) assert.equal(state.status, 'withdrawn', `the withdrawal of ${ark} is lost`)
  }
  await promises.people.check(environment)
  checkFixity(environment, registry)
  for (const [treeSize, root] of promises.roots) {
    const now = Buffer.from(environment.log.rootAt(treeSize)).toString('hex')
    assert.equal(now, root, `the root of size ${treeSize} has changed`)
  }
  await environment.close()
  const { events, treeSize } = environment.status()
  const report = await auditRegistry(openMemoryStore(registry.disk), {
    events,
    treeSize,
    firstReceiptKey,
    scratch: openMemoryStore(),
    progress: () => {},
  })
  assert.deepEqual(report.faults, [])
}

/** Waits until everything that was due when the crashes were over has been checked. */
async function settleChecks({ fixity }: Environment): Promise<void> {
  for (let turns = 0; turns < settlingTurnsMax; turns += 1) {
    const { states, in_flight } = await fixity.overview()
    if (states.pending === 0 && in_flight === 0) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('a work that is due is not checked')
}

/** Holds the rows of the queue and the content statements to the works they are about. */
function checkFixity(environment: Environment, { disk }: TestRegistry): void {
  const waiting: string[] = []
  const stated = new Set<string>()
  for (const [key, value] of disk) {
    if (key.startsWith('due/')) waiting.push(parseDueKey(key).ark)
    const parsed = key.startsWith('entry/') ? parseEntry(value) : undefined
    if (parsed === undefined || 'type' in parsed) continue
    const { statement } = parsed
    if (statement.statement !== 'content') continue
    const version = `${statement.ark} v${statement.version}`
    assert(!stated.has(version), `the content of ${version} is stated twice`)
    stated.add(version)
  }
  assert.equal(new Set(waiting).size, waiting.length, 'a work waits once')
  for (const ark of waiting) {
    assert.equal(environment.catalogue.state(ark)?.status, 'registered', `${ark} waits for nothing`)
  }
  const standing = [...disk.keys()]
    .filter((key) => key.startsWith('work/'))
    .filter((key) => environment.catalogue.state(key.slice('work/'.length))?.status !== 'withdrawn')
  assert.equal(waiting.length, standing.length, 'every work that stands waits for its next check')
}
