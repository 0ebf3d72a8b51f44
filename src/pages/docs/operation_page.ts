import type { Json } from '#src/edge/openapi_document.ts'
import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { exampleOf } from '#src/pages/docs/example.ts'
import { curlOf, exampleRequest } from '#src/pages/docs/example_request.ts'
import {
  type DescribedInterface,
  type DescribedOperation,
  type DescribedParameter,
  type DescribedReply,
  groupsOf,
} from '#src/pages/docs/interface.ts'
import { renderLine } from '#src/pages/docs/markdown.ts'
import { groupName, needsOf, operationPath } from '#src/pages/docs/reference_page.ts'
import {
  meaningOf,
  type NamedSchemas,
  referenceOf,
  typeWords,
} from '#src/pages/docs/schema_words.ts'
import { typesWithin, typeTable } from '#src/pages/docs/schema_tables.ts'
import { tryForm } from '#src/pages/docs/try_form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { facts, table } from '#src/pages/kit/parts.ts'
import { snippet } from '#src/pages/kit/snippet.ts'

/** Characters of an example of a reply that are shown. */
const exampleCharactersMax = 6_000

/** The page of one operation: how it is called, what it takes, and what it replies. */
export function operationPage(
  operation: DescribedOperation,
  described: DescribedInterface,
  baseUrl: string,
): DocsPage {
  const { schemas } = described
  const { id, method, path, summary, description, group, isPublic, body, replies } = operation
  const request = exampleRequest(operation, schemas)
  const sent = (body?.contents ?? []).flatMap(schemaIn)
  const succeeded = replies.filter(({ status }) => /^[23]/.test(status))
  const received = succeeded.flatMap(({ contents }) => contents.flatMap(schemaIn))
  const types = typesWithin([...sent, ...received], schemas)
  const others = groupsOf(described).get(group) ?? []
  return {
    title: titleOf(summary),
    path: operationPath(id),
    description: summary,
    near: { heading: groupName(group), links: others.map(linkTo) },
    body: html`<p class="operation"><code>${method} ${path}</code></p>
${description === '' ? '' : html`<p>${renderLine(description)}</p>`}
${operationFacts(operation)}
<h2 id="call">Call it</h2>
${snippet('A command that calls it', curlOf(request, { baseUrl, isPublic }))}
${tryForm(operation, request)}
${parameterPart(operation, schemas)}
${body === undefined ? '' : bodyPart(body, schemas)}
<h2 id="replies">Replies</h2>
${replyTable(replies, schemas)}
${replyExample(succeeded, schemas)}
${types.length === 0 ? '' : html`<h2 id="types">Types</h2>`}
${types.map((name) => typeTable(name, schemas))}`,
  }
}

function schemaIn([, schema]: DescribedReply['contents'][number]): Json[] {
  return schema === undefined ? [] : [schema]
}

function linkTo({ id, path, summary }: DescribedOperation) {
  // What everybody reads below `/api/v1` has the words of what needs a key below `/v1`.
  const isTwin = path.startsWith('/api/v1/') && id.includes('Public')
  const name = titleOf(summary) + (isTwin ? ', without a key' : '')
  return { path: operationPath(id), name }
}

function titleOf(summary: string): string {
  return summary.replaceAll('`', '').replace(/\.$/, '')
}

function operationFacts(operation: DescribedOperation): Html {
  const { id, aliases, isDeprecated } = operation
  const spelled = aliases.map((path) => html`<li><code>${path}</code></li>`)
  return facts([
    ['Needs', needsOf(operation)],
    ['Name in clients', html`<code>${id}</code>`],
    ['Also spelled', aliases.length === 0 ? undefined : html`<ul>${spelled}</ul>`],
    ['Its end', isDeprecated ? 'It will end: replies tell when.' : undefined],
  ])
}

const placeWords = { path: 'in the path', query: 'in the query', header: 'a header' } as const

function parameterPart({ parameters }: DescribedOperation, schemas: NamedSchemas): Html | string {
  if (parameters.length === 0) return ''
  const columns = [
    {
      heading: 'Parameter',
      isRowHeading: true,
      cell: ({ name, place, isRequired }: DescribedParameter) =>
        html`<code>${name}</code> <small>${placeWords[place]}${
          isRequired ? ', required' : ''
        }</small>`,
    },
    { heading: 'Is', cell: ({ schema }: DescribedParameter) => typeWords(schema, schemas) },
    {
      heading: 'Means',
      cell: ({ schema, description }: DescribedParameter) => meaningOf({ ...schema, description }),
    },
  ]
  return html`<h2 id="parameters">Parameters</h2>
${table('Parameters', columns, parameters)}`
}

function bodyPart(
  { description, contents, isRequired }: NonNullable<DescribedOperation['body']>,
  schemas: NamedSchemas,
): Html {
  const forms = contents.map(
    ([mediaType, schema]) =>
      html`<li><code>${mediaType}</code>: ${typeWords(schema ?? {}, schemas)}</li>`,
  )
  return html`<h2 id="body">Body</h2>
<p>${renderLine(description)}${isRequired ? '' : ' It may be left out.'}</p><ul>${forms}</ul>`
}

function replyTable(replies: readonly DescribedReply[], schemas: NamedSchemas): Html {
  const columns = [
    {
      heading: 'Status',
      isRowHeading: true,
      cell: ({ status }: DescribedReply) => html`<code>${status}</code>`,
    },
    {
      heading: 'When',
      cell: ({ description, status }: DescribedReply) =>
        html`${renderLine(description)}${/^[45]/.test(status) ? seeErrors : ''}`,
    },
    { heading: 'Body', cell: (reply: DescribedReply) => replyBody(reply, schemas) },
    {
      heading: 'Headers',
      cell: ({ headers }: DescribedReply) =>
        headers.map((name, at) => html`${at === 0 ? '' : ', '}<code>${name}</code>`),
    },
  ]
  return table('Replies by their status', columns, replies)
}

const seeErrors = html` <a href="/docs/errors">All errors</a>`

function replyBody({ contents, status }: DescribedReply, schemas: NamedSchemas): Html {
  const isError = /^[45]/.test(status)
  const lines = contents.map(([mediaType, schema]) => {
    const named = schema !== undefined && referenceOf(schema) === 'Error' && isError
    const what = named ? 'Error' : typeWords(schema ?? {}, schemas)
    const as = mediaType === 'application/json' ? '' : html`<code>${mediaType}</code>: `
    return html`<li>${as}${what}</li>`
  })
  return lines.length === 0 ? html`nothing` : html`<ul class="plain">${lines}</ul>`
}

function replyExample(replies: readonly DescribedReply[], schemas: NamedSchemas): Html | string {
  const found = replies.flatMap(({ contents }) =>
    contents.flatMap(([mediaType, schema]): Json[] =>
      mediaType === 'application/json' && schema !== undefined ? [schema] : [],
    ),
  )
  const example = found[0] && exampleOf(found[0], schemas)
  if (example === undefined || example === null) return ''
  const text = JSON.stringify(example, null, 2)
  if (text.length > exampleCharactersMax) return ''
  return html`<h3 id="example">Such as</h3>${snippet('An example of the reply', text)}`
}
