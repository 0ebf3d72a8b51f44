import fc from 'fast-check'
import test from 'ava'

import { anyRecipe, ModelLog } from '#test/src/tlog_tools/witness/_hostile_submission.ts'
import { serveWitness } from '#test/src/tlog_tools/witness/_served_witness.ts'
import { WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

test('generated submissions have the status of the specification, one after another', async (t) => {
  const { client, addLog } = await serveWitness(t)
  const statuses = new Map<number, number>()
  let logs = 0
  const property = fc.asyncProperty(
    fc.array(anyRecipe, { minLength: 30, maxLength: 50 }),
    async (recipes) => {
      const model = new ModelLog(`log${(logs += 1)}.example/log`)
      await addLog(model.histories[0])
      for (const recipe of recipes) {
        const { body, text, size, status } = model.expect(recipe)
        const reply = await client.submit(body)
        t.is(reply.status, status, `${JSON.stringify(recipe)}\n${body}\n${reply.body}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 409) t.is(reply.body, `${model.last?.size ?? 0}\n`)
        if (status === 200) {
          client.holdCosigned(text, reply.body)
          // Another root as the first of its log is the root of some history, which ends there.
          if (recipe.hasOtherRoot) break
          model.last = { size, history: model.histories[recipe.history] }
        }
      }
    },
  )
  await fc.assert(property, { numRuns: 16 })
  t.log(Object.fromEntries(statuses))
  for (const status of [200, 400, 403, 404, 409, 422]) t.true(statuses.has(status), String(status))
})

test('nothing is cosigned of 200 submissions that were altered on the way', async (t) => {
  const { client, addLog } = await serveWitness(t)
  const log = new WitnessedHistory('log.example/a').branch(0, 30, 'a')
  await addLog(log)
  await client.submit(log.submission(0, 7))
  const before = await client.latest(log.origin)
  const body = Buffer.from(log.submission(7, 21))
  // The signature of the log twice is that signature, of the same text.
  const signature = body.subarray(body.lastIndexOf('\n\n') + 2)
  const signedTwice = Buffer.concat([body, signature])
  const at = fc.nat({ max: body.length - 1 })
  const byte = fc.nat({ max: 255 })
  const altered = fc.oneof(
    fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([index, bits]) => {
      const bytes = Buffer.from(body)
      bytes[index] = (bytes[index] ?? 0) ^ bits
      return bytes
    }),
    fc.tuple(at, byte).map(([index, value]) => {
      return Buffer.concat([body.subarray(0, index), Buffer.of(value), body.subarray(index)])
    }),
    fc.tuple(at, at).map(([from, to]) => {
      const [start, end] = [Math.min(from, to), Math.max(from, to) + 1]
      return Buffer.concat([body.subarray(0, start), body.subarray(end)])
    }),
    fc.tuple(at, at).map(([from, to]) => {
      const [start, end] = [Math.min(from, to), Math.max(from, to) + 1]
      return Buffer.concat([body.subarray(0, end), body.subarray(start)])
    }),
  )
  const property = fc.asyncProperty(altered, async (bytes) => {
    fc.pre(!bytes.equals(body) && !bytes.equals(signedTwice))
    const { status } = await client.submit(bytes)
    return [400, 403, 404, 409, 422].includes(status)
  })
  await fc.assert(property, { numRuns: 200 })
  t.deepEqual(await client.latest(log.origin), before)
  t.is((await client.submit(body)).status, 200)
})
