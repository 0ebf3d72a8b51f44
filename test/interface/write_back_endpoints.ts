import { answered, forms, holds, matches, refused, same } from '#test/interface/_expect.ts'
import { keyOf } from '#test/interface/_keys.ts'
import {
  application,
  newBrowser,
  researcher,
  researcherKey,
  tokenOf,
} from '#test/interface/_people.ts'
import { allow, ask, exchange, exchangeBody, isPage, query } from '#test/interface/_permission.ts'
import { type Attempt, filled, row, type Section } from '#test/interface/_row.ts'
import {
  leastFields,
  register,
  sampleWork,
  type WorkFields,
  writingKey,
} from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** A write without a credential, and one with a token that has another scope. */
function refusals(request: string, scope: string): readonly [Attempt, Attempt] {
  return [
    async (world) => {
      const { body } = refused(await world.call(request, { body: {} }), 401, 'unauthorized')
      same(body.message, 'Invalid API key', 'message')
    },
    async (world) => {
      const key = await tokenOf(world, 'profile')
      const { body } = refused(await world.call(request, { key, body: {} }), 403, 'forbidden')
      same(body.message, `API key lacks required scope: ${scope}`, 'message')
    },
  ]
}

const [worksWithout, worksLacking] = refusals('POST /api/v1/works', 'svc:works:write')

/** The rows about an endpoint that adds to a list of a person. */
function listRows(path: 'affiliations' | 'education', body: WorkFields) {
  const request = `POST /api/v1/user/${path}`
  const [without, lacking] = refusals(request, 'svc:affiliations:write')
  const add = async (world: World, key: string) => {
    const unique = Object.fromEntries(Object.keys(body).map((field) => [field, world.name('The')]))
    return world.call(request, { key, body: unique })
  }
  return [
    filled(
      'affiliations-and-education',
      `the method of /api/v1/user/${path} is POST`,
      async (world) => {
        const key = await tokenOf(world, 'svc:affiliations:write')
        answered(await add(world, key), 201)
        const { headers } = answered(await world.call(`PATCH /api/v1/user/${path}`, { key }), 405)
        same(headers.get('allow')?.includes('POST'), true, 'Allow names POST')
      },
    ),
    row(`${request} with the scope svc:affiliations:write`, async (world) => {
      answered(await add(world, await tokenOf(world, 'svc:affiliations:write')), 201)
    }),
    filled(
      'keys-of-researchers',
      `${request} with a key that has the mint right`,
      async (world) => {
        answered(await add(world, await researcherKey(world, 'mint')), 201)
      },
    ),
    row(`${request} needs a credential`, without),
    row(`${request} needs that scope`, lacking),
  ]
}

/** The list of endpoints below `/api/v1`. */
export const writeBackEndpoints: Section = {
  name: 'Endpoints below /api/v1',
  rows: [
    row('POST /api/v1/works with the scope svc:works:write is 201', async (world) => {
      const { created } = await register(world, undefined, await tokenOf(world, 'svc:works:write'))
      matches(created.ark_identifier, forms.ark, 'ark_identifier')
    }),
    row('POST /api/v1/works with a key that has the mint right is 201', async (world) => {
      const sent = { key: await researcherKey(world, 'mint'), body: leastFields(world) }
      answered(await world.call('POST /api/v1/works', sent), 201)
    }),
    filled(
      'two-families',
      'POST /api/v1/works with the scope works:write is 201',
      async (world) => {
        const sent = { key: await writingKey(world), body: leastFields(world) }
        answered(await world.call('POST /api/v1/works', sent), 201)
      },
    ),
    row('POST /api/v1/works gives the answer of a registration', async (world) => {
      const fields = leastFields(world)
      const sent = { key: await tokenOf(world, 'svc:works:write'), body: fields }
      const { body } = answered(await world.call('POST /api/v1/works', sent), 201)
      same(body.svc_id, body.ark_identifier.split('/').at(-1), 'svc_id')
      same([body.work_title, body.work_type], [fields['work_title'], 'article'], 'the echo')
      matches(body.created_at, forms.time, 'created_at')
    }),
    row('POST /api/v1/works needs a credential', worksWithout),
    row('POST /api/v1/works needs that scope', worksLacking),
    row('PUT /api/v1/works/{ark} with the scope svc:works:write', async (world) => {
      const key = await tokenOf(world, 'svc:works:write')
      const { ark } = await register(world, undefined, key)
      const body = { work_url: 'https://works.example/other', description: 'Other.' }
      const reply = answered(await world.call(`PUT /api/v1/works/${ark}`, { key, body }), 200)
      same(reply.body.changed_fields, ['description', 'work_url'], 'changed_fields')
    }),
    filled(
      'registrants',
      'a token changes what its application has added, and no more',
      async (world) => {
        const key = await tokenOf(world, 'svc:works:write')
        const { ark } = await register(world)
        const reply = await world.call(`PUT /api/v1/works/${ark}`, {
          key,
          body: { description: '-' },
        })
        refused(reply, 403, 'forbidden')
      },
    ),
    ...listRows('affiliations', { organization: '', role: '' }),
    ...listRows('education', { institution: '', degree: '' }),
    row('GET /api/v1/resolve/{ark} is for everybody', async (world) => {
      const { ark } = await sampleWork(world)
      same(answered(await world.call(`GET /api/v1/resolve/${ark}`), 200).body.ark, ark, 'ark')
    }),
    row('GET /api/v1/oai harvests Dublin Core, for everybody', async (world) => {
      const request = 'GET /api/v1/oai?verb=ListRecords&metadataPrefix=oai_dc'
      const { text } = answered(await world.call(request), 200)
      matches(text, /<oai_dc:dc /, 'the reply')
    }),
    row('GET /api/v1/oauth/authorize begins to ask for permission', async (world) => {
      const wanted = { application: await application(world), scope: 'svc:works:write' }
      const seen = await ask(world, newBrowser(world), query(wanted))
      holds(isPage(seen), 'a browser comes to a page', seen.url)
    }),
    row('POST /api/v1/oauth/token exchanges a code, as JSON', async (world) => {
      const wanted = { application: await application(world), scope: 'svc:works:write' }
      const { browser } = await researcher(world)
      const { body } = answered(
        await exchange(world, wanted, await allow(world, browser, wanted)),
        200,
      )
      matches(body.access_token, /\S/, 'access_token')
    }),
    filled('oauth', 'POST /api/v1/oauth/token takes the same as a form', async (world) => {
      const wanted = { application: await application(world), scope: 'svc:works:write' }
      const { browser } = await researcher(world)
      const form = new URLSearchParams(exchangeBody(wanted, await allow(world, browser, wanted)))
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const sent = { headers, body: form.toString() }
      answered(await world.call('POST /api/v1/oauth/token', sent), 200)
    }),
    row('profiles are read without a key', async (world) => {
      const { ppid } = await researcher(world)
      same(answered(await world.call(`GET /api/v1/people/${ppid}`), 200).body.ppid, ppid, 'ppid')
    }),
    row('works are read without a key', async (world) => {
      const { ark } = await sampleWork(world)
      answered(await world.call(`GET /api/v1/works/${ark}`), 200)
    }),
    row('citations are read without a key', async (world) => {
      const { ark, fields } = await sampleWork(world)
      const { text } = answered(
        await world.call(`GET /api/v1/works/${ark}/citation?format=bibtex`),
        200,
      )
      holds(text.includes(String(fields['work_title'])), 'the citation has the title', text)
    }),
    row('ARKs are resolved without a key', async (world) => {
      const { ark, fields } = await sampleWork(world)
      const { headers } = answered(await world.call(`GET /${ark}?content`), 302)
      same(headers.get('location'), fields['work_url'], 'Location')
    }),
    filled('public-twins', 'what /v1 has a key for, /api/v1 shows to everybody', async (world) => {
      const { ark } = await sampleWork(world)
      for (const path of [`receipts/${ark}/v1`, `proofs/${ark}/v1`, `works/${ark}/versions`]) {
        const { body } = answered(await world.call(`GET /v1/${path}`), 401)
        same(body.public_path, `/api/v1/${path}`, 'public_path')
        answered(await world.call(`GET /api/v1/${path}`), 200)
      }
      const key = await keyOf(world, 'search:read')
      answered(await world.call('GET /api/v1/search/works', { key }), 200)
    }),
    filled(
      'content-codings',
      'a long reply comes in the coding that is asked for',
      async (world) => {
        const { ark } = await sampleWork(world)
        for (const coding of ['br', 'gzip']) {
          const headers = { 'accept-encoding': coding }
          const reply = answered(await world.call(`GET /api/v1/resolve/${ark}`, { headers }), 200)
          same(reply.headers.get('content-encoding'), coding, 'Content-Encoding')
          matches(reply.headers.get('vary') ?? '', /accept-encoding/i, 'Vary')
          same(reply.body.ark, ark, 'the ARK of what was compressed')
        }
      },
    ),
    filled('write-back', 'what a person has is listed to those with the scopes', async (world) => {
      const lists = {
        works: 'svc:works:read',
        receipts: 'svc:receipts:read',
        claims: 'svc:author:read',
      }
      for (const [list, scope] of Object.entries(lists)) {
        const key = await tokenOf(world, scope)
        const { body } = answered(await world.call(`GET /api/v1/user/${list}`, { key }), 200)
        holds(Array.isArray(body[list]), `${list} is a list`, body)
      }
    }),
  ],
}
