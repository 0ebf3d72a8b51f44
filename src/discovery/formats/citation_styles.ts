import { LRUCache } from 'lru-cache'

import { CslStyle } from '#src/discovery/csl/style.ts'
import { type CslItem, cslItem } from '#src/discovery/formats/csl_json.ts'
import { type DescribedWork, withdrawalNote } from '#src/discovery/formats/described_work.ts'
import { unmarkedTitle } from '#src/discovery/formats/title_marks.ts'

/** The styles of references, by name; `file` is the style of CSL that says how they are written. */
export const citationStyles = {
  apa: { label: 'APA', file: 'apa' },
  'chicago-author-date': { label: 'Chicago', file: 'chicago-author-date' },
  mla: { label: 'MLA', file: 'modern-language-association' },
  ieee: { label: 'IEEE', file: 'ieee' },
  vancouver: { label: 'Vancouver', file: 'vancouver' },
  harvard: { label: 'Harvard', file: 'harvard-cite-them-right' },
} as const

export type CitationStyle = keyof typeof citationStyles

/** The languages that references are written in. */
export const citationLocales = [
  'en-US',
  'en-GB',
  'de-DE',
  'es-ES',
  'fr-FR',
  'it-IT',
  'nl-NL',
  'pt-BR',
] as const

export type CitationLocale = (typeof citationLocales)[number]

/** How a reference is written. */
export type CitationForm = { readonly style: CitationStyle; readonly locale: CitationLocale }

/** How a reference is written for who does not say how. */
export const usualForm: CitationForm = { style: 'apa', locale: 'en-US' }

// The names that citation programs know the styles by.
const aliases = new Map<string, CitationStyle>([
  ['american-psychological-association', 'apa'],
  ['chicago', 'chicago-author-date'],
  ['modern-language-association', 'mla'],
  ['harvard1', 'harvard'],
  ['harvard-cite-them-right', 'harvard'],
])

/** The form of these names: APA if no style has the one, US English if no language the other. */
export function citationForm(style = '', locale = ''): CitationForm {
  return { style: styleOf(style.toLowerCase()), locale: localeOf(locale.toLowerCase()) }
}

function styleOf(name: string): CitationStyle {
  const isStyle = (text: string): text is CitationStyle => Object.hasOwn(citationStyles, text)
  return isStyle(name) ? name : (aliases.get(name) ?? usualForm.style)
}

// A language alone is written as where most of its readers are: `de` as de-DE.
function localeOf(name: string): CitationLocale {
  const [language] = name.split(/[-_]/)
  const found =
    citationLocales.find((each) => each.toLowerCase() === name.replace('_', '-')) ??
    citationLocales.find((each) => each.split('-')[0] === language)
  return found ?? usualForm.locale
}

/** What our items may say: the compiler sees that nothing is missing. */
const variables: ReadonlySet<string> = new Set(
  Object.keys({
    id: true,
    type: true,
    genre: true,
    title: true,
    author: true,
    editor: true,
    issued: true,
    'container-title': true,
    'collection-title': true,
    'collection-number': true,
    'event-title': true,
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
    note: true,
    version: true,
  } satisfies Record<keyof CslItem | 'event', true>),
)

/** Styles that are held ready, each in one language. */
const heldStylesMax = 12

const heldStyles = new LRUCache<string, CslStyle>({ max: heldStylesMax })

function readStyle({ style, locale }: CitationForm): CslStyle {
  const key = `${style} ${locale}`
  const held = heldStyles.get(key)
  if (held !== undefined) return held
  const read = new CslStyle(citationStyles[style].file, locale, variables)
  heldStyles.set(key, read)
  return read
}

/** A reference to a work, a line of plain text; of a withdrawn one it ends with that. */
export function formatCitation(work: DescribedWork, form: CitationForm): string {
  return citationWriter(work)(form)
}

/** Writes references to one work, as `formatCitation` does, in as many forms as are asked for. */
export function citationWriter(work: DescribedWork): (form: CitationForm) => string {
  // The note of a withdrawn work stands at the end, whatever the style does with notes.
  const { note: _, title, 'event-title': event, ...item } = cslItem(work)
  // Styles from before CSL 1.0.2 ask for the event by its older name.
  const named = event === undefined ? item : { ...item, event, 'event-title': event }
  const cited = { ...named, title: unmarkedTitle(title) }
  return (form) => {
    const style = readStyle(form)
    const { text, has } = style.cite(cited)
    const isNamed =
      !work.isPinned || has('URL') || text.toLowerCase().includes(versionName(work, style))
    const parts = [text, isNamed ? '' : versionText(work, style), withdrawalNote(work) ?? '']
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
