// Registers many works in batches through a registry that goes away in between, and reads all their
// receipts, with openapi-fetch, typed by openapi-typescript.

import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import createClient from 'openapi-fetch'

import type { components, paths } from './generated/openapi_fetch.ts'

type Schemas = components['schemas']

const [baseUrl = '', key = '', file = '', batches = '', batchWorks = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

/** What a call gives once the registry is there. */
async function patiently<T>(call: () => Promise<{ data?: T }>): Promise<T> {
  for (;;) {
    const data = await call().then(
      (answer) => answer.data,
      () => undefined,
    )
    if (data !== undefined) return data
    await setTimeout(200)
  }
}

function newWork(number: number): Schemas['NewWork'] {
  return {
    work_title: `Work ${number} of openapi-fetch`,
    work_type: 'article',
    authors: 'Ox, Ada',
    work_url: `https://press.example/openapi-fetch/${number}`,
  }
}

const arks: string[] = []
for (let batch = 0; batch < Number(batches); batch++) {
  const first = batch * Number(batchWorks)
  const works = Array.from({ length: Number(batchWorks) }, (_, index) => newWork(first + index))
  const header = { 'Idempotency-Key': `openapi-fetch-${batch}` }
  const { results }: Schemas['BulkReply'] = await patiently(() =>
    client.POST('/v1/works/bulk', { body: { works }, params: { header } }),
  )
  arks.push(...results.map((result) => String(result['ark_identifier'])))
  console.log(`batch ${batch}`)
}
for (const ark of arks) {
  const path = { ark, version: 1 }
  const receipt: Schemas['Receipt'] = await patiently(() =>
    client.GET('/v1/receipts/{ark}/v{version}', { params: { path } }),
  )
  appendFileSync(file, `${JSON.stringify(receipt)}\n`)
}
