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
 * An element as text, without a declaration. In place of each character that XML cannot carry
 * stands `unfitBecomes`. Harvesters get records by the thousand, for which a library that builds
 * documents takes ten times as long; a property of the tests holds this to the bytes of one.
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
 * An address as the type `anyURI` of schemas takes it: what stands in the place of another sign
 * there (RFC 3986 §2.2), such as a bracket in a path, is encoded.
 */
export function anyUri<T extends string | undefined>(text: T): T | string {
  if (text === undefined || !/[[\]%#]/.test(text)) return text
  const [, host = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/\[[\da-f:.]+\])?(.*)$/is.exec(text) ?? []
  const [path = '', ...fragments] = rest
    .replaceAll(/[[\]]|%(?![\da-f]{2})/gi, encodeURIComponent)
    .split('#')
  const fragment = fragments.length === 0 ? '' : `#${fragments.join('%23')}`
  return host + path + fragment
}

/** What a document of ours has for a character that JSON can hold and XML 1.0 cannot. */
const lostCharacter = '\ufffd'

/** The element as text, without a declaration before it. */
export function formatElement(root: XmlElement): string {
  return writeElement(root, lostCharacter)
}

/** The element as a document in UTF-8. */
export function formatDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${formatElement(root)}\n`
}
