// Registers many works in batches through a registry that goes away in between, and reads all their
// receipts, with a client made by hey-api.

import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

import { client } from './generated/hey_api/client.gen.ts'
import { createWorks, getReceipt } from './generated/hey_api/sdk.gen.ts'
import type { BulkReply, NewWork, Receipt } from './generated/hey_api/types.gen.ts'

const [baseUrl = '', key = '', file = '', batches = '', batchWorks = ''] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: () => key })

/** What a call gives once the registry is there. */
async function patiently<T>(call: () => Promise<{ readonly data: T }>): Promise<T> {
  for (;;) {
    try {
      return (await call()).data
    } catch {
      await setTimeout(200)
    }
  }
}

function newWork(number: number): NewWork {
  return {
    work_title: `Work ${number} of hey-api`,
    work_type: 'article',
    authors: 'Ox, Ada',
    work_url: `https://press.example/hey-api/${number}`,
  }
}

const arks: string[] = []
for (let batch = 0; batch < Number(batches); batch++) {
  const first = batch * Number(batchWorks)
  const works = Array.from({ length: Number(batchWorks) }, (_, index) => newWork(first + index))
  const headers = { 'Idempotency-Key': `hey-api-${batch}` }
  const { results }: BulkReply = await patiently(() =>
    createWorks({ body: { works }, headers, throwOnError: true }),
  )
  arks.push(...results.map((result) => String(result['ark_identifier'])))
  console.log(`batch ${batch}`)
}
for (const ark of arks) {
  const path = { ark, version: 1 }
  const receipt: Receipt = await patiently(() => getReceipt({ path, throwOnError: true }))
  appendFileSync(file, `${JSON.stringify(receipt)}\n`)
}
