import { createRequire } from 'node:module'
import type * as Xmlbuilder from 'xmlbuilder2'
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js'

/** What stands in an element: elements and text. `undefined` is nothing, to leave things out. */
type XmlNode = XmlElement | string | undefined

/** An element; attributes without a value are left out. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly children: readonly XmlNode[]
}

// What XML 1.0 cannot carry: controls but TAB, LF and CR, lone surrogates, U+FFFE and U+FFFF.
const unfit = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const special = /[&<>"\t\n\r]/

/**
 * An element as text, without a declaration, as harvesters get it by the thousand. The trees are
 * those of `formats/xml.ts`, whose writer is xmlbuilder2: that takes 110 to 230 µs for a record of
 * Dublin Core (and its callbacks 800 µs), this a tenth. Its tests hold both to the same bytes. In
 * place of each character that XML cannot carry stands `unfitBecomes`.
 */
export function writeElement(
  { name, attributes, children }: XmlElement,
  unfitBecomes = '',
): string {
  const tag = openTag(name, attributes, unfitBecomes)
  let content = ''
  for (const child of children) {
    if (typeof child === 'string') content += escapeText(child, unfitBecomes)
    else if (child !== undefined) content += writeElement(child, unfitBecomes)
  }
  return content === '' ? `${tag.slice(0, -1)}/>` : `${tag}${content}</${name}>`
}

/** The tag that begins an element; attributes without a value are left out. */
export function openTag(
  name: string,
  attributes: XmlElement['attributes'],
  unfitBecomes = '',
): string {
  let text = `<${name}`
  for (const attribute in attributes) {
    const value = attributes[attribute]
    if (value !== undefined) text += ` ${attribute}="${escapeAttribute(value, unfitBecomes)}"`
  }
  return `${text}>`
}

/** A text without the characters that XML 1.0 cannot carry. */
export function fitText(text: string, unfitBecomes = ''): string {
  return text.replace(unfit, unfitBecomes)
}

// A reader makes a line feed of a CR that is not escaped, and in attributes a space of all three.
function escapeText(value: string, unfitBecomes: string): string {
  const text = fitText(value, unfitBecomes)
  if (!special.test(text)) return text
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}

function escapeAttribute(value: string, unfitBecomes: string): string {
  const text = escapeText(value, unfitBecomes)
  if (!special.test(text)) return text
  return text.replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}

// Characters that JSON has and XML 1.0 has not, such as U+FFFE and U+FFFF.
const unfitBecomes = '\ufffd'
const options = { invalidCharReplacement: unfitBecomes }

// Loaded with the first document that it makes: it brings a whole DOM along, which would be a
// twelfth of what each thread takes to start.
const require = createRequire(import.meta.url)
let library: typeof Xmlbuilder | undefined

function createDocument(): XMLBuilder {
  library ??= require('xmlbuilder2') as typeof Xmlbuilder
  return library.create(options)
}

/**
 * Elements up to which a document is made with the library, which takes 5 µs for each: a record of
 * Dublin Core is, one of DataCite, of some 50, is not.
 */
const builtElementsMax = 30

/** An element with attributes and children. */
export function element(
  name: string,
  attributes: XmlElement['attributes'],
  ...children: readonly XmlNode[]
): XmlElement {
  return { name, attributes, children }
}

/** An element that holds text; nothing if there is no text. */
export function textElement(
  name: string,
  text: string | number | undefined,
  attributes: XmlElement['attributes'] = {},
): XmlElement | undefined {
  return text === undefined ? undefined : element(name, attributes, String(text))
}

/** An element that holds others; nothing if there are none. */
export function listElement(name: string, children: readonly XmlNode[]): XmlElement | undefined {
  const present = children.filter((child) => child !== undefined)
  return present.length === 0 ? undefined : element(name, {}, ...present)
}

/**
 * The element as text, without a declaration before it. It is the text of `writeElement`, which
 * writes what has many elements and what is sent by the thousand: a property of the tests holds the
 * two to the same bytes.
 */
export function formatElement(root: XmlElement): string {
  return countElements(root) > builtElementsMax
    ? writeElement(root, unfitBecomes)
    : buildElement(root)
}

/** The same, written by xmlbuilder2. */
export function buildElement(root: XmlElement): string {
  const document = createDocument()
  append(document, root)
  return document.end({ headless: true })
}

/** The element as a document in UTF-8. */
export function formatDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${formatElement(root)}\n`
}

function countElements({ children }: XmlElement): number {
  return children.reduce(
    (count, child) => count + (typeof child === 'object' ? countElements(child) : 0),
    1,
  )
}

function append(parent: XMLBuilder, { name, attributes, children }: XmlElement): void {
  const added = parent.ele(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) added.att(attribute, markup(value, inAttribute))
  }
  for (const child of children) {
    if (typeof child === 'object') append(added, child)
    else if (child !== undefined && child !== '') added.txt(markup(child, inText))
  }
}

// What the library would leave as it is, and a reader would not: `&nbsp;` in a text, which it takes
// for an entity, and white space that XML 1.0 normalizes (§2.11, §3.3.3).
const inText = /[&\r]/g
const inAttribute = /[&\t\n\r]/g

function markup(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => (sign === '&' ? '&amp;' : `&#${sign.charCodeAt(0)};`))
}
