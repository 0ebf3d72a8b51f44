import { configKeys } from '#config/schema.ts'
import type { LimitConfig } from '#src/limits/limits.ts'
import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { html } from '#src/pages/kit/html.ts'
import { table } from '#src/pages/kit/parts.ts'

type LimitLine = { readonly what: string; readonly requests: string }

/** The page of the limits as this registry applies them. */
export function limitsPage(config: LimitConfig): DocsPage {
  const lines = configKeys.flatMap(({ name, description, unit }): LimitLine[] => {
    if (!name.startsWith('LIMIT_')) return []
    const max = config[name as keyof LimitConfig]
    const requests = typeof max === 'number' ? `${max.toLocaleString('en')} ${unit}` : 'no limit'
    return [{ what: description, requests: config.RATE_LIMITS ? requests : 'no limit' }]
  })
  const columns = [
    { heading: 'What is counted', isRowHeading: true, cell: ({ what }: LimitLine) => what },
    { heading: 'Limit', cell: ({ requests }: LimitLine) => requests },
  ]
  return {
    title: 'Limits',
    path: '/docs/limits',
    description: 'How many requests this registry takes, and how large they may be.',
    body: html`<p class="lead">Every reply says what is left:
<code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and
<code>X-RateLimit-Reset</code>. Beyond a limit it is 429 with <code>Retry-After</code>.</p>
<p>Live registry and sandbox have the same limits. Spellings of a path are counted together. Many
works cost one request at
<a href="/docs/reference/createWorks"><code>POST /v1/works/bulk</code></a>,
and news cost none while there are none at
<a href="/docs/reference/listChanges"><code>GET /v1/changes</code></a>.</p>
${table('Requests in a time', columns, lines)}
<h2 id="sizes">Sizes</h2>
<p>A JSON body has at most a mebibyte, one with many works eight. Fields have their limits in the
tables of the <a href="/docs/reference">reference</a>, and lists a greatest
<a href="/docs/guides/lists"><code>limit</code></a>.</p>`,
  }
}
