import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { isGrave, noticesOn } from '#actors/works/update_notices.ts'
import type { IndexKind } from '#src/discovery/search/search_engine.ts'
import { badge } from '#src/pages/kit/parts.ts'
import { fixityBadge, typeName } from '#src/pages/kit/words.ts'
import { savedSearches, search, standing } from '#src/words/english.ts'
import { joined } from '#src/words/format.ts'
import type { Wording } from '#src/words/wording.ts'
import type { ListedWork } from '#src/use_cases/listed_works.ts'
import { atomType, searchFeedPaths } from '#src/discovery/feeds/atom.ts'
import { jsonFeedType } from '#src/discovery/feeds/json_feed.ts'
import { feedAddress } from '#src/pages/kit/page.ts'
import { savedSearchesPath } from '#src/pages/kit/page_address.ts'
import type { SearchAsked } from '#src/pages/public/search_form.ts'
import { exportFormatNames, exportFormats, searchExportPath } from '#src/use_cases/work_export.ts'
import { foldText, lookedForWords } from '#src/discovery/search/fold.ts'
import { fieldNames } from '#src/discovery/search/index_shape.ts'
import { alternativesOf, parseQueryText } from '#src/discovery/search/query_text.ts'

type Shown = Readonly<Record<string, unknown>>

type ListedPerson = {
  readonly ppid: string
  readonly name?: string
  readonly username?: string
  readonly orcid?: string
  readonly bio?: string
  readonly works_count?: number
  readonly affiliations: readonly { readonly organization: string; readonly role?: string }[]
}

type ListedOrganization = {
  readonly slug: string
  readonly name: string
  readonly country?: string
  readonly ror?: string
  readonly works_count: number
  readonly people_count: number
}

/** Authors, and affiliations, that a list names. */
const authorsMax = 5
const affiliationsMax = 3

const noWords: LookedFor = { words: new Set(), beginnings: [] }

/**
 * Records of a kind in their order, with what was looked for marked in them. Works can be selected:
 * those that are shown by themselves are taken along as all results are.
 */
export function resultList(kind: IndexKind, records: readonly Shown[], looked: LookedFor): Html {
  if (kind !== 'works') return list(records.map((record) => card(kind, record, looked)))
  const works = records as unknown as readonly ListedWork[]
  const cards = works.map((work, index) => {
    const id = `work-${index + 1}`
    return html`<input type="checkbox" class="result-tick" form="selected" name="ark"
value="${work.ark_identifier}" aria-labelledby="${id}">
${workCard(work, looked, snippetOf(work.description, looked), id)}`
  })
  return html`${list(cards)}
<form id="selected" class="selected" action="/search">
<button class="button button-quiet" type="submit">${search.showSelected}</button>
<p class="hint">${search.selectHint}</p></form>`
}

/** Works in their order, without their abstracts; below each, what `note` says of it. */
export function workList<Work extends ListedWork>(
  works: readonly Work[],
  note: (work: Work) => Html = () => nothing,
): Html {
  return list(works.map((work) => html`${workCard(work, noWords, undefined)}${note(work)}`))
}

function list(cards: readonly Html[]): Html {
  const items = cards.map((one) => html`<li class="result">${one}</li>`)
  return html`<ol class="results">${items}</ol>`
}

function card(kind: Exclude<IndexKind, 'works'>, record: Shown, looked: LookedFor): Html {
  switch (kind) {
    case 'people':
      return personCard(record as unknown as ListedPerson, looked)
    case 'organizations':
      return organizationCard(record as unknown as ListedOrganization, looked)
  }
}

function workCard(
  work: ListedWork,
  looked: LookedFor,
  abstract: Html | undefined,
  titleId?: string,
): Html {
  const { ark_identifier: ark, existing_doi: doi, registrant } = work
  const lang = work.language === undefined ? '' : html`lang="${work.language}"`
  const { published_date: published, container_title: container } = work
  const where = [
    typeName(work.work_type),
    published?.slice(0, 4),
    container,
    registrant === undefined ? undefined : search.registeredBy({ name: registrant }),
  ].filter((part) => part !== undefined)
  const title = html`<a href="/${ark}">${highlight(work.work_title, looked)}</a>`
  const id = titleId === undefined ? '' : html`id="${titleId}"`
  return html`<h3 ${id} dir="auto" ${lang}>${title}</h3>
<p class="result-by" dir="auto">${authorNames(work.authors, looked)}</p>
<p class="result-where">${joined(where, ' · ')}</p>
${abstract === undefined ? '' : html`<p class="result-text" dir="auto" ${lang}>${abstract}</p>`}
<p class="result-names">${standingBadges(work)} <code>${ark}</code>
${doi === undefined ? '' : html`<code>doi:${doi}</code>`}</p>`
}

function standingBadges(work: ListedWork): Html {
  const { status, fixity_status } = work
  const shown =
    status === 'withdrawn' ? badge(standing.withdrawn, 'bad') : fixityBadge(fixity_status)
  const [gravest] = noticesOn(work)
  if (gravest === undefined) return shown
  const look = isGrave(gravest.kind) ? 'bad' : 'plain'
  return html`${badge(standing[gravest.kind], look)} ${shown}`
}

function snippetOf(text = '', looked: LookedFor): Html | undefined {
  return text === '' ? undefined : snippet(text, looked)
}

function authorNames(authors: string, looked: LookedFor): Wording {
  const all = splitAuthors(authors)
  const names = highlight(all.slice(0, authorsMax).join('; '), looked)
  const count = all.length - authorsMax
  return count > 0 ? search.andMore({ names, count }) : names
}

function personCard(person: ListedPerson, looked: LookedFor): Html {
  const { ppid, username, orcid, affiliations, works_count: works } = person
  const places = affiliations
    .slice(0, affiliationsMax)
    .map(({ role, organization }) =>
      role === undefined ? organization : `${role}, ${organization}`,
    )
  const placed = places.join('; ')
  const bio = snippetOf(person.bio, looked)
  const name = person.name ?? username ?? ppid
  return html`<h3 dir="auto"><a href="/people/${ppid}">${highlight(name, looked)}</a></h3>
${placed === '' ? '' : html`<p class="result-by" dir="auto">${highlight(placed, looked)}</p>`}
${bio === undefined ? '' : html`<p class="result-text" dir="auto">${bio}</p>`}
<p class="result-names">${works === undefined ? '' : search.countWorks({ count: works })}
<code>${ppid}</code> ${orcid === undefined ? '' : html`<code>orcid:${orcid}</code>`}</p>`
}

function organizationCard(organization: ListedOrganization, looked: LookedFor): Html {
  const { slug, name, ror, works_count: works, people_count: people } = organization
  return html`<h3 dir="auto"><a href="/publishers/${slug}">${highlight(name, looked)}</a></h3>
<p class="result-where">${search.countWorks({ count: works })} ·
${search.countAuthors({ count: people })}</p>
<p class="result-names"><code>${slug}</code>
${ror === undefined ? '' : html`<code>${ror}</code>`}</p>`
}

/** The parameters of a search of works. */
type SearchGiven = SearchAsked['given']

/** What leads readers of feeds to those of a search of works. */
export function feedLinks(asked: SearchGiven): Html {
  const links = feeds.map(
    ({ type, name, path }) => html`
<link rel="alternate" type="${type}" title="${search.feedTitle({ feed: name })}"
href="${feedAddress(foundAt(path, asked))}">`,
  )
  return html`${links}`
}

const feeds = [
  { type: atomType, name: 'Atom', path: searchFeedPaths.atom },
  { type: jsonFeedType, name: 'JSON Feed', path: searchFeedPaths.json },
] as const

/** Where what a search finds is had in another form: a file, or a feed, which has its own order. */
function foundAt(path: string, given: SearchGiven, format?: string): string {
  const query = new URLSearchParams([...given])
  if (format === undefined) query.delete('sort')
  else query.set('format', format)
  return query.size === 0 ? path : `${path}?${query}`
}

/** Where who is signed in saves a search; nothing for that of all works. */
function saveLink(given: SearchGiven, accounts: string): Html {
  const query = new URLSearchParams([...given])
  query.delete('sort')
  if (query.size === 0) return nothing
  const label = query.has('ark') ? savedSearches.saveList : savedSearches.saveThis
  const address = `${accounts}${savedSearchesPath}?${new URLSearchParams({ save: `${query}` })}`
  return html`<p><a href="${address}" rel="nofollow">${label}</a></p>`
}

/**
 * All that a search of works finds as files, as feeds and in numbers; where the pages of accounts
 * are, to be saved as well.
 */
export function takeAlong(asked: SearchGiven, accounts?: string): Html {
  const files = exportFormatNames.map((name) => {
    const address = foundAt(searchExportPath, asked, name)
    const { label } = exportFormats[name]
    return html`<li><a href="${address}" rel="nofollow" download>${label}</a></li>`
  })
  const followed = feeds.map(
    ({ name, path }) =>
      html`<li><a href="${feedAddress(foundAt(path, asked))}" rel="nofollow">${name}</a></li>`,
  )
  return html`<section class="take-along" aria-label="${search.takeAlong}">
<ul class="sorts" aria-label="${search.saveLabel}"><li>${search.saveAll}</li>${files}</ul>
<ul class="sorts" aria-label="${search.followLabel}"><li>${search.follow}</li>${followed}</ul>
${accounts === undefined ? nothing : saveLink(asked, accounts)}
<p><a href="${foundAt('/statistics', asked)}" rel="nofollow">${search.statistics}</a></p>
</section>`
}

/** Words that a reader has looked for, folded; those in `beginnings` need not be whole. */
type LookedFor = {
  readonly words: ReadonlySet<string>
  readonly beginnings: readonly string[]
}

/** Characters of a text that a snippet shows, and words before the first one that was found. */
const snippetCharacters = 260
const wordsBefore = 8

const wordForm = /[\p{L}\p{N}\p{M}]+/gu

/** What was looked for: what was typed, and words that the search took in besides. */
export function lookedFor(typed: string, besides: readonly string[]): LookedFor {
  const wanted = parseQueryText(typed, fieldNames.works).filter(({ isExcluded }) => !isExcluded)
  const clauses = wanted.flatMap(alternativesOf)
  const words = clauses.flatMap(({ text }) => lookedForWords(text))
  const last = clauses.at(-1)
  const beginnings = last?.isPrefix === true ? lookedForWords(last.text).slice(-1) : []
  return { words: new Set([...words, ...besides.flatMap(lookedForWords)]), beginnings }
}

/** A text in which the words that were looked for are marked. */
export function highlight(text: string, looked: LookedFor): Html {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(wordForm)) {
    const [word] = match
    if (!isLookedFor(word, looked)) continue
    parts.push(html`${text.slice(end, match.index)}<mark>${word}</mark>`)
    end = match.index + word.length
  }
  return html`${parts}${text.slice(end)}`
}

/** The part of a text around the first word that was looked for; its beginning if there is none. */
export function snippet(text: string, looked: LookedFor): Html {
  const words = [...text.matchAll(wordForm)]
  const hit = words.findIndex(([word]) => isLookedFor(word, looked))
  const isNearStart = hit <= wordsBefore
  const start = isNearStart ? 0 : (words[hit - wordsBefore]?.index ?? 0)
  const shown = wholeWords(text.slice(start), snippetCharacters)
  const isCut = start + shown.length < text.length
  return html`${start > 0 ? '… ' : ''}${highlight(shown, looked)}${isCut ? ' …' : ''}`
}

/** The beginning of a text, which ends between two words. */
function wholeWords(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const cut = text.slice(0, charactersMax)
  const end = cut.search(/\s\S*$/)
  // A script without spaces is cut between two characters, none of them in half.
  return end > 0 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, '')
}

function isLookedFor(word: string, { words, beginnings }: LookedFor): boolean {
  const folded = foldText(word)
  return words.has(folded) || beginnings.some((beginning) => folded.startsWith(beginning))
}

/** How long what many visitors see is kept, so that all of them are one search. */
const keptMs = 2_000

/** What `make` gives, made anew when it is older than two seconds. */
export function keptFor<T>(elapsedMs: () => number, make: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly made: Promise<T> } | undefined
  return () => {
    if (kept === undefined || elapsedMs() - kept.at >= keptMs) {
      kept = { at: elapsedMs(), made: make() }
    }
    return kept.made
  }
}
