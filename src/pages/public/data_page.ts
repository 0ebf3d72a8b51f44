import path from 'node:path'
import type { FastifyInstance } from 'fastify'

import { retractionsFilePath } from '#src/discovery/feeds/atom.ts'
import type { DumpManifest } from '#src/discovery/dump/dump_file.ts'
import { dumpsFolder, manifestName, newestDump } from '#src/discovery/dump/dump_writer.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { codeBlock, facts, table, time } from '#src/pages/kit/parts.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { data as words } from '#src/words/english.ts'
import { list, number } from '#src/words/format.ts'
import type { Slot } from '#src/words/message.ts'

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
    title: words.title,
    current: '/data',
    isTranslated: true,
    head: html`<meta name="description" content="${words.description}">
${addressLinks(`${baseUrl}/data`)}`,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${manifest === undefined ? html`<p>${words.none}</p>` : dumpPart(baseUrl, manifest)}
<h2>${words.more}</h2>
<ul><li>${words.retractions({ link: linkTo(retractionsFilePath) })}</li>
<li>${words.statistics({ link: linkTo('/statistics') })}</li>
<li>${words.anySearch({ link: linkTo('/search'), formats: searchFormats })}</li>
<li>${words.oai({ link: linkTo('/api/v1/oai?verb=Identify') })}</li></ul>`,
  }
}

const searchFormats = list(['RIS', 'BibTeX', 'CSL-JSON', 'CSV', 'JSON lines'], 'unit')

function linkTo(href: string): Slot {
  return (text) => html`<a href="${href}">${text}</a>`
}

function dumpPart(baseUrl: string, { made_at, log, counts, files, tables }: DumpManifest): Html {
  const kinds = { works: words.holdsWorks, log: words.holdsLog }
  return html`${facts([
    [words.made, time(made_at)],
    [words.works, number(counts.works)],
    [words.withdrawn, number(counts.withdrawn)],
    [words.entries, number(log.tree_size)],
    [words.manifest, html`<a href="/data/${manifestName}"><code>${manifestName}</code></a>`],
  ])}
${table(words.files, files, [
  [words.file, fileLink],
  [words.holds, ({ holds, month }) => (month ? words.holdsMonth({ month }) : kinds[holds])],
  [words.bytes, ({ bytes }) => number(bytes)],
  ['SHA-256', ({ sha256 }) => html`<code>${sha256.slice(0, 16)}…</code>`],
])}
${table(words.tables, tables, [
  [words.file, fileLink],
  [words.holds, ({ holds }) => words[`table_${holds}`]],
  [words.rows, ({ rows }) => number(rows)],
  [words.bytes, ({ bytes }) => number(bytes)],
])}
<h2>${words.prove}</h2>
<p>${words.proveText}</p>
${codeBlock(
  words.commands,
  `curl -s ${baseUrl}/.well-known/svc-keys.json > keys.json
curl -sO ${baseUrl}/data/${manifestName}
${files
  .filter(({ encoding }) => encoding === 'gzip')
  .map(({ name }) => `curl -sO ${baseUrl}/data/${name}`)
  .join('\n')}
arklog verify --dump ${manifestName} --keys keys.json`,
)}`
}

function fileLink({ name }: { readonly name: string }): Html {
  return html`<a href="/data/${name}" download><code>${name}</code></a>`
}
