import assert from 'node:assert/strict'
import type { NotFound, Rendered } from '#actors/registry/catalogue/port.ts'
import type { WorkState } from '#actors/works/events.ts'
import type { Page } from '#actors/journal/rows.ts'
import { demo } from '#test/actors/_environment.ts'
import type { Ports } from '#test/simulation/_answers.ts'
import type { KnownWork } from '#test/simulation/_work_operations.ts'
import { provenByLog, type SeenKeys } from '#test/src/client/verify/_second_opinion.ts'

/** A work that is asked for, and what was told of it before. */
type Asked = { readonly ark: string; readonly known: KnownWork }

type Query = (ports: Ports, asked: Asked, random: () => number) => Promise<void>

/** Every way to ask for one work, each holding its answer to what was told before. */
const queries: readonly Query[] = [
  askWork,
  askResolve,
  askVersions,
  askHistory,
  askReceipt,
  askProofs,
  askOwner,
]

/** Asks for a work in one of the ways there are, while others change it. */
export async function queryWork(ports: Ports, asked: Asked, random: () => number): Promise<void> {
  const query = queries[Math.floor(random() * queries.length)] ?? askWork
  await query(ports, asked, random)
}

/** Asks for works in all ways, for each and for all together, while nothing changes them. */
export async function checkCatalogue(
  ports: Ports,
  works: ReadonlyMap<string, KnownWork>,
  random: () => number,
): Promise<void> {
  for (const [ark, known] of works) {
    for (const query of queries) await query(ports, { ark, known }, random)
  }
  const states = await readOrder(ports)
  for (const ark of works.keys()) {
    assert(
      states.some((state) => state.ark === ark),
      `${ark} has no place`,
    )
  }
  await checkHarvest(ports, states)
  await checkHoldings(ports, states)
  await checkChanges(ports, states)
  await checkRecords(ports, states)
}

function foundIn(answer: Rendered | NotFound): Record<string, unknown> & { readonly text: string } {
  assert.equal(answer.type, 'found', 'an acknowledged work is found')
  const text = answer.type === 'found' ? Buffer.from(answer.body).toString('utf8') : ''
  return { ...(JSON.parse(text) as object), text }
}

async function askWork(ports: Ports, { ark, known }: Asked): Promise<void> {
  const { text, ...work } = foundIn(await ports.catalogue.work(ark))
  checkShown(work, text, known)
}

async function askResolve(
  ports: Ports,
  { ark, known }: Asked,
  random: () => number,
): Promise<void> {
  const version = 1 + Math.floor(random() * known.version)
  const wanted = random() < 0.5 ? undefined : version
  const { text, ...work } = foundIn(await ports.catalogue.resolve(ark, ark, wanted))
  if (work['status'] === 'registered') {
    const { metadata, receipt } = work
    checkReceipt(ports, receipt, metadata)
    const { version: number, latest_version: latest } = work
    assert(Number(latest) >= known.version, `version ${known.version} of ${ark} is lost`)
    assert.equal(number, wanted ?? latest)
    checkShown({ ...work, ...(metadata as object), version: latest }, text, known)
  } else checkShown({ ...work, version: work['latest_version'] ?? work['version'] }, text, known)
}

function checkShown(work: Record<string, unknown>, text: string, known: KnownWork): void {
  const { status, version, work_title: title } = work
  assert(Number(version) >= known.version, `version ${known.version} is lost`)
  if (known.withdrawn) assert.equal(status, 'withdrawn', 'a withdrawal is lost')
  if (status === 'registered') assert.equal(title, known.title)
  if (known.erased) assert(!text.includes(known.title), 'what is erased is shown')
}

function checkReceipt(ports: Ports, receipt: unknown, metadata?: unknown): void {
  assert(provenByLog(receipt, seenKeys(ports), metadata), JSON.stringify(receipt))
}

/** What somebody trusts who has seen the keys of a registry. */
function seenKeys({ origin, vkey, receiptKeys }: Ports): SeenKeys {
  return {
    origin,
    vkey,
    receiptKeys: receiptKeys.list().map((key) => ({
      publicKey: key.public_key,
      validFromMs: key.valid_from === null ? 0 : Date.parse(key.valid_from),
      validUntilMs: key.valid_until === null ? Infinity : Date.parse(key.valid_until),
    })),
  }
}

async function askVersions(
  { catalogue }: Ports,
  { ark, known }: Asked,
  random: () => number,
): Promise<void> {
  const after = Math.floor(random() * known.version)
  const limit = 1 + Math.floor(random() * 3)
  const answer = foundIn(await catalogue.versions(ark, { cursor: after, limit }))
  const { total, versions, next } = answer as unknown as {
    readonly total: number
    readonly versions: readonly { readonly version: number; readonly receipt_id: string }[]
    readonly next: number | null
  }
  assert(total >= known.version, `version ${known.version} of ${ark} is lost`)
  const last = Math.min(total, after + limit)
  const numbers = Array.from({ length: last - after }, (_, index) => after + 1 + index)
  assert.deepEqual(
    versions.map(({ version }) => version),
    numbers,
  )
  assert.equal(next, last < total ? last : null)
  for (const { version, receipt_id } of versions) {
    assert.deepEqual(catalogue.findReceipt(receipt_id), { ark, version })
  }
}

async function askHistory(
  { catalogue }: Ports,
  { ark, known }: Asked,
  random: () => number,
): Promise<void> {
  const limit = 1 + Math.floor(random() * 3)
  const events = await readHistory(catalogue, ark, { order: 'newest', limit })
  for (const [index, { seq }] of events.entries()) {
    assert(seq < (events[index - 1]?.seq ?? Infinity), 'a history goes back')
  }
  // Others may have gone on since.
  const forward = await readHistory(catalogue, ark, { order: 'oldest', limit })
  assert.deepEqual(forward.slice(0, events.length), events.toReversed())
  const types = events.map(({ type }) => type)
  assert.equal(types.at(-1), 'work.registered')
  const versions = types.filter((type) => type === 'work.registered' || type === 'work.versioned')
  assert(versions.length >= known.version, `the history of ${ark} has lost a version`)
  if (known.withdrawn) assert(types.includes('work.withdrawn'))
  if (known.erased) assert.equal(types[0], 'work.erased')
}

/** A history from one end to the other, page by page. */
async function readHistory(
  catalogue: Ports['catalogue'],
  ark: string,
  page: Page<number>,
): Promise<readonly { readonly seq: number; readonly type: string }[]> {
  const all: { readonly seq: number; readonly type: string }[] = []
  let cursor: number | null = null
  do {
    const answer = await catalogue.history(ark, { ...page, ...(cursor !== null && { cursor }) })
    const { events, next } = foundIn(answer) as unknown as {
      readonly events: readonly { readonly seq: number; readonly type: string }[]
      readonly next: number | null
    }
    assert(events.length <= page.limit)
    all.push(...events)
    cursor = next
  } while (cursor !== null)
  return all
}

async function askReceipt(ports: Ports, { ark, known }: Asked): Promise<void> {
  for (const [receipt_id, version] of known.receipts) {
    assert.deepEqual(ports.catalogue.findReceipt(receipt_id), { ark, version })
    const { text: _, ...receipt } = foundIn(await ports.catalogue.receipt(ark, version))
    assert.equal(receipt['receipt_id'], receipt_id)
    assert.equal(receipt['version'], version)
    checkReceipt(ports, receipt)
  }
}

async function askProofs(
  { catalogue }: Ports,
  { ark, known }: Asked,
  random: () => number,
): Promise<void> {
  const version = 1 + Math.floor(random() * known.version)
  const proofs = foundIn(await catalogue.proofs(ark, version))
  assert.equal(proofs['version'], version)
  const chain = proofs['provenance_chain'] as readonly { readonly version: number }[]
  assert.deepEqual(
    chain.map((link) => link.version),
    Array.from({ length: Number(proofs['latest_version']) }, (_, index) => index + 1),
  )
  assert(chain.length >= known.version, 'every version that was acknowledged is in the chain')
}

async function askOwner({ harvest, holdings }: Ports, { ark, known }: Asked): Promise<void> {
  const place = harvest.work(ark)
  assert(
    place !== undefined && place.state.version >= known.version,
    `${ark} is lost to harvesters`,
  )
  assert.equal(place.written === undefined, place.state.status === 'withdrawn')
  const held: string[] = []
  let before: number | undefined
  do {
    const page = before === undefined ? { limit: 4 } : { cursor: before, limit: 4 }
    const { works, next } = await holdings.works(demo, page)
    held.push(...works.map((work) => work.ark_identifier))
    before = next ?? undefined
  } while (before !== undefined)
  assert(held.includes(`ark:/${ark}`), `${ark} is lost to its owner`)
}

/** The states of all works in the order of their last changes, read in both directions. */
async function readOrder({ catalogue }: Ports): Promise<readonly WorkState[]> {
  const states: WorkState[] = []
  const positions: number[] = []
  let before: number | undefined
  for (;;) {
    const page = before === undefined ? { limit: 3 } : { before, limit: 3 }
    const works = await catalogue.order.newest(page)
    for (const { state, position } of works) {
      assert(position < (before ?? Infinity), 'the order of changes is one')
      before = position
      states.unshift(state)
      positions.unshift(position)
    }
    if (works.length < 3) break
  }
  const onwards: string[] = []
  for await (const some of catalogue.order.between(0, Number.MAX_SAFE_INTEGER)) {
    onwards.push(...some.map(({ state }) => state.ark))
  }
  assert.deepEqual(
    onwards,
    states.map(({ ark }) => ark),
  )
  assert.equal(new Set(onwards).size, onwards.length, 'a work has one place')
  assert.equal(await catalogue.order.firstFrom(0), positions[0])
  return states
}

const allTimes = { from: 0, until: 2 ** 40 }

async function checkHarvest({ harvest }: Ports, states: readonly WorkState[]): Promise<void> {
  for (const span of [allTimes, { ...allTimes, organization: demo.id }]) {
    const arks: string[] = []
    let after: number | undefined
    for (;;) {
      const start = after !== undefined && { after }
      const page = { limit: 3, bytesEnough: 2 ** 20, ...start }
      const { places, hasMore } = await harvest.places(span, page)
      arks.push(...places.map(({ state }) => state.ark))
      after = places.at(-1)?.changed.position
      if (!hasMore) break
    }
    assert.deepEqual(
      arks,
      states.map(({ ark }) => ark),
      'harvesters see every work in the order of its last change',
    )
    assert.equal(await harvest.count(span), states.length)
  }
}

async function checkHoldings({ holdings }: Ports, states: readonly WorkState[]): Promise<void> {
  const standing = states.filter(({ status }) => status === 'registered')
  const failing = standing.filter(({ fixity_status: found }) => /failed|unreachable/.test(found))
  const counts = holdings.counts(demo)
  assert.equal(counts.works_count, standing.length)
  assert.equal(counts.failing_count, failing.length)
  const { content, types, withdrawn } = holdings.breakdown(demo)
  for (const counted of [content, types]) {
    assert.equal(sumOf(Object.values(counted)), standing.length)
  }
  assert.equal(withdrawn, states.length - standing.length)
  const { causes } = await holdings.failureCauses(demo)
  assert.equal(sumOf(causes.map(({ count }) => count)), failing.length)
  assert.equal((await holdings.newestFailures(demo, failing.length + 1)).length, failing.length)
  const listed: string[] = []
  let after: string | undefined
  do {
    const page = after === undefined ? { limit: 3 } : { after, limit: 3 }
    const { works, next } = await holdings.failing(demo, page)
    listed.push(...works.map(({ ark_identifier }) => ark_identifier))
    after = next ?? undefined
  } while (after !== undefined)
  assert.deepEqual(listed, failing.map(({ identifier }) => identifier).sort())
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Holds the last change of each work that followers see to how the work is now. */
async function checkChanges({ catalogue }: Ports, states: readonly WorkState[]): Promise<void> {
  type Change = { readonly seq: number; readonly ark?: string; readonly version: number } & {
    readonly status: string
  }
  const last = new Map<string | undefined, Change>()
  let after = 0
  for (let end = 1; after < end; ) {
    const { body } = await catalogue.changes({ cursor: after, limit: 5 })
    const page = JSON.parse(Buffer.from(body).toString('utf8')) as {
      readonly changes: readonly Change[]
      readonly next: number
      readonly end: number
    }
    for (const change of page.changes) {
      assert(change.seq > after && change.seq <= page.next, 'changes come in their order')
      after = change.seq
      last.set(change.ark, change)
    }
    after = page.next
    end = page.end
  }
  for (const { identifier, version, status } of states) {
    const { version: shown, status: shownStatus } = last.get(identifier) ?? {}
    assert.deepEqual({ version: shown, status: shownStatus }, { version, status })
  }
}

async function checkRecords({ records }: Ports, states: readonly WorkState[]): Promise<void> {
  const touched = new Set<string>()
  for (let next = 0; next < records.events; ) {
    const page = await records.touched(next, 7)
    for (const { type, id } of page.records) if (type === 'work') touched.add(id)
    assert(page.next > next, 'a feed gets on')
    next = page.next
  }
  for (const { ark, erased_at, lost_at } of states) {
    assert(touched.has(ark), `${ark} is lost to those who follow the records`)
    assert.equal(records.work(ark) === undefined, (erased_at ?? lost_at) !== undefined)
  }
}
