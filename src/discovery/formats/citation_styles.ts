import { LRUCache } from 'lru-cache'

import { lazily } from '#actors/values/lazy_table.ts'
import { textOfPieces } from '#actors/values/markup.ts'
import { isGrave } from '#actors/works/update_notices.ts'
import { cslLocales, cslTitles, readCslStyle } from '#src/discovery/csl/csl_data.ts'
import type { CitedItem } from '#src/discovery/csl/rendering.ts'
import { CslStyle } from '#src/discovery/csl/style.ts'
import { keptWord } from '#src/discovery/csl/typography.ts'
import { type WholeCslItem, wholeCslItem } from '#src/discovery/formats/csl_json.ts'
import {
  type DescribedMetadata,
  type DescribedWork,
  standingNote,
} from '#src/discovery/formats/described_work.ts'
import { citedPieces, unmarkedCitedTitle } from '#src/discovery/formats/title_marks.ts'

/** The styles that pages show, by short names; `file` is what CSL calls each. */
export const citationStyles = {
  apa: { label: 'APA', file: 'apa' },
  'chicago-author-date': { label: 'Chicago', file: 'chicago-author-date' },
  mla: { label: 'MLA', file: 'modern-language-association' },
  ieee: { label: 'IEEE', file: 'ieee' },
  vancouver: { label: 'Vancouver', file: 'vancouver' },
  harvard: { label: 'Harvard', file: 'harvard-cite-them-right' },
} as const

/** A style that pages show. */
export type CitationStyle = keyof typeof citationStyles

/** How a reference is written. */
export type CitationForm = {
  /** One that pages show, or any other by its name in CSL. */
  readonly style: string
  /** By its name in CSL; undefined for the language of the style. */
  readonly locale: string | undefined
}

/** How a reference is written for who does not say how. */
export const usualForm = { style: 'apa', locale: 'en-US' } as const satisfies CitationForm

// The names that citation programs know the styles by.
const aliases = new Map<string, CitationStyle>([
  ['american-psychological-association', 'apa'],
  ['chicago', 'chicago-author-date'],
  ['modern-language-association', 'mla'],
  ['harvard1', 'harvard'],
  ['harvard-cite-them-right', 'harvard'],
])

/** The form of these names, or the styles whose names are near one that no style has. */
export type FoundForm =
  | { readonly type: 'ok'; readonly form: CitationForm }
  | { readonly type: 'unknown'; readonly near: readonly string[] }

/**
 * The form of these names: APA if no style is named; its own language if none is, which is US
 * English for the styles of pages, and for a language that there is not.
 */
export function citationForm(style = '', locale = ''): FoundForm {
  const name = style.toLowerCase().replace(styleAddress, '')
  if (name === '') return { type: 'ok', form: { ...usualForm, locale: usualLocale(locale) } }
  const found = aliases.get(name) ?? name
  if (Object.hasOwn(citationStyles, found)) {
    return { type: 'ok', form: { style: found, locale: usualLocale(locale) } }
  }
  if (!cslTitles().has(found)) return { type: 'unknown', near: nearStyles(found) }
  const own = locale === '' ? undefined : usualLocale(locale)
  return { type: 'ok', form: { style: found, locale: own } }
}

// As programs that read CSL name a style.
const styleAddress = /^https?:\/\/(?:www\.)?zotero\.org\/styles\/|\.csl$/g

// What a language alone is written as: where most of its readers are.
const usualLocales = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'it-IT', 'nl-NL', 'pt-BR', 'zh-CN']

/** Locales by their names in small letters, and the usual one of each language by its code. */
const localesByName = lazily((): ReadonlyMap<string, string> => {
  const all = [...usualLocales, ...cslLocales()].toReversed()
  const languages = all.map((locale) => [locale.split('-')[0] ?? '', locale] as const)
  return new Map([...languages, ...all.map((locale) => [locale.toLowerCase(), locale] as const)])
})

/** The CSL locale of a language by its tag, such as `de`; US English for one that CSL lacks. */
export function usualLocale(name: string): string {
  const wanted = name.toLowerCase().replace('_', '-')
  const known = localesByName()
  return known.get(wanted) ?? known.get(wanted.split('-')[0] ?? '') ?? usualForm.locale
}

const nearMax = 5
const askedCharactersMax = 60
const pieceCharacters = 3

/** The styles that have most of a name in theirs; the shortest first of those that have as much. */
function nearStyles(name: string): readonly string[] {
  const asked = name.slice(0, askedCharactersMax)
  const pieces = Array.from(asked, (_, at) => asked.slice(at, at + pieceCharacters)).filter(
    ({ length }) => length === pieceCharacters,
  )
  const all = new Set([...Object.keys(citationStyles), ...cslTitles().keys()])
  return Array.from(all, (style) => ({
    style,
    shared: pieces.filter((piece) => style.includes(piece)).length,
  }))
    .filter(({ shared }) => shared * 2 > pieces.length)
    .toSorted((one, other) => other.shared - one.shared || one.style.length - other.style.length)
    .slice(0, nearMax)
    .map(({ style }) => style)
}

/** What items have, in the order of their values. */
const variables = Object.keys({
  id: true,
  genre: true,
  title: true,
  author: true,
  editor: true,
  issued: true,
  'container-title': true,
  'collection-title': true,
  'collection-number': true,
  'event-title': true,
  // Styles from before CSL 1.0.2 ask for the event by its older name.
  event: true,
  volume: true,
  issue: true,
  number: true,
  page: true,
  publisher: true,
  DOI: true,
  ISSN: true,
  ISBN: true,
  URL: true,
  abstract: true,
  keyword: true,
  language: true,
  version: true,
  translator: true,
  chair: true,
  edition: true,
  'chapter-number': true,
  'event-place': true,
  'event-date': true,
  'publisher-place': true,
  'original-title': true,
  'title-short': true,
  'container-title-short': true,
  'number-of-pages': true,
  PMID: true,
  PMCID: true,
} satisfies Record<Exclude<keyof WholeCslItem, 'type' | 'note' | 'status'> | 'event', true>)

const titlePlace = variables.indexOf('title')
const eventPlace = variables.indexOf('event')

/** What is cited of a work, as styles read it. */
function citedItem(work: DescribedWork): CitedItem {
  // The note stands at the end, whatever the style does with notes. Some put the status in the
  // place of a date that is not known, and the title says it already.
  const item = wholeCslItem(work)
  const named: Readonly<Record<string, unknown>> = item
  const values = variables.map((name) => named[name])
  values[titlePlace] = titleForCases(work.metadata)
  values[eventPlace] = item['event-title']
  const { type, language } = item
  return { type, language, values }
}

// `Escherichia coli`, `In vitro`: of what is in italics, two words that begin with one capital.
const binomial = /^(\p{Lu}\p{Ll}+) (\p{Ll}{3,})$/u

/** The title, whose names of species are marked as words that keep their letters. */
function titleForCases(metadata: DescribedMetadata): string {
  const title = unmarkedCitedTitle(metadata)
  if (!`${metadata.work_title}${metadata.work_title_markup}`.includes('<i>')) return title
  return citedPieces(metadata).reduce<string>((text, piece) => {
    if (typeof piece === 'string' || !('mark' in piece) || piece.mark !== 'italic') return text
    const name = textOfPieces(piece.within, ({ source }) => source)
    const [all, genus, species] = binomial.exec(name) ?? []
    return all === undefined ? text : text.replaceAll(all, `${genus} ${keptWord}${species}`)
  }, title)
}

/** Styles that are held ready, each in one language: those of pages in each of theirs. */
const heldStylesMax = 64

const heldStyles = new LRUCache<string, CslStyle>({ max: heldStylesMax })

function readStyle({ style, locale }: CitationForm): CslStyle {
  const key = `${style} ${locale}`
  const held = heldStyles.get(key)
  if (held !== undefined) return held
  const isShown = Object.hasOwn(citationStyles, style)
  const root = readCslStyle(isShown ? citationStyles[style as CitationStyle].file : style)
  const read = new CslStyle(
    root,
    locale ?? usualLocale(root.attributes['default-locale'] ?? ''),
    variables,
  )
  heldStyles.set(key, read)
  return read
}

/** The language that references of a form are written in. */
export function citationLocale(form: CitationForm): string {
  return form.locale ?? readStyle(form).locale
}

/** A reference to a work, a line of plain text; of a withdrawn one it ends with that. */
export function formatCitation(work: DescribedWork, form: CitationForm): string {
  return citationWriter(work)(form)
}

/** Writes references to one work, as `formatCitation` does, in as many forms as are asked for. */
export function citationWriter(work: DescribedWork): (form: CitationForm) => string {
  const item = citedItem(work)
  return (form) => {
    const style = readStyle(form)
    const { text, has } = style.cite(item)
    const isNamed =
      !work.isPinned || has('URL') || text.toLowerCase().includes(versionName(work, style))
    const parts = [text, isNamed ? '' : versionText(work, style), standingNote(work, isGrave) ?? '']
    return `${parts.filter((part) => part !== '').join(' ')}\n`
  }
}

/** The version, where a style leaves out both its number and its address. */
function versionText(work: DescribedWork, style: CslStyle): string {
  const name = versionName(work, style)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}.`
}

function versionName({ version }: DescribedWork, { terms }: CslStyle): string {
  return `${terms.term('version')} ${version}`
}
