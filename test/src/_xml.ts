import { create } from 'xmlbuilder2'
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js'

import type { XmlElement } from '#src/discovery/formats/xml.ts'

/** An element as it was read back: a reader that is not the writer under test. */
export type ReadElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly ReadElement[]
  readonly text: string
}

/** What of the library's nodes is looked at. */
type Node = {
  readonly nodeType: number
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly textContent: string | null
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
  readonly childNodes: Iterable<Node>
}

const elementType = 1

/** Reads a document; throws if it is not well-formed. */
export function readXml(xml: string): ReadElement {
  const document = create({ skipWhitespaceOnlyText: false }, xml)
  return readElement(document.root().node as unknown as Node)
}

function readElement(node: Node): ReadElement {
  const elements = [...node.childNodes].filter(({ nodeType }) => nodeType === elementType)
  return {
    name: node.nodeName,
    attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    children: elements.map(readElement),
    text: node.textContent ?? '',
  }
}

/** The child with a name, which there must be one of. */
export function child(parent: ReadElement, ...path: readonly string[]): ReadElement {
  let found = parent
  for (const name of path) {
    const all = children(found, name)
    if (all[0] === undefined || all.length > 1) {
      throw new Error(`${found.name} has ${all.length} of ${name}`)
    }
    found = all[0]
  }
  return found
}

/** The children with a name. */
export function children(parent: ReadElement, name: string): readonly ReadElement[] {
  return parent.children.filter((element) => element.name === name)
}

/** The texts of the children with a name. */
export function texts(parent: ReadElement, name: string): readonly string[] {
  return children(parent, name).map(({ text }) => text)
}

/** An element as text by another writer than ours: what XML cannot carry becomes U+FFFD. */
export function buildElement(root: XmlElement): string {
  const document = create({ invalidCharReplacement: '\ufffd' })
  append(document, root)
  return document.end({ headless: true })
}

function append(parent: XMLBuilder, root: XmlElement): void {
  const added = parent.ele(root.name)
  for (const [attribute, value] of Object.entries(root.attributes)) {
    if (value !== undefined) added.att(attribute, markup(value, inAttribute))
  }
  for (const inner of root.children) {
    if (typeof inner === 'object') append(added, inner)
    else if (inner !== undefined && inner !== '') added.txt(markup(inner, inText))
  }
}

// What the library would leave as it is, and a reader would not: `&nbsp;` in a text, which it takes
// for an entity, and white space that XML 1.0 normalizes (§2.11, §3.3.3).
const inText = /[&\r]/g
const inAttribute = /[&\t\n\r]/g

function markup(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => (sign === '&' ? '&amp;' : `&#${sign.charCodeAt(0)};`))
}
