import { decodeMarkup } from '#actors/values/markup.ts'
import { element, type XmlElement } from '#src/discovery/formats/xml.ts'

const part = /<(\/?)([a-z]+)([^<>]*)>|[^<]+/g
const attribute = /([\w-]+)="([^"]*)"/g

type Open = { readonly name: string; readonly attributes: string; readonly within: XmlPart[] }
type XmlPart = XmlElement | string

/** An element `math` of a stored markup as XML has it: `mml:math`, in the namespace of MathML. */
export function mathElement(source: string): XmlElement {
  const open: Open[] = [{ name: '', attributes: '', within: [] }]
  for (const [text, slash, name = '', attributes = ''] of source.matchAll(part)) {
    if (slash === undefined) open.at(-1)?.within.push(decodeMarkup(text))
    else if (slash === '') open.push({ name, attributes, within: [] })
    else {
      const { name: ended = name, attributes: given = '', within = [] } = open.pop() ?? {}
      const space = ended === 'math' ? { 'xmlns:mml': 'http://www.w3.org/1998/Math/MathML' } : {}
      open
        .at(-1)
        ?.within.push(element(`mml:${ended}`, { ...space, ...attributesOf(given) }, ...within))
    }
  }
  const [math] = open[0]?.within ?? []
  return typeof math === 'object' ? math : element('mml:math', {})
}

function attributesOf(source: string): XmlElement['attributes'] {
  const attributes: Record<string, string> = {}
  for (const [, name = '', value = ''] of source.matchAll(attribute)) attributes[name] = value
  return attributes
}
