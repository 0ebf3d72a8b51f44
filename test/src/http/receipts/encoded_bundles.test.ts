import { gunzipSync, inflateSync } from 'node:zlib'
import test from 'ava'

import { EncodedBundles } from '#src/http/receipts/encoded_bundles.ts'
import { goodWork, openRegistry } from '#test/src/_registry.ts'

test('a bundle is compressed once, for all who ask for it', async (t) => {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(registry.close)
  const headers = { 'x-api-key': await registry.createKey(['works:write']) }
  const payload = { works: Array.from({ length: 300 }, () => goodWork) }
  const url = '/v1/works/bulk?allow_duplicate=true'
  await registry.server.inject({ method: 'POST', url, headers, payload })
  const { log } = registry.environments.live
  const read: string[] = []
  const bundles = new EncodedBundles({
    entryBundle(index, width) {
      read.push(`${index}/${width}`)
      return log.entryBundle(index, width)
    },
  })
  const atOnce = await Promise.all(Array.from({ length: 50 }, () => bundles.read(0, 256, 'gzip')))
  const later = await bundles.read(0, 256, 'gzip')
  t.deepEqual(read, ['0/256'])
  t.true(atOnce.every(({ bytes, etag }) => bytes === later.bytes && etag === later.etag))
  const plain = Buffer.from(await log.entryBundle(0, 256))
  t.deepEqual(gunzipSync(later.bytes), plain)
  const others = [await bundles.read(0, 256, 'deflate'), await bundles.read(1, 44, 'gzip')]
  t.deepEqual(read, ['0/256', '0/256', '1/44'])
  t.deepEqual(inflateSync(others[0]?.bytes ?? ''), plain)
  t.deepEqual(gunzipSync(others[1]?.bytes ?? ''), Buffer.from(await log.entryBundle(1, 44)))
})

test('a bundle that cannot be read is tried again', async (t) => {
  let fails = true
  const bundles = new EncodedBundles({
    async entryBundle() {
      if (fails) throw new Error('the disk is gone')
      return new Uint8Array([0, 1, 7])
    },
  })
  await t.throwsAsync(() => bundles.read(0, 1, 'gzip'), { message: 'the disk is gone' })
  fails = false
  t.deepEqual(gunzipSync((await bundles.read(0, 1, 'gzip')).bytes), Buffer.from([0, 1, 7]))
})
