import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import {
  type DescribedInterface,
  type DescribedOperation,
  groupsOf,
} from '#src/pages/docs/interface.ts'
import { renderLine } from '#src/pages/docs/markdown.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { table } from '#src/pages/kit/parts.ts'

/** What the groups of operations are called, in their order. */
const groupNames: Readonly<Record<string, string>> = {
  works: 'Works',
  resolve: 'Resolving ARKs',
  receipts: 'Receipts and proofs',
  log: 'The log',
  people: 'People',
  claims: 'Claims',
  organizations: 'Organizations',
  search: 'Search',
  changes: 'Changes',
  oauth: 'OAuth',
  harvesting: 'Harvesting',
  feeds: 'Feeds and sitemaps',
  registry: 'The registry',
}

/** The path of the page of an operation. */
export function operationPath(id: string): string {
  return `/docs/reference/${id}`
}

/** What a group is called. */
export function groupName(group: string): string {
  return groupNames[group] ?? group
}

/** The page that lists all operations, by groups. */
export function referencePage(described: DescribedInterface): DocsPage {
  const groups = [...groupsOf(described)].toSorted(
    ([one], [other]) => orderOf(one) - orderOf(other),
  )
  const sections = groups.map(([group, operations]) => groupSection(group, operations))
  return {
    title: 'Reference',
    path: '/docs/reference',
    description: 'Every operation of the interface, generated from its OpenAPI description.',
    contents: groups.map(([group]) => ({ path: `#${group}`, name: groupName(group) })),
    body: html`<p class="lead">${described.operations.size} operations, each on a page of its own,
made from the description at <a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1).
Every path below <code>/v1</code> is below <code>/api/v1</code> as well; other spellings stand on
the page of the operation.</p>${sections}`,
  }
}

function orderOf(group: string): number {
  const at = Object.keys(groupNames).indexOf(group)
  return at < 0 ? Number.MAX_SAFE_INTEGER : at
}

function groupSection(group: string, operations: readonly DescribedOperation[]): Html {
  const columns = [
    {
      heading: 'Operation',
      isRowHeading: true,
      cell: ({ id, method, path }: DescribedOperation) =>
        html`<a href="${operationPath(id)}"><code>${method} ${path}</code></a>`,
    },
    {
      heading: 'What it does',
      cell: ({ summary, isDeprecated }: DescribedOperation) =>
        html`${renderLine(summary)}${isDeprecated ? ' (It will end.)' : ''}`,
    },
    { heading: 'Needs', cell: needsOf },
  ]
  return html`<section aria-labelledby="${group}"><h2 id="${group}">${groupName(group)}</h2>
${table(`Operations: ${groupName(group)}`, columns, operations)}</section>`
}

/** What a caller needs, in words: nothing, a credential, or one with a scope. */
export function needsOf({ isPublic, scopes }: DescribedOperation): Html {
  if (isPublic) return html`nothing`
  if (scopes.length === 0) return html`a key or a token`
  const written = scopes.map((scope, at) => html`${at === 0 ? '' : ' or '}<code>${scope}</code>`)
  return html`${written}`
}
