import { answered, holds, matches, refused, same } from '#test/interface/_expect.ts'
import { unreadyAdapter } from '#test/interface/_adapter.ts'
import { keyOf, newKey } from '#test/interface/_keys.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import { leastFields, register, sampleWork, writingKey } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { limitedReply } from '#test/interface/limits.ts'

/** Reads the sample with a credential that cannot be used; the refusal is always the same. */
async function isRefused(world: World, headers: Readonly<Record<string, string>>): Promise<void> {
  const { ark } = await sampleWork(world)
  const reply = await world.call(`GET /v1/works/${ark}`, { headers })
  const { body } = refused(reply, 401, 'unauthorized')
  same(body.message, 'Invalid API key', 'message')
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Answers that are no success. */
export const errors: Section = {
  name: 'Errors',
  rows: [
    row('an error is a JSON object with the texts error and message', async (world) => {
      const requests = [
        'GET /v1/works/none',
        'GET /v1/nothing',
        'DELETE /v1/resolve/x',
        'GET /v1/resolve/ark:/1a2/x',
        'POST /v1/receipts/verify',
      ]
      for (const request of requests) {
        const { body, headers, status } = await world.call(request)
        holds(status >= 400, `${request} is refused`, status)
        matches(headers.get('content-type'), /^application\/json/, 'Content-Type')
        matches(body.error, /^[a-z_]+$/, 'error')
        matches(body.message, /\S/, 'message')
      }
    }),
    row('401 unauthorized, Invalid API key: without a key', (world) => isRefused(world, {})),
    row('401 unauthorized, Invalid API key: with one that is none', async (world) => {
      await isRefused(world, bearer('svc_live_guess'))
      await isRefused(world, { 'x-api-key': 'guess' })
    }),
    row('401 unauthorized, Invalid API key: with one that has a wrong letter', async (world) => {
      const key = await keyOf(world, 'works:read')
      const wrong = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
      await isRefused(world, bearer(wrong))
    }),
    row('401 unauthorized, Invalid API key: with one that was revoked', async (world) => {
      const { id, key } = await newKey(world, ['works:read'])
      await world.command('key', 'revoke', id)
      await isRefused(world, bearer(key))
    }),
    filled('errors', 'a 401 says how to authenticate', async (world) => {
      const { ark } = await sampleWork(world)
      const { headers } = answered(await world.call(`GET /v1/works/${ark}`), 401)
      matches(headers.get('www-authenticate'), /^Bearer/, 'WWW-Authenticate')
    }),
    row('403 forbidden, API key lacks required scope: <scope>', async (world) => {
      const { ark } = await sampleWork(world)
      const key = await keyOf(world, 'search:read')
      const reply = await world.call(`GET /v1/works/${ark}`, { key })
      const { body } = refused(reply, 403, 'forbidden')
      same(body.message, 'API key lacks required scope: works:read', 'message')
    }),
    filled('errors', 'a 403 below /api/v1 names the scope of tokens', async (world) => {
      const key = await keyOf(world, 'search:read')
      const reply = await world.call('POST /api/v1/works', { key, body: leastFields(world) })
      const { body } = refused(reply, 403, 'forbidden')
      same(body.message, 'API key lacks required scope: svc:works:write', 'message')
    }),
    row('429 rate_limit_exceeded tells after how many seconds to try again', async (world) => {
      const { body } = refused(await limitedReply(world), 429, 'rate_limit_exceeded')
      matches(body.message, /^Retry after \d+ seconds?$/, 'message')
    }),
    row('429 has retry_after, whole seconds', async (world) => {
      const { body } = await limitedReply(world)
      holds(Number.isInteger(body.retry_after) && body.retry_after > 0, 'it has', body.retry_after)
    }),
    filled('errors', 'the header Retry-After says the same', async (world) => {
      const { body, headers } = await limitedReply(world)
      same(headers.get('retry-after'), String(body.retry_after), 'Retry-After')
    }),
    row('5xx: a fault of the server, to be tried again later', async (world) => {
      const adapter = await unreadyAdapter(world)
      const reply = await world.call(`GET ${adapter.oaiUrl}?verb=Identify`)
      answered(reply, 503)
      matches(reply.headers.get('retry-after'), /^\d+$/, 'Retry-After')
    }),
    filled('errors', '400 bad_request: not to be parsed', async (world) => {
      const sent = { key: await writingKey(world), body: '{"work_title": ' }
      refused(await world.call('POST /v1/works', sent), 400, 'bad_request')
    }),
    filled('errors', '400 malformed_ark: what should be an ARK is none', async (world) => {
      refused(await world.call('GET /v1/resolve/ark:/1a2/x'), 400, 'malformed_ark')
    }),
    filled('errors', '404 not_found', async (world) => {
      refused(await world.call('GET /v1/resolve/ark:/12345/none'), 404, 'not_found')
    }),
    filled('errors', '405 method_not_allowed, with Allow', async (world) => {
      const { ark } = await sampleWork(world)
      const reply = await world.call(`DELETE /v1/resolve/${ark}`)
      const { headers } = refused(reply, 405, 'method_not_allowed')
      matches(headers.get('allow'), /GET/, 'Allow')
    }),
    filled('errors', '409 version_unchanged: a version that changes nothing', async (world) => {
      const { ark, fields } = await register(world)
      const sent = { key: await writingKey(world), body: { work_title: fields['work_title'] } }
      const reply = await world.call(`POST /v1/works/${ark}/versions`, sent)
      refused(reply, 409, 'version_unchanged')
    }),
    filled('errors', '410 gone: a change of what was withdrawn', async (world) => {
      const { ark } = await register(world)
      const key = await writingKey(world)
      const reason = { key, body: { reason: 'test' } }
      answered(await world.call(`POST /v1/works/${ark}/withdraw`, reason), 200)
      const change = { key, body: { description: 'Late.' } }
      refused(await world.call(`PUT /v1/works/${ark}`, change), 410, 'gone')
    }),
    filled('errors', '412 precondition_failed, with the entity tag that stands', async (world) => {
      const { ark } = await register(world)
      const headers = { 'if-match': '"old"' }
      const sent = { key: await writingKey(world), headers, body: { description: 'Late.' } }
      const reply = await world.call(`PUT /v1/works/${ark}`, sent)
      refused(reply, 412, 'precondition_failed')
      matches(reply.headers.get('etag'), /^"/, 'ETag')
    }),
    filled('errors', '413 payload_too_large', async (world) => {
      const body = { ...leastFields(world), description: 'x'.repeat(1_100_000) }
      const reply = await world.call('POST /v1/works', { key: await writingKey(world), body })
      refused(reply, 413, 'payload_too_large')
    }),
    filled('errors', '415 unsupported_media_type', async (world) => {
      const headers = { 'content-type': 'text/plain' }
      const sent = { key: await writingKey(world), headers, body: 'work_title' }
      refused(await world.call('POST /v1/works', sent), 415, 'unsupported_media_type')
    }),
    filled('errors', '422 validation_failed, with each field that is wrong', async (world) => {
      const body = { ...leastFields(world), language: 'x1', license: 'do as you like' }
      const reply = await world.call('POST /v1/works', { key: await writingKey(world), body })
      const { details } = refused(reply, 422, 'validation_failed').body
      const fields = details.map((fault: Readonly<Record<string, string>>) => fault['field'])
      same(fields, ['language', 'license'], 'the fields')
      for (const fault of details) matches(fault.message, /\S/, 'message')
    }),
    filled('errors', 'each error has the id of its request', async (world) => {
      const { body, headers } = await world.call('GET /v1/resolve/ark:/12345/none')
      matches(body.request_id, /\S/, 'request_id')
      same(headers.get('x-request-id'), body.request_id, 'X-Request-Id')
    }),
  ],
}
