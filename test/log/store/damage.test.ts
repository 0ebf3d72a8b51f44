import test from 'ava'
import fc from 'fast-check'

import {
  CorruptRowError,
  DamageList,
  decodeRow,
  encodeRow,
  rowOverheadBytes,
  scanSound,
  watchDamage,
} from '#log/store/damage.ts'
import type { Range, Store } from '#log/store/store.ts'
import { isDamage, LogError, unlessDamaged } from '#log/tlog/errors.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

const rowKeys = fc.string({ unit: 'grapheme-ascii', minLength: 1 })

test('a row decodes to the value it was encoded from', (t) => {
  fc.assert(
    fc.property(rowKeys, fc.uint8Array(), (key, value) => {
      const row = encodeRow(key, value)
      t.is(row.length, value.length + rowOverheadBytes)
      t.deepEqual(new Uint8Array(decodeRow(key, row)), value)
    }),
  )
})

test('the checksum is the CRC-32 of key and value, big-endian', (t) => {
  // CRC-32 of "123456789" is the check value of its definition.
  t.is(encodeRow('1234', Buffer.from('56789')).toString('hex'), '3536373839cbf43926')
})

test('any flipped bit is store_corrupt, in the value and in the checksum', (t) => {
  const row = encodeRow('entry/000000000001', Buffer.from('the bytes of an entry'))
  for (let bit = 0; bit < row.length * 8; bit += 1) {
    const flipped = Buffer.from(row)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const error = t.throws(() => decodeRow('entry/000000000001', flipped))
    t.true(error instanceof CorruptRowError)
  }
})

test('a row under another key, or cut, names the key and says what to do', (t) => {
  const row = encodeRow('work/a', Buffer.from('a'))
  const expected = {
    instanceOf: CorruptRowError,
    code: 'store_corrupt',
    message: /^the row "work\/b" fails its checksum, .*restore the store from a backup$/,
  }
  t.is(t.throws(() => decodeRow('work/b', row), expected)?.key, 'work/b')
  t.throws(() => decodeRow('work/b', row.subarray(0, 3)), expected)
  t.throws(() => decodeRow('work/b', new Uint8Array(0)), expected)
})

/** A store with the rows a to h, of which some are damaged. */
async function storeWith(damaged: readonly string[]): Promise<Store> {
  const below = openMemoryStore()
  await below.commit(
    [...'abcdefgh'].map((key) => ({ type: 'put', key, value: Buffer.from(key.toUpperCase()) })),
  )
  const check = (key: string) => {
    if (damaged.includes(key)) throw new CorruptRowError(key)
  }
  return {
    get(key) {
      check(key)
      return below.get(key)
    },
    async *scan(range) {
      for await (const row of below.scan(range)) {
        check(row[0])
        yield row
      }
    },
    scanBatches: (range) => below.scanBatches(range),
    commit: (operations) => below.commit(operations),
    purge: (keys) => below.purge(keys),
    close: () => below.close(),
  }
}

async function keysOf(store: Store, range: Range): Promise<string> {
  const rows = await Array.fromAsync(scanSound(store, range))
  return rows.map(([key]) => key).join('')
}

test('a scan of what is sound leaves out damaged rows alone, in either order', async (t) => {
  const store = await storeWith(['a', 'd', 'e', 'h'])
  t.is(await keysOf(store, { gte: 'a' }), 'bcfg')
  t.is(await keysOf(store, { gte: 'a', reverse: true }), 'gfcb')
  t.is(await keysOf(store, { gt: 'b', lt: 'g' }), 'cf')
  t.is(await keysOf(store, { gte: 'b', lte: 'g', reverse: true }), 'gfcb')
  t.is(await keysOf(store, { gte: 'a', limit: 3 }), 'bcf')
  t.is(await keysOf(store, { gte: 'a', limit: 2, reverse: true }), 'gf')
  t.is(await keysOf(await storeWith([...'abcdefgh']), { gte: 'a' }), '')
})

test('a damaged key that lies out of order ends the scan, in place of a circle', async (t) => {
  const below = await storeWith([])
  const scan: Store['scan'] = async function* scan(range) {
    for await (const row of below.scan(range)) {
      if (row[0] === 'e') throw new CorruptRowError('c')
      yield row
    }
  }
  t.is(await keysOf({ ...below, scan }, { gte: 'a' }), 'abcd')
})

test('any other failure of a scan is passed on', async (t) => {
  const store = await storeWith([])
  const scan: Store['scan'] = () => {
    throw new LogError('store_failed', 'the disk is gone')
  }
  await t.throwsAsync(keysOf({ ...store, scan }, { gte: 'a' }), { code: 'store_failed' })
})

test('damage that is met is told once, and counted once for each row', async (t) => {
  const told: string[] = []
  const damage = new DamageList((message) => told.push(message))
  const store = watchDamage(await storeWith(['b', 'd']), damage)
  t.deepEqual(damage.status, { found: 0 })
  for (let reads = 0; reads < 3; reads += 1)
    t.throws(() => store.get('d'), { code: 'store_corrupt' })
  t.is(Buffer.from(store.get('a') ?? []).toString(), 'A')
  t.is(await keysOf(store, { gte: 'a' }), 'acefgh')
  t.is(told.length, 2)
  t.regex(damage.status.first ?? '', /the row "d" fails its checksum/)
  t.is(damage.status.found, 2)
  damage.note(new Error('something else'))
  damage.note(new Error('passed on', { cause: new CorruptRowError('x') }))
  t.is(damage.status.found, 3)
})

test('what is damage is told by its code, however far it was passed on', (t) => {
  const corrupt = new CorruptRowError('x')
  t.true(isDamage(corrupt))
  t.true(isDamage(new Error('a', { cause: new Error('b', { cause: corrupt }) })))
  t.false(isDamage(new LogError('store_full', 'x')))
  t.is(
    unlessDamaged(() => 1),
    1,
  )
  const fail = (error: Error) => () => {
    throw error
  }
  t.is(unlessDamaged(fail(corrupt)), undefined)
  t.throws(() => unlessDamaged(fail(new Error('a bug'))), { message: 'a bug' })
})
