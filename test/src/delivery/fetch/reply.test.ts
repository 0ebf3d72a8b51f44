import test from 'ava'
import fc from 'fast-check'
import { hash } from 'node:crypto'

import { BodyDigest } from '#src/delivery/fetch/fetcher.ts'

const chunkLists = fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 20 })

test('the hashes are those of the whole body, however it is cut', (t) => {
  fc.assert(
    fc.property(chunkLists, (chunks) => {
      const whole = Buffer.concat(chunks)
      const digest = new BodyDigest(whole.length)
      for (const chunk of chunks) t.true(digest.add(chunk))
      t.deepEqual(digest.end(), {
        sha256: hash('sha256', whole),
        sha512: hash('sha512', whole),
        bytes: whole.length,
      })
    }),
  )
})

test('a body that is too long is refused with the chunk that makes it so', (t) => {
  const digest = new BodyDigest(55)
  const taken = Array.from({ length: 6 }, () => digest.add(Buffer.alloc(10)))
  t.deepEqual(taken, [true, true, true, true, true, false])
})
