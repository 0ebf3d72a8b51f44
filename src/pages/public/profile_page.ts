import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Claim } from '#actors/people/claims/port.ts'
import type { ClaimBasis } from '#actors/people/events.ts'
import type { Item, Person } from '#actors/people/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { type Agent, isPerson } from '#actors/values/agent.ts'
import { documentId } from '#src/discovery/search/documents.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { addressLinks, type Page } from '#src/pages/kit/page.ts'
import { badge, card, facts, time } from '#src/pages/kit/parts.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import { itemTitle } from '#src/pages/kit/words.ts'
import { jsonLdBlock } from '#src/pages/public/landing/head_tags.ts'
import { feedLinks, takeAlong, workList } from '#src/pages/public/result_list.ts'
import { searchAddress } from '#src/pages/public/search_form.ts'
import { credentials, owners } from '#src/words/english.ts'
import type { Text, TextWording } from '#src/words/wording.ts'
import { type ListedWork, readListedWorks } from '#src/use_cases/listed_works.ts'
import {
  everybody,
  namePerson,
  personLinks,
  sees,
  seesClaim,
  seesItem,
} from '#src/use_cases/person_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

type CountedWork = ListedWork & { readonly claim: Claim }

type PublicProfile = {
  readonly person: Person
  readonly works: readonly CountedWork[]
  /** Whether they are a person of the sandbox. */
  readonly isTest: boolean
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
}

function publicProfilePage({ person, works, isTest, baseUrl }: PublicProfile): Page {
  const { ppid, profile, items } = person
  const isShown = (field: keyof typeof profile.visibility) =>
    sees(everybody, profile.visibility[field], 'read people')
  const name = isShown('name') ? profile.name : ppid
  const shown = items.filter((item) => seesItem(everybody, item))
  const searched = new Map([['ppid', ppid]])
  const isFound = works.length > 0 && !isTest
  return {
    title: name,
    wide: true,
    styles: [publicStyle],
    head: html`${addressLinks(`${baseUrl}/people/${ppid}`)}
${jsonLdBlock(profileJsonLd(person, shown, baseUrl))}
${isFound ? feedLinks(searched) : nothing}`,
    body: html`<h1>${name}</h1>
${isTest ? testNotice : ''}
${isShown('bio') && profile.bio !== undefined ? lead(profile.bio) : ''}
${facts([
  [owners.identifier, html`<code>${ppid}</code>`],
  [credentials.username, isShown('username') ? profile.username : undefined],
  [
    'ORCID iD',
    isShown('orcid') && profile.orcid !== undefined
      ? orcidLink(profile.orcid, profile.orcid_authenticated === true)
      : undefined,
  ],
  [
    owners.links,
    isShown('urls') && profile.urls !== undefined
      ? html`<ul>${profile.urls.map(link)}</ul>`
      : undefined,
  ],
])}
${worksPart(works)}
${isFound ? foundPart(searched) : nothing}
${itemsPart({ ppid, items: shown }, owners.affiliations, 'affiliation')}
${itemsPart({ ppid, items: shown }, owners.education, 'education')}
<p class="aside">${owners.forPrograms}
<a href="${baseUrl}/api/v1/people/${ppid}">${owners.profileJson}</a></p>`,
  }
}

function lead(bio: string): Html {
  return html`<p class="lead" dir="auto">${bio}</p>`
}

/** Where all works of a person are searched and narrowed down, saved, followed and counted. */
function foundPart(searched: ReadonlyMap<string, string>): Html {
  const address = searchAddress({ kind: 'works', given: searched })
  return html`<p><a href="${address}">${owners.filterThese}</a></p>${takeAlong(searched)}`
}

/** The person as search engines read them (schema.org): what everybody sees, and no more. */
function profileJsonLd(
  { ppid, profile, created_at, updated_at }: Person,
  items: readonly Item[],
  baseUrl: string,
): string {
  const isShown = (field: keyof typeof profile.visibility) =>
    sees(everybody, profile.visibility[field], 'read people')
  const orcid = isShown('orcid') ? profile.orcid : undefined
  const urls = isShown('urls') ? (profile.urls ?? []) : []
  const sameAs = [...(orcid === undefined ? [] : [orcidUrl(orcid)]), ...urls.map(({ url }) => url)]
  const affiliation = items.flatMap((item) =>
    item.kind === 'affiliation' && item.status === 'active'
      ? [{ '@type': 'Organization', name: item.fields.organization, '@id': item.fields.ror }]
      : [],
  )
  const url = `${baseUrl}/people/${ppid}`
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url,
    dateCreated: created_at,
    dateModified: updated_at,
    mainEntity: {
      '@type': 'Person',
      '@id': url,
      identifier: ppid,
      name: isShown('name') ? profile.name : ppid,
      description: isShown('bio') ? profile.bio : undefined,
      ...(sameAs.length > 0 && { sameAs }),
      ...(affiliation.length > 0 && { affiliation }),
    },
  })
}

function orcidUrl(orcid: string): string {
  return `https://orcid.org/${orcid}`
}

const testNotice = html`<p class="aside">${owners.testPerson({
  strong: (text) => html`<strong>${text}</strong>`,
})}</p>`

function orcidLink(orcid: string, isAuthenticated: boolean): Html {
  const url = orcidUrl(orcid)
  const mark = isAuthenticated ? badge(owners.orcidSignedIn, 'good') : badge(owners.notConfirmed)
  return html`<a href="${url}" rel="noreferrer">${url}</a> ${mark}`
}

// Stored addresses are http or https.
function link({ name, url }: { readonly name?: string; readonly url: string }): Html {
  return html`<li><a href="${url}" rel="noreferrer nofollow">${name ?? url}</a></li>`
}

/** What was checked of a claim, and never more. */
const basisWords: Readonly<Record<ClaimBasis, Text>> = {
  registrant: owners.byRegistrant,
  orcid: owners.byOrcid,
  admin: owners.byAdmin,
}

function worksPart(works: readonly CountedWork[]): Html {
  if (works.length === 0) return nothing
  const list = workList(works, ({ claim: { ppid, source, basis, created_at } }) => {
    const by = sayerOf(source, ppid)
    const checked = basis === undefined ? '' : html` ${basisWords[basis]}`
    const said = owners.claimedBy({ by, day: time(created_at, 'day') })
    return html`<p class="result-where">${said}${checked}</p>`
  })
  return html`<section aria-labelledby="works"><h2 id="works">${owners.works}</h2>
${list}</section>`
}

/** Who has said something of a person, in words for readers. */
function sayerOf(source: Agent, ppid: string): TextWording | string {
  if (isPerson(source, ppid)) return owners.thePerson
  if (source.type === 'person') return owners.anApplication
  return source.type === 'operator' ? owners.theOperator : source.name
}

/** Who said something of a person, and when. */
function provenanceOf({ source, created_at, updated_at }: Item, ppid: string): Text {
  const by = sayerOf(source, ppid)
  const day = time(created_at, 'day')
  const isChanged = updated_at.slice(0, 10) !== created_at.slice(0, 10)
  if (!isChanged) return owners.addedBy({ by, day })
  return owners.changedOn({ by, day, changed: time(updated_at, 'day') })
}

function itemsPart(
  { ppid, items }: Pick<Person, 'ppid' | 'items'>,
  heading: Text,
  kind: Item['kind'],
): Html {
  const some = items.filter((item) => item.kind === kind)
  if (some.length === 0) return nothing
  const lines = some.map((item) => {
    const mark = item.status === 'contested' ? badge(owners.contested, 'bad') : ''
    const said = html`<span class="hint">${provenanceOf(item, ppid)}</span>`
    return html`<li><bdi>${itemTitle(item)}</bdi> ${mark} ${said}</li>`
  })
  return card(heading, html`<ul>${lines}</ul>`)
}

/** Works that the page of a person shows, the newest ones. */
const worksMax = 100

/** `GET /people/{ppid}`: a person as readers see them. */
export function registerProfilePageRoute(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'baseUrl' | 'branding' | 'environments' | 'accounts'>,
): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }),
    schema: { hide: true },
  }
  type Named = FastifyRequest<{ Params: { ppid: string } }>
  server.get('/people/:ppid', options, async (request: Named, reply) => {
    const { caller, params } = request
    const { environment, person } = namePerson(edge.environments, caller, params.ppid)
    const { self } = personLinks(edge.baseUrl, person.ppid)
    reply.header('link', `<${self}>; rel="alternate"; type="application/json"`)
    const works = await countedWorks(environment, person, edge.baseUrl)
    const isTest = environment.name === 'sandbox'
    if (isTest) markSandbox(reply)
    const page = publicProfilePage({ person, works, isTest, baseUrl: edge.baseUrl })
    return sendPublicPage(page, reply, edge)
  })
}

/** Works that count as a person's and that everybody may see with them. */
async function countedWorks(
  environment: ServedEnvironment,
  { ppid, profile }: Person,
  baseUrl: string,
): Promise<CountedWork[]> {
  const newest = environment.claims.ofPerson(ppid, { limit: worksMax }).claims
  const counted = newest.filter(
    (claim) =>
      claim.status === 'verified' && seesClaim(everybody, profile.visibility.claims, claim),
  )
  const ids = counted.map(({ ark }) => documentId({ type: 'work', id: ark }))
  const works = await readListedWorks(ids, { environment, baseUrl })
  return works.flatMap((work) => {
    const claim = counted.find(({ ark_identifier: ark }) => ark === work.ark_identifier)
    return claim === undefined ? [] : [{ ...work, claim }]
  })
}
