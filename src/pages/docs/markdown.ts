import { createRequire } from 'node:module'

import type create from 'markdown-it'
import type { Token } from 'markdown-it'

import { type Html, trustedHtml } from '#src/pages/kit/html.ts'
import { snippet } from '#src/pages/kit/snippet.ts'

/** A heading of a document below its title: where it is linked to, and its text. */
export type Heading = { readonly id: string; readonly level: number; readonly text: string }

/** A document of Markdown as it is shown. The title, its first heading, is not in the body. */
export type RenderedDocument = {
  readonly title: string
  readonly body: Html
  readonly headings: readonly Heading[]
}

/** Where a link of a document leads on the pages; undefined: nowhere, and its text stays. */
export type ResolveLink = (target: string) => string | undefined

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
    return snippet(info === '' ? 'Text' : `Code (${info})`, content.trimEnd()).text
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
