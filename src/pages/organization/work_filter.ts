import { workTypeNames } from '#actors/values/work_type.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { typeName } from '#src/pages/kit/words.ts'

/** What is asked of an organization's works; an empty text asks for nothing. */
export type WorkFilter = {
  /** Words, an ARK or a DOI. */
  readonly q: string
  readonly type: string
  readonly state: '' | 'registered' | 'withdrawn'
  readonly content: string
  /** When they were registered: `2026` or `2026-03`. */
  readonly registered: string
  readonly sort: string
}

/** The members of a filter, as they are called in addresses. */
const names = ['q', 'type', 'state', 'content', 'registered', 'sort'] as const

const textCharactersMax = 1_000

/** What is known of content, by the status that searches know. */
const contents = [
  ['verified', 'As registered'],
  ['pending', 'Not read yet'],
  ['failed', 'Changed'],
  ['unreachable', 'Could not be read'],
] as const

const states = [
  ['registered', 'Registered'],
  ['withdrawn', 'Withdrawn'],
] as const

const sorts = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['updated', 'Changed last first'],
  ['published', 'Published last first'],
  ['title', 'Title'],
] as const

const monthForm = /^(?<year>\d{4})(?:-(?<month>0[1-9]|1[0-2]))?$/

/** Reads a filter from the query of an address; `fault` says what of it cannot be asked. */
export function readFilter(query: URLSearchParams): {
  readonly filter: WorkFilter
  readonly fault?: string
} {
  const given = (name: string) => (query.get(name) ?? '').trim()
  const oneOf = (name: string, values: readonly (readonly [string, string])[]) =>
    values.find(([value]) => value === given(name))?.[0] ?? ''
  const registered = given('registered')
  const isMonth = registered === '' || monthForm.test(registered)
  const filter: WorkFilter = {
    q: given('q').slice(0, textCharactersMax),
    type: workTypeNames.find((name) => name === given('type')) ?? '',
    state: oneOf('state', states) as WorkFilter['state'],
    content: oneOf('content', contents),
    registered: isMonth ? registered : '',
    sort: oneOf('sort', sorts),
  }
  if (isMonth) return { filter }
  return { filter, fault: `“${registered}” is no year or month: write 2026 or 2026-03.` }
}

/** What of the filter is set, as it stands in an address. */
export function filterQuery(filter: WorkFilter): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of names) if (filter[name] !== '') query.set(name, filter[name])
  return query
}

/** The first and the last moment of the year or month, in milliseconds; undefined without one. */
export function timesOf({
  registered,
}: WorkFilter): { readonly from: number; readonly to: number } | undefined {
  const { year, month } = monthForm.exec(registered)?.groups ?? {}
  if (year === undefined) return undefined
  const [first, next] =
    month === undefined
      ? [Date.UTC(Number(year), 0), Date.UTC(Number(year) + 1, 0)]
      : [Date.UTC(Number(year), Number(month) - 1), Date.UTC(Number(year), Number(month))]
  return { from: first, to: next - 1 }
}

/** The form of the filter: a search, and what else may be asked for behind a fold. */
export function filterForm(action: string, filter: WorkFilter): Html {
  const { q, registered } = filter
  const folded = names.filter((name) => name !== 'q' && filter[name] !== '')
  const count = folded.length === 0 ? '' : html` (${folded.length} set)`
  const clear =
    filterQuery(filter).size === 0 ? nothing : html`<a href="${action}">Show all works</a>`
  const types = workTypeNames.map((name) => [name, typeName(name)] as const)
  return html`<form class="filter" method="get" action="${action}" role="search"
aria-label="Works of the organization">
<div class="filter-search"><input type="search" name="q" value="${q}" maxlength="1000"
aria-label="Title, DOI or ARK" placeholder="Title, DOI or ARK" autocomplete="off"
spellcheck="false"><button class="button" type="submit">Find</button></div>
<details class="filter-more" ${folded.length === 0 ? '' : 'open'}><summary>Filter and sort${count}
</summary><div class="filter-fields">
${choice('type', 'Type', [['', 'Every type'], ...types], filter)}
${choice('state', 'State', [['', 'All'], ...states], filter)}
${choice('content', 'Content', [['', 'All'], ...contents], filter)}
<div class="field"><label for="filter-registered">Registered in</label><input type="text"
id="filter-registered" name="registered" value="${registered}" maxlength="7" size="8"
placeholder="2026-03" spellcheck="false"></div>
${choice('sort', 'Order', [['', 'As it fits'], ...sorts], filter)}
<button class="button button-quiet" type="submit">Apply</button></div></details>
${clear}</form>`
}

function choice(
  name: Exclude<(typeof names)[number], 'q' | 'registered'>,
  label: string,
  values: readonly (readonly [string, string])[],
  filter: WorkFilter,
): Html {
  const options = values.map(([value, text]) => {
    const selected = value === filter[name] ? ' selected' : ''
    return html`<option value="${value}"${selected}>${text}</option>`
  })
  const id = `filter-${name}`
  return html`<div class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${options}</select></div>`
}
