import { hash } from 'node:crypto'
import type { ExecutionContext } from 'ava'

import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { openPage } from '#test/src/pages/_reader.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

const test = testWith(async () => {
  const registry = await serveRegistry()
  const key = await registry.key({ scopes: ['works:write'] })
  const { ark_identifier: ark } = await mint(registry, key)
  const { body } = await registry.call(`/api/v1/receipts/${ark}/v1`)
  return { registry, receipt: body, ark }
})

type Context = Opened<typeof test>

/** Sends the form as a browser without scripts does: a file as a file. */
async function send(
  { context: { registry } }: ExecutionContext<Context>,
  fields: Readonly<Record<string, string>>,
  file = '',
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([file]), 'receipt.json')
  const address = `http://127.0.0.1:${registry.port}/verify-receipt`
  const headers = { accept: 'text/html' }
  const reply = await fetch(address, { method: 'POST', body: form, headers })
  return { statusCode: reply.status, headers: reply.headers, body: await reply.text() }
}

test('the page asks for a receipt, and checks it in the browser where scripts run', async (t) => {
  const { status, read, headers } = await openPage(t.context.registry, '/verify')
  t.is(status, 200)
  t.regex(read, /<h1>Verify a receipt or a file<\/h1>/)
  t.regex(String(headers['content-security-policy']), /script-src 'self'; connect-src 'self'/)
})

test('a receipt that is pasted or uploaded is checked here, too', async (t) => {
  const { receipt, ark } = t.context
  for (const reply of [await send(t, { receipt }), await send(t, { receipt: '' }, receipt)]) {
    t.is(reply.statusCode, 200)
    t.is(reply.headers.get('cache-control'), 'no-store')
    t.regex(reply.body, /verdict-done" role="status">Proven: this registry signed exactly/)
    t.true(reply.body.includes(`<a href="/${ark}/v1">`))
    t.regex(reply.body, /entry 0 of 1/)
  }
})

test('one that was changed is not proven', async (t) => {
  const changed = t.context.receipt.replace('"version":1', '"version":2')
  t.not(changed, t.context.receipt)
  const { statusCode, body } = await send(t, { receipt: changed })
  t.is(statusCode, 200)
  t.regex(body, /verdict-failed" role="status">Not proven/)
  t.regex(body, /<strong>Wrong: The signature<\/strong>/)
})

test('what is no receipt is told so, and nothing is a fault', async (t) => {
  const { receipt } = t.context
  for (const [fields, said] of [
    [{ receipt: '' }, /Choose the file of a receipt, or paste it/],
    [{ receipt: 'hello' }, /This is not a receipt/],
    [{ receipt: '[]' }, /This is not a receipt/],
    [{ receipt: '{"signature":1}' }, /This is not a receipt/],
    [{ receipt: '['.repeat(50_000) }, /This is not a receipt/],
    [{ receipt, content_hash: 'abc' }, /has 64 hexadecimal digits/],
  ] as const) {
    const { statusCode, body } = await send(t, fields)
    t.is(statusCode, 422)
    t.regex(body, said)
  }
  t.is((await send(t, { receipt: 'x'.repeat(300_000) })).statusCode, 413)
  const declared = hash('sha256', 'content')
  const { statusCode } = await send(t, { receipt, content_hash: `sha256:${declared}` })
  t.is(statusCode, 200)
})

test('evidence is checked here too, and the program that checks it is served', async (t) => {
  const { registry, ark } = t.context
  const { body: evidence } = await registry.call(`/api/v1/evidence/${ark}/v1`)
  const { statusCode, body } = await send(t, {}, evidence)
  t.is(statusCode, 200)
  t.regex(body, /verdict-done" role="status">Proven: this registry signed exactly/)
  t.regex(body, /<p>The log of this file has no witnesses\. <\/p>/)
  t.regex(body, /entry 0 of 1/)
  const changed = await send(t, { receipt: evidence.replace('"metadata": "{', '"metadata": "[') })
  t.regex(changed.body, /<strong>Wrong: The metadata<\/strong>/)
  const { status, body: program, headers } = await registry.call('/verify.py')
  t.is(status, 200)
  t.regex(String(headers['content-type']), /^text\/x-python/)
  t.true(program.startsWith('#!/usr/bin/env python3\n'))
})
