import { readFileSync } from 'node:fs'
import sax from 'sax'

/** An element of a file of CSL. */
export type CslElement = {
  readonly name: string
  /** By their names without prefixes: `xml:lang` is `lang`. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (CslElement | string)[]
}

/** Reads a file of styles or of a language, which came with the program. */
export function readCslFile(name: string): CslElement {
  const parser = sax.parser(true)
  const root: CslElement = { name: '', attributes: {}, children: [] }
  const path = [root]
  parser.onopentag = (tag) => {
    const attributes = Object.entries(tag.attributes)
    const named = attributes.map(([key, value]) => [key.replace('xml:', ''), String(value)])
    const element = { name: tag.name, attributes: Object.fromEntries(named), children: [] }
    path.at(-1)?.children.push(element)
    path.push(element)
  }
  parser.onclosetag = () => void path.pop()
  parser.ontext = (text) => void path.at(-1)?.children.push(text)
  parser.write(readFileSync(new URL(name, import.meta.url), 'utf8')).close()
  const [element] = elementsOf(root)
  if (element === undefined) throw new Error(`${name} has no element`)
  return element
}

/** The elements in an element, of one name or all. */
export function elementsOf(parent: CslElement | undefined, name?: string): readonly CslElement[] {
  const elements = parent?.children.filter((child) => typeof child !== 'string') ?? []
  return name === undefined ? elements : elements.filter((child) => child.name === name)
}

/** The text in an element, with its spaces. */
export function textOf(element: CslElement | undefined): string {
  return element?.children.filter((child) => typeof child === 'string').join('') ?? ''
}
