// Registers, reads, updates and verifies with a client made by hey-api.

import { client } from './generated/hey_api/client.gen.ts'
import {
  createWork,
  getReceipt,
  getWork,
  updateWork,
  validateWork,
  verifyReceipt,
  verifyVersion,
} from './generated/hey_api/sdk.gen.ts'
import type {
  CreatedWork,
  NewWork,
  Receipt,
  VerificationResult,
  Work,
  WorkChange,
} from './generated/hey_api/types.gen.ts'

const [baseUrl = '', key = '', content_hash = ''] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: () => key, throwOnError: true })

const addresses: string[] = []
client.interceptors.request.use((request) => {
  addresses.push(request.url)
  return request
})

const body: NewWork = {
  work_title: 'Made by hey-api',
  work_type: 'article',
  authors: 'Ox, Ada; Pen, Bo',
  work_url: 'https://press.example/hey-api.pdf',
  content_hash,
}
await validateWork({ body, throwOnError: true })
const headers = { 'Idempotency-Key': 'hey-api' }
const created = await createWork({ body, headers, throwOnError: true })
const { ark_identifier: ark }: CreatedWork = created.data

const read = await getWork({ path: { ark }, throwOnError: true })
const shown: Work = read.data
const updated = await updateWork({
  path: { ark },
  headers: { 'If-Match': read.response.headers.get('etag') ?? '' },
  body: { description: 'An abstract.' },
  throwOnError: true,
})
const change: WorkChange = updated.data

const path = { ark, version: change.version }
const { receipt_id }: Receipt = (await getReceipt({ path, throwOnError: true })).data
const verified = await verifyReceipt({ body: { receipt_id, content_hash }, throwOnError: true })
const result: VerificationResult = verified.data
// The body is optional: without one the content would be read now.
await verifyVersion({ path, throwOnError: true })
const { error } = await getWork({ path: { ark: 'k2nothing' }, throwOnError: false })
if (addresses.some((address) => address.includes(key))) throw new Error('a key is in an address')
console.log(
  JSON.stringify({
    title: shown.work_title,
    version: change.version,
    valid: result.valid,
    refusal: error?.error,
  }),
)
