import type { FastifyInstance } from 'fastify'

import { splitAuthors } from '#actors/values/author_name.ts'
import { lookedForWords } from '#src/discovery/search/fold.ts'
import { newest } from '#src/discovery/search/index_shape.ts'
import { replaceWords } from '#src/discovery/search/query_text.ts'
import {
  type Correction,
  type FacetCount,
  type IndexKind,
  indexKinds,
  rankedGivenMax,
  rankedHitsMax,
  SearchError,
} from '#src/discovery/search/search_engine.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  givenTwice,
  integerParameter,
  QueryError,
  readPageQuery,
  readParameters,
  textParameter,
} from '#src/edge/query_string.ts'
import { addressLanguage } from '#src/edge/reader_language.ts'
import { publicStyle, searchScript } from '#src/pages/kit/assets.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { asLink, type Columns, table } from '#src/pages/kit/parts.ts'
import {
  accountsBase,
  pageOptions,
  type PublicPage,
  searchDescription,
  searchDescriptionPath,
  searchDescriptionType,
  sendPublicPage,
} from '#src/pages/kit/public_page.ts'
import {
  feedLinks,
  keptFor,
  lookedFor,
  resultList,
  takeAlong,
} from '#src/pages/public/result_list.ts'
import {
  activeFilters,
  facetList,
  type NameValue,
  searchFaultText,
  shownFacets,
} from '#src/pages/public/search_filters.ts'
import {
  readAsked,
  sameWords,
  searchAddress,
  type SearchAsked,
  searchForm,
  searchHelpPath,
  suggestionsPath,
} from '#src/pages/public/search_form.ts'
import { registerStatisticsPage } from '#src/pages/public/statistics_page.ts'
import { listedWork, type ListedWork, readListedWorks } from '#src/use_cases/listed_works.ts'
import {
  exactRecord,
  publicSearch,
  type RecordPage,
  renderResults,
  searchRecords,
  searchRetrySeconds,
  type SearchSource,
  suggestedArk,
} from '#src/use_cases/record_search.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  filterParameters,
  resultsDefault,
  viewParameters,
} from '#src/use_cases/search_parameters.ts'
import { exportFormats, exportLimits } from '#src/use_cases/work_export.ts'
import { search, searchHelp } from '#src/words/english.ts'
import { inEnglish, list } from '#src/words/format.ts'
import { english } from '#src/words/language.ts'
import type { Text, Wording } from '#src/words/wording.ts'

type Found = {
  readonly type: 'found'
  readonly total: number
  readonly isExact: boolean
  /** The order that was applied. */
  readonly sort: string
  readonly facets: Readonly<Record<string, readonly FacetCount[]>>
  readonly facetsOf: number
  /** Words that were looked for in place of others, and those that were probably meant. */
  readonly alsoSearchedFor: readonly string[]
  readonly corrections: readonly Correction[]
  readonly nextCursor: string | null
  readonly notUnderstood: readonly string[]
  readonly records: readonly Readonly<Record<string, unknown>>[]
  /** If nothing was found: other kinds in which the same words are, and how often. */
  readonly elsewhere: readonly (readonly [kind: IndexKind, total: number])[]
  /** If a mistyped ARK was looked for: the one that was probably meant. */
  readonly meant: string | undefined
  readonly isFirst: boolean
  /** The number of the page; undefined for one that a cursor leads to. */
  readonly page: number | undefined
}

type SearchOutcome =
  | Found
  | {
      readonly type: 'refused' | 'ended' | 'unavailable'
      readonly text: Text
      /** What programs are told, where that alone says what would be right. */
      readonly message?: string
    }

/** What is said of a kind of records. */
const kindWords = {
  works: {
    tab: search.works,
    count: search.countWorks,
    moreThan: search.moreThanWorks,
    noneYet: search.noneYetWorks,
    none: search.noWorks,
  },
  people: {
    tab: search.people,
    count: search.countPeople,
    moreThan: search.moreThanPeople,
    noneYet: search.noneYetPeople,
    none: search.noPeople,
  },
  organizations: {
    tab: search.organizations,
    count: search.countOrganizations,
    moreThan: search.moreThanOrganizations,
    noneYet: search.noneYetOrganizations,
    none: search.noOrganizations,
  },
} as const satisfies Record<IndexKind, object>

const byName: readonly (readonly [sort: string, name: Text])[] = [
  ['relevance', search.relevance],
  ['newest', search.newest],
  ['name', search.byName],
]

const sorts: Readonly<Record<IndexKind, typeof byName>> = {
  works: [
    ['relevance', search.relevance],
    ['newest', search.newest],
    ['published', search.published],
    ['title', search.byTitle],
  ],
  people: byName,
  organizations: byName,
}

const statuses = { found: 200, refused: 400, ended: 504, unavailable: 503 } as const

/**
 * The page of a search: 200, 400 for what cannot be asked, 504 for what took too long, 503 when
 * nothing can be searched.
 */
function searchPage(
  asked: SearchAsked,
  outcome: SearchOutcome,
  nameValue: NameValue,
  accounts: string,
): PublicPage {
  const typed = asked.given.get('q') ?? ''
  const { type } = outcome
  return {
    title: typed === '' ? search.search : search.title({ typed }),
    status: statuses[type],
    wide: true,
    current: '/search',
    address: searchAddress(asked, asked.place),
    searches: true,
    styles: [publicStyle],
    scripts: [searchScript],
    head: html`<meta name="robots" content="noindex, follow">
${asked.kind === 'works' ? feedLinks(asked.given) : nothing}`,
    body: html`<h1 class="search-heading">${search.heading}</h1>
${searchForm(asked)}
${tabList(asked)}
${type === 'found' ? foundPart(asked, outcome, nameValue, accounts) : failedPart(asked, outcome)}`,
  }
}

function tabList(asked: SearchAsked): Html {
  const items = indexKinds.map((kind) => {
    const current = kind === asked.kind ? html` aria-current="page"` : ''
    return html`<li><a href="${sameWords(asked, kind)}"${current}>${kindWords[kind].tab}</a></li>`
  })
  return html`<nav class="navigation sections" aria-label="${search.kinds}">
<ul>${items}</ul></nav>`
}

function failedPart(
  asked: SearchAsked,
  { type, text, message }: Exclude<SearchOutcome, Found>,
): Html {
  const again =
    type !== 'unavailable'
      ? html`<p><a href="${sameWords(asked, asked.kind)}">${search.wordsAlone}</a></p>`
      : html`<p>${search.stillTyped}</p>
<p><a href="${searchAddress(asked)}">${search.tryAgain}</a></p>`
  return html`<div class="flash flash-error" role="alert"><h2>${failures[type]}</h2>
<p>${text}</p>
${message === undefined ? '' : html`<p class="hint">${inEnglish(`${message}.`)}</p>`}${again}</div>`
}

const failures = {
  refused: search.refused,
  ended: search.ended,
  unavailable: search.unavailable,
} as const

function foundPart(asked: SearchAsked, found: Found, nameValue: NameValue, accounts: string): Html {
  if (found.records.length === 0 && found.isFirst) return nothingPart(asked, found, nameValue)
  const looked = lookedFor(asked.given.get('q') ?? '', found.alsoSearchedFor)
  const facets = facetList(asked, found.facets, found.facetsOf, nameValue)
  return html`<div class="search-columns${facets === undefined ? ' search-columns-one' : ''}">
${facets === undefined ? '' : facetColumn(facets, found)}
<section class="search-results" aria-labelledby="total">
${activeFilters(asked, nameValue)}
<div class="search-order"><h2 id="total">${totalText(asked, found)}</h2>
${sortList(asked, found)}</div>
${notes(asked, found)}
${resultList(asked.kind, found.records, looked)}
${pageList(asked, found)}
${asked.kind === 'works' ? takeAlong(asked.given, accounts) : nothing}
</section>
</div>`
}

/** Pages that have numbers; those after them are only led to by the page before. */
const numberedPages = rankedGivenMax / resultsDefault

/** The pages of the results, as far as they have numbers, and what leads on from the last. */
function pageList(asked: SearchAsked, { total, page, nextCursor }: Found): Html {
  const last = Math.min(Math.ceil(total / resultsDefault), numberedPages)
  const isLast = page === undefined || page === numberedPages
  const on =
    nextCursor === null || !isLast
      ? nothing
      : html`<a rel="next"
href="${searchAddress(asked, { cursor: nextCursor })}">${search.moreResults}</a>`
  const all = page === undefined && nextCursor === null ? html`<span>${search.allShown}</span>` : ''
  if (page === undefined) {
    return html`<nav class="pagination" aria-label="${search.pages}">
<a href="${searchAddress(asked)}">${search.firstPage}</a>${all}${on}</nav>`
  }
  if (last < 2) return nothing
  const at = (number: number) => searchAddress(asked, { page: number === 1 ? null : `${number}` })
  const shown = [1, page - 2, page - 1, page, page + 1, page + 2, last]
  const numbers = [...new Set(shown)].filter((one) => one >= 1 && one <= last)
  const items = numbers.map((number, index) => {
    const gap = number - (numbers[index - 1] ?? 0) > 1 ? html`<li aria-hidden="true">…</li>` : ''
    return number === page
      ? html`${gap}<li><span aria-current="page">${number}</span></li>`
      : html`${gap}<li><a href="${at(number)}"
aria-label="${search.page({ number })}">${number}</a></li>`
  })
  const previous =
    page > 1 ? html`<a rel="prev" href="${at(page - 1)}">${search.previous}</a>` : nothing
  const next = page < last ? html`<a rel="next" href="${at(page + 1)}">${search.next}</a>` : on
  return html`<nav class="pagination" aria-label="${search.pages}">${previous}
<ol class="sorts">${items}</ol>${next}</nav>`
}

function facetColumn(facets: Html, { facetsOf, total }: Found): Html {
  const partly =
    facetsOf < total ? html`<p class="hint">${search.partly({ count: facetsOf })}</p>` : ''
  return html`<input class="facets-switch" type="checkbox" id="facets-switch">
<label class="button button-quiet facets-label" for="facets-switch">${search.filters}</label>
<aside class="facets" aria-labelledby="narrow"><h2 id="narrow">${search.filters}</h2>
${partly}${facets}</aside>`
}

/** How many there are: exactly, or more than were counted. */
function totalText({ kind, given }: SearchAsked, found: Found): Text {
  const { total, isExact, isFirst, page } = found
  const { count, moreThan } = kindWords[kind]
  const amount = isExact ? count({ count: total }) : moreThan({ count: total })
  const isAll = given.size === 0 || (given.size === 1 && given.has('sort'))
  const whole = isAll && isFirst ? search.inRegistry({ amount }) : amount
  if (isFirst) return whole
  return page === undefined ? search.continued({ amount }) : search.onPage({ amount, page })
}

function sortList(asked: SearchAsked, { sort: applied }: Found): Html {
  const offered = sorts[asked.kind].filter(([sort]) => sort !== 'relevance' || asked.given.has('q'))
  const items = offered.map(([sort, name]) =>
    sort === applied
      ? html`<li><span aria-current="true">${name}</span></li>`
      : html`<li><a href="${searchAddress(asked, { sort })}">${name}</a></li>`,
  )
  return html`<ul class="sorts" aria-label="${search.order}">${items}</ul>`
}

/** What the reader should know of how this was found. */
function notes(asked: SearchAsked, found: Found): Html {
  const { sort } = found
  const chosen = asked.given.get('sort') ?? 'relevance'
  const isAsked = asked.given.has('q') && chosen === 'relevance' && sort !== 'relevance'
  const isUnranked = isAsked && found.total > rankedHitsMax
  const spelled = spellingNote(asked, found)
  const unranked = isUnranked ? html`<p>${search.unranked}</p>` : ''
  const unread = notUnderstoodNote(found)
  if (spelled === '' && unranked === '' && unread === '') return nothing
  return html`<div class="flash flash-info">${spelled}${unranked}${unread}</div>`
}

function notUnderstoodNote({ notUnderstood }: Found): Html | '' {
  if (notUnderstood.length === 0) return ''
  const code = (words: Wording) => html`<code translate="no">${words}</code>`
  return html`<p>${search.notCommand({ typed: notUnderstood.join(' '), q: quoted, code })}</p>`
}

/** Words as they were typed. */
function quoted(words: Wording): Html {
  return html`<q>${words}</q>`
}

/** What was probably meant, whether it is what is shown or only what could be. */
function spellingNote(asked: SearchAsked, { alsoSearchedFor, corrections }: Found): Html | '' {
  if (corrections.length === 0) return ''
  const typed = asked.given.get('q') ?? ''
  const meant = replaceWords(typed, new Map(corrections.map((one) => [one.typed, one.meant])))
  const link = html`<strong><a href="${searchAddress(asked, { q: meant })}">${meant}</a></strong>`
  const isSearched = alsoSearchedFor.length > 0
  const given = { typed, link, q: quoted }
  if (corrections.some((one) => one.meant.includes(' OR '))) {
    const said = isSearched ? search.searchedForms(given) : search.otherForms({ link })
    return html`<p>${said}</p>`
  }
  return html`<p>${isSearched ? search.searchedMeant(given) : search.didYouMean({ link })}</p>`
}

function nothingPart(asked: SearchAsked, found: Found, nameValue: NameValue): Html {
  const { noneYet, none } = kindWords[asked.kind]
  const filters = activeFilters(asked, nameValue)
  if (asked.given.size === 0) {
    return html`<div class="empty"><h2>${noneYet}</h2>
<p>${search.firstPageSays({ link: asLink('/') })}</p></div>`
  }
  return html`${filters}
<div class="empty"><h2>${none}</h2>
${notUnderstoodNote(found)}
${suggestionPart(found)}${elsewherePart(asked, found)}${advice(filters !== undefined)}</div>`
}

function suggestionPart({ meant: ark }: Found): Html {
  if (ark === undefined) return nothing
  return html`<p>${search.didYouMean({ link: html`<a href="/${ark}">${ark}</a>` })}</p>`
}

function elsewherePart(asked: SearchAsked, { elsewhere }: Found): Html {
  if (elsewhere.length === 0) return nothing
  const items = elsewhere.map(([kind, total]) => {
    const counted = kindWords[kind].count({ count: total })
    return html`<li><a href="${sameWords(asked, kind)}">${counted}</a></li>`
  })
  return html`<p>${search.elsewhere}</p><ul class="plain">${items}</ul>`
}

function advice(hasFilters: boolean): Html {
  return html`<ul class="advice">
${hasFilters ? html`<li>${search.removeAFilter}</li>` : ''}
<li>${search.fewerWords}</li>
<li>${search.nameAsSigned}</li>
<li>${search.identifiers}</li>
</ul>`
}

type SearchPageEdge = Pick<
  RegistryEdge,
  'count' | 'admit' | 'baseUrl' | 'branding' | 'environments' | 'accounts' | 'search' | 'elapsedMs'
>

/** `GET /search`: the live registry as readers search it, without a key, and in numbers. */
export function registerSearchPageRoute(server: FastifyInstance, edge: SearchPageEdge): void {
  registerSearchDescription(server, edge)
  registerSearchHelp(server, edge)
  registerSuggestions(server, edge)
  registerStatisticsPage(server, edge)
  const options = pageOptions(edge, 'search_page')
  const all = keptFor(edge.elapsedMs, () => allWorks(edge))
  server.get('/search', options, async (request, reply) => {
    const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '')
    const { asked, repeated } = readAsked(query)
    if (asked === undefined) throw new HttpError('not_found', 'Nothing like that is searched here')
    reply.header('cache-control', 'no-store')
    const source = publicSearch(edge, request.ip, reply.standAside())
    const { outcome, location } =
      repeated === undefined
        ? await outcomeOf({ ...edge, all }, source, asked)
        : { outcome: failedOutcome(givenTwice(repeated), asked) }
    if (location !== undefined) return reply.redirect(location, 303)
    if (outcome.type === 'unavailable') reply.header('retry-after', searchRetrySeconds)
    const { organizations } = edge.environments.live
    const nameOf: NameValue = (filter, value) =>
      filter === 'organization'
        ? organizations.read(value)?.name
        : facetName(outcome, filter, value)
    const page = searchPage(asked, outcome, nameOf, accountsBase(edge))
    return sendPublicPage(page, reply, edge)
  })
}

/** What a value of a facet is called, by what was found. */
function facetName(outcome: SearchOutcome, facet: string, value: string): string | undefined {
  if (outcome.type !== 'found') return undefined
  return outcome.facets[facet]?.find((one) => one.value === value)?.name
}

/** `GET /search/help`: how to search. */
function registerSearchHelp(server: FastifyInstance, edge: SearchPageEdge): void {
  const admission = edge.admit({ type: 'public', limit: 'public_read' })
  server.get(searchHelpPath, { ...admission, schema: { hide: true } }, (_request, reply) =>
    sendPublicPage(searchHelpPage(edge.baseUrl), reply, edge),
  )
}

/** `GET /opensearch.xml`: the search, as browsers offer it where addresses are typed. */
function registerSearchDescription(server: FastifyInstance, edge: SearchPageEdge): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }),
    schema: { hide: true },
  }
  const description = searchDescription(edge)
  server.get(searchDescriptionPath, options, ({ query }, reply) => {
    // By its address alone: it is kept for everybody.
    const language = addressLanguage(query) ?? english
    reply.header('content-type', searchDescriptionType)
    reply.header('content-language', language.tag)
    return reply.header('cache-control', 'public, max-age=86400').send(description.html(language))
  })
}

/** What the page is made from; `all` finds all works, which many ask for. */
type FoundFrom = SearchPageEdge & { readonly all: () => Promise<RecordPage> }

function allWorks(edge: SearchPageEdge): Promise<RecordPage> {
  const source = { service: edge.search?.live, searcher: { caller: 'the page of all works' } }
  return searchRecords(source, 'works', { facets: shownFacets.works }, resultsDefault)
}

/** What became of a search; `location` leads to the one record that was named. */
async function outcomeOf(
  edge: FoundFrom,
  source: SearchSource,
  asked: SearchAsked,
): Promise<
  | { readonly outcome: SearchOutcome; readonly location?: never }
  | { readonly outcome?: never; readonly location: string }
> {
  const { environments } = edge
  const typed = asked.given.get('q') ?? ''
  try {
    const isBare = asked.given.size === 1 && Object.keys(asked.place).length === 0
    const location = isBare ? await exactRecord(typed, environments, source) : undefined
    return location === undefined ? { outcome: await find(edge, source, asked) } : { location }
  } catch (error) {
    return { outcome: failedOutcome(error, asked) }
  }
}

const pageParameter = integerParameter('The number of the page.', {
  minimum: 1,
  maximum: numberedPages,
})

async function find(edge: FoundFrom, source: SearchSource, asked: SearchAsked): Promise<Found> {
  const { environments, baseUrl } = edge
  const { kind, given } = asked
  const { q, sort, cursor: place } = viewParameters(kind)
  const parameters = { q, sort, cursor: place, page: pageParameter, ...filterParameters[kind] }
  const read = readParameters({ ...Object.fromEntries(given), ...asked.place }, parameters)
  const values = { ...read, facets: shownFacets[kind] }
  const { cursor, page: number = 1 } = read
  const isAll = kind === 'works' && given.size === 0 && cursor === undefined && number === 1
  const shown = number * resultsDefault
  const page = await (isAll ? edge.all() : searchRecords(source, kind, values, shown))
  const others = await countOtherChoices(source, kind, { ...values, cursor: undefined })
  const registry = { environment: environments.live, baseUrl }
  const texts = await renderResults(kind, page.ids.slice(shown - resultsDefault), registry)
  const isFirst = cursor === undefined && number === 1
  const isEmpty = page.total === 0 && isFirst
  const typed = given.get('q') ?? ''
  return {
    ...page,
    facets: { ...page.facets, ...others },
    type: 'found',
    records: texts.map((text) =>
      kind === 'works'
        ? listedWork(text, registry)
        : (JSON.parse(text) as Readonly<Record<string, unknown>>),
    ),
    elsewhere: isEmpty && typed !== '' ? await countElsewhere(source, kind, typed) : [],
    meant: isEmpty ? suggestedArk(typed, environments) : undefined,
    isFirst,
    page: cursor === undefined ? number : undefined,
  }
}

/** The order of a search of which only numbers are wanted: to rank what it finds takes longest. */
const anyOrder = newest

/**
 * How many results the other values of a filter would bring: of what the search finds without it.
 * There are as many searches as facets that filter, one after another.
 */
async function countOtherChoices(
  source: SearchSource,
  kind: IndexKind,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, readonly FacetCount[]>> {
  const counts: Record<string, readonly FacetCount[]> = {}
  for (const name of shownFacets[kind]) {
    if (values[name] === undefined) continue
    const without = { ...values, [name]: undefined, facets: [name], sort: anyOrder }
    const { facets } = await searchRecords(source, kind, without, 1)
    counts[name] = facets[name] ?? []
  }
  return counts
}

/** Other kinds in which there is something with the same words. */
async function countElsewhere(
  source: SearchSource,
  kind: IndexKind,
  q: string,
): Promise<(readonly [IndexKind, number])[]> {
  const others = indexKinds.filter((one) => one !== kind)
  const counts = await Promise.all(
    others.map(async (other) => {
      const { total } = await searchRecords(source, other, { q, sort: anyOrder }, 1)
      return [other, total] as const
    }),
  )
  return counts.filter(([, total]) => total > 0)
}

/** Why nothing was found, as the page says it. Failures that are not of the search are thrown. */
function failedOutcome(error: unknown, asked: SearchAsked): Exclude<SearchOutcome, Found> {
  if (error instanceof QueryError) {
    const text = searchFaultText(error, asked)
    const isWrong = error.fault === 'wrong_value'
    return { type: 'refused', text, ...(isWrong && { message: error.message }) }
  }
  if (error instanceof SearchError) return { type: 'unavailable', text: search.onlySearch }
  const code = error instanceof HttpError ? error.code : undefined
  if (code === 'timeout') return { type: 'ended', text: search.lookForLess }
  if (code === 'unavailable') return { type: 'unavailable', text: search.onlySearch }
  throw error
}

/** What is offered, and names in it; characters of what is typed, and of one that is offered. */
const suggestionsMax = 6
const namesMax = 2
const typedMax = 100
const titleMax = 300

const parameters = {
  q: textParameter('What is typed.', /^[^]{0,100}$/, `text of ${typedMax} characters at most`),
}

/**
 * `GET /search/suggestions`: titles and authors of works with the words that a reader is typing,
 * for the search box. It is counted apart from searches, and finds nothing where they cannot be
 * made.
 */
function registerSuggestions(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'count' | 'baseUrl' | 'branding' | 'environments' | 'search'>,
): void {
  const options = pageOptions(edge, 'suggestions')
  server.get(suggestionsPath, options, async (request, reply) => {
    const { q = '' } = readPageQuery(request, parameters)
    reply.header('cache-control', 'no-store')
    if (q.trim() === '') return { suggestions: [] }
    const source = publicSearch(edge, request.ip, reply.standAside())
    const { ids } = await searchRecords(source, 'works', { q: q.trimStart() }, suggestionsMax)
    const { baseUrl, environments } = edge
    const works = await readListedWorks(ids, { environment: environments.live, baseUrl })
    const titles = works.map(({ work_title: title }) => title)
    const offered = [...namesLike(q, works).slice(0, namesMax), ...titles]
    const suggestions = [...new Set(offered)].filter(({ length }) => length <= titleMax)
    return { suggestions: suggestions.slice(0, suggestionsMax) }
  })
}

/** Names of authors of works in which each word that was typed begins a word. */
function namesLike(typed: string, works: readonly ListedWork[]): readonly string[] {
  const words = lookedForWords(typed)
  const names = new Set(works.flatMap(({ authors }) => splitAuthors(authors)))
  return [...names].filter((name) => {
    const parts = lookedForWords(name)
    return words.every((word) => parts.some((part) => part.startsWith(word)))
  })
}

type Example = readonly [typed: string, found: Wording]

const examples: readonly Example[] = [
  ['graph neural', searchHelp.allWords],
  ['"graph neural"', searchHelp.phrase],
  ['graph -protein', searchHelp.without],
  ['graph OR network', searchHelp.either],
  ['author:bengio', searchHelp.inAuthors({ code: (text) => html`<code>${text}</code>` })],
  ['title:"deep learning"', searchHelp.inTitle],
  ['Bengio, Y.', searchHelp.byName],
  ['0000-0002-1825-0097', searchHelp.byOrcid],
  ['10.1000/182', searchHelp.byDoi],
]

/** Results beyond which they are not ranked. */
const rankedMax = 10_000

/** `GET /search/help`: how to search, with examples to try. */
function searchHelpPage(baseUrl: string): PublicPage {
  const columns: Columns<Example> = [
    [searchHelp.youType, ([typed]) => example(typed)],
    [searchHelp.youFind, ([, found]) => found],
  ]
  const formats = list(
    Object.values(exportFormats).map(({ label }) => label),
    'unit',
  )
  const { works, bytes, ms } = exportLimits
  const limits = { works, size: `${bytes / 1_048_576} MiB`, minutes: ms / 60_000 }
  return {
    title: searchHelp.title,
    current: '/search',
    styles: [publicStyle],
    head: html`<meta name="description" content="${searchHelp.description}">
${addressLinks(`${baseUrl}/search/help`)}`,
    body: html`<article class="explained"><h1>${searchHelp.title}</h1>
<p class="lead">${searchHelp.lead}</p>
<h2>${searchHelp.whatYouType}</h2>
${table(searchHelp.examples, examples, columns)}
<h2>${searchHelp.nothingFound}</h2>
<p>${searchHelp.nothingFoundText}</p>
<h2>${searchHelp.filters}</h2>
<p>${searchHelp.filtersText({ name: (text) => html`<i>${text}</i>` })}</p>
<h2>${searchHelp.withdrawn}</h2>
<p>${searchHelp.withdrawnText({
      retracted: asLink('/search?notice=retraction'),
      active: asLink('/search?status=active'),
    })}</p>
<h2>${searchHelp.order}</h2>
<p>${searchHelp.orderText({ count: rankedMax })}</p>
<h2>${searchHelp.save}</h2>
<p>${searchHelp.saveText({ formats, ...limits })}</p>
<p>${searchHelp.follow}</p>
<h2>${searchHelp.programs}</h2>
<p>${searchHelp.programsText({ link: asLink('/docs') })}</p>
</article>`,
  }
}

function example(typed: string): Html {
  const query = new URLSearchParams({ q: typed })
  return html`<a href="/search?${query.toString()}"><code>${typed}</code></a>`
}
