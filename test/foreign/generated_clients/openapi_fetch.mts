// Registers, reads, updates and verifies with openapi-fetch, typed by openapi-typescript.

import createClient from 'openapi-fetch'

import type { components, paths } from './generated/openapi_fetch.ts'

type Schemas = components['schemas']

const [baseUrl = '', key = '', content_hash = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

function held<T>({ data, error }: { data?: T; error?: Schemas['Error'] }): T {
  if (data === undefined) throw new Error(error?.message ?? 'there is no answer')
  return data
}

const work: Schemas['NewWork'] = {
  work_title: 'Made by openapi-fetch',
  work_type: 'article',
  authors: 'Ox, Ada; Pen, Bo',
  work_url: 'https://press.example/openapi-fetch.pdf',
  content_hash,
}
held(await client.POST('/v1/works/validate', { body: work }))
const header = { 'Idempotency-Key': 'openapi-fetch' }
const created: Schemas['CreatedWork'] = held(
  await client.POST('/v1/works', { body: work, params: { header } }),
)
const ark = created.ark_identifier

const read = await client.GET('/v1/works/{ark}', { params: { path: { ark } } })
const shown: Schemas['Work'] = held(read)
const change: Schemas['WorkChange'] = held(
  await client.PUT('/v1/works/{ark}', {
    params: { path: { ark }, header: { 'If-Match': read.response.headers.get('etag') ?? '' } },
    body: { description: 'An abstract.' },
  }),
)

const path = { ark, version: change.version }
const receipt: Schemas['Receipt'] = held(
  await client.GET('/v1/receipts/{ark}/v{version}', { params: { path } }),
)
const { receipt_id } = receipt
const result: Schemas['VerificationResult'] = held(
  await client.POST('/v1/receipts/verify', { body: { receipt_id, content_hash } }),
)
// The body is optional: without one the content would be read now.
held(await client.POST('/v1/receipts/{ark}/v{version}/verify', { params: { path } }))
const { error } = await client.GET('/v1/works/{ark}', { params: { path: { ark: 'k2nothing' } } })
console.log(
  JSON.stringify({
    title: shown.work_title,
    version: change.version,
    valid: result.valid,
    refusal: error?.error,
  }),
)
