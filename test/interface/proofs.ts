import { answered, forms, holds, matches, same } from '#test/interface/_expect.ts'
import { provenRoot, sha256 } from '#test/interface/_proof.ts'
import type { Json } from '#test/interface/_request.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import { readingKey, checkedWork, workOfTwoVersions } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { publishedKeys, receiptOf } from '#test/interface/receipt.ts'

async function proofsOf(world: World, ark: string, version = 1): Promise<Json> {
  const key = await readingKey(world)
  return answered(await world.call(`GET /v1/proofs/${ark}/v${version}`, { key }), 200).body
}

async function sampleProofs(world: World): Promise<Json> {
  return proofsOf(world, (await checkedWork(world)).ark)
}

async function sampleHashes(world: World) {
  const { fields } = await checkedWork(world)
  return world.content.hashesOf(String(fields['work_url']).split('/').at(-1) ?? '')
}

/** What the proofs of a version have. */
export const proofs: Section = {
  name: 'The proofs of a version',
  rows: [
    row('content_proofs.sha256 is the hash of the content, as hex', async (world) => {
      const hashes = await sampleHashes(world)
      same((await sampleProofs(world)).content_proofs.sha256, hashes.sha256, 'sha256')
    }),
    row('content_proofs.sha512 is another, as hex', async (world) => {
      const { sha512 } = await sampleHashes(world)
      same((await sampleProofs(world)).content_proofs.sha512, sha512, 'sha512')
    }),
    row('content_proofs.fixity_checks has an entry for each check', async (world) => {
      const { fixity_checks: checks } = (await sampleProofs(world)).content_proofs
      holds(Array.isArray(checks) && checks.length > 0, 'there is a check', checks)
    }),
    row('a check has a timestamp of ISO 8601', async (world) => {
      const [check] = (await sampleProofs(world)).content_proofs.fixity_checks
      matches(check.timestamp, forms.time, 'timestamp')
    }),
    row('a check has a status', async (world) => {
      const [check] = (await sampleProofs(world)).content_proofs.fixity_checks
      same(check.status, 'verified', 'status')
    }),
    row('a check has the method remote_fetch', async (world) => {
      const [check] = (await sampleProofs(world)).content_proofs.fixity_checks
      same(check.method, 'remote_fetch', 'method')
    }),
    row('provenance_chain is the whole history of versions, with times', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      for (const version of [1, 2]) {
        const { provenance_chain: chain } = await proofsOf(world, ark, version)
        same(
          chain.map((each: Json) => each.version),
          [1, 2],
          'the versions',
        )
        for (const each of chain) matches(each.created_at, forms.time, 'created_at')
      }
    }),
    row('signatures has all signatures', async (world) => {
      const { signatures } = await sampleProofs(world)
      const statements = signatures.map((each: Json) => each.statement)
      same(statements, ['registered', 'content'], 'the statements that are signed')
      for (const each of signatures) matches(each.signature, forms.hex64, 'signature')
    }),
    row('signatures has all public keys', async (world) => {
      const keys = await publishedKeys(world)
      for (const each of (await sampleProofs(world)).signatures) {
        holds(keys.includes(each.public_key), 'the key is published', each.public_key)
      }
    }),
    row('a Merkle proof is among the proofs', async (world) => {
      const { signatures } = await sampleProofs(world)
      const receipt = await receiptOf(world, (await checkedWork(world)).ark)
      const { chain_proof } = signatures.at(-1)
      same(provenRoot({ ...receipt, chain_proof }), chain_proof.merkle_root, 'the root')
    }),
    filled('proofs', 'tlog_proof is the same for programs that read logs', async (world) => {
      matches((await sampleProofs(world)).tlog_proof, /^c2sp\.org\/tlog-proof@v1\n/, 'tlog_proof')
    }),
    filled('proofs', 'GET /v1/evidence/{ark}/v{n} is one file that proves it', async (world) => {
      const { ark } = await checkedWork(world)
      const key = await readingKey(world)
      const { body } = answered(await world.call(`GET /v1/evidence/${ark}/v1`, { key }), 200)
      same(body.format, 'arklog-evidence-v1', 'format')
      const { fixity_status, ...receipt } = await receiptOf(world, ark)
      same(body.receipt.fixity_status, fixity_status, 'fixity_status')
      same(body.receipt.signature, receipt['signature'], 'the signature')
      same(sha256(body.metadata), receipt['metadata_hash'].slice(7), 'the hash of the metadata')
      const { merkle_root } = body.receipt.chain_proof
      same(provenRoot(body.receipt), merkle_root, 'the root')
      const listed = body.keys.receipt_keys.map((each: Json) => each.public_key)
      same(listed, await publishedKeys(world), 'the receipt keys')
      const publicly = answered(await world.call(`GET /api/v1/evidence/${ark}/v1`), 200)
      same(publicly.body.receipt.receipt_id, receipt['receipt_id'], 'the public receipt')
    }),
  ],
}
