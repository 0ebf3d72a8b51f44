import test from 'ava'
import fc from 'fast-check'
import { hash } from 'node:crypto'

import { digestBody } from '#src/fetch/digest.ts'

async function* bodyOf(chunks: readonly Uint8Array[]) {
  yield* chunks
}

const chunkLists = fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 20 })

test('the hashes are those of the whole body, however it is cut', async (t) => {
  await fc.assert(
    fc.asyncProperty(chunkLists, async (chunks) => {
      const whole = Buffer.concat(chunks)
      t.deepEqual(await digestBody(bodyOf(chunks), whole.length), {
        sha256: hash('sha256', whole),
        sha512: hash('sha512', whole),
        bytes: whole.length,
      })
      if (whole.length > 0) t.is(await digestBody(bodyOf(chunks), whole.length - 1), undefined)
    }),
  )
})

test('no chunk is asked for before the last is hashed, nor after the limit', async (t) => {
  let asked = 0
  async function* endless() {
    try {
      for (;;) {
        asked += 1
        yield Buffer.alloc(10)
      }
    } finally {
      asked += 1_000
    }
  }
  t.is(await digestBody(endless(), 55), undefined)
  t.is(asked, 1_006)
})
