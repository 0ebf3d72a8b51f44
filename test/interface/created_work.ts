import { answered, forms, holds, matches, same } from '#test/interface/_expect.ts'
import { callAs, limited, textLimits } from '#test/interface/_limits.ts'
import { differs, filled, row, type Section } from '#test/interface/_row.ts'
import { leastFields, sampleWork, writingKey } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** Each of some spellings of the sample's ARK leads to its record. */
async function leadsTo(world: World, ...spellings: readonly string[]): Promise<void> {
  const { ark } = await sampleWork(world)
  for (const spelling of spellings) {
    for (const path of ['/v1/resolve/', '/api/v1/works/']) {
      const { body } = answered(await world.call(`GET ${path}${spelling}`), 200)
      same(body.ark ?? body.ark_identifier, ark, `the record of ${spelling}`)
    }
  }
}

/** An ARK with the day of its registration before its name. */
async function datedArk(world: World): Promise<string> {
  const { ark, created } = await sampleWork(world)
  const [year, month, day] = created.created_at.slice(0, 10).split('-')
  return ark.replace(/\/([^/]+)$/, `/${day}${month}${year}/$1`)
}

/** What the registration of a work is answered with. */
export const createdWork: Section = {
  name: 'The answer to a registration',
  rows: [
    row('svc_id is the last segment of the ARK', async (world) => {
      const { created } = await sampleWork(world)
      same(created.svc_id, created.ark_identifier.split('/').at(-1), 'svc_id')
    }),
    row('ark_identifier is ark:/<naan>/<svc_id>', async (world) => {
      const { created } = await sampleWork(world)
      matches(created.ark_identifier, forms.ark, 'ark_identifier')
      holds(created.ark_identifier.endsWith(`/${created.svc_id}`), 'it ends with the svc_id')
    }),
    row('work_title is that which was sent', async (world) => {
      const { created, fields } = await sampleWork(world)
      same(created.work_title, fields['work_title'], 'work_title')
    }),
    row('work_type is that which was sent', async (world) => {
      const { created, fields } = await sampleWork(world)
      same(created.work_type, fields['work_type'], 'work_type')
    }),
    row('created_at is a time of ISO 8601 in UTC', async (world) => {
      const { created } = await sampleWork(world)
      matches(created.created_at, forms.time, 'created_at')
      holds(!Number.isNaN(Date.parse(created.created_at)), 'it is a time', created.created_at)
    }),
    filled('answer-to-a-registration', 'below /v1, too, the status is 201', async (world) => {
      const sent = { key: await writingKey(world), body: leastFields(world) }
      const { headers, body } = answered(await world.call('POST /v1/works', sent), 201)
      same(headers.get('location'), body.links.self, 'Location')
      matches(headers.get('etag'), /^"[^"]+"$/, 'ETag')
    }),
    filled(
      'answer-to-a-registration',
      'it tells version, receipt and state as well',
      async (world) => {
        const { created } = await sampleWork(world)
        same(created.version, 1, 'version')
        matches(created.receipt_id, forms.receiptId, 'receipt_id')
        matches(created.metadata_hash, forms.hash, 'metadata_hash')
        same([created.fixity_status, created.warnings], ['pending', []], 'fixity_status, warnings')
      },
    ),
    differs(
      'two-forms-of-an-ark',
      'ark:/<namespace>/<ddmmyyyy>/<code> names the same work',
      async (world) => leadsTo(world, await datedArk(world)),
    ),
    differs('two-forms-of-an-ark', 'of another day it names none', async (world) => {
      const dated = (await datedArk(world)).replace(/\/\d{8}\//, '/01011970/')
      answered(await world.call(`GET /v1/resolve/${dated}`), 404)
    }),
    differs('two-forms-of-an-ark', 'a registry can mint the second form', async (world) => {
      const { ark } = await limited(world)
      matches(ark, /^ark:\/[0-9a-z]+\/\d{8}\/[0-9a-z]+$/, 'the ARK')
      const path = `/v1/resolve/${ark.replace(/\/\d{8}\//, '/')}`
      const { body } = answered(await callAs(world, textLimits.resolve, 'other', path), 200)
      same(body.ark, ark, 'what the first form leads to')
    }),
    row('a path carries the ARK as it is', async (world) => {
      const { ark } = await sampleWork(world)
      await leadsTo(world, ark)
    }),
    filled('spellings-of-an-ark', 'a path carries it percent-encoded, too', async (world) => {
      const { ark } = await sampleWork(world)
      await leadsTo(world, encodeURIComponent(ark), ark.replaceAll('/', '%2F'))
    }),
    filled(
      'spellings-of-an-ark',
      'ark: without a slash, in any case, and the bare name',
      async (world) => {
        const { ark, id } = await sampleWork(world)
        await leadsTo(world, ark.replace('ark:/', 'ark:'), ark.replace('ark:/', 'ARK:/'))
        await leadsTo(world, ark.slice('ark:/'.length), id)
      },
    ),
    filled('spellings-of-an-ark', 'what is no ARK is 400 malformed_ark', async (world) => {
      const { body } = answered(await world.call('GET /v1/resolve/ark:/1a2/x'), 400)
      same(body.error, 'malformed_ark', 'error')
    }),
  ],
}
