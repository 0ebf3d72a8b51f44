import type { FastifyInstance } from 'fastify'

import { splitAuthors } from '#actors/values/author_name.ts'
import type { UpdateNotice } from '#actors/works/update_notices.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { HttpError } from '#src/edge/errors.ts'
import { nameCursor } from '#src/edge/list_page.ts'
import { readPageQuery, textParameter } from '#src/edge/query_string.ts'
import { type Html, html, nothing } from '#src/pages/kit/html.ts'
import { badge, card, foldedList, pagination } from '#src/pages/kit/parts.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import { relationName, typeName } from '#src/pages/kit/words.ts'
import { landing, relations, standing } from '#src/words/english.ts'
import { joined } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'
import { noIndex } from '#src/pages/public/landing/head_tags.ts'
import { findSimilar, type ListedWork } from '#src/use_cases/listed_works.ts'
import { publicSearch } from '#src/use_cases/record_search.ts'
import type { LandingRecord, RelatedReply, WorkReply } from '#src/use_cases/landing_record.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { lookUpShownWork } from '#src/use_cases/work_lookup.ts'

/** The page that has all of them, and that of works that say the like. */
const relatedPath = '/related'
const similarPath = '/similar'

// Works that are shown at once; the others are a click away.
const openWorksMax = 10

/** The works of this registry that a work relates to, and those that say they relate to it. */
export function relatedWorks({ work, related, hasMoreRelated }: LandingRecord): Html {
  if (related.length === 0) return nothing
  const query = new URLSearchParams({ ark: work.ark }).toString()
  const all = hasMoreRelated
    ? html`<p><a href="${relatedPath}?${query}">${landing.allRelated}</a></p>`
    : nothing
  return card(landing.relatedWorks, html`${relatedItems(related)}${all}`)
}

/** What leads to similar works; a script puts them in its place once a reader comes near. */
export function similarWorks({ work }: Pick<LandingRecord, 'work'>): Html {
  const address = `${similarPath}?${new URLSearchParams({ ark: work.ark })}`
  const link = html`<a href="${address}" rel="nofollow">${landing.findSimilar}</a>`
  return card(landing.similarWorks, html`<p class="similar">${link}</p>`)
}

function similarItem(work: ListedWork): Html {
  const { ark_identifier: ark, work_title: title, work_type: type, published_date: date } = work
  const [first, other, ...more] = splitAuthors(work.authors)
  const names = [first, other, more.length === 0 ? undefined : '…'].filter(Boolean).join('; ')
  const said = joined(
    [typeName(type), date?.slice(0, 4), names].filter((part) => part !== undefined),
    ' · ',
  )
  return html`<li><a href="/${ark}"><bdi>${title}</bdi></a> <span class="hint">${said}</span></li>`
}

/** `GET /similar?ark=…`: works that are about the same as one. */
function registerSimilarPageRoute(server: FastifyInstance, edge: RelatedEdge): void {
  const { cursor: _, ...known } = parameters
  const options = {
    ...edge.admit({ type: 'public', limit: 'search_page' }, known),
    schema: { hide: true },
  }
  server.get(similarPath, options, async (request, reply) => {
    const { ark: asked } = readPageQuery(request, known)
    if (asked === undefined) throw new HttpError('bad_request', 'Say which work (ark)')
    const { environment, ark } = lookUpShownWork(edge, request.caller, asked)
    if (environment.catalogue.state(ark) === undefined) {
      throw new HttpError('not_found', `There is no ark:/${ark}`)
    }
    if (environment.name === 'sandbox') markSandbox(reply)
    const { searcher } = publicSearch(edge, request.ip, reply.standAside())
    const source = { service: edge.search?.[environment.name], searcher }
    const works = await findSimilar(source, ark, { environment, baseUrl: edge.baseUrl })
    const name = `ark:/${ark}`
    const link = html`<a href="/${name}"><code>${name}</code></a>`
    const found = html`<ul class="similar-works">${works.map(similarItem)}</ul>`
    const body = html`<h1>${landing.similarWorks}</h1>
<p class="lead">${landing.similarLead({ work: link })}</p>
${works.length === 0 ? html`<p class="similar-works">${landing.noneRelated}</p>` : found}`
    reply.header('cache-control', 'no-store')
    const title = landing.similarWorks
    return sendPublicPage({ title, head: noIndex, body }, reply, edge)
  })
}

/** What a work relates to, as a list of which the first are open. */
function relatedItems(related: readonly RelatedReply[]): Html {
  // What both works say of each other is one line.
  const distinct = new Map(related.toReversed().map((one) => [keyOf(one), one] as const))
  const items = [...distinct.values()].toReversed().map(relatedWork)
  return foldedList({ items, openMax: openWorksMax, kind: 'items' })
}

function keyOf(related: RelatedReply): string {
  const { ark_identifier: ark, identifier, scheme, title, direction, notice } = related
  const own = direction === 'out' ? related.relation : related.inverse
  const relation = notice === undefined ? own : 'notice'
  const thing = ark === undefined ? [scheme, identifier, title] : [ark]
  return JSON.stringify([relation, notice, ...thing])
}

/**
 * The relations of a record to what is not among its related works here, which have a list of their
 * own.
 */
export function relatedElsewhere(
  { related_identifiers: all = [] }: WorkReply['metadata'],
  related: LandingRecord['related'],
): WorkReply['metadata']['related_identifiers'] {
  const keyIn = (relation: string, name: string) => `${relation} ${name.replace('ark:/', 'ark:')}`
  const own = related.filter(({ direction }) => direction === 'out')
  const here = new Set(
    own.flatMap(({ relation, identifier, ark_identifier: ark }) => {
      return [identifier ?? '', ark ?? ''].map((name) => keyIn(relation, name))
    }),
  )
  return all.filter(({ relation, identifier }) => !here.has(keyIn(relation, identifier)))
}

function relatedWork(related: RelatedReply): Html {
  const { ark_identifier: ark, title, type, status } = related
  if (ark === undefined) return relatedThing(related)
  const kind = type === null ? '' : html` <span class="hint">${typeName(type)}</span>`
  const mark = status === 'withdrawn' ? html` ${badge(standing.withdrawn, 'bad')}` : ''
  return html`<li>${saying(related)} <a href="/${ark}"><bdi>${title ?? ark}</bdi></a>
${kind}${mark}</li>`
}

/** Something that is no work of this registry. */
function relatedThing(related: RelatedReply): Html {
  const { identifier, scheme, title } = related
  const name = [scheme === 'URL' ? undefined : scheme, identifier].filter(Boolean).join(' ')
  const shown = title === null ? '' : html`<bdi>${title}</bdi> `
  return html`<li>${saying(related)} ${shown}<bdi>${name}</bdi></li>`
}

/** What this work is to the other one, as the beginning of a sentence about that. */
function saying({ direction, relation, inverse, notice }: RelatedReply): Text {
  if (notice !== undefined) return noticeSaying(notice)
  if (direction === 'out') return relationName(relation)
  if (inverse !== null) return relationName(inverse)
  return relation === 'IsPublishedIn' ? relations.hasPublished : relations.Other
}

function noticeSaying({ kind, direction }: Pick<UpdateNotice, 'kind' | 'direction'>): Text {
  const said = { kind: standing[kind] }
  return direction === 'of_this' ? landing.hasNotice(said) : landing.isNotice(said)
}

/** Entries of one page. */
const listedMax = 100

const parameters = {
  ark: textParameter('The ARK of the work.', /^ark:.{1,200}$/i, 'the ARK of a work'),
  cursor: nameCursor,
}

type RelatedEdge = Pick<
  RegistryEdge,
  | 'admit'
  | 'takeTurn'
  | 'baseUrl'
  | 'branding'
  | 'environments'
  | 'accounts'
  | 'search'
  | 'suspensions'
>

/** `GET /related?ark=…`: all that a work relates to, and all that says it relates to it. */
export function registerRelatedPageRoutes(server: FastifyInstance, edge: RelatedEdge): void {
  registerSimilarPageRoute(server, edge)
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }, parameters),
    schema: { hide: true },
  }
  server.get(relatedPath, options, async (request, reply) => {
    const { ark: asked, cursor } = readPageQuery(request, parameters)
    if (asked === undefined) throw new HttpError('bad_request', 'Say which work (ark)')
    const { environment, ark } = lookUpShownWork(edge, request.caller, asked)
    if (environment.name === 'sandbox') markSandbox(reply)
    const page = { limit: listedMax, ...(cursor !== undefined && { cursor }) }
    const found = await edge.takeTurn(reply, () => environment.catalogue.related(ark, page))
    if (found.type === 'not_found') throw new HttpError('not_found', `There is no ark:/${ark}`)
    const list = JSON.parse(Buffer.from(found.body).toString('utf8')) as RelatedList
    const name = `ark:/${ark}`
    const { related } = list
    const entries =
      related.length === 0 ? html`<p>${landing.noneRelated}</p>` : relatedItems(related)
    const link = html`<a href="/${name}"><code>${name}</code></a>`
    const body = html`<h1>${landing.relatedWorks}</h1>
<p class="lead">${landing.relatedLead({ work: link })}</p>
${entries}
${pagination({
  path: relatedPath,
  parameter: 'cursor',
  next: list.next,
  isFirst: cursor === undefined,
  kept: new URLSearchParams({ ark: name }),
})}
<p class="aside"><a href="/api/v1/works/${name}/related">${landing.sameJson}</a></p>`
    const title = landing.relatedWorks
    return sendPublicPage({ title, head: noIndex, body }, reply, edge)
  })
}

type RelatedList = { readonly related: readonly RelatedReply[]; readonly next: string | null }
