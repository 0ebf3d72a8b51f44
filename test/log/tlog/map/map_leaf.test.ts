import test from 'ava'

import { decodeMapLeaf, encodeMapLeaf, isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { fromHex } from '#test/log/_vectors.ts'

const rootHash = fromHex('4350edffc65e74e94d8335069387c7e70d994ded3b874cf8ee5ac02d61c9585b')
const leaf = { origin: 'registry.example/log', covers: 1_234, keys: 567, rootHash }
const text =
  'arklog-map/v1\nregistry.example/log\n1234\n567\nQ1Dt/8ZedOlNgzUGk4fH5w2ZTe07h0z47lrALWHJWFs=\n'

test('a map leaf is five lines', (t) => {
  t.is(Buffer.from(encodeMapLeaf(leaf)).toString(), text)
  t.deepEqual(decodeMapLeaf(Buffer.from(text)), leaf)
  t.true(isMapLeaf(Buffer.from(text)))
  t.false(isMapLeaf(Buffer.from('{"ark":"ark:/99999/fk4a"}')))
  t.false(isMapLeaf(Buffer.from('arklog-map/v2\n')))
  t.false(isMapLeaf(new Uint8Array(0)))
})

test('anything else is refused', (t) => {
  const altered = [
    '',
    text.slice(0, -1),
    `${text}\n`,
    `${text}more\n`,
    text.replace('v1', 'v2'),
    text.replace('1234', '01234'),
    text.replace('567', '-1'),
    text.replace('Fs=', 'Ft='),
    text.replace('Q1Dt', ''),
    text.replace('registry.example/log', ''),
    text.replace('registry.example/log', 'x'.repeat(2_000)),
    text.replaceAll('\n', '\r\n'),
  ]
  for (const each of altered) {
    t.throws(() => decodeMapLeaf(Buffer.from(each)), { code: 'malformed_map_leaf' }, each)
  }
  const notUtf8 = Buffer.from(text.replace('registry', 'registrÿ'), 'latin1')
  t.throws(() => decodeMapLeaf(notUtf8), { code: 'malformed_map_leaf' })
})
