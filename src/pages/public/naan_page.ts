import type { FastifyReply } from 'fastify'

import type { NaanFacts, PublicSite } from '#src/use_cases/landing_record.ts'
import { html } from '#src/pages/kit/html.ts'
import { policyPath } from '#src/use_cases/policy.ts'
import { facts } from '#src/pages/kit/parts.ts'
import { type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'

/** Makes what sends the page about a NAAN whose ARKs are resolved here. */
export function sendNaanPage(site: PublicSite) {
  return (reply: FastifyReply, known: NaanFacts): FastifyReply =>
    sendPublicPage(naanPage(known), reply, site)
}

function naanPage({ naan, environment, is_example, resolver }: NaanFacts): PublicPage {
  const title = `ARKs with the NAAN ${naan}`
  const kind =
    environment === 'sandbox'
      ? 'The sandbox of this registry: for tests, nothing in it is meant to last.'
      : 'Works that are registered here.'
  return {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">The identifiers of this registry begin with <code>ark:/${naan}/</code>. Put one
behind the address of this registry, and it leads to the work.</p>
${facts([
  ['NAAN', html`<code>${naan}</code>`],
  ['What it names', kind],
  ['Resolver', html`<code>${resolver}</code>`],
  ['Note', is_example ? 'This number is for examples: no authority has it.' : undefined],
])}
<p><a href="${policyPath}">What this registry promises</a></p>`,
  }
}
