import { html } from 'ghtml'

import type { Html } from '#src/web/kit/page.ts'

// Titles that are longer are shown smaller, so that what follows is on the screen, too.
const largeCharactersMax = 160

/** The title of a work, whatever its length and its direction. */
export function heading(title: string): Html {
  const size = title.length > largeCharactersMax ? 'long-title' : 'title'
  return html`<h1 class="${size}" dir="auto">${title}</h1>`
}
