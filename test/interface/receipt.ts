import { answered, forms, holds, matches, same } from '#test/interface/_expect.ts'
import { canonical, isSigned, provenRoot, sha256 } from '#test/interface/_proof.ts'
import type { Json } from '#test/interface/_request.ts'
import { differs, filled, row, type Section } from '#test/interface/_row.ts'
import {
  checkedWork,
  leastFields,
  readingKey,
  register,
  sampleWork,
  workOfTwoVersions,
} from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** The receipt of a version, read with a key. */
export async function receiptOf(world: World, ark: string, version = 1): Promise<Json> {
  const key = await readingKey(world)
  return answered(await world.call(`GET /v1/receipts/${ark}/v${version}`, { key }), 200).body
}

async function sampleReceipt(world: World): Promise<Json> {
  return receiptOf(world, (await sampleWork(world)).ark)
}

/** The receipt keys that the registry publishes. */
export async function publishedKeys(world: World): Promise<readonly string[]> {
  const { body } = answered(await world.call('GET /.well-known/svc-keys.json'), 200)
  return body.receipt_keys.map((key: Json) => key.public_key)
}

/** What a receipt has. */
export const receipt: Section = {
  name: 'A receipt',
  rows: [
    row('there is one for each version', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      const [first, second] = [await receiptOf(world, ark, 1), await receiptOf(world, ark, 2)]
      holds(first.receipt_id !== second.receipt_id, 'the two are not the same')
      same([first.version, second.version], [1, 2], 'their versions')
    }),
    row('ark is the ARK of the work', async (world) => {
      same((await sampleReceipt(world)).ark, (await sampleWork(world)).ark, 'ark')
    }),
    row('version is a whole number, from 1', async (world) => {
      same((await sampleReceipt(world)).version, 1, 'version')
    }),
    row('receipt_id is rcpt_<yyyy>_<mm>_<dd>_<suffix>', async (world) => {
      const { receipt_id: id, timestamp } = await sampleReceipt(world)
      matches(id, forms.receiptId, 'receipt_id')
      const { created } = await sampleWork(world)
      same(id.slice(5, 15).replaceAll('_', '-'), created.created_at.slice(0, 10), 'its day')
      holds(timestamp >= created.created_at, 'the statement is no older than the work', timestamp)
    }),
    row('timestamp is a time of ISO 8601 in UTC', async (world) => {
      matches((await sampleReceipt(world)).timestamp, forms.time, 'timestamp')
    }),
    row('content_hash is sha256:<hex> of the content file', async (world) => {
      const { fields } = await checkedWork(world)
      const name = String(fields['work_url']).split('/').at(-1) ?? ''
      const { sha256: hash } = world.content.hashesOf(name)
      same((await sampleReceipt(world)).content_hash, `sha256:${hash}`, 'content_hash')
    }),
    differs(
      'content-hash',
      'until the content was read once, content_hash is null',
      async (world) => {
        const name = world.name('held').replaceAll(' ', '-')
        const work_url = world.content.held(name)
        const { ark } = await register(world, { ...leastFields(world), work_url })
        try {
          same((await receiptOf(world, ark)).content_hash, null, 'content_hash')
        } finally {
          world.content.letGo(name)
        }
      },
    ),
    filled('content-hash', 'a hash that was sent along is named at once', async (world) => {
      const content_hash = `sha256:${sha256('sent along')}`
      const { ark } = await register(world, { ...leastFields(world), content_hash })
      same((await receiptOf(world, ark)).content_hash, content_hash, 'content_hash')
    }),
    row('metadata_hash is sha256:<hex> of the metadata', async (world) => {
      const { ark } = await sampleWork(world)
      const { body } = await world.call(`GET /v1/resolve/${ark}`)
      const { metadata_hash } = await sampleReceipt(world)
      same(metadata_hash, `sha256:${sha256(canonical(body.metadata))}`, 'metadata_hash')
    }),
    row('signature.algorithm is Ed25519', async (world) => {
      same((await sampleReceipt(world)).signature.algorithm, 'Ed25519', 'algorithm')
    }),
    row('signature.public_key is hex', async (world) => {
      matches((await sampleReceipt(world)).signature.public_key, forms.hex32, 'public_key')
    }),
    row('signature.signature is hex', async (world) => {
      matches((await sampleReceipt(world)).signature.signature, forms.hex64, 'signature')
    }),
    differs(
      'what-is-signed',
      'the signature is one of the statement, by a published key',
      async (world) => {
        const found = await sampleReceipt(world)
        const { public_key } = found.signature
        holds((await publishedKeys(world)).includes(public_key), 'the key is published')
        holds(isSigned(found, public_key), 'the signature holds')
        holds(!isSigned({ ...found, version: 2 }, public_key), 'of what was changed it does not')
      },
    ),
    row('fixity_status is verified, pending, failed or unreachable', async (world) => {
      const { fixity_status } = await sampleReceipt(world)
      matches(fixity_status, /^(?:verified|pending|failed|unreachable)$/, 'fixity_status')
    }),
    row('chain_proof.block_height is a whole number', async (world) => {
      const { block_height } = (await sampleReceipt(world)).chain_proof
      holds(Number.isInteger(block_height) && block_height > 0, 'it is one', block_height)
    }),
    filled(
      'the-chain',
      'block_height is the size of the log that the proof is for',
      async (world) => {
        const { block_height, tree_size, checkpoint } = (await sampleReceipt(world)).chain_proof
        same(block_height, tree_size, 'block_height')
        same(checkpoint.split('\n')[1], String(tree_size), 'the size that the log has signed')
      },
    ),
    row('chain_proof.merkle_root is hex', async (world) => {
      matches((await sampleReceipt(world)).chain_proof.merkle_root, forms.hex32, 'merkle_root')
    }),
    row('chain_proof.inclusion_proof is a list of hashes', async (world) => {
      const { inclusion_proof } = (await sampleReceipt(world)).chain_proof
      holds(Array.isArray(inclusion_proof), 'it is a list')
      for (const hash of inclusion_proof) matches(hash, forms.hex32, 'a hash')
    }),
    filled('the-chain', 'the proof leads from the statement to the root', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      for (const found of [await sampleReceipt(world), await receiptOf(world, ark, 2)]) {
        same(provenRoot(found), found.chain_proof.merkle_root, 'the root')
        const altered = { ...found, metadata_hash: `sha256:${sha256('another')}` }
        holds(provenRoot(altered) !== found.chain_proof.merkle_root, 'of another it does not')
      }
    }),
    filled('the-chain', 'the root is that which the log has signed', async (world) => {
      const { merkle_root, checkpoint } = (await sampleReceipt(world)).chain_proof
      const signed = Buffer.from(checkpoint.split('\n')[2], 'base64').toString('hex')
      same(merkle_root, signed, 'merkle_root')
    }),
  ],
}
