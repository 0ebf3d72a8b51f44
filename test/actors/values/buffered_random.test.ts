import test from 'ava'
import { bufferedRandom } from '#actors/values/buffered_random.ts'

test('every byte of the source is handed out at most once and in order', (t) => {
  let next = 0
  const source = (count: number) => Uint8Array.from({ length: count }, () => next++ % 251)
  const random = bufferedRandom(source)
  const drawn: number[] = []
  for (let index = 0; index < 2_000; index += 1) drawn.push(...random(1 + (index % 12)))
  // 8,192 bytes are a piece; what is left of one that is too short is dropped.
  const dropped = next - drawn.length
  t.true(dropped < 8_192 + 2 * 12)
  for (const [index, byte] of drawn.entries()) {
    if (index > 0 && index < 8_000) t.is(byte, ((drawn[index - 1] ?? 0) + 1) % 251)
  }
})

test('bytes that were handed out do not change when more are drawn', (t) => {
  let value = 0
  const random = bufferedRandom((count) => new Uint8Array(count).fill(value++))
  const first = random(8)
  const before = [...first]
  for (let index = 0; index < 3_000; index += 1) random(8)
  t.deepEqual([...first], before)
})
