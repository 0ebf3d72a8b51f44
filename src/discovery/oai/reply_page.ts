import { cssName } from '#src/discovery/oai/envelope.ts'

/** An element of a reply: text and attributes as they stand there, escaped. */
type Node = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Node[]
  text: string
}

// What our own replies consist of: tags and text. They have no comments and no other sections.
const token = /<\?[^>]*\?>|<(\/?)([^\s<>/]+)([^<>]*?)(\/?)>|([^<]+)/g
const attribute = /([^\s=]+)="([^"]*)"/g

const verbs = [
  ['verb=Identify', 'Identify'],
  ['verb=ListMetadataFormats', 'Formats'],
  ['verb=ListSets', 'Sets'],
  ['verb=ListIdentifiers&amp;metadataPrefix=oai_dc', 'Identifiers'],
  ['verb=ListRecords&amp;metadataPrefix=oai_dc', 'Records'],
] as const

/**
 * A page of a reply of this repository, for people who open its address in a browser. `path` is
 * that of the repository, `xml` one of its own replies: what is escaped there is escaped here.
 */
export function replyPage(path: string, xml: string): string {
  const [root] = parse(xml)
  const request = root?.children.find(({ name }) => name === 'request')
  const verb = request?.attributes.get('verb') ?? 'request'
  const complete = root?.children.find(({ name }) => name === 'responseDate')?.text ?? ''
  const parts = (root?.children ?? []).filter(
    ({ name }) => name !== 'request' && name !== 'responseDate',
  )
  const links = verbs.map(([query, name]) => `<a href="${path}?${query}">${name}</a>`).join('\n')
  const shown = { path, verb }
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>OAI-PMH: ${verb}</title><link rel="stylesheet" href="${path}/${cssName}"></head>
<body><header><h1>OAI-PMH ${verb}</h1>
<p>This address is for programs that harvest metadata. They get the same as XML.</p>
<nav aria-label="Verbs">${links}</nav></header>
<main>${parts.map((part) => topPart(part, shown)).join('')}</main>
<footer><p>Complete up to ${complete}.</p></footer></body></html>
`
}

type Shown = { readonly path: string; readonly verb: string }

function topPart(part: Node, shown: Shown): string {
  if (part.name === 'error') {
    const code = part.attributes.get('code') ?? ''
    return `<p class="error"><strong>${code}</strong>: ${part.text}</p>`
  }
  if (part.name === 'Identify') return members(part.children)
  return part.children.map((item) => listItem(item, shown)).join('')
}

function listItem(item: Node, shown: Shown): string {
  const { path, verb } = shown
  switch (item.name) {
    case 'resumptionToken':
      return nextPage(item, shown)
    case 'header':
      return `<section>${recordHeader(item, path)}</section>`
    case 'record': {
      const [header, ...rest] = item.children
      const described = rest.flatMap(({ children }) => children)
      const head = header === undefined ? '' : recordHeader(header, path)
      return `<section>${head}${described.map(description).join('')}</section>`
    }
    default:
      return `<section>${linked(item, path, verb)}${members(item.children)}</section>`
  }
}

/** What a set or a format leads to: its records. */
function linked({ children }: Node, path: string, verb: string): string {
  const [first] = children
  if (first === undefined) return ''
  const query =
    verb === 'ListSets'
      ? `metadataPrefix=oai_dc&amp;set=${quoted(first.text)}`
      : `metadataPrefix=${quoted(first.text)}`
  return `<p><a href="${path}?verb=ListRecords&amp;${query}">Records of ${first.text}</a></p>`
}

function recordHeader({ children, attributes }: Node, path: string): string {
  const textOf = (wanted: string) => children.find(({ name }) => name === wanted)?.text ?? ''
  const id = textOf('identifier')
  const query = `verb=GetRecord&amp;metadataPrefix=oai_dc&amp;identifier=${quoted(id)}`
  const sets = children.filter(({ name }) => name === 'setSpec')
  const withdrawn = attributes.get('status') === 'deleted' ? ', <strong>withdrawn</strong>' : ''
  const named = sets.map(({ text }) => ` <code>${text}</code>`).join('')
  const link = `<a href="${path}?${query}">${id}</a>`
  return `<p>${link}, changed ${textOf('datestamp')}${withdrawn}${named}</p>`
}

function description({ name, children }: Node): string {
  return `<h2>${withoutPrefix(name)}</h2>${members(children)}`
}

function members(nodes: readonly Node[]): string {
  if (nodes.length === 0) return ''
  const rows = nodes.map(({ name, attributes, children, text }) => {
    const plain = [...attributes].filter(([one]) => !/^xmlns|:/.test(one))
    const said = plain.map(([, value]) => ` <small>${value}</small>`).join('')
    const value = children.length === 0 ? linkOf(text) : members(children)
    return `<dt>${withoutPrefix(name)}${said}</dt><dd>${value}</dd>`
  })
  return `<dl>${rows.join('')}</dl>`
}

function linkOf(text: string): string {
  return /^https?:\/\/[^\s"]+$/.test(text) ? `<a href="${text}" rel="nofollow">${text}</a>` : text
}

function nextPage({ text, attributes }: Node, { path, verb }: Shown): string {
  if (text === '') return ''
  const size = attributes.get('completeListSize')
  const of = size === undefined ? '' : ` of ${size}`
  const query = `verb=${verb}&amp;resumptionToken=${quoted(text)}`
  return `<p><a href="${path}?${query}">Next page</a>${of}</p>`
}

// A text may have a quote as it is; what has been escaped stays so.
function quoted(text: string): string {
  return text.replaceAll('"', '&quot;')
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function parse(xml: string): readonly Node[] {
  const top: Node = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [top]
  for (const [, end, name, inside = '', empty, text] of xml.matchAll(token)) {
    const last = open.at(-1) ?? top
    if (text !== undefined) last.text += text.trim()
    else if (end === '/') open.pop()
    else if (name !== undefined) {
      const pairs = [...inside.matchAll(attribute)].map(([, key = '', value = '']) => {
        return [key, value] as const
      })
      const node: Node = { name, attributes: new Map(pairs), children: [], text: '' }
      last.children.push(node)
      if (empty !== '/') open.push(node)
    }
  }
  return top.children
}
