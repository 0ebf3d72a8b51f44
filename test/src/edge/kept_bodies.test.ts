import { gunzipSync, inflateSync } from 'node:zlib'
import test from 'ava'

import { KeptBodies } from '#src/edge/kept_bodies.ts'
import { goodWork, openRegistry } from '#test/src/_registry.ts'

test('a body is made once and compressed once, for all who ask for it', async (t) => {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(registry.close)
  const headers = { 'x-api-key': await registry.createKey(['works:write']) }
  const payload = { works: Array.from({ length: 300 }, () => goodWork) }
  const url = '/v1/works/bulk?allow_duplicate=true'
  await registry.server.inject({ method: 'POST', url, headers, payload })
  const { log } = registry.environments.live
  const made: string[] = []
  const kept = new KeptBodies()
  const read = (index: number, width: number, coding?: 'gzip' | 'deflate') =>
    kept.read(`${index}/${width}`, coding, () => {
      made.push(`${index}/${width}`)
      return log.entryBundle(index, width)
    })
  const atOnce = await Promise.all(Array.from({ length: 50 }, () => read(0, 256, 'gzip')))
  const later = await read(0, 256, 'gzip')
  t.deepEqual(made, ['0/256'])
  t.true(atOnce.every(({ bytes, etag }) => bytes === later.bytes && etag === later.etag))
  const plain = Buffer.from(await log.entryBundle(0, 256))
  t.deepEqual(gunzipSync(later.bytes), plain)
  const others = [await read(0, 256, 'deflate'), await read(1, 44, 'gzip')]
  t.deepEqual(Buffer.from((await read(0, 256)).bytes), plain)
  t.deepEqual(made, ['0/256', '1/44'])
  t.deepEqual(inflateSync(others[0]?.bytes ?? ''), plain)
  t.deepEqual(gunzipSync(others[1]?.bytes ?? ''), Buffer.from(await log.entryBundle(1, 44)))
})

test('a body that cannot be made is tried again', async (t) => {
  let fails = true
  const kept = new KeptBodies()
  const make = async () => {
    if (fails) throw new Error('the disk is gone')
    return new Uint8Array([0, 1, 7])
  }
  await t.throwsAsync(() => kept.read('0', 'gzip', make), { message: 'the disk is gone' })
  fails = false
  t.deepEqual(gunzipSync((await kept.read('0', 'gzip', make)).bytes), Buffer.from([0, 1, 7]))
})

test('bodies are kept within a bound, those that were asked for last', async (t) => {
  const kept = new KeptBodies()
  const made: number[] = []
  const read = (nth: number) =>
    kept.readAtOnce(String(nth), () => {
      made.push(nth)
      return new Uint8Array(1_000_000)
    })
  for (let nth = 0; nth < 20; nth += 1) read(nth)
  t.is(made.length, 20)
  read(19)
  t.is(made.length, 20)
  read(0)
  t.is(made.length, 21)
})
