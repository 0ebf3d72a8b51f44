import type { EnvironmentName } from '#actors/registry/environment.ts'
import { html, type Html, type HtmlContent, nothing } from '#src/pages/kit/html.ts'
import { frame } from '#src/words/english.ts'
import { dateTime } from '#src/words/format.ts'
import type { TimePrecision } from '#src/words/language.ts'
import type { Slot } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'

/** A group of things that belong together, under a heading of its own. */
export function card(title: Text, body: HtmlContent): Html {
  return html`<section class="card"><h2>${title}</h2>${body}</section>`
}

/** The cells of a row, each with the heading of its column. */
type Column<Row> = readonly [heading: Text, cell: (row: Row) => HtmlContent]
export type Columns<Row> =
  | readonly Column<Row>[]
  | Readonly<Record<string, (row: Row) => HtmlContent>>

/**
 * A table that becomes a list of cards on a narrow screen; the roles are spelled out because it
 * would be no table there. The first column, or the named one, is the heading of each row.
 */
export function table<Row>(
  caption: Text,
  rows: readonly Row[],
  columns: Columns<Row>,
  rowHeading?: Text,
): Html {
  const all: readonly Column<Row>[] = Array.isArray(columns) ? columns : Object.entries(columns)
  const ofRow = rowHeading ?? all[0]?.[0]
  const headings = all.map(([heading]) => html`<th role="columnheader" scope="col">${heading}</th>`)
  const lines = rows.map((row) => {
    const cells = all.map(([heading, cell]) =>
      heading === ofRow
        ? html`<th role="rowheader" scope="row" data-label="${heading}">${cell(row)}</th>`
        : html`<td role="cell" data-label="${heading}">${cell(row)}</td>`,
    )
    return html`<tr role="row">${cells}</tr>`
  })
  return html`<table class="table" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${headings}</tr></thead>
<tbody role="rowgroup">${lines}</tbody></table>`
}

/** What a state looks like: `good`, `waiting`, `bad`, or neither. */
export type BadgeKind = 'good' | 'waiting' | 'bad' | 'plain'

/** A state in a word, whose colour says nothing that the word does not. */
export function badge(text: Text, kind: BadgeKind = 'plain'): Html {
  return html`<span class="badge badge-${kind}">${text}</span>`
}

/** A secret that is shown once; a click selects all of it, and a button copies it. */
export function secretBox(label: Text, secret: string): Html {
  return html`<div class="secret">
<p class="secret-label">${label}</p>
<code class="secret-text" tabindex="0">${secret}</code>
<button class="button button-quiet" type="button" data-copy-beside hidden>${frame.copy}</button>
<p class="hint">${frame.secretHint}</p>
</div>`
}

/** What stands where there is nothing yet: what would be there, and how to get it. */
export function emptyState(title: Text, text: Text, action: Html = nothing): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action}</div>`
}

/** A name with its value; null or undefined if there is none to show. */
export type Fact = readonly [name: Text, value: HtmlContent]

/** Names with their values, as far as they have one; `look` is the class of the list. */
export function facts(rows: readonly Fact[], look: 'facts' | 'figures' = 'facts'): Html {
  const items = rows
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  return html`<dl class="${look}">${items}</dl>`
}

/** A time as people read it, in UTC, by default to the minute, with the exact one for programs. */
export function time(timestamp: string, precision?: TimePrecision): Html {
  return html`<time datetime="${timestamp}">${dateTime(timestamp, precision)}</time>`
}

/** A page of a list: the query parameter that says where it begins, and where the next one does. */
type ListPage = {
  readonly path: string
  readonly parameter: string
  /** Null or undefined on the last page. */
  readonly next: string | number | null | undefined
  /** Whether the list begins here: true by default. */
  readonly isFirst?: boolean
  /** What else is asked of the list, on every page of it. */
  readonly kept?: URLSearchParams
}

/** Links from a page of a list to the next one and to the first; nothing if it has one page. */
export function pagination({ path, parameter, next, isFirst = true, kept }: ListPage): Html {
  const first = isFirst
    ? undefined
    : `${path}${kept === undefined || kept.size === 0 ? '' : `?${kept}`}`
  const query = new URLSearchParams(kept)
  query.set(parameter, `${next}`)
  const more = next === null || next === undefined ? undefined : `${path}?${query}`
  if (first === undefined && more === undefined) return nothing
  return html`<nav class="pagination" aria-label="${frame.pages}">
${first === undefined ? '' : html`<a href="${first}">${frame.firstPage}</a>`}
${more === undefined ? '' : html`<a href="${more}" rel="next">${frame.nextPage}</a>`}
</nav>`
}

/** A link that looks like a button. */
export function buttonLink(href: string, text: Text): Html {
  return html`<a class="button" href="${href}">${text}</a>`
}

/** Makes a link of a part of a text. */
export function asLink(href: string): Slot {
  return (text) => html`<a href="${href}">${text}</a>`
}

/** A link to something that is not what a page is there for, or that asks first. */
export function quietLink(href: string, text: Text): Html {
  return html`<a class="button button-quiet" href="${href}">${text}</a>`
}

/** A list whose end is folded where it is long. */
type FoldedList = {
  /** Elements `li`. */
  readonly items: readonly Html[]
  /** Items that are shown at once. */
  readonly openMax: number
  /** The class of the list. */
  readonly kind: string
  /** What the fold is called, by the number of items in it; `12 more` unless given. */
  readonly more?: (count: number) => Text
}

/** The list, and behind a click the rest of it. */
export function foldedList({ items, openMax, kind, more = andMore }: FoldedList): Html {
  const folded = items.slice(openMax)
  const open = html`<ol class="${kind}">${items.slice(0, openMax)}</ol>`
  if (folded.length === 0) return open
  return html`${open}<details class="fold"><summary>${more(folded.length)}</summary>
<ol class="${kind}" start="${openMax + 1}">${folded}</ol></details>`
}

function andMore(count: number): Text {
  return frame.more({ count })
}

/** Commands or data as they are written; `label` names them to screen readers. */
export function codeBlock(label: Text, text: string): Html {
  const code = html`<code>${text}</code>`
  return html`<pre class="code" role="group" aria-label="${label}" tabindex="0">${code}</pre>`
}

/**
 * Commands or data with a button that copies them, where scripts run; `label` names them to screen
 * readers.
 */
export function snippet(label: Text, text: string): Html {
  return html`<div class="snippet">${codeBlock(label, text)}
<button class="button button-quiet" type="button" data-copy-beside
hidden>${frame.copy}</button></div>`
}

/** What the environments are called. */
export const environmentNames = { live: frame.live, sandbox: frame.sandboxName } as const

/** Where the same page is about the other environment, by links; one of them is the current. */
export function environmentSwitch(
  links: Readonly<Record<EnvironmentName, string>>,
  current: EnvironmentName,
): Html {
  const items = (['live', 'sandbox'] as const).map((name) => {
    const mark = name === current ? html` aria-current="true"` : ''
    return html`<a href="${links[name]}"${mark}>${environmentNames[name]}</a>`
  })
  return html`<nav class="switch" aria-label="${frame.environment}">${items}</nav>`
}

/** The environment that the `environment` of a form or a query names: the live one by default. */
export function environmentOf(named: string | null | undefined): EnvironmentName {
  return named === 'sandbox' ? 'sandbox' : 'live'
}

/** A value that a filter offers, what it is called, and the group that it is shown in. */
export type FilterOption = readonly [value: string, text: Text, group?: Text]

type FilterField = {
  readonly name: string
  readonly label: Text
  readonly value: string
  /** Values with their words and groups, for a choice; a text or a date without. */
  readonly options?: readonly FilterOption[]
  readonly type?: 'search' | 'date'
  readonly placeholder?: Text
}

const textCharactersMax = 254

/** A text to look for. */
export function textFilter(
  name: string,
  label: Text,
  value: string,
  placeholder?: Text,
): FilterField {
  return { name, label, value, ...(placeholder !== undefined && { placeholder }) }
}

/** The form by which a list is filtered; a link takes all of it back. */
export function listFilter(
  action: string,
  label: Text,
  fields: readonly FilterField[],
  all: Text = frame.showAll,
): Html {
  const isSet = fields.some(({ value }) => value !== '')
  const clear = isSet ? html`<a href="${action}">${all}</a>` : nothing
  return html`<form class="filter" method="get" action="${action}" role="search"
aria-label="${label}"><div class="filter-fields">${fields.map(filterField)}
<button class="button button-quiet" type="submit">${frame.show}</button></div>
${clear}</form>`
}

/** A field of a filter with its label. */
export function filterField({
  name,
  label,
  value,
  options,
  type = 'search',
  placeholder = '',
}: FilterField): Html {
  const id = `filter-${name}`
  if (options === undefined) {
    return html`<div class="field"><label for="${id}">${label}</label><input type="${type}"
id="${id}" name="${name}" value="${value}" maxlength="${textCharactersMax}"
placeholder="${placeholder}" spellcheck="false" autocapitalize="none" autocomplete="off"></div>`
  }
  const choice = ([each, text]: FilterOption) =>
    html`<option value="${each}"${each === value ? ' selected' : ''}>${text}</option>`
  const groups = [...new Set(options.map(([, , group]) => group))].map((group) => {
    const choices = options.filter(([, , own]) => own === group).map(choice)
    return group === undefined ? choices : html`<optgroup label="${group}">${choices}</optgroup>`
  })
  return html`<div class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${groups}</select></div>`
}

/** What of a filter is set, as it stands in an address. */
export function filterQuery(filter: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
}

/** The page of a list in memory that begins after the item of an address, and its links. */
export function listAfter<Item>(
  items: readonly Item[],
  { after, max, idOf }: { after: string; max: number; idOf: (item: Item) => string },
): {
  readonly shown: readonly Item[]
  readonly next: string | undefined
  readonly isFirst: boolean
} {
  const begin = items.findIndex((item) => idOf(item) === after) + 1
  const shown = items.slice(begin, begin + max)
  const last = begin + max < items.length ? shown.at(-1) : undefined
  return { shown, next: last && idOf(last), isFirst: begin === 0 }
}
