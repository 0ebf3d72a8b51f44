import assert from 'node:assert/strict'
import type { ExecutionContext } from 'ava'
import { type Environment, environmentLimits } from '#actors/registry/environment.ts'
import { dueEnd, dueFrom, parseDueKey } from '#actors/works/record.ts'
import { parseEntry, type ReceiptSigner } from '#actors/works/receipts/statement.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { until } from '#test/_until.ts'
import { guardOf } from '#test/actors/_clock.ts'
import { personKeys } from '#test/actors/people/_seal.ts'
import { admin, makeRegistry, type TestRegistry, tickSigner } from '#test/actors/_environment.ts'
import { replaceCommit } from '#test/contracts/_commit_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { noteAnswers, type Ports } from '#test/simulation/_answers.ts'
import { checkCatalogue, queryWork } from '#test/simulation/_catalogue_queries.ts'
import { ClaimPromises } from '#test/simulation/_claim_operations.ts'
import { interleave } from '#test/simulation/_interleaving.ts'
import { OrganizationPromises } from '#test/simulation/_organization_operations.ts'
import { PersonPromises, ppids } from '#test/simulation/_person_operations.ts'
import { checkRepeats } from '#test/simulation/_repeats.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { SimulatedWeb } from '#test/simulation/_simulated_web.ts'
import { WorkPromises } from '#test/simulation/_work_operations.ts'

// One run: some lives of a process, each with some clients that each do some operations.
const livesPerRun = 4
const clientsPerLife = 5
const operationsPerClient = 6
// The chance that a commit fails; then it was lost or kept with equal chances.
const faultChance = 0.08

// The chance that a client asks for something after it did something.
const queryChance = 0.5

/** What clients were told, which must hold for ever. */
type Promises = {
  readonly works: WorkPromises
  /** Every root that was ever shown, by tree size. */
  readonly roots: Map<number, string>
  readonly people: PersonPromises
  readonly claims: ClaimPromises
  readonly organizations: OrganizationPromises
}

/** What a run leaves: the rows of the store by their keys, and every answer in its order. */
export type RunRecord = {
  readonly rows: ReadonlyMap<string, Uint8Array>
  readonly answers: readonly string[]
}

/** All that the lives of one run share. */
type Run = {
  readonly registry: TestRegistry
  readonly random: () => number
  readonly promises: Promises
  readonly keys: ReceiptSigner[]
  readonly answers: string[]
}

/**
 * Runs a registry through crashes under one seed, which decides what clients do, how everything
 * interleaves, which writes fail, and every random byte. Throws an assertion that names the seed at
 * the first promise that was broken.
 */
export async function runRegistry(t: ExecutionContext, seed: number): Promise<RunRecord> {
  const random = seededRandom(seed)
  const randomBytes = (count: number) =>
    Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
  let nowMs = Date.UTC(2026, 10, 21)
  const web = new SimulatedWeb(random)
  const keys: ReceiptSigner[] = [tickSigner(0)]
  // Now and then the machine's clock is set back, or hours go by in which checks become due.
  const systemMs = () => {
    const dice = random()
    nowMs += dice < 0.02 ? -10_000 : dice < 0.04 ? 8 * 3_600_000 : Math.floor(random() * 3)
    return nowMs
  }
  const passedMs = () => nowMs
  const registry = await makeRegistry(t, {
    ...personKeys(randomBytes),
    receiptSigner: (publicKey = keys[0]?.publicKey) => {
      const signer = keys.find((known) => known.publicKey === publicKey)
      assert(signer !== undefined, 'a key is durable before the log names it')
      return signer
    },
    systemMs,
    clock: guardOf(systemMs, { machine: { elapsedMs: passedMs, uptimeMs: passedMs } }),
    fetchContent: web.fetch,
    // So few and so short that entities are let go in the midst of what is done.
    limits: { ...environmentLimits, entitiesMax: 128, entityIdleMs: 20 },
    random: randomBytes,
    report: () => {},
  })
  const promises: Promises = {
    works: new WorkPromises(),
    roots: new Map(),
    people: new PersonPromises(),
    claims: new ClaimPromises(),
    organizations: new OrganizationPromises(),
  }
  const run: Run = { registry, random, promises, keys, answers: [] }
  try {
    await interleave(seed, async () => {
      for (let life = 0; life < livesPerRun; life += 1) await runLife(run, `life ${life}`)
      web.isCalm = true
      await checkRegistry(run)
    })
  } catch (cause) {
    throw new Error(`seed ${seed}: ${(cause as Error).message}`, { cause })
  }
  return { rows: registry.disk, answers: run.answers }
}

async function runLife(run: Run, life: string): Promise<void> {
  const { registry, random, promises, keys, answers } = run
  const store = faultyStore(openMemoryStore(registry.disk), random)
  let environment: Environment
  try {
    environment = await registry.open(store)
  } catch (error) {
    // A write of the start itself may fail; the next life starts again.
    if (error instanceof InjectedFault) return
    throw error
  }
  const ports = noteAnswers(environment, answers)
  await Promise.all([
    runRotation(ports, random, keys),
    ...Array.from({ length: clientsPerLife }, async (_, client) => {
      for (let step = 0; step < operationsPerClient; step += 1) {
        const name = `${life}, client ${client}, step ${step}`
        await runOperation(ports, random, promises, name)
        if (random() < queryChance) await runQuery(ports, random, promises)
        noteRoot(ports, promises)
      }
    }),
  ])
  await environment.close()
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

function pickPpid(random: () => number): string {
  return ppids[Math.floor(random() * ppids.length)] ?? ''
}

async function runOperation(
  ports: Ports,
  random: () => number,
  { works, people, claims, organizations }: Promises,
  name: string,
): Promise<void> {
  const dice = random()
  const ppid = pickPpid(random)
  const ark = works.pick(random)
  try {
    if (dice < 0.2) await people.run(ports, random, name)
    else if (dice < 0.35 && ark !== undefined) await claims.run(ports, random, { ppid, ark })
    else if (dice < 0.45) await organizations.run(ports, random, { name, ppid })
    else await works.run(ports, random, { name, ppids: people.made })
  } catch (error) {
    // A client that got no answer knows nothing; one whose shard was full is told so.
    const { code = '' } = error as { code?: string }
    assert(['lost', 'stopped', 'overloaded'].includes(code), String(error))
  }
}

async function runQuery(
  ports: Ports,
  random: () => number,
  { works, people, claims, organizations }: Promises,
): Promise<void> {
  const ppid = pickPpid(random)
  people.query(ports, ppid)
  claims.query(ports, ppid)
  await organizations.query(ports, random)
  const ark = works.pick(random)
  const known = works.works.get(ark ?? '')
  if (ark === undefined || known === undefined) return
  try {
    await queryWork(ports, { ark, known }, random)
  } catch (error) {
    // A commit whose outcome is unknown is never published, even if it is in the store.
    if ((error as { code?: string }).code !== 'timeout') throw error
  }
}

// Once in a life, some turns after its beginning.
async function runRotation(
  { receiptKeys }: Ports,
  random: () => number,
  keys: ReceiptSigner[],
): Promise<void> {
  for (let turns = Math.floor(random() * 40); turns > 0; turns -= 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const next = tickSigner(keys.length)
  keys.push(next)
  try {
    const { type } = await receiptKeys.rotate(next, admin)
    assert.equal(type, 'rotated')
  } catch (error) {
    const { code = '' } = error as { code?: string }
    assert(['lost', 'stopped'].includes(code), String(error))
  }
}

function noteRoot({ log }: Ports, promises: Promises): void {
  const { treeSize, rootHash } = log.head()
  const root = Buffer.from(rootHash).toString('hex')
  assert.equal(promises.roots.get(treeSize) ?? root, root, `two roots for size ${treeSize}`)
  promises.roots.set(treeSize, root)
}

/** Opens the registry once more without faults and holds it to everything it promised. */
async function checkRegistry({ registry, promises, keys, random, answers }: Run): Promise<void> {
  const environment = await registry.open()
  const ports = noteAnswers(environment, answers)
  noteRoot(ports, promises)
  await settleChecks(environment, registry)
  promises.works.check(ports)
  await checkCatalogue(ports, promises.works.works, random)
  await promises.people.check(ports)
  await promises.claims.check(ports, ppids)
  await promises.organizations.check(ports, ppids)
  checkFixity(environment, registry)
  checkRepeats(registry.disk)
  await checkContents(environment, registry)
  for (const [treeSize, root] of promises.roots) {
    const now = Buffer.from(environment.log.rootAt(treeSize)).toString('hex')
    assert.equal(now, root, `the root of size ${treeSize} has changed`)
  }
  await environment.close()
  const { events, treeSize } = environment.status()
  const report = await auditRegistry(openMemoryStore(registry.disk), {
    events,
    treeSize,
    firstReceiptKey: keys[0]?.publicKey ?? '',
    scratch: openMemoryStore(),
    progress: () => {},
  })
  assert.deepEqual(report.faults, [])
}

/** Waits until everything that was due when the crashes were over has been checked. */
function settleChecks({ fixity }: Environment, { disk }: TestRegistry): Promise<void> {
  const isNew = (key: string) => key >= dueFrom(0, 0) && key < dueEnd(0)
  return until('every work that is due is checked', async () => {
    const { states, in_flight } = await fixity.overview()
    return states.pending === 0 && in_flight === 0 && ![...disk.keys()].some(isNew)
  })
}

/** Holds every version of every work to have reached a state that is final, or is checked again. */
async function checkContents({ catalogue }: Environment, { disk }: TestRegistry): Promise<void> {
  for (const ark of worksOn(disk)) {
    const answer = await catalogue.versions(ark, { cursor: 0, limit: 1_000 })
    assert(answer.type === 'found', `${ark} has versions`)
    const { versions } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as {
      readonly versions: readonly { version: number; fixity_status: string }[]
    }
    for (const { version, fixity_status } of versions) {
      assert.notEqual(fixity_status, 'pending', `nobody has looked at version ${version} of ${ark}`)
    }
  }
}

function worksOn(disk: TestRegistry['disk']): string[] {
  const keys = [...disk.keys()].filter((key) => key.startsWith('work/'))
  return keys.map((key) => key.slice('work/'.length))
}

/** Holds the rows of the queue and the content statements to the works they are about. */
function checkFixity(environment: Environment, { disk }: TestRegistry): void {
  const waiting: string[] = []
  const stated = new Set<string>()
  for (const [key, value] of disk) {
    if (key.startsWith('due/')) waiting.push(parseDueKey(key).name)
    const parsed = key.startsWith('entry/') ? parseEntry(value) : undefined
    if (parsed === undefined || 'type' in parsed) continue
    const { statement } = parsed
    if (statement.statement !== 'content') continue
    const version = `${statement.ark} v${statement.version}`
    assert(!stated.has(version), `the content of ${version} is stated twice`)
    stated.add(version)
  }
  assert.equal(new Set(waiting).size, waiting.length, 'a work waits once')
  for (const name of waiting) {
    const ark = name.split('/').slice(0, 2).join('/')
    assert.equal(environment.catalogue.state(ark)?.status, 'registered', `${ark} waits for nothing`)
  }
  const standing = worksOn(disk).filter(
    (ark) => environment.catalogue.state(ark)?.status !== 'withdrawn',
  )
  const works = waiting.filter((name) => name.split('/').length === 2)
  assert.equal(works.length, standing.length, 'every work that stands waits for its next check')
}
