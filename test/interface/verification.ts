import { answered, forms, matches, refused, same } from '#test/interface/_expect.ts'
import { keyOf } from '#test/interface/_keys.ts'
import { sha256 } from '#test/interface/_proof.ts'
import type { Json } from '#test/interface/_request.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import { leastFields, register, checkedWork } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { receiptOf } from '#test/interface/receipt.ts'

const path = 'POST /v1/receipts/verify'

/** Verifies the sample's receipt by its id, with its content hash or another one. */
async function verify(world: World, hash?: string): Promise<Json> {
  const { receipt_id, content_hash } = await receiptOf(world, (await checkedWork(world)).ark)
  const body = { receipt_id, content_hash: hash ?? content_hash }
  return answered(await world.call(path, { body }), 200).body
}

const wrongHash = `sha256:${sha256('other content')}`

/** What a verification is answered with. */
export const verification: Section = {
  name: 'The result of a verification',
  rows: [
    row('valid is true of a receipt whose content is as it says', async (world) => {
      same((await verify(world)).valid, true, 'valid')
    }),
    row('valid is false of one whose content is not', async (world) => {
      same((await verify(world, wrongHash)).valid, false, 'valid')
    }),
    row('verified_at is a time of ISO 8601 in UTC', async (world) => {
      matches((await verify(world)).verified_at, forms.time, 'verified_at')
    }),
    row('signature_valid is true or false', async (world) => {
      same((await verify(world)).signature_valid, true, 'signature_valid')
    }),
    row('content_match is true or false', async (world) => {
      same((await verify(world)).content_match, true, 'content_match')
      same((await verify(world, wrongHash)).content_match, false, 'content_match of another hash')
    }),
    row('chain_verified is true or false', async (world) => {
      same((await verify(world)).chain_verified, true, 'chain_verified')
    }),
    filled('verification', 'error and reason tell why it is not valid', async (world) => {
      const right = await verify(world)
      same([right.error, right.reason], [null, null], 'error and reason of a valid one')
      const wrong = await verify(world, wrongHash)
      same(wrong.error, 'content_mismatch', 'error')
      matches(wrong.reason, /\S/, 'reason')
    }),
    filled('verification', 'what could not be checked is false, and named', async (world) => {
      const { ark } = await register(world, leastFields(world))
      const { receipt_id, content_hash } = await receiptOf(world, ark)
      same(content_hash, null, 'content_hash')
      const { body } = answered(
        await world.call(path, { body: { receipt_id, content_hash: wrongHash } }),
        200,
      )
      same([body.valid, body.content_match], [false, false], 'valid, content_match')
      same([body.not_checked, body.error], [['content_match'], 'not_checked'], 'not_checked, error')
    }),
    filled('verification', 'a receipt that there is not is 404', async (world) => {
      const body = { receipt_id: 'rcpt_2001_01_01_bcdfghjkmnpq', content_hash: wrongHash }
      refused(await world.call(path, { body }), 404, 'not_found')
    }),
    filled('verification', 'a hash of another form is 422', async (world) => {
      const { receipt_id } = await receiptOf(world, (await checkedWork(world)).ark)
      const body = { receipt_id, content_hash: 'md5:1' }
      refused(await world.call(path, { body }), 422, 'validation_failed')
    }),
    filled('verification', 'by ARK and version the content is read now', async (world) => {
      const { ark } = await checkedWork(world)
      const key = await keyOf(world, 'receipts:verify')
      const reply = await world.call(`POST /v1/receipts/${ark}/v1/verify`, { key })
      const { body } = answered(reply, 200)
      same([body.valid, body.not_checked], [true, []], 'valid, not_checked')
    }),
  ],
}
