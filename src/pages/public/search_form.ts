import { hiddenField } from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { search } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'
import { type FilterParameter, filterParameters } from '#src/use_cases/search_parameters.ts'
import { type IndexKind, indexKinds } from '#src/discovery/search/search_engine.ts'

/** What a search page is asked for: the kind of records, and parameters that are not empty. */
export type SearchAsked = {
  readonly kind: IndexKind
  /** By name: `q`, `sort` and filters, as they were given; never a cursor. */
  readonly given: ReadonlyMap<string, string>
  /** Which page it is, by its number or by the cursor that leads there; empty for the first. */
  readonly place: { readonly page?: string; readonly cursor?: string }
}

/** Where it is told how to search. */
export const searchHelpPath = '/search/help'

/** Where titles are offered for what is typed. */
export const suggestionsPath = '/search/suggestions'

/** The parameter that names the kind of records, unless they are works. */
const kindParameter = 'in'

/**
 * What an address asks for; `asked` is undefined for a kind that there is not, and
 * `repeated` names a parameter that is given again though it has one value. Other parameters, by
 * which links are counted, are left out.
 */
export function readAsked(query: URLSearchParams): {
  readonly asked: SearchAsked | undefined
  readonly repeated?: string
} {
  const filled = [...query].filter(([, value]) => value.trim() !== '')
  const last = new Map(filled)
  const name = last.get(kindParameter) ?? 'works'
  const kind = indexKinds.find((one) => one === name)
  const [page, cursor] = [last.get('page'), last.get('cursor')]
  if (kind === undefined) return { asked: undefined }
  const place = { ...(page !== undefined && { page }), ...(cursor !== undefined && { cursor }) }
  const given = withYears(joinRepeated(kind, filled))
  const ours = [...given].filter(([one]) => isOurs(kind, one))
  const repeated = filled.find(([one], index) => {
    const isAgain = filled.findIndex(([other]) => other === one) < index
    return isAgain && !takesSeveral(kind, one) && (isOurs(kind, one) || ofPage.has(one))
  })
  return {
    asked: { kind, given: new Map(ours), place },
    ...(repeated !== undefined && { repeated: repeated[0] }),
  }
}

/** Parameters that say which page it is, and of which years. */
const ofPage = new Set([kindParameter, 'page', 'cursor', 'year_from', 'year_to'])

// Of a parameter that has one value the last one is shown.
function joinRepeated(
  kind: IndexKind,
  filled: readonly (readonly [name: string, value: string])[],
): Map<string, string> {
  const given = new Map<string, string>()
  for (const [name, value] of filled) {
    const before = given.get(name)
    const isJoined = before !== undefined && takesSeveral(kind, name)
    given.set(name, isJoined ? `${before},${value}` : value)
  }
  return given
}

// A form has a box for each end of a span of years; either may be left empty.
function withYears(given: Map<string, string>): Map<string, string> {
  const [from, to] = [given.get('year_from'), given.get('year_to')]
  if (from === undefined && to === undefined) return given
  const [first = '', last = ''] = [from ?? firstYear, to ?? lastYear].toSorted()
  return given.set('year', first === last ? first : `${first}-${last}`)
}

/** The ends of a span of years that has no end there. */
export const firstYear = '0000'
export const lastYear = '9999'

function takesSeveral(kind: IndexKind, name: string): boolean {
  const parameters: Readonly<Record<string, FilterParameter>> = filterParameters[kind]
  return Object.hasOwn(parameters, name) && parameters[name]?.join !== undefined
}

function isOurs(kind: IndexKind, name: string): boolean {
  return name === 'q' || name === 'sort' || Object.hasOwn(filterParameters[kind], name)
}

/** The address of a search that differs in some parameters: null takes one away. */
export function searchAddress(
  { kind, given }: Pick<SearchAsked, 'kind' | 'given'>,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const query = new URLSearchParams()
  if (kind !== 'works') query.set(kindParameter, kind)
  for (const [name, value] of new Map([...given, ...Object.entries(changes)])) {
    if (value !== null) query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? '/search' : `/search?${text}`
}

/** The address of the same words among records of another kind. */
export function sameWords({ given }: SearchAsked, kind: IndexKind): string {
  const q = given.get('q')
  return searchAddress({ kind, given: new Map(q === undefined ? [] : [['q', q]]) })
}

type FieldText = readonly [name: string, label: Text, hint?: Text]

const fields: Readonly<Record<IndexKind, readonly FieldText[]>> = {
  works: [
    ['title', search.byTitle],
    ['author', search.author],
    ['year', search.year, search.yearExample],
    ['keyword', search.keyword],
  ],
  people: [
    ['name', search.byName],
    ['affiliation', search.affiliation],
  ],
  organizations: [['name', search.byName]],
}

/** The box of a search with what it was asked, and the fields of its kind behind a click. */
export function searchForm({ kind, given }: SearchAsked): Html {
  const inForm = new Set(['q', ...fields[kind].map(([name]) => name)])
  const others = [
    ...(kind === 'works' ? [] : [['in', kind] as const]),
    ...[...given].filter(([name]) => !inForm.has(name)),
  ]
  const hidden = others.map(([name, value]) => hiddenField(name, value))
  const isOpen = fields[kind].some(([name]) => given.has(name))
  return html`<form class="search-form" role="search" action="/search">
${hidden}
${searchBox(given.get('q') ?? '')}
<details class="search-fields"${isOpen ? ' open' : ''}>
<summary>${search.moreFields}</summary>
<div class="columns">${fields[kind].map((field) => fieldPart(field, given))}</div>
</details>
<p class="hint"><a href="${searchHelpPath}">${search.howTo}</a></p>
</form>`
}

/** A search box as the first thing of a page, with its button. */
export function searchBox(typed: string): Html {
  return html`<div class="search-box">
<input type="search" name="q" value="${typed}" aria-label="${search.box}"
placeholder="${search.example}" maxlength="1000" autocomplete="off" spellcheck="false"
data-suggestions="${suggestionsPath}">
<button class="button" type="submit">${search.search}</button>
</div>`
}

function fieldPart([name, label, hint]: FieldText, given: ReadonlyMap<string, string>): Html {
  const id = `field-${name}`
  const example = hint === undefined ? '' : html`placeholder="${hint}"`
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${given.get(name) ?? ''}" autocomplete="off" ${example}>
</div>`
}
