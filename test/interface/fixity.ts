import { answered, holds, same } from '#test/interface/_expect.ts'
import { isSigned, provenRoot, sha256 } from '#test/interface/_proof.ts'
import { keyOf } from '#test/interface/_keys.ts'
import { differs, filled, row, type Section } from '#test/interface/_row.ts'
import { checkedWork, leastFields, register, untilStatus } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { publishedKeys, receiptOf } from '#test/interface/receipt.ts'

function placeName(world: World, about: string): string {
  return world.name(about).replaceAll(' ', '-')
}

/** Registers a work whose content lies at an address. */
async function registerAt(world: World, work_url: string, fields = {}): Promise<string> {
  return (await register(world, { ...leastFields(world), work_url, ...fields })).ark
}

/** A work whose content was good, and is what `change` makes of it when it is checked again. */
async function recheck(
  world: World,
  change: (name: string) => void,
  status: string,
): Promise<{ readonly ark: string; readonly name: string }> {
  const name = placeName(world, 'changing')
  const ark = await registerAt(world, world.content.changing(name))
  await untilStatus(world, ark, 'verified')
  change(name)
  await world.command('fixity', 'recheck', ark)
  await untilStatus(world, ark, status)
  return { ark, name }
}

/** The states of content. */
export const fixity: Section = {
  name: 'States of the content',
  rows: [
    row('verified: hash, signature and chain are as they should be', async (world) => {
      const { ark } = await checkedWork(world)
      const found = await receiptOf(world, ark)
      same(found.fixity_status, 'verified', 'fixity_status')
      const key = await keyOf(world, 'receipts:verify')
      const { body } = answered(
        await world.call(`POST /v1/receipts/${ark}/v1/verify`, { key }),
        200,
      )
      const { content_match, signature_valid, chain_verified } = body
      same([content_match, signature_valid, chain_verified], [true, true, true], 'the findings')
    }),
    row('pending: submitted a moment ago, to be asked again later', async (world) => {
      const name = placeName(world, 'held')
      const ark = await registerAt(world, world.content.held(name))
      const before = await receiptOf(world, ark)
      world.content.letGo(name)
      same(before.fixity_status, 'pending', 'fixity_status')
      await untilStatus(world, ark, 'verified')
    }),
    row('failed: the content has another hash', async (world) => {
      const content_hash = `sha256:${sha256('what it should be')}`
      const address = world.content.stable(placeName(world, 'wrong'))
      const ark = await registerAt(world, address, { content_hash })
      const found = await untilStatus(world, ark, 'failed')
      same(found.content_hash, content_hash, 'content_hash')
    }),
    differs(
      'fixity-status',
      'failed does not speak of signatures: a verification does',
      async (world) => {
        const found = await receiptOf(world, (await checkedWork(world)).ark)
        const { signature } = found
        const first = signature.signature.startsWith('0') ? '1' : '0'
        const altered = first + signature.signature.slice(1)
        const forged = { ...found, signature: { ...signature, signature: altered } }
        const [key = ''] = await publishedKeys(world)
        same([isSigned(found, key), isSigned(forged, key)], [true, false], 'the two signatures')
      },
    ),
    row('unreachable: the content cannot be read', async (world) => {
      const name = placeName(world, 'absent')
      world.content.takeAway(name)
      const ark = await registerAt(world, world.content.changing(name))
      await untilStatus(world, ark, 'unreachable')
    }),
    filled('fixity-status', 'verified becomes failed when the content changes', async (world) => {
      await recheck(world, (name) => world.content.revise(name), 'failed')
    }),
    filled('fixity-status', 'verified becomes unreachable when it goes', async (world) => {
      await recheck(world, (name) => world.content.takeAway(name), 'unreachable')
    }),
    filled('fixity-status', 'unreachable becomes verified when it comes back', async (world) => {
      const { ark, name } = await recheck(
        world,
        (gone) => world.content.takeAway(gone),
        'unreachable',
      )
      world.content.restore(name)
      await world.command('fixity', 'recheck', ark)
      await untilStatus(world, ark, 'verified')
    }),
    filled('fixity-status', 'why it is not verified is told', async (world) => {
      const { ark } = await recheck(world, (name) => world.content.revise(name), 'failed')
      const { body } = answered(await world.call(`GET /v1/resolve/${ark}`), 200)
      same(body.content.reason, 'hash_mismatch', 'content.reason')
    }),
    row('a client can fetch the content from its address', async (world) => {
      const { ark } = await checkedWork(world)
      const { body } = await world.call(`GET /v1/resolve/${ark}`)
      answered(await world.call(`GET ${body.content.url}`), 200)
    }),
    row('its SHA-256 is the content_hash of the receipt', async (world) => {
      const { ark } = await checkedWork(world)
      const { body } = await world.call(`GET /v1/resolve/${ark}`)
      const { text } = await world.call(`GET ${body.content.url}`)
      same(`sha256:${sha256(text)}`, body.receipt.content_hash, 'the hash')
    }),
    row('the signature holds by the public key of the service', async (world) => {
      const found = await receiptOf(world, (await checkedWork(world)).ark)
      const keys = await publishedKeys(world)
      holds(
        keys.some((key) => isSigned(found, key)),
        'a published key has signed it',
      )
    }),
    row('the Merkle inclusion proof holds', async (world) => {
      const found = await receiptOf(world, (await checkedWork(world)).ark)
      same(provenRoot(found), found.chain_proof.merkle_root, 'the root')
    }),
  ],
}
