import { answered, forms, holds, matches, same } from '#test/interface/_expect.ts'
import { keyOf, organization } from '#test/interface/_keys.ts'
import { researcher, researcherKey, tokenOf } from '#test/interface/_people.ts'
import type { Json, Reply } from '#test/interface/_request.ts'
import { filled, type Section } from '#test/interface/_row.ts'
import { readingKey, register, workOfTwoVersions } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** The researcher, of whom something of every kind is known. */
async function knownResearcher(world: World): Promise<string> {
  return world.once('known researcher', async () => {
    const { ppid } = await researcher(world)
    const key = await tokenOf(world, 'svc:works:write', 'svc:affiliations:write')
    const { ark } = await register(world, undefined, key)
    const affiliation = { organization: world.name('Institute'), role: 'Professor' }
    const education = { institution: world.name('School'), degree: 'PhD', year: '2012' }
    answered(await world.call('POST /api/v1/user/affiliations', { key, body: affiliation }), 201)
    answered(await world.call('POST /api/v1/user/education', { key, body: education }), 201)
    const own = await researcherKey(world, 'people:write')
    const body = {
      username: `ada-${world.run}`,
      avatar_url: 'https://people.example/ada.png',
      bio: `The author of ${ark}.`,
    }
    answered(await world.call('PUT /v1/user', { key: own, body }), 200)
    return ppid
  })
}

/** The profile as everybody reads it, or as the person does. */
async function profile(world: World, own = false): Promise<Json> {
  const ppid = await knownResearcher(world)
  const key = own ? await researcherKey(world, 'people:read') : undefined
  return answered(await world.call(`GET /api/v1/people/${ppid}`, { key }), 200).body
}

/** A version as a list of versions has it. */
async function listedVersion(world: World): Promise<Json> {
  const { ark } = await workOfTwoVersions(world)
  const key = await readingKey(world)
  const { body } = answered(await world.call(`GET /v1/works/${ark}/versions`, { key }), 200)
  return body.versions[1]
}

async function organizationRecord(world: World): Promise<Json> {
  return answered(await world.call(`GET /api/v1/organizations/${organization}`), 200).body
}

/** Records of which the text names no fields, or not all. */
export const records: Section = {
  name: 'Profiles, versions, organizations',
  rows: [
    filled('profiles', 'a profile has its ppid', async (world) => {
      const { ppid } = await researcher(world)
      same((await profile(world)).ppid, ppid, 'ppid')
    }),
    filled('profiles', 'a profile has the name', async (world) => {
      same((await profile(world)).name, 'Ada Lovelace', 'name')
    }),
    filled('profiles', 'a profile has the username', async (world) => {
      same((await profile(world)).username, `ada-${world.run}`, 'username')
    }),
    filled('profiles', 'a profile has the address of a picture', async (world) => {
      same((await profile(world)).avatar_url, 'https://people.example/ada.png', 'avatar_url')
    }),
    filled(
      'profiles',
      'a profile has the ORCID iD, and whether it is authenticated',
      async (world) => {
        const { browser } = await researcher(world)
        const page = await browser.go(`${world.place.authUrl}/account`)
        await browser.submit(page, { orcid: '0000-0002-1825-0097' }, '/account/orcid')
        const { orcid, orcid_authenticated } = await profile(world)
        same([orcid, orcid_authenticated], ['0000-0002-1825-0097', false], 'orcid')
      },
    ),
    filled(
      'profiles',
      'the person reads the address, and whether it is verified',
      async (world) => {
        const { email } = await researcher(world)
        const own = await profile(world, true)
        same([own.email, own.email_verified], [email, false], 'email, email_verified')
      },
    ),
    filled('profiles', 'others do not read the address unless it is shown', async (world) => {
      const { email, email_verified } = await profile(world)
      same([email, email_verified], [undefined, undefined], 'email, email_verified')
    }),
    filled('profiles', 'a profile has claims, each with its state', async (world) => {
      const { claims } = await profile(world)
      const states = claims.map((claim: Json) => claim.status)
      holds(states.includes('verified'), 'one is verified', states)
      for (const claim of claims) matches(claim.ark_identifier, forms.ark, 'ark_identifier')
    }),
    filled('profiles', 'a profile has affiliations, each with its source', async (world) => {
      const { affiliations } = await profile(world)
      holds(affiliations.length > 0, 'there are some', affiliations)
      for (const each of affiliations) matches(each.source.type, /^\w+$/, 'source.type')
    }),
    filled('profiles', 'a profile has education records, each with its source', async (world) => {
      const { education } = await profile(world)
      holds(education.length > 0, 'there are some', education)
      for (const each of education) matches(each.source.type, /^\w+$/, 'source.type')
    }),
    filled('profiles', 'a profile has the number of works, and links', async (world) => {
      const { works_count, links } = await profile(world)
      holds(works_count >= 1, 'there is a work', works_count)
      matches(links.self, /\/api\/v1\/people\/p/, 'links.self')
    }),
    filled('versions', 'a version has its ARK, number and kind', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      const { ark_identifier, version, kind } = await listedVersion(world)
      same([ark_identifier, version, kind], [ark, 2, 'updated'], 'ARK, number, kind')
    }),
    filled('versions', 'a version has its time, receipt and hashes', async (world) => {
      const version = await listedVersion(world)
      matches(version.created_at, forms.time, 'created_at')
      matches(version.receipt_id, forms.receiptId, 'receipt_id')
      matches(version.metadata_hash, forms.hash, 'metadata_hash')
      same(version.content_hash, null, 'content_hash')
    }),
    filled('versions', 'a version has what changed, who changed it, and links', async (world) => {
      const { changed_fields, source, links } = await listedVersion(world)
      same(changed_fields, ['description'], 'changed_fields')
      same([source.type, source.id], ['organization', organization], 'source')
      matches(links.receipt, /\/v2$/, 'links.receipt')
    }),
    filled(
      'lists',
      'a list is read page by page, by the address of the next one',
      async (world) => {
        const { ark } = await workOfTwoVersions(world)
        const key = await readingKey(world)
        const found: number[] = []
        let next: string | null = `/v1/works/${ark}/versions?limit=1`
        while (next !== null) {
          const { body }: Reply = answered(await world.call(`GET ${next}`, { key }), 200)
          found.push(...body.versions.map((each: Json) => each.version))
          next = body.links.next
        }
        same(found, [1, 2], 'the versions')
      },
    ),
    filled('lists', 'the order can be asked for', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      const path = `/api/v1/works/${ark}/versions?order=newest`
      const { body } = answered(await world.call(`GET ${path}`), 200)
      same(
        body.versions.map((each: Json) => each.version),
        [2, 1],
        'the versions',
      )
    }),
    filled('organizations', 'an organization has its slug and name', async (world) => {
      const { slug, name } = await organizationRecord(world)
      same([slug, name], ['demo', 'Demonstration'], 'slug, name')
    }),
    filled(
      'organizations',
      'an organization has the numbers of its works and people',
      async (world) => {
        const { works_count, people_count } = await organizationRecord(world)
        holds(Number.isInteger(works_count), 'works_count is a number', works_count)
        holds(Number.isInteger(people_count), 'people_count is a number', people_count)
      },
    ),
    filled('organizations', 'an organization has the set of its works', async (world) => {
      const { set_spec } = await organizationRecord(world)
      const { text } = await world.call('GET /api/v1/oai?verb=ListSets')
      holds(text.includes(`<setSpec>${set_spec}</setSpec>`), `${set_spec} is a set`, text)
    }),
    filled('organizations', 'its works are listed', async (world) => {
      const path = `/api/v1/organizations/${organization}/works`
      const { body } = answered(await world.call(`GET ${path}`), 200)
      matches(body.works[0].ark_identifier, forms.ark, 'ark_identifier')
    }),
    filled('profiles', 'who a credential acts for is told by GET /v1/user', async (world) => {
      const key = await tokenOf(world, 'profile')
      const { ppid } = await researcher(world)
      const { body } = answered(await world.call('GET /api/v1/user', { key }), 200)
      same(body.ppid, ppid, 'ppid')
      const other = await keyOf(world, 'people:read')
      answered(await world.call('GET /api/v1/user', { key: other }), 403)
    }),
  ],
}
