import { html, type Html, nothing } from '#src/pages/kit/html.ts'

/** Where somebody works: their account, an organization, or the administration of the registry. */
export type Desk = {
  /** What it is called; an account is called by the name of its person, which the menu has. */
  readonly name?: string
  /** What its navigation is called for screen readers. */
  readonly label: string
  /** Its first page, and the one that is shown, below the prefix. */
  readonly path: string
  readonly current: string | undefined
  readonly sections: readonly (readonly [path: string, name: string])[]
}

/** The name of a desk, and below it the way to all of its pages, in one row. */
export function deskHead(prefix: string, desk: Desk): Html {
  const { name, label, path, current, sections } = desk
  const items = sections.map(([section, text]) => {
    const isCurrent = section === current ? html` aria-current="page"` : ''
    return html`<li><a href="${prefix}${section}"${isCurrent}>${text}</a></li>`
  })
  const title =
    name === undefined
      ? nothing
      : html`<p class="desk-name"><a href="${prefix}${path}"><bdi>${name}</bdi></a></p>`
  return html`${title}
<nav class="navigation" aria-label="${label}"><ul>${items}</ul></nav>`
}
