// Feeds as a reader of feeds sees them, parsed by the library's parser.

import { create } from 'xmlbuilder2'

export type ReadElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly ReadElement[]
  readonly text: string
}

/** Parses a document into its root. */
export function parseXml(xml: string): ReadElement {
  return readNode(create({ skipWhitespaceOnlyText: false }, xml).root().node as unknown as XmlNode)
}

type XmlNode = {
  readonly nodeType: number
  readonly nodeName: string
  readonly textContent: string
  readonly childNodes: Iterable<XmlNode>
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
}

function readNode(node: XmlNode): ReadElement {
  const attributes = [...node.attributes].map(({ name, value }) => [name, value])
  const elements = [...node.childNodes].filter(({ nodeType }) => nodeType === 1)
  return {
    name: node.nodeName,
    attributes: Object.fromEntries(attributes) as Record<string, string>,
    children: elements.map(readNode),
    text: node.textContent,
  }
}

/** The texts of the children with a name. */
export function texts({ children }: ReadElement, name: string): string[] {
  return children.filter((child) => child.name === name).map(({ text }) => text)
}

/** The addresses of the links with a relation. */
export function linksOf({ children }: ReadElement, rel: string): string[] {
  return children
    .filter((child) => child.name === 'link' && child.attributes['rel'] === rel)
    .map(({ attributes }) => attributes['href'] ?? '')
}

/** The entries of a feed. */
export function entriesOf({ children }: ReadElement): ReadElement[] {
  return children.filter(({ name }) => name === 'entry')
}
