import type { FastifyInstance } from 'fastify'

import { markSandbox } from '#src/edge/admission.ts'
import { nameCursor } from '#src/edge/list_page.ts'
import { readPageQuery, textParameter } from '#src/edge/query_string.ts'
import { HttpError } from '#src/edge/errors.ts'
import { html } from '#src/pages/kit/html.ts'
import { pagination } from '#src/pages/kit/parts.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import { noIndex } from '#src/pages/public/landing/head_tags.ts'
import { relatedItems, relatedPath } from '#src/pages/public/landing/related_works.ts'
import type { RelatedReply } from '#src/use_cases/landing_record.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { locateArk, lookUpWork } from '#src/use_cases/work_lookup.ts'

/** Entries of one page. */
const listedMax = 100

const parameters = {
  ark: textParameter('The ARK of the work.', /^ark:.{1,200}$/i, 'the ARK of a work'),
  cursor: nameCursor,
}

type RelatedEdge = Pick<
  RegistryEdge,
  'admit' | 'takeTurn' | 'baseUrl' | 'environments' | 'accounts'
>

/** `GET /related?ark=…`: all that a work relates to, and all that says it relates to it. */
export function registerRelatedPageRoute(server: FastifyInstance, edge: RelatedEdge): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }, parameters),
    schema: { hide: true },
  }
  server.get(relatedPath, options, async (request, reply) => {
    const { ark: asked, cursor } = readPageQuery(request, parameters)
    if (asked === undefined) throw new HttpError('bad_request', 'Say which work (ark)')
    const { environment, ark } = lookUpWork(locateArk(edge.environments, request.caller, asked))
    if (environment.name === 'sandbox') markSandbox(reply)
    const page = { limit: listedMax, ...(cursor !== undefined && { cursor }) }
    const found = await edge.takeTurn(reply, () => environment.catalogue.related(ark, page))
    if (found.type === 'not_found') throw new HttpError('not_found', `There is no ark:/${ark}`)
    const list = JSON.parse(Buffer.from(found.body).toString('utf8')) as RelatedList
    const name = `ark:/${ark}`
    const { related } = list
    const entries = related.length === 0 ? html`<p>There are none.</p>` : relatedItems(related)
    const body = html`<h1>Related works</h1>
<p class="lead">of <a href="/${name}"><code>${name}</code></a>: first what the work says itself,
then what other works here say about it, the newest first.</p>
${entries}
${pagination({
  path: relatedPath,
  parameter: 'cursor',
  next: list.next,
  isFirst: cursor === undefined,
  kept: new URLSearchParams({ ark: name }),
})}
<p class="aside"><a href="/api/v1/works/${name}/related">The same as JSON</a></p>`
    return sendPublicPage({ title: 'Related works', head: noIndex, body }, reply, edge)
  })
}

type RelatedList = { readonly related: readonly RelatedReply[]; readonly next: string | null }
