import { hiddenField } from '#src/pages/kit/form.ts'
import type { FacetCount, IndexKind } from '#src/discovery/search/search_engine.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { fixityWords, formatNumber, typeName } from '#src/pages/kit/words.ts'
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
export const filterLabels: Readonly<Record<string, string>> = {
  type: 'Type',
  year: 'Year',
  organization: 'Registered by',
  publisher: 'Publisher',
  journal: 'Journal',
  funder: 'Funder',
  language: 'Language',
  license: 'License',
  status: 'Status',
  fixity_status: 'Content check',
  notice: 'Notice',
  related_to: 'Related to',
  title: 'Title',
  author: 'Author',
  keyword: 'Keyword',
  doi: 'DOI',
  orcid: 'ORCID iD',
  ppid: 'Person',
  created_from: 'Registered from',
  created_to: 'Registered until',
  has_doi: 'Has a DOI',
  name: 'Name',
  affiliation: 'Affiliation',
  ror: 'ROR id',
  country: 'Country',
}

/** The filters in use, each with a link that takes it away; undefined if there are none. */
export function activeFilters(asked: SearchAsked, nameValue: NameValue): Html | undefined {
  const filters = [...asked.given].filter(([name]) => Object.hasOwn(filterLabels, name))
  if (filters.length === 0) return undefined
  const items = filters.map(([name, value]) => {
    const said = `${filterLabels[name]}: ${valueName(name, value, nameValue)}`
    return html`<li><a class="chip" href="${searchAddress(asked, { [name]: null })}"
aria-label="Take away ${said}"><span>${said}</span><span aria-hidden="true">×</span></a></li>`
  })
  const all = Object.fromEntries(filters.map(([name]) => [name, null]))
  const none =
    filters.length === 1 ? '' : html`<li><a href="${searchAddress(asked, all)}">Clear all</a></li>`
  return html`<ul class="chips" aria-label="Filters in use">${items}${none}</ul>`
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
      : html`<details><summary>${folded.length} more</summary><ul>${folded}</ul></details>`
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
    ? html` class="chosen" aria-current="true" aria-label="${said}, chosen: take it away"`
    : ''
  return html`<li><a href="${href}"${mark}>${said}</a>
<span class="count">${formatNumber(count)}</span></li>`
}

type FacetItem = FacetCount & { readonly said: string; readonly chosen: readonly string[] }

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
  return html`<section class="facet"><h3>Year</h3>${yearFigure(counts)}
<form class="years-form" action="/search">${hidden}
<label for="year-from">From</label><input id="year-from" name="year_from" inputmode="numeric"
pattern="[0-9]{4}" maxlength="4" value="${shown(from)}">
<label for="year-to">to</label><input id="year-to" name="year_to" inputmode="numeric"
pattern="[0-9]{4}" maxlength="4" value="${shown(to)}">
<button class="button button-quiet" type="submit">Show</button></form>
<details><summary>Single years</summary><ul>${items}</ul></details></section>`
}

/** A value of a filter as people read it; several are parted by commas. */
export function valueName(name: string, value: string, nameValue: NameValue): string {
  const nameOne = namedFilters.has(name)
    ? (one: string) => nameValue(name, one) ?? one
    : valueNames[name]
  return nameOne === undefined ? value : value.split(',').map(nameOne).join(' or ')
}

/** Filters whose values are called otherwise than they are written. */
const namedFilters = new Set(['organization', 'publisher', 'journal', 'affiliation', 'funder'])

const valueNames: Readonly<Record<string, (value: string) => string>> = {
  type: typeName,
  year: yearsName,
  language: (code) => displayed('language', code),
  country: (code) => displayed('region', code),
  license: (license) => license.replace(/^https?:\/\//, ''),
  fixity_status: (status) =>
    Object.entries(fixityWords).find(([name]) => name === status)?.[1][0] ?? status,
  status: (status) => statusWords[status] ?? status,
  notice: (kind) => noticeText(kind),
  has_doi: (flag) => (flag === 'true' ? 'yes' : 'no'),
}

function noticeText(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
}

const statusWords: Readonly<Record<string, string>> = {
  active: 'Registered',
  withdrawn: 'Withdrawn',
  all: 'All',
}

function yearsName(years: string): string {
  const [from, to = from] = years.split('-')
  if (from === firstYear) return `until ${to}`
  return to === lastYear ? `${from} and later` : years.replace('-', '–')
}

function displayed(type: 'language' | 'region', code: string): string {
  try {
    return new Intl.DisplayNames('en', { type }).of(code) ?? code
  } catch {
    // What was typed into an address need not be a code at all.
    return code
  }
}

/** Bars of the figure at most: of more years several make one. */
const barsMax = 40

/**
 * How many results there are of each year, as bars from the first year to the last; undefined for
 * fewer than two years.
 */
function yearFigure(counts: readonly FacetCount[]): Html | undefined {
  return counts.length < 2 ? undefined : barDrawing(barsOf(counts), 'Results by year')
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
