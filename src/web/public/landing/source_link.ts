import { html } from 'ghtml'

import type { Owner } from '#actors/values/agent.ts'
import type { Html } from '#src/web/kit/page.ts'

/** Whose change it was: an organization by its name, a person by the link to their page. */
export function sourceLink({ type, id, name }: Owner): Html {
  switch (type) {
    case 'organization':
      return html`<a href="/publishers/${id}" dir="auto">${name}</a>`
    case 'person':
      return html`a researcher, <a href="/people/${id}">${id}</a>`
    case 'operator':
      return id === 'fixity' ? 'this registry, by itself' : 'the operator of this registry'
  }
}
