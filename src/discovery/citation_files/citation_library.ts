import { createRequire } from 'node:module'

/** A name as CSL has it: a person's in parts, or anybody else's whole. */
export type CslName = {
  readonly family?: string
  readonly given?: string
  readonly literal?: string
  readonly suffix?: string
  readonly 'non-dropping-particle'?: string
  readonly 'dropping-particle'?: string
  readonly _orcid?: unknown
  /** As Crossref has it, an address. */
  readonly ORCID?: unknown
  /** Where the author worked, as one text. */
  readonly affiliation?: string
}

/** A record of CSL-JSON; the library does not hold itself to the types of its values. */
export type CslRecord = Readonly<Record<string, unknown>>

/** An entry of BibTeX before its values are read: LaTeX, or numbers. */
export type BibtexEntry = {
  readonly type: string
  readonly label: string
  readonly properties: Readonly<Record<string, string | number>>
  readonly annotations?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

type Library = {
  readonly plugins: { readonly input: { data(input: unknown, type: string): unknown } }
}

// The library has no types. What is read names its type itself, so that nothing is taken for an
// address and fetched.
const require = createRequire(import.meta.url)
const { plugins } = require('@citation-js/core') as Library
// oxlint-disable-next-line import/no-unassigned-import -- plugins add themselves to the core
require('@citation-js/plugin-bibtex')

/** Reads the entries of BibTeX. Throws a SyntaxError with a place `line 3 col 7` in its message. */
export function parseBibtexText(text: string): readonly BibtexEntry[] {
  return plugins.input.data(text, '@biblatex/text') as readonly BibtexEntry[]
}

/** Reads the values of an entry; `parents` are the entries that it takes fields from. */
export function convertBibtex(entry: BibtexEntry, parents: readonly BibtexEntry[]): CslRecord {
  const records = plugins.input.data([entry, ...parents], '@biblatex/entries+list')
  return (records as readonly CslRecord[])[0] ?? {}
}
