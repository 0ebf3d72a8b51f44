import type create from 'markdown-it'
import type { Token } from 'markdown-it'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

import { type Html, trustedHtml } from '#src/pages/kit/html.ts'
import { snippet } from '#src/pages/kit/parts.ts'
import { docs as words } from '#src/words/english.ts'
import { english } from '#src/words/language.ts'
import type { Text } from '#src/words/wording.ts'

/** A heading of a document below its title: where it is linked to, and its text. */
type Heading = { readonly id: string; readonly level: number; readonly text: string }

/** A document of Markdown as it is shown. The title, its first heading, is not in the body. */
type RenderedDocument = {
  readonly title: string
  readonly body: Html
  readonly headings: readonly Heading[]
}

/** Where a link of a document leads on the pages; undefined: nowhere, and its text stays. */
type ResolveLink = (target: string) => string | undefined

const require = createRequire(import.meta.url)
type Markdown = ReturnType<typeof create>

let made: Markdown | undefined

// Loaded when it is first needed: it takes more memory than all pages, in each thread.
function markdown(): Markdown {
  made ??= createMarkdown()
  return made
}

function createMarkdown(): Markdown {
  const load = require('markdown-it') as typeof create
  // HTML in a document is text like all else, and addresses of scripts are no links.
  const created = load({ html: false })
  const { rules } = created.renderer
  rules['fence'] = (tokens, index) => {
    const { content, info } = tokens[index] as Token
    return snippet(info === '' ? 'Text' : `Code (${info})`, content.trimEnd()).html(english)
  }
  rules['code_block'] = rules['fence']
  rules['table_open'] = () =>
    '<div class="scroll" role="group" aria-label="A table" tabindex="0"><table class="grid">'
  rules['table_close'] = () => '</table></div>'
  return created
}

/** Renders a document of Markdown, whose links are resolved first. */
export function renderDocument(text: string, resolve: ResolveLink): RenderedDocument {
  const tokens = markdown().parse(text, {})
  const headings: Heading[] = []
  const taken = new Set<string>()
  for (const [index, token] of tokens.entries()) {
    // Alignment comes as a style, which the policy of our pages does not run.
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null
    if (token.type === 'inline') resolveLinks(token.children ?? [], resolve)
    if (token.type !== 'heading_open') continue
    const heading = readHeading(token, tokens[index + 1], taken)
    token.attrSet('id', heading.id)
    headings.push(heading)
  }
  const [title, ...others] = headings
  const isTitled = title?.level === 1
  // An opening tag, the text and the closing tag.
  const shown = isTitled ? tokens.slice(3) : tokens
  return {
    title: isTitled ? title.text : '',
    body: trustedHtml(markdown().renderer.render(shown, markdown().options, {})),
    headings: isTitled ? others : headings,
  }
}

/** Renders a line of Markdown, such as a description in the interface. */
export function renderLine(text: string): Html {
  return trustedHtml(markdown().renderInline(text))
}

function readHeading(token: Token, inline: Token | undefined, taken: Set<string>): Heading {
  const parts = inline?.children ?? []
  const text = parts.map(({ content }) => content).join('')
  const id = headingId(inline?.content ?? text)
  let own = id
  for (let count = 1; taken.has(own); count += 1) own = `${id}-${count}`
  taken.add(own)
  return { id: own, level: Number(token.tag.slice(1)), text }
}

/** The name by which a heading is linked to, as forges make it. */
function headingId(text: string): string {
  const kept = text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return kept.trim().replaceAll(/\s/g, '-')
}

/** Links do not nest, so that what closes one belongs to what was opened last. */
function resolveLinks(tokens: Token[], resolve: ResolveLink): void {
  let isDropped = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = resolve(String(token.attrGet('href') ?? ''))
      isDropped = target === undefined
      if (target !== undefined) token.attrSet('href', target)
    }
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
      token.hidden = true
      token.type = 'text'
      token.content = ''
    }
  }
}

/** A guide: a document of the project that is served as a page. */
export type Guide = RenderedDocument & { readonly name: string }

/** Guides under one heading. */
export type GuideGroup = { readonly heading: Text; readonly guides: readonly Guide[] }

/** Where the documents are, as their links see it. */
const root = path.join(import.meta.dirname, '../../..')

const documents = [
  {
    heading: words.programs,
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
    heading: words.records,
    files: ['docs/content.md', 'docs/people.md', 'docs/organizations.md', 'docs/accounts.md'],
  },
  {
    heading: words.proofs,
    files: [
      'log/README.md',
      'docs/explorer.md',
      'docs/monitoring.md',
      'docs/mirroring.md',
      'docs/evidence.md',
      'docs/map.md',
      'docs/witnesses.md',
      'docs/threats.md',
    ],
  },
  {
    heading: words.running,
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
