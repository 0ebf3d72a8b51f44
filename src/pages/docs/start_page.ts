import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { html } from '#src/pages/kit/html.ts'

const ways = [
  ['/docs/quick-start', 'Quick start', 'Register a work in the sandbox and verify its receipt.'],
  ['/docs/oauth', 'Writing for people', 'An application that researchers permit: OAuth with PKCE.'],
  ['/docs/reference', 'Reference', 'Every operation, with fields, replies, scopes and a trial.'],
  ['/docs/guides/sandbox', 'The sandbox', 'All that programs do, where nothing lasts.'],
  ['/how-it-works', 'Receipts and proofs', 'What is proven, and how to check it without us.'],
  ['/docs/guides/harvesting', 'Harvesting', 'OAI-PMH, feeds, and the feed of changes.'],
  ['/docs/errors', 'Errors', 'Every code, and what to do about it.'],
  ['/docs/limits', 'Limits', 'How many requests, and how large.'],
] as const

/** The page where the documentation begins. */
export function startPage(baseUrl: string): DocsPage {
  const items = ways.map(
    ([path, name, text]) => html`<li><a href="${path}">${name}</a><p>${text}</p></li>`,
  )
  return {
    title: 'Documentation',
    path: '/docs',
    description: 'How programs register works, read them, and verify what was registered.',
    body: html`<p class="lead">Programs speak JSON over HTTPS, below
<code>${baseUrl}/v1</code>. Everybody reads; who writes has a key, or a token of a person.</p>
<ul class="docs-ways">${items}</ul>
<section aria-labelledby="environments"><h2 id="environments">Live and sandbox</h2>
<p>The credential says which one a request is about: <code>svc_test_…</code> and
<code>app_test_…</code> are of the sandbox, and its replies carry
<code>X-SVC-Environment: sandbox</code>. What is registered live stays for ever; try things out in
the sandbox first. Forms on these pages write nowhere else.</p></section>
<section aria-labelledby="files"><h2 id="files">For programs</h2>
<ul><li><a href="/openapi.json">OpenAPI 3.1</a>, with
<a href="/docs/guides/applications#generating-clients">names that generators keep</a></li>
<li><a href="/docs/guides/client">The official client</a> for JavaScript, which verifies what it
reads</li></ul></section>`,
  }
}
