import { type Endpoint, rowsOf, twinOf } from '#test/interface/_endpoint.ts'
import { forms, holds, matches, same } from '#test/interface/_expect.ts'
import { keyOf } from '#test/interface/_keys.ts'
import { researcherKey } from '#test/interface/_people.ts'
import type { Json } from '#test/interface/_request.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import {
  leastFields,
  register,
  sampleWork,
  untilFound,
  writingKey,
} from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { receiptOf } from '#test/interface/receipt.ts'

const ownKey = (world: World) => researcherKey(world, 'people:write')

const newAbstract = async (world: World) => ({ description: world.name('An abstract') })

async function isSample(found: unknown, world: World): Promise<void> {
  same(found, (await sampleWork(world)).ark, 'the ARK')
}

const endpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/works',
    does: 'registers a work',
    scope: 'works:write',
    body: async (world) => leastFields(world),
    status: 201,
    look: (body) => matches(body.ark_identifier, forms.ark, 'ark_identifier'),
  },
  {
    method: 'GET',
    path: '/v1/works/{ark}',
    aliases: ['/v1/work/{ark}'],
    does: 'reads the metadata of a work',
    scope: 'works:read',
    async look(body, world) {
      await isSample(body.ark_identifier, world)
      same(body.keywords, 'engines, numbers', 'keywords')
    },
  },
  {
    method: 'PUT',
    path: '/v1/works/{changed}',
    aliases: ['/v1/work/{changed}'],
    does: 'updates a work',
    scope: 'works:write',
    body: newAbstract,
    look: (body) => same(body.changed_fields, ['description'], 'changed_fields'),
  },
  {
    method: 'POST',
    path: '/v1/works/{changed}/versions',
    aliases: ['/v1/work/{changed}/versions'],
    does: 'adds a version',
    scope: 'works:write',
    body: newAbstract,
    status: 201,
    look: (body) => same(body.kind, 'versioned', 'kind'),
  },
  {
    method: 'GET',
    path: '/v1/works/{ark}/versions',
    aliases: ['/v1/work/{ark}/versions'],
    does: 'lists the versions of a work',
    scope: 'works:read',
    look: (body) =>
      same(
        body.versions.map((each: Json) => each.version),
        [1],
        'the versions',
      ),
  },
  {
    method: 'GET',
    path: '/v1/resolve/{ark}',
    does: 'resolves an ARK to metadata and content, for everybody',
    async look(body, world) {
      await isSample(body.ark, world)
      const { fields } = await sampleWork(world)
      same(body.metadata.work_title, fields['work_title'], 'metadata.work_title')
      same(body.content.url, fields['work_url'], 'content.url')
    },
  },
  {
    method: 'GET',
    path: '/v1/resolve/{ark}/v{version}',
    does: 'resolves one version, for everybody',
    look: (body) => same(body.version, 1, 'version'),
  },
  {
    method: 'GET',
    path: '/v1/resolve/{ark}/history',
    does: 'tells the history, for everybody',
    look: (body) => same(body.events.at(-1).type, 'work.registered', 'the oldest event'),
  },
  {
    method: 'GET',
    path: '/v1/receipts/{ark}/v{version}',
    does: 'reads a receipt',
    scope: 'receipts:read',
    look: (body, world) => isSample(body.ark, world),
  },
  {
    method: 'GET',
    path: '/v1/proofs/{ark}/v{version}',
    does: 'reads the proofs',
    scope: 'receipts:read',
    look: (body) => holds(Array.isArray(body.signatures), 'there are signatures', body),
  },
  {
    method: 'POST',
    path: '/v1/receipts/{ark}/v{version}/verify',
    does: 'verifies a receipt',
    scope: 'receipts:verify',
    look: (body) => same(body.signature_valid, true, 'signature_valid'),
  },
  {
    method: 'POST',
    path: '/v1/receipts/verify',
    does: 'verifies by receipt_id and content_hash, for everybody',
    async body(world) {
      const { receipt_id, content_hash } = await receiptOf(world, (await sampleWork(world)).ark)
      return { receipt_id, content_hash: content_hash ?? `sha256:${'0'.repeat(64)}` }
    },
    look: (body) => same(body.chain_verified, true, 'chain_verified'),
  },
  {
    method: 'GET',
    path: '/v1/people/{ppid}',
    aliases: ['/v1/user/{ppid}'],
    does: 'reads the profile of an author',
    scope: 'people:read',
    look: (body) => same(body.name, 'Ada Lovelace', 'name'),
  },
  {
    method: 'PUT',
    path: '/v1/people/{ppid}',
    aliases: ['/v1/user/{ppid}'],
    does: 'updates a profile',
    scope: 'people:write',
    key: ownKey,
    body: async (world) => ({ bio: world.name('Writes programs') }),
    look: (body) => same(body.changed_fields, ['bio'], 'changed_fields'),
  },
  {
    method: 'POST',
    path: '/v1/people/{ppid}/claim',
    aliases: ['/v1/user/{ppid}/claim'],
    does: 'claims a work',
    scope: 'people:write',
    anchor: 'claims',
    key: ownKey,
    body: async (world) => ({ ark_identifier: (await register(world)).ark }),
    status: 201,
    look: (body) => matches(body.claim_id, /^claim_/, 'claim_id'),
  },
  {
    method: 'GET',
    path: '/v1/search/works',
    does: 'searches works',
    scope: 'search:read',
    look: (body) => holds(Array.isArray(body.results), 'there are results', body),
  },
  {
    method: 'GET',
    path: '/v1/search/people',
    does: 'searches people',
    scope: 'search:read',
    look: (body) => holds(Array.isArray(body.results), 'there are results', body),
  },
  {
    method: 'GET',
    path: '/v1/search/organizations',
    does: 'searches organizations',
    scope: 'search:read',
    look: (body) => holds(Array.isArray(body.results), 'there are results', body),
  },
]

/** Endpoints whose twins below `/api/v1` have rows of their own in the list of that family. */
const listedTwins = new Set(['POST /v1/works', 'PUT /v1/works/{changed}', 'GET /v1/resolve/{ark}'])

const twins = endpoints.filter(({ method, path }) => !listedTwins.has(`${method} ${path}`))

/** The list of endpoints below `/v1`. */
export const v1Endpoints: Section = {
  name: 'Endpoints below /v1',
  rows: [
    ...endpoints.flatMap(rowsOf),
    ...twins.map(twinOf),
    row('{version} is a whole number', async (world) => {
      const { ark } = await sampleWork(world)
      for (const version of ['0', '1.0', 'one']) {
        const { status } = await world.call(`GET /api/v1/receipts/${ark}/v${version}`)
        holds(status === 404 || status === 400, `v${version} names none`, status)
      }
    }),
    filled(
      'resolving',
      'a resolution has receipt, identifiers, authors and links',
      async (world) => {
        const { ark, created } = await sampleWork(world)
        const { body } = await world.call(`GET /v1/resolve/${ark}`)
        same(body.receipt.receipt_id, created.receipt_id, 'receipt.receipt_id')
        const kinds = body.identifiers.map((each: Json) => each.type)
        same(kinds, ['ark', 'doi'], 'the kinds of identifiers')
        same(body.authors.length, 2, 'the number of authors')
        same([body.status, body.is_latest], ['registered', true], 'status, is_latest')
      },
    ),
    filled('resolving', 'an event of the history tells what, when and by whom', async (world) => {
      const { ark } = await sampleWork(world)
      const { body } = await world.call(`GET /v1/resolve/${ark}/history`)
      const { at, by, receipt_id: id } = body.events.at(-1)
      matches(at, forms.time, 'at')
      same([by.type, by.organization], ['organization', 'demo'], 'by')
      matches(id, forms.receiptId, 'receipt_id')
    }),
    filled('resolving', 'what was withdrawn is 410, with its tombstone', async (world) => {
      const { ark } = await register(world)
      const key = await writingKey(world)
      const body = { reason: 'test' }
      const reply = await world.call(`POST /v1/works/${ark}/withdraw`, { key, body })
      same(reply.status, 200, `the status of ${reply.asked}`)
      const gone = await world.call(`GET /v1/resolve/${ark}`)
      same([gone.status, gone.body.reason], [410, 'test'], 'status and reason of what is left')
    }),
    filled(
      'search',
      'a search has parameters, and refuses those that it has not',
      async (world) => {
        const key = await keyOf(world, 'search:read')
        const { fields } = await sampleWork(world)
        const q = encodeURIComponent(String(fields['work_title']))
        const found = await untilFound(world, `/v1/search/works?q=${q}&type=article&language=en`)
        same(found.results[0].work_title, fields['work_title'], 'what is found')
        const wrong = await world.call('GET /v1/search/works?colour=blue', { key })
        same([wrong.status, wrong.body.error], [400, 'bad_request'], 'the answer to ?colour=blue')
      },
    ),
    filled(
      'search',
      'a search is answered with results, total and the next page',
      async (world) => {
        const key = await keyOf(world, 'search:read')
        const { body } = await world.call('GET /v1/search/works?limit=1&q=notes', { key })
        holds(Number.isInteger(body.total), 'total is a number', body.total)
        holds('next_cursor' in body && 'facets' in body, 'next_cursor and facets', body)
        same(typeof body.links.self, 'string', 'links.self')
      },
    ),
  ],
}
