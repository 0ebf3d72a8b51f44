import type { EnvironmentName } from '#actors/registry/environment.ts'
import { html, type Html } from '#src/pages/kit/html.ts'

const names = { live: 'Live', sandbox: 'Sandbox' } as const

/** Where the same page is about the other environment, by links; one of them is the current. */
export function environmentSwitch(
  links: Readonly<Record<EnvironmentName, string>>,
  current: EnvironmentName,
): Html {
  const items = (['live', 'sandbox'] as const).map((name) => {
    const mark = name === current ? html` aria-current="true"` : ''
    return html`<a href="${links[name]}"${mark}>${names[name]}</a>`
  })
  return html`<nav class="switch" aria-label="Live or sandbox">${items}</nav>`
}

/** The environment that a query names; `otherwise` if it names none. */
export function environmentIn(query: URLSearchParams, otherwise: EnvironmentName): EnvironmentName {
  const named = query.get('environment')
  return named === 'live' || named === 'sandbox' ? named : otherwise
}
