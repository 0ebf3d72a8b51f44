import path from 'node:path'
import type { FastifyInstance } from 'fastify'

import { retractionsFilePath } from '#src/discovery/feeds/atom.ts'
import type { DumpManifest } from '#src/discovery/dump/dump_file.ts'
import { dumpsFolder, manifestName, newestDump } from '#src/discovery/dump/dump_writer.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { codeBlock, facts, table, time } from '#src/pages/kit/parts.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

type DataPageEdge = Pick<RegistryEdge, 'accounts' | 'baseUrl' | 'branding' | 'config' | 'count'>

/** `GET /data`: what can be had in one file, and how it is proven. */
export function registerDataPage(server: FastifyInstance, edge: DataPageEdge): void {
  const dir = path.join(edge.config.DATA_DIR, dumpsFolder)
  server.get('/data', pageOptions(edge, 'pages'), async (_request, reply) => {
    const found = await newestDump(dir)
    return sendPublicPage(dataPage(edge.baseUrl, found?.manifest), reply, edge)
  })
}

function dataPage(baseUrl: string, manifest: DumpManifest | undefined): PublicPage {
  return {
    title: 'All works as files',
    current: '/data',
    head: html`<meta name="description" content="All works of this registry as files, which can be
proven to be complete against its log."><link rel="canonical" href="${baseUrl}/data">`,
    body: html`<h1>All works as files</h1>
<p class="lead">Every day the registry writes all works into files. You can prove that nothing is
missing, added or changed.</p>
${manifest === undefined ? html`<p>No dump has been made yet.</p>` : dumpPart(baseUrl, manifest)}
<h2>More files</h2>
<ul><li><a href="${retractionsFilePath}">All retractions</a> as a table (CSV)</li>
<li><a href="/statistics">Statistics</a> of all works, as CSV and JSON</li>
<li><a href="/search">Any search</a> as RIS, BibTeX, CSL-JSON, CSV or JSON lines</li>
<li><a href="/api/v1/oai?verb=Identify">OAI-PMH</a> for what has changed since a day</li></ul>`,
  }
}

function dumpPart(baseUrl: string, { made_at, log, counts, files, tables }: DumpManifest): Html {
  const kinds = { works: 'Works, one a line', log: 'The entries of the log that prove it' }
  return html`${facts([
    ['Made', time(made_at)],
    ['Works', formatNumber(counts.works)],
    ['Of these withdrawn', formatNumber(counts.withdrawn)],
    ['Entries of the log', formatNumber(log.tree_size)],
    ['Manifest', html`<a href="/data/${manifestName}"><code>${manifestName}</code></a>`],
  ])}
${table('Files', files, {
  File: ({ name }) => html`<a href="/data/${name}" download><code>${name}</code></a>`,
  Holds: ({ holds, month }) => (month === undefined ? kinds[holds] : `Works changed in ${month}`),
  Bytes: ({ bytes }) => formatNumber(bytes),
  'SHA-256': ({ sha256 }) => html`<code>${sha256.slice(0, 16)}…</code>`,
})}
${table('Tables', tables, {
  File: ({ name }) => html`<a href="/data/${name}" download><code>${name}</code></a>`,
  Holds: ({ holds }) => tableKinds[holds],
  Rows: ({ rows }) => formatNumber(rows),
  Bytes: ({ bytes }) => formatNumber(bytes),
})}
<h2>Prove that it is complete</h2>
<p>Save the keys of the registry once. Then save the manifest and its files into one folder:</p>
${codeBlock(
  'How a dump is proven',
  `curl -s ${baseUrl}/.well-known/svc-keys.json > keys.json
curl -sO ${baseUrl}/data/${manifestName}
${files
  .filter(({ encoding }) => encoding === 'gzip')
  .map(({ name }) => `curl -sO ${baseUrl}/data/${name}`)
  .join('\n')}
arklog verify --dump ${manifestName} --keys keys.json`,
)}`
}

const tableKinds = {
  works: 'A work a row',
  authors: 'An author of a work a row',
  funding: 'A grant of a work a row',
  relations: 'A related identifier of a work a row',
  events: 'A statement of the log a row',
} as const
