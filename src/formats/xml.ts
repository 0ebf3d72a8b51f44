import { writeElement } from '#src/formats/xml_writer.ts'
import type { XmlNode, XmlElement } from '#src/formats/xml_element.ts'

// Characters that JSON has and XML 1.0 has not, such as U+FFFE and U+FFFF.
const unfitBecomes = '\ufffd'

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

/** The element as text, without a declaration before it, to be put into other XML. */
export function formatElement(root: XmlElement): string {
  return writeElement(root, unfitBecomes)
}

/** The element as a document in UTF-8. */
export function formatDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${formatElement(root)}\n`
}
