import { readFileSync } from 'node:fs'
import path from 'node:path'

import { type RenderedDocument, renderDocument } from '#src/pages/docs/markdown.ts'

/** A guide: a document of the project that is served as a page. */
export type Guide = RenderedDocument & { readonly name: string }

/** Guides under one heading. */
export type GuideGroup = { readonly heading: string; readonly guides: readonly Guide[] }

/** Where the documents are, as their links see it. */
const root = path.join(import.meta.dirname, '../../..')

const documents = [
  {
    heading: 'Programs',
    files: [
      'docs/sandbox.md',
      'docs/applications.md',
      'docs/interface.md',
      'docs/lists.md',
      'docs/search.md',
      'docs/resolution.md',
      'docs/citations.md',
      'docs/harvesting.md',
      'docs/usage.md',
      'docs/webhooks.md',
      'docs/versioning.md',
      'src/client/README.md',
    ],
  },
  {
    heading: 'Records',
    files: ['docs/content.md', 'docs/people.md', 'docs/organizations.md', 'docs/accounts.md'],
  },
  {
    heading: 'Proofs',
    files: [
      'log/README.md',
      'docs/explorer.md',
      'docs/monitoring.md',
      'docs/mirroring.md',
      'docs/witnesses.md',
    ],
  },
  {
    heading: 'Running a registry',
    files: [
      'docs/configuration.md',
      'docs/commands.md',
      'docs/administration.md',
      'docs/stores.md',
      'docs/cluster.md',
      'docs/operations.md',
      'docs/benchmarks.md',
      'docs/dependencies.md',
    ],
  },
] as const

/** Documents of a room are called by its name; readers know them by their subject. */
const titles: Readonly<Record<string, string>> = {
  client: 'The official client',
  log: 'The log, its receipts and proofs',
}

const files: readonly string[] = documents.flatMap((group) => group.files)

/** The guides, read from the files of the project. */
export function readGuides(): readonly GuideGroup[] {
  return documents.map((group) => ({
    heading: group.heading,
    guides: group.files.map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      const rendered = renderDocument(text, (target) => addressOf(target, file))
      const name = nameOf(file)
      return { name, ...rendered, title: titles[name] ?? rendered.title }
    }),
  }))
}

/** The path of a guide's page. */
export function guidePath(name: string): string {
  return `/docs/guides/${name}`
}

function nameOf(file: string): string {
  const { dir, name } = path.parse(file)
  return name === 'README' ? path.basename(dir) : name
}

/** Where a link of a document leads: to the page of another guide, or to where it says itself. */
function addressOf(target: string, file: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(target)) return target
  const [to = '', heading] = target.split('#')
  const meant = path.join(path.dirname(file), to)
  if (!files.includes(meant)) return undefined
  return guidePath(nameOf(meant)) + (heading === undefined ? '' : `#${heading}`)
}
