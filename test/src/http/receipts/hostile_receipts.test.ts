import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

type Receipt = Record<string, unknown> & {
  readonly signature: { readonly algorithm: string; readonly public_key: string }
  readonly chain_proof: ChainProof
}

type ChainProof = {
  readonly block_height: number
  readonly merkle_root: string
  readonly inclusion_proof: readonly string[]
  readonly leaf_index: number
  readonly tree_size: number
  readonly checkpoint: string
}

const contentHash = `sha256:${'ab'.repeat(32)}`
const otherHash = `sha256:${'cd'.repeat(32)}`

const test = testWith(async () => {
  const registry = await serveRegistry()
  const { call } = registry
  const writer = await registry.key({ scopes: ['works:write', 'receipts:verify'] })
  for (let n = 0; n < 4; n += 1) await mint(registry, writer)
  const { ark_identifier: ark } = await mint(registry, writer, { content_hash: contentHash })
  const body = { content_hash: otherHash, version_note: 'Another file' }
  await call(`/v1/works/${ark}/versions`, { method: 'POST', key: writer, body })
  for (let n = 0; n < 5; n += 1) await mint(registry, writer)
  const read = async (version: number) =>
    (await call(`/api/v1/receipts/${ark}/v${version}`)).json() as Receipt
  const pinned = (await parseKeyList((await call('/.well-known/svc-keys.json')).body)).live
  return { ...registry, writer, ark, receipts: [await read(1), await read(2)] as const, pinned }
})

type Context = Opened<typeof test>

/** Which steps of a verification with the published keys failed. */
async function failures({ pinned }: Context, receipt: unknown): Promise<string[]> {
  const { valid, steps } = await verifyReceipt(receipt, pinned)
  const failed = steps.filter(({ status }) => status === 'failed').map(({ step }) => step)
  return valid ? ['none'] : failed
}

test('52: no Accept header keeps a receipt back or breaks the server', async (t) => {
  const { call, ark } = t.context
  const zoo = [
    '*/*',
    'text/html',
    'image/png',
    '',
    ';q=1',
    'application/json;q=0',
    'application/json;q=nan',
    '*/json',
    'a'.repeat(8_000),
    ','.repeat(2_000),
    'application/json;version="1,2";q=0.5',
  ]
  for (const accept of zoo) {
    const headers = [['Accept', accept]] as const
    const receipt = await call(`/api/v1/receipts/${ark}/v1`, { headers })
    t.is(receipt.status, 200, accept.slice(0, 40))
    t.true((await call(`/${ark}`, { headers })).status < 500, accept.slice(0, 40))
  }
})

test('52: If-None-Match: * and the tag of a receipt are 304, a wrong one is not', async (t) => {
  const { call, ark } = t.context
  const url = `/api/v1/receipts/${ark}/v1`
  const { etag = '' } = (await call(url)).headers
  for (const tag of ['*', etag, `"x", ${etag}`, `W/${etag}`]) {
    const answer = await call(url, { headers: [['If-None-Match', tag]] })
    t.is(answer.status, 304, tag)
    t.is(answer.headers.etag, etag)
    t.is(answer.body, '')
  }
  for (const tag of ['', '"x"', etag.slice(1), `${etag}, *`, '"']) {
    t.is((await call(url, { headers: [['If-None-Match', tag]] })).status, 200, tag)
  }
})

test('52: a Range of a receipt is not served: a part proves nothing', async (t) => {
  const { call, ark } = t.context
  for (const range of ['bytes=0-9', 'bytes=-1', 'bytes=5-1', 'bytes=0-0,2-2', 'pages=1']) {
    const answer = await call(`/api/v1/receipts/${ark}/v1`, { headers: [['Range', range]] })
    t.is(answer.status, 200)
    t.is(answer.headers['content-range'], undefined)
    t.deepEqual(await failures(t.context, answer.json()), ['none'])
  }
})

test('54: the receipt of one version cannot be shown for another', async (t) => {
  const { call, ark, writer: key } = t.context
  const [first, second] = t.context.receipts
  t.is(first['version'], 1)
  t.is(second['version'], 2)
  t.not(first['receipt_id'], second['receipt_id'])
  t.deepEqual(await failures(t.context, { ...first, version: 2 }), ['signature', 'inclusion'])
  const verify = async (receipt: Receipt, content_hash: string) => {
    const body = { receipt_id: receipt['receipt_id'], content_hash }
    return (await call('/v1/receipts/verify', { method: 'POST', body })).json()['valid']
  }
  t.true(await verify(first, contentHash))
  t.true(await verify(second, otherHash))
  t.false(await verify(first, otherHash))
  t.false(await verify(second, contentHash))
  const url = `/v1/receipts/${ark}/v2/verify`
  const byVersion = await call(url, { method: 'POST', key, body: { content_hash: contentHash } })
  t.like(byVersion.json(), { valid: false, signature_valid: true, content_match: false })
})

test('54: a content hash of another algorithm, case or length is 422', async (t) => {
  const { call, ark, writer: key } = t.context
  const hex = 'ab'.repeat(32)
  const wrong = [
    `sha512:${'ab'.repeat(64)}`,
    `sha512:${hex}`,
    `SHA256:${hex}`,
    `sha256:${hex.toUpperCase()}`,
    `sha256:${hex.slice(2)}`,
    `sha256:${hex}00`,
    `sha256: ${hex}`,
    `sha256:${hex}\n`,
    hex,
    '',
    'sha256:',
  ]
  const receipt_id = t.context.receipts[0]['receipt_id']
  for (const content_hash of wrong) {
    const answers = [
      await call('/v1/receipts/verify', { method: 'POST', body: { receipt_id, content_hash } }),
      await call(`/v1/receipts/${ark}/v1/verify`, { method: 'POST', key, body: { content_hash } }),
    ]
    for (const answer of answers) {
      t.is(answer.status, 422, content_hash)
      t.deepEqual(answer.json()['details'], [
        {
          field: 'content_hash',
          code: 'bad_value',
          message: 'content_hash must be sha256: and 64 lower-case hex digits',
        },
      ])
    }
  }
})
