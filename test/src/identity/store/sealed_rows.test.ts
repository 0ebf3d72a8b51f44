import test from 'ava'

import { openText, SealedRows, sealText } from '#src/identity/store/sealed_rows.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

test('a value is read back under its id, and nothing of either is in the row', async (t) => {
  const store = await (await identityFixture(t)).open()
  const rows = new SealedRows<{ secret: string }>(store, 'thing')
  t.is(rows.read('ada@example.org'), undefined)
  await store.commit([rows.put('ada@example.org', { secret: 'planted' })])
  t.deepEqual(rows.read('ada@example.org'), { secret: 'planted' })
  for await (const row of store.scan('thing/')) t.notRegex(row.join(' '), /ada@|planted/)
  await store.commit([rows.delete('ada@example.org')])
  t.is(rows.read('ada@example.org'), undefined)
})

test('all values are scanned, those of other tables not', async (t) => {
  const store = await (await identityFixture(t)).open()
  const rows = new SealedRows<number>(store, 'thing')
  const others = new SealedRows<number>(store, 'things')
  await store.commit([rows.put('a', 1), rows.put('b', 2), others.put('a', 3)])
  const values: number[] = []
  for await (const [, value] of rows.entries()) values.push(value)
  t.deepEqual(
    values.toSorted((a, b) => a - b),
    [1, 2],
  )
})

test('a row that was moved to the place of another is refused', async (t) => {
  const store = await (await identityFixture(t)).open()
  const rows = new SealedRows<string>(store, 'thing')
  await store.commit([rows.put('a', 'of a')])
  const sealed = store.read<string>(rows.keyOf('a'))
  const moved = Buffer.from(JSON.stringify(sealed))
  await store.commit([{ type: 'put', key: rows.keyOf('b'), value: moved }])
  t.throws(() => rows.read('b'), {
    code: 'secret_mismatch',
    message: /^the row thing\/[0-9a-f]{64} was not sealed by this identity store: restore it/,
  })
})

test('a sealed text opens for its key and place only, and no byte of it may change', (t) => {
  const key = Buffer.alloc(32, 1)
  const sealed = sealText(key, 'place', 'text')
  t.is(openText(key, 'place', sealed), 'text')
  t.not(sealText(key, 'place', 'text'), sealed, 'the nonce is drawn anew')
  t.is(openText(key, 'places', sealed), undefined)
  t.is(openText(Buffer.alloc(32, 2), 'place', sealed), undefined)
  t.is(openText(key, 'place', ''), undefined)
  const bytes = Buffer.from(sealed, 'base64')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    t.is(openText(key, 'place', changed.toString('base64')), undefined)
  }
})
