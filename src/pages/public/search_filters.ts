import { hiddenField } from '#src/pages/kit/form.ts'
import type { FacetCount, IndexKind } from '#src/discovery/search/search_engine.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { queryWordsMax } from '#src/discovery/search/query_text.ts'
import type { QueryError } from '#src/edge/query_string.ts'
import { typeName } from '#src/pages/kit/words.ts'
import { frame, search, standing } from '#src/words/english.ts'
import { languageName, list, number, regionName } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'
import {
  firstYear,
  lastYear,
  searchAddress,
  type SearchAsked,
} from '#src/pages/public/search_form.ts'
import { type Bar, barDrawing } from '#src/pages/kit/drawing.ts'

/** What a value of a filter is called, such as the slug of an organization, if that is known. */
export type NameValue = (filter: string, value: string) => string | undefined

/** Values that are counted, in the order in which they are shown. */
export const shownFacets: Readonly<Record<IndexKind, readonly string[]>> = {
  works: [
    'type',
    'year',
    'organization',
    'publisher',
    'journal',
    'affiliation',
    'funder',
    'language',
    'license',
    'status',
    'notice',
    'fixity_status',
  ],
  people: [],
  organizations: ['country'],
}

/** Values of a facet that are shown at once; the others are a click away. */
const openValuesMax = 6

/** Values of a facet that are listed; who looks for others narrows the search before. */
const listedValuesMax = 24

/** What the parameters are called that narrow a search. */
export const filterLabels: Readonly<Record<string, Text>> = {
  type: search.type,
  year: search.year,
  organization: search.organization,
  publisher: search.publisher,
  journal: search.journal,
  funder: search.funder,
  language: search.language,
  license: search.license,
  status: search.status,
  fixity_status: search.fixity_status,
  notice: search.notice,
  related_to: search.related_to,
  title: search.byTitle,
  author: search.author,
  keyword: search.keyword,
  ark: search.selected,
  doi: 'DOI',
  orcid: search.orcid,
  ppid: search.ppid,
  created_from: search.created_from,
  created_to: search.created_to,
  has_doi: search.has_doi,
  name: search.byName,
  affiliation: search.affiliation,
  ror: search.ror,
  country: search.country,
}

/** The filters in use, each with a link that takes it away; undefined if there are none. */
export function activeFilters(asked: SearchAsked, nameValue: NameValue): Html | undefined {
  const filters = [...asked.given].filter(([name]) => Object.hasOwn(filterLabels, name))
  if (filters.length === 0) return undefined
  const items = filters.map(([name, value]) => {
    const said = filterText(name, valueName(name, value, nameValue))
    return html`<li><a class="chip" href="${searchAddress(asked, { [name]: null })}"
aria-label="${search.removeFilter({ filter: said })}"><span>${said}</span><span
aria-hidden="true">×</span></a></li>`
  })
  const all = Object.fromEntries(filters.map(([name]) => [name, null]))
  const none =
    filters.length === 1
      ? ''
      : html`<li><a href="${searchAddress(asked, all)}">${search.clearAll}</a></li>`
  return html`<ul class="chips" aria-label="${search.filtersInUse}">${items}${none}</ul>`
}

/** A filter with its value, as people read it: `Type: Book`. */
export function filterText(name: string, value: Text): Text {
  return search.filter({ name: filterLabels[name] ?? name, value })
}

/** What is wrong with a search, as its page says it. */
export function searchFaultText({ parameter, fault }: QueryError, asked: SearchAsked): Text {
  const name = parameter === 'sort' ? search.order : (filterLabels[parameter] ?? parameter)
  if (fault === 'too_many_words') return search.tooManyWords({ max: queryWordsMax })
  if (fault === 'given_twice') return search.givenTwice({ name })
  if (parameter === 'cursor' || parameter === 'page') return search.wrongPage
  if (parameter === 'year') return search.wrongYear({ example: search.yearExample })
  return search.wrongValue({ name, value: asked.given.get(parameter) ?? '' })
}

/**
 * What a search can be narrowed to, with the number of results of each. `facetsOf` is the number of
 * results over which they were counted. Undefined if there is nothing to narrow it to.
 */
export function facetList(
  asked: SearchAsked,
  facets: Readonly<Record<string, readonly FacetCount[]>>,
  facetsOf: number,
  nameValue: NameValue,
): Html | undefined {
  const groups = shownFacets[asked.kind]
    .filter((name) => asked.given.has(name) || parts(facets[name] ?? [], facetsOf))
    .map((name) => facetGroup(asked, name, facets[name] ?? [], nameValue))
  return groups.length === 0 ? undefined : html`${groups}`
}

/** Whether values part results; one value that all of them have does not. */
function parts(counts: readonly FacetCount[], facetsOf: number): boolean {
  return counts.length > 0 && (counts[0]?.count ?? 0) < facetsOf
}

function facetGroup(
  asked: SearchAsked,
  name: string,
  counts: readonly FacetCount[],
  nameValue: NameValue,
): Html {
  const chosen = chosenValues(asked, name)
  if (name === 'year') return yearGroup(asked, counts)
  // What was chosen stays in sight, though nothing may have it.
  const lost = chosen.filter((one) => !counts.some(({ value }) => value === one))
  const all = [...lost.map((value) => ({ value, count: 0 })), ...counts].slice(0, listedValuesMax)
  const items = all
    .toSorted((one, other) => isIn(chosen, other.value) - isIn(chosen, one.value))
    .map(({ value, count }) => {
      const said = valueName(name, value, nameValue)
      return facetItem(asked, name, { value, count, said, chosen })
    })
  const [open, folded] = [items.slice(0, openValuesMax), items.slice(openValuesMax)]
  const rest =
    folded.length === 0
      ? ''
      : html`<details><summary>${search.moreValues({ count: folded.length })}</summary>
<ul>${folded}</ul></details>`
  return html`<section class="facet"><h3>${filterLabels[name]}</h3>
<ul>${open}</ul>${rest}</section>`
}

/** A value with its number, chosen or not: the link chooses it beside the others, or not more. */
function facetItem(asked: SearchAsked, name: string, item: FacetItem): Html {
  const { value, count, said, chosen } = item
  const isChosen = chosen.includes(value)
  const others = chosen.filter((one) => one !== value)
  const values = isChosen ? others : [...others, value]
  const change = values.length === 0 ? null : values.join(',')
  const href = searchAddress(asked, { [name]: change })
  const mark = isChosen
    ? html` class="chosen" aria-current="true" aria-label="${search.chosen({ value: said })}"`
    : ''
  return html`<li><a href="${href}"${mark}>${said}</a>
<span class="count">${number(count)}</span></li>`
}

type FacetItem = FacetCount & { readonly said: Text; readonly chosen: readonly string[] }

function chosenValues({ given }: SearchAsked, name: string): readonly string[] {
  const text = given.get(name)
  return text === undefined ? [] : text.split(',')
}

function isIn(chosen: readonly string[], value: string): number {
  return chosen.includes(value) ? 1 : 0
}

/** Years as a figure, as a span that is typed, and one by one. */
function yearGroup(asked: SearchAsked, counts: readonly FacetCount[]): Html {
  const [from = '', to = from] = (asked.given.get('year') ?? '').split('-')
  const shown = (year: string) => (year === firstYear || year === lastYear ? '' : year)
  const chosen = chosenValues(asked, 'year')
  const items = counts
    .toSorted((one, other) => Number(other.value) - Number(one.value))
    .map(({ value, count }) => {
      const isOnly = chosen.length === 1 && chosen[0] === value
      return facetItem(asked, 'year', { value, count, said: value, chosen: isOnly ? chosen : [] })
    })
  const others = [...asked.given].filter(([name]) => name !== 'year')
  const hidden = others.map(([name, value]) => hiddenField(name, value))
  return html`<section class="facet"><h3>${search.year}</h3>${yearFigure(counts)}
<form class="years-form" action="/search">${hidden}
<label for="year-from">${search.from}</label><input id="year-from" name="year_from"
inputmode="numeric" pattern="[0-9]{4}" maxlength="4" value="${shown(from)}">
<label for="year-to">${search.to}</label><input id="year-to" name="year_to" inputmode="numeric"
pattern="[0-9]{4}" maxlength="4" value="${shown(to)}">
<button class="button button-quiet" type="submit">${frame.show}</button></form>
<details><summary>${search.singleYears}</summary><ul>${items}</ul></details></section>`
}

/** A value of a filter as people read it; several are parted by commas. */
export function valueName(name: string, value: string, nameValue: NameValue): Text {
  if (name === 'ark') return number(value.split(',').length)
  const nameOne = namedFilters.has(name)
    ? (one: string) => nameValue(name, one) ?? one
    : valueNames[name]
  return nameOne === undefined ? value : list(value.split(',').map(nameOne), 'disjunction')
}

/** Filters whose values are called otherwise than they are written. */
const namedFilters = new Set(['organization', 'publisher', 'journal', 'affiliation', 'funder'])

const valueNames: Readonly<Record<string, (value: string) => Text>> = {
  type: typeName,
  year: yearsName,
  language: languageName,
  country: regionName,
  license: (license) => license.replace(/^https?:\/\//, ''),
  fixity_status: (status) => termOf(standing, status) ?? status,
  status: (status) => termOf(standing, status) ?? status,
  notice: (kind) => termOf(standing, kind) ?? kind.replaceAll('_', ' '),
  has_doi: (flag) => (flag === 'true' ? search.yes : search.no),
}

function yearsName(years: string): Text {
  const [from = '', to = from] = years.split('-')
  if (from === firstYear) return search.untilYear({ year: to })
  return to === lastYear ? search.sinceYear({ year: from }) : years.replace('-', '–')
}

/** Bars of the figure at most: of more years several make one. */
const barsMax = 40

/**
 * How many results there are of each year, as bars from the first year to the last; undefined for
 * fewer than two years.
 */
function yearFigure(counts: readonly FacetCount[]): Html | undefined {
  return counts.length < 2 ? undefined : barDrawing(barsOf(counts), search.resultsByYear)
}

/** The numbers of years as bars; `counts` are one at least, and their values years. */
export function barsOf(counts: readonly FacetCount[]): readonly Bar[] {
  const years = counts.map(({ value, count }) => [Number(value), count] as const)
  const first = Math.min(...years.map(([year]) => year))
  const last = Math.max(...years.map(([year]) => year))
  const step = Math.ceil((last - first + 1) / barsMax)
  return Array.from({ length: Math.ceil((last - first + 1) / step) }, (_, index) => {
    const from = first + index * step
    const to = Math.min(last, from + step - 1)
    const within = years.filter(([year]) => year >= from && year <= to)
    const count = within.reduce((sum, [, some]) => sum + some, 0)
    return { label: from === to ? `${from}` : `${from}–${to}`, count }
  })
}
