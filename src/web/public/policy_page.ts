import { html } from 'ghtml'

import { policy, policyPath } from '#src/api/policy.ts'
import type { PublicPage } from '#src/web/kit/public_page.ts'

/** The page that says what the registry promises. */
export function policyPage(): PublicPage {
  const sections = policy.sections.map(
    ({ heading, text }) => html`<h2>${heading}</h2><p>${text}</p>`,
  )
  return {
    title: policy.title,
    current: policyPath,
    body: html`<h1>${policy.title}</h1>!${sections}`,
  }
}
