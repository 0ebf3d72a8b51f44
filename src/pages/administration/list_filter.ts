import { html, type Html, nothing } from '#src/pages/kit/html.ts'

/** A field of a form that filters a list of administrators. */
export type FilterField = {
  readonly name: string
  readonly label: string
  readonly value: string
  /** Values with their words, for a choice; a text or a date without. */
  readonly options?: readonly (readonly [value: string, text: string])[]
  readonly type?: 'search' | 'date'
  readonly placeholder?: string
}

const textCharactersMax = 254

/** A text to look for. */
export function textFilter(
  name: string,
  label: string,
  value: string,
  placeholder?: string,
): FilterField {
  return { name, label, value, ...(placeholder !== undefined && { placeholder }) }
}

/** The form by which a list is filtered; a link takes all of it back. */
export function listFilter(action: string, label: string, fields: readonly FilterField[]): Html {
  const isSet = fields.some(({ value }) => value !== '')
  const clear = isSet ? html`<a href="${action}">Show all</a>` : nothing
  return html`<form class="filter" method="get" action="${action}" role="search"
aria-label="${label}"><div class="filter-fields">${fields.map(filterField)}
<button class="button button-quiet" type="submit">Show</button></div>
${clear}</form>`
}

function filterField({
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
  const choices = options.map(
    ([each, text]) =>
      html`<option value="${each}"${each === value ? ' selected' : ''}>${text}</option>`,
  )
  return html`<div class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${choices}</select></div>`
}
