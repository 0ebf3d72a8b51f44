import { harvest, plainAdapter, recordQuery } from '#test/interface/_adapter.ts'
import { answered, forms, holds, matches, same } from '#test/interface/_expect.ts'
import { researcher, researcherKey, tokenOf } from '#test/interface/_people.ts'
import { isSigned, provenRoot } from '#test/interface/_proof.ts'
import type { Json } from '#test/interface/_request.ts'
import { type Attempt, row, type Section } from '#test/interface/_row.ts'
import { register, sampleWork, untilFound, workOfTwoVersions } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { publishedKeys, receiptOf } from '#test/interface/receipt.ts'

async function profile(world: World): Promise<Json> {
  const { ppid } = await researcher(world)
  return answered(await world.call(`GET /api/v1/people/${ppid}`), 200).body
}

/** Something is written to the researcher's profile, and is there. */
function written(
  list: 'affiliations' | 'education',
  keyFor: (world: World) => Promise<string>,
): Attempt {
  return async (world) => {
    const field = list === 'affiliations' ? 'organization' : 'institution'
    const body = { [field]: world.name('Academy') }
    const key = await keyFor(world)
    answered(await world.call(`POST /api/v1/user/${list}`, { key, body }), 201)
    const found = (await profile(world))[list].map((each: Json) => each[field])
    holds(found.includes(body[field]), 'it is on the profile', found)
  }
}

/** A work is written to the researcher's profile, and is there. */
function workWritten(keyFor: (world: World) => Promise<string>): Attempt {
  return async (world) => {
    const { ark } = await register(world, undefined, await keyFor(world))
    const found = (await profile(world)).claims.map((claim: Json) => claim.ark_identifier)
    holds(found.includes(ark), 'it is on the profile', found)
  }
}

const worksToken = (world: World) => tokenOf(world, 'svc:works:write')
const listsToken = (world: World) => tokenOf(world, 'svc:affiliations:write')
const ownKey = (world: World) => researcherKey(world, 'mint')

/** What the service is for. */
export const service: Section = {
  name: 'What the service does',
  rows: [
    row('it registers academic works', async (world) => {
      same((await sampleWork(world)).created.work_type, 'article', 'work_type')
    }),
    row('each work has an ARK', async (world) => {
      matches((await sampleWork(world)).ark, forms.ark, 'the ARK')
    }),
    row('the ARK is for ever: another version has the same', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      same((await world.call(`GET /v1/resolve/${ark}`)).body.ark, ark, 'the ARK')
    }),
    row('a work has versions', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      same((await world.call(`GET /v1/resolve/${ark}`)).body.latest_version, 2, 'latest_version')
    }),
    row(
      'each version has a receipt with two hashes, a signature and a Merkle proof',
      async (world) => {
        const { ark } = await workOfTwoVersions(world)
        for (const version of [1, 2]) {
          const receipt = await receiptOf(world, ark, version)
          holds('content_hash' in receipt, 'it has a content hash')
          matches(receipt.metadata_hash, forms.hash, 'metadata_hash')
          matches(receipt.signature.signature, forms.hex64, 'signature')
          holds(Array.isArray(receipt.chain_proof.inclusion_proof), 'it has an inclusion proof')
        }
      },
    ),
    row('a resolver turns the ARK into metadata', async (world) => {
      const { ark, fields } = await sampleWork(world)
      const { body } = answered(await world.call(`GET /v1/resolve/${ark}`), 200)
      same(body.metadata.description, fields['description'], 'metadata.description')
    }),
    row('a resolver turns the ARK into content', async (world) => {
      const { ark, fields } = await sampleWork(world)
      const { headers } = answered(await world.call(`GET /${ark}?content`), 302)
      same(headers.get('location'), fields['work_url'], 'Location')
    }),
    row('resolving public records needs no API key', async (world) => {
      const { ark } = await sampleWork(world)
      answered(await world.call(`GET /v1/resolve/${ark}`), 200)
    }),
    row('receipts can be fetched', async (world) => {
      matches(
        (await receiptOf(world, (await sampleWork(world)).ark)).receipt_id,
        forms.receiptId,
        'id',
      )
    }),
    row('receipts can be verified by hash', async (world) => {
      const { receipt_id, content_hash } = await receiptOf(world, (await sampleWork(world)).ark)
      const body = { receipt_id, content_hash: content_hash ?? `sha256:${'0'.repeat(64)}` }
      const reply = answered(await world.call('POST /v1/receipts/verify', { body }), 200)
      same(reply.body.content_match, content_hash !== null, 'content_match')
    }),
    row('receipts can be verified by signature', async (world) => {
      const receipt = await receiptOf(world, (await sampleWork(world)).ark)
      const keys = await publishedKeys(world)
      holds(
        keys.some((key) => isSigned(receipt, key)),
        'a published key has signed it',
      )
    }),
    row('receipts can be verified by chain inclusion', async (world) => {
      const receipt = await receiptOf(world, (await sampleWork(world)).ark)
      same(provenRoot(receipt), receipt.chain_proof.merkle_root, 'the root')
    }),
    row('the proofs of each version can be fetched', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      for (const version of [1, 2]) {
        const { body } = answered(await world.call(`GET /api/v1/proofs/${ark}/v${version}`), 200)
        same(body.version, version, 'version')
      }
    }),
    row('authors have profiles', async (world) => {
      same((await profile(world)).name, 'Ada Lovelace', 'name')
    }),
    row('an author is linked to a work by a claim', async (world) => {
      const { ppid } = await researcher(world)
      const { ark } = await register(world)
      const key = await researcherKey(world, 'people:write')
      const sent = { key, body: { ark_identifier: ark } }
      answered(await world.call(`POST /v1/people/${ppid}/claim`, sent), 201)
      const found = (await profile(world)).claims.map((claim: Json) => claim.ark_identifier)
      holds(found.includes(ark), 'the work is among the claims', found)
    }),
    row('works are searched', async (world) => {
      const { ark, fields } = await sampleWork(world)
      const q = encodeURIComponent(String(fields['work_title']))
      const { results } = await untilFound(world, `/v1/search/works?q=${q}`)
      same(results[0].ark_identifier, ark, 'what is found')
    }),
    row('people are searched', async (world) => {
      const { ppid } = await researcher(world)
      const { results } = await untilFound(world, `/v1/search/people?q=${ppid}`)
      same(results[0].ppid, ppid, 'who is found')
    }),
    row('organizations are searched', async (world) => {
      const { results } = await untilFound(world, '/v1/search/organizations?q=demonstration')
      same(results[0].slug, 'demo', 'what is found')
    }),
    row('publishers write works to a profile, with permission', workWritten(worksToken)),
    row('they write affiliations', written('affiliations', listsToken)),
    row('they write education', written('education', listsToken)),
    row('they do so with a key that the researcher has made: works', workWritten(ownKey)),
    row('with such a key: affiliations', written('affiliations', ownKey)),
    row('with such a key: education', written('education', ownKey)),
    row('writes are attributed to the organization that writes', async (world) => {
      const { ark } = await register(world, undefined, await worksToken(world))
      const { source } = (await world.call(`GET /v1/resolve/${ark}`)).body
      same([source.type, source.id, source.via], ['organization', 'demo', 'oauth'], 'source')
    }),
    row('writes are seen by the researcher', async (world) => {
      const { ark } = await register(world, undefined, await worksToken(world))
      const key = await researcherKey(world, 'people:read')
      const { body } = answered(await world.call('GET /v1/user/writes', { key }), 200)
      const found = body.writes.find((write: Json) => write.ark_identifier === ark)
      same(found?.by.id, 'demo', 'by whom it was written')
    }),
    row('all records are harvested by OAI-PMH 2.0 as Dublin Core', async (world) => {
      const { ark } = await sampleWork(world)
      const reply = await harvest(world, await plainAdapter(world), recordQuery(ark))
      same(reply.children.at(-1)?.name, 'GetRecord', 'what is answered')
    }),
    row('authors sign in by OpenID Connect', async (world) => {
      const path = '/.well-known/openid-configuration'
      const { body } = answered(await world.call(`GET ${world.place.authUrl}${path}`), 200)
      same(body.issuer, world.place.authUrl, 'issuer')
    }),
  ],
}
