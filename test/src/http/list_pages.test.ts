import anyTest, { type ExecutionContext, type TestFn } from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import { ada, bob, createPerson } from '#test/actors/_person.ts'
import { mint, operator, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'

type Operation = { readonly operationId: string; readonly parameters?: readonly Parameter[] }
type Parameter = {
  readonly name: string
  readonly description?: string
  readonly schema?: { readonly maximum?: number; readonly 'x-alias-of'?: string }
}
type List = {
  readonly path: string
  readonly id: string
  readonly parameters: ReadonlyMap<string, Parameter>
}
type Page = Readonly<Record<string, unknown>> & {
  readonly links: { readonly self: string; readonly next: string | null }
}
type Context = {
  readonly registry: ServedRegistry
  /** A key of the press, of the person, and of the press in the sandbox. */
  readonly keys: Readonly<Record<'press' | 'person' | 'sandbox', string>>
  /** What stands in the addresses for the names of paths. */
  readonly names: Readonly<Record<string, string>>
  readonly lists: readonly List[]
}

const test = anyTest as TestFn<Context>

/** The member of a page with the entries of each list. */
const members: Readonly<Record<string, string>> = {
  getHistory: 'events',
  listAffiliations: 'affiliations',
  listAuditEntries: 'entries',
  listChanges: 'changes',
  listCheckpoints: 'checkpoints',
  listClaims: 'claims',
  listEducation: 'education',
  listOrganizationWorks: 'works',
  listOrganizations: 'organizations',
  listOwnReceipts: 'receipts',
  listOwnWorks: 'works',
  listPublicRelated: 'related',
  listPublicVersions: 'versions',
  listRelated: 'related',
  listSandboxCheckpoints: 'checkpoints',
  listVersions: 'versions',
  listWaitingClaims: 'claims',
  listWrites: 'writes',
  searchOrganizations: 'results',
  searchPeople: 'results',
  searchWorks: 'results',
}

/** Lists of a person's own, which only a key of theirs reads. */
const ownLists = /^(?:listOwn|listWrites|listAudit|listAffiliations|listEducation|listClaims)/

/** A vocabulary, and what has a bound of its own that is shorter than a page, is read whole. */
const readWhole: ReadonlySet<string> = new Set([
  'listWorkTypes',
  'listWebhooks',
  'listWebhookDeliveries',
  'listBulkChanges',
])

/**
 * Thousands of styles come with the program, and each page of suspensions takes a one-time code:
 * the tests of their routes read them.
 */
const readElsewhere: ReadonlySet<string> = new Set([
  'listCitationStyles',
  'listSuspensions',
  'searchAuditLog',
])

/** Read in the parts in which a preview is kept: two lists beside each other, in one order. */
const readInParts: ReadonlySet<string> = new Set(['listBulkChangeWorks'])

const personScopes = ['works:read', 'works:write', 'people:read', 'people:write', 'receipts:read']

test.before(async (t) => {
  const registry = await serveRegistry()
  registry.search.live.start()
  const { live } = registry.environments
  for (const ppid of [ada, bob, 'p2n6x0k4tqv8']) {
    await createPerson(live, ppid, { name: `Ada ${ppid}`, visibility: { name: 'public' } })
  }
  const by = { ...operator, via: 'cli', admin: true } as const
  for (const slug of ['second', 'third']) {
    await live.organizations.create({ body: { slug, name: `The ${slug}` }, by })
  }
  const person: Owner = { type: 'person', id: ada, name: ada }
  const keyOf = async (owner: Owner, scopes: readonly string[]) => {
    const wish = { owner, environment: 'live', scopes, label: '', ipAllow: [], hours: 24 } as const
    return (await registry.keys.create(wish, operator)).key
  }
  const keys = {
    press: await registry.key({
      scopes: ['works:read', 'works:write', 'search:read', 'people:read', 'receipts:read'],
    }),
    person: await keyOf(person, personScopes),
    sandbox: await registry.key({ scopes: ['works:write'], environment: 'sandbox' }),
  }
  for (const scope of ['works:read', 'people:read']) await keyOf(person, [scope])
  const names = await fill(registry, keys)
  await caughtUp(registry.search.live)
  const lists = await readLists(registry)
  Object.assign(t.context, { registry, keys, names, lists })
})
test.after.always((t) => t.context.registry.close())

/** Makes five or more entries for each list; gives the names in the paths. */
async function fill(registry: ServedRegistry, keys: Context['keys']) {
  const send = async (method: string, path: string, key: string, body: unknown) => {
    const answer = await registry.call(path, { method, key, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  }
  const arks: string[] = []
  for (let index = 0; index < 5; index += 1) {
    const named = { work_title: `Pages ${index}`, work_url: `https://example.org/${index}` }
    arks.push((await mint(registry, keys.press, named)).ark_identifier)
    await mint(registry, keys.person, { ...named, work_title: `Own pages ${index}` })
    await mint(registry, keys.sandbox, named)
    const organization = `University ${index}`
    await send('POST', '/v1/user/affiliations', keys.person, { organization })
    await send('POST', '/v1/user/education', keys.person, { institution: organization })
  }
  for (const ark_identifier of arks) {
    await send('POST', '/v1/user/claims', keys.person, { ark_identifier, author_position: 1 })
  }
  const [ark = ''] = arks
  const related_identifiers = [{ relation: 'Cites', identifier: ark, scheme: 'ARK' }]
  for (const other of arks.slice(1)) {
    await send('PUT', `/v1/works/${other}`, keys.press, { related_identifiers })
  }
  for (let index = 2; index < 6; index += 1) {
    await send('PUT', `/v1/works/${ark}`, keys.press, { volume: `${index}` })
  }
  return { ark, slug: 'demo' }
}

/** The operations of the description that give lists. */
async function readLists(registry: ServedRegistry): Promise<List[]> {
  const { paths } = (await registry.call('/openapi.json?aliases=true')).json() as {
    readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  }
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || get.operationId.includes('Alias')) return []
    const { operationId: id } = get
    const parameters = new Map(get.parameters?.map((parameter) => [parameter.name, parameter]))
    const isList = /^(?:list|search)/.test(id) || parameters.has('limit')
    const isReadHere = ![readWhole, readInParts, readElsewhere].some((some) => some.has(id))
    return isList && isReadHere ? [{ path, id, parameters }] : []
  })
}

/** The address of a list. */
function addressOf({ names }: Context, { path }: List): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))
}

function keyFor({ keys }: Context, { id }: List): string {
  return ownLists.test(id) ? keys.person : keys.press
}

/** One page, by the address that is left when that of the registry is taken from it. */
async function readPage(t: ExecutionContext<Context>, list: List, address: string): Promise<Page> {
  const { registry } = t.context
  const answer = await registry.call(address, { key: keyFor(t.context, list) })
  t.is(answer.status, 200, `${address}: ${answer.body}`)
  return answer.json() as Page
}

function entriesOf({ id }: List, page: Page): readonly unknown[] {
  return page[members[id] ?? ''] as readonly unknown[]
}

const naming = [
  'tree_size',
  'seq',
  'position',
  'id',
  'claim_id',
  'version',
  'ark_identifier',
  'slug',
  'ppid',
]

/** The members of an entry that name it, which are no other ones while others write. */
function nameOf(entry: unknown): string {
  return JSON.stringify(entry, naming)
}

/** All entries, page by page, as the links lead. */
async function readAll(
  t: ExecutionContext<Context>,
  list: List,
  query: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { baseUrl } = t.context.registry
  const all: string[] = []
  const start = addressOf(t.context, list)
  let next: string | null = `${start}?${new URLSearchParams(query)}`
  while (next !== null) {
    const page = await readPage(t, list, next)
    const entries = entriesOf(list, page)
    t.true(entries.length <= Number(query['limit'] ?? Infinity), next)
    all.push(...entries.map(nameOf))
    const following: string | null = page.links.next
    if (following === null) break
    t.true(entries.length > 0, `${next} is empty, and not the last page`)
    t.true(following.startsWith(baseUrl + start), following)
    const { searchParams } = new URL(following)
    for (const [name, value] of Object.entries(query)) t.is(searchParams.get(name), value)
    next = following.slice(baseUrl.length)
  }
  return all
}

test('every list of the interface is known to these tests', (t) => {
  t.deepEqual(t.context.lists.map(({ id }) => id).toSorted(), Object.keys(members).toSorted())
  for (const { id, parameters } of t.context.lists) {
    for (const name of ['cursor', 'limit', 'order']) t.true(parameters.has(name), `${id} ${name}`)
  }
})

test('every list is read page by page in both orders, as its links lead', async (t) => {
  for (const list of t.context.lists) {
    const { id, parameters } = list
    const limit = String(parameters.get('limit')?.schema?.maximum)
    const oldest = await readAll(t, list, { order: 'oldest', limit })
    t.true(oldest.length >= 3, `${id} has ${oldest.length} entries`)
    t.is(new Set(oldest).size, oldest.length, id)
    const newest = await readAll(t, list, { order: 'newest', limit })
    t.deepEqual(newest, oldest.toReversed(), id)
    for (const size of ['1', '2']) {
      t.deepEqual(await readAll(t, list, { order: 'oldest', limit: size }), oldest, id)
      t.deepEqual(await readAll(t, list, { order: 'newest', limit: size }), newest, id)
    }
    const { description = '' } = parameters.get('order') ?? {}
    const [, defaultOrder] = /the (oldest|newest) unless told/.exec(description) ?? []
    // A search without words has an order of its own.
    if (id.startsWith('search')) t.is(defaultOrder, undefined)
    else
      t.deepEqual(
        await readAll(t, list, { limit: '2' }),
        defaultOrder === 'oldest' ? oldest : newest,
      )
  }
})

test('an older name of the cursor is taken, and not beside it', async (t) => {
  let older = 0
  for (const list of t.context.lists) {
    const [name] =
      [...list.parameters].find(([, one]) => one.schema?.['x-alias-of'] === 'cursor') ?? []
    if (name === undefined) continue
    older += 1
    const address = addressOf(t.context, list)
    const { next, ...first } = await readPage(t, list, `${address}?limit=2`)
    const query = `limit=2&${name}=${encodeURIComponent(String(next))}`
    const second = await readPage(t, list, `${address}?${query}`)
    const asked = new URLSearchParams({ limit: '2', cursor: String(next) })
    const same = await readPage(t, list, `${address}?${asked}`)
    // Until when all is settled goes on with the clock.
    const still = { links: null, settled_at: null }
    t.deepEqual({ ...second, ...still }, { ...same, ...still })
    t.deepEqual(second.links.next, same.links.next)
    t.is(first.links.next, t.context.registry.baseUrl + `${address}?${asked}`)
    const both = await t.context.registry.call(`${address}?${asked}&${query.slice(8)}`, {
      key: keyFor(t.context, list),
    })
    t.is(both.status, 400)
    t.is(both.json()['message'], `Give one of cursor and ${name}: they mean the same`)
  }
  t.is(older, 13)
})

test('a place, a size or an order that is none is refused or does no harm', async (t) => {
  const { registry } = t.context
  const places = ['0', '1', '99999', '9007199254740991', '-1', '1.5', 'x', '~', '%00', '', 'a/b/c']
  for (const list of t.context.lists) {
    const key = keyFor(t.context, list)
    const address = addressOf(t.context, list)
    for (const order of ['oldest', 'newest']) {
      for (const place of places) {
        const answer = await registry.call(`${address}?order=${order}&cursor=${place}`, { key })
        t.true([200, 400].includes(answer.status), `${answer.status} ${list.id} ${place}`)
      }
    }
    for (const query of [
      'order=up',
      'order=',
      'limit=0',
      'limit=100001',
      'order=oldest&order=oldest',
    ]) {
      t.is((await registry.call(`${address}?${query}`, { key })).status, 400, query)
    }
  }
})

test('a key in the address stays out of the links', async (t) => {
  const { registry, keys } = t.context
  const answer = await registry.call(`/v1/changes?limit=1&api_key=${keys.press}`)
  const { links } = answer.json() as Page
  t.deepEqual(links, {
    self: `${registry.baseUrl}/v1/changes?limit=1`,
    next: `${registry.baseUrl}/v1/changes?limit=1&cursor=1`,
  })
})

test('links keep the spelling of an ARK, and what is searched', async (t) => {
  const { registry, keys, names } = t.context
  const path = `/v1/work/${names['ark']?.replace('ark:/', 'ark:')}/versions`
  const versions = (await registry.call(`${path}?limit=1`, { key: keys.press })).json() as Page
  t.is(versions.links.next, `${registry.baseUrl}${path}?limit=1&cursor=1`)
  const query = 'q=pages&sort=title&limit=3&language=en%2Cde'
  const found = await registry.call(`/v1/search/works?${query}`, { key: keys.press })
  t.is((found.json() as Page).links.self, `${registry.baseUrl}/v1/search/works?${query}`)
  const mixed = await registry.call('/v1/search/works?sort=title&order=newest', { key: keys.press })
  t.is(mixed.status, 400)
})

test('what waits for news reads forward', async (t) => {
  const { registry, keys } = t.context
  const answer = await registry.call('/v1/changes?order=newest&wait=1', { key: keys.press })
  t.is(answer.status, 400)
  t.is(answer.json()['message'], 'The query parameter wait goes with order=oldest only')
})

// It changes a list that the others read, and serial tests come first.
test.serial('an entry that is gone is no place to go on from', async (t) => {
  const { registry, keys } = t.context
  const key = keys.person
  type Items = Page & { readonly education: readonly { readonly id: string }[] }
  const body = { institution: 'Gone' }
  const made = await registry.call('/v1/user/education', { method: 'POST', key, body })
  t.is(made.status, 201)
  const page = (await registry.call('/v1/user/education?limit=1', { key })).json() as Items
  const { id = '' } = page.education[0] ?? {}
  t.is(page.links.next, `${registry.baseUrl}/v1/user/education?limit=1&cursor=${id}`)
  await registry.call(`/v1/user/education/${id}`, { method: 'DELETE', key })
  const answer = await registry.call(`/v1/user/education?limit=1&cursor=${id}`, { key })
  t.is(answer.status, 400)
  t.regex(answer.body, /names no entry of this list now; begin without it/)
})
