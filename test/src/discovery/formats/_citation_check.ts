// What citation-js, which shares no code with our formats, reads in them and makes of our CSL-JSON.

import { createRequire } from 'node:module'

import { cslItem } from '#src/discovery/formats/csl_json.ts'
import { type Difference, fold, openProcessor } from '#test/src/discovery/formats/_citeproc.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { formatCitation, usualForm } from '#src/discovery/formats/citation_styles.ts'
import { formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'

type CslRecord = Readonly<Record<string, unknown>>

type Library = {
  readonly plugins: { readonly input: { chain(text: string, options: object): CslRecord[] } }
}

const require = createRequire(import.meta.url)
const { plugins } = require('@citation-js/core') as Library
/* oxlint-disable import/no-unassigned-import -- plugins add themselves to the core */
require('@citation-js/plugin-bibtex')
require('@citation-js/plugin-ris')
/* oxlint-enable import/no-unassigned-import */

/** What is lost or changed when citation-js reads our BibTeX. */
export function bibtexDifferences(work: DescribedWork): readonly Difference[] {
  const found = differences(work, read(formatBibtex(work), '@biblatex/text'))
  const { container_title, event, series_title } = work.metadata
  const isEvent = container_title === undefined && series_title === undefined
  return found.map((each) =>
    each.fact === 'container' && isEvent && each.ours === fold(event?.name ?? '')
      ? withReason(each, 'BibTeX has a field for what an event published, and none for the event')
      : each,
  )
}

/** What is lost or changed when citation-js reads our RIS. */
export function risDifferences(work: DescribedWork): readonly Difference[] {
  return differences(work, read(formatRis(work), '@ris/file'))
}

const apa = openProcessor(usualForm)

/** Where our reference differs from that of APA's CSL style, made of our CSL-JSON. */
export function apaDifferences(work: DescribedWork): readonly Difference[] {
  const [ours, theirs] = [fold(formatCitation(work, usualForm)), fold(apa(cslItem(work)))]
  return ours === theirs ? [] : [withReason({ fact: 'apa', ours, theirs }, apaReason(work))]
}

function withReason(difference: Difference, reason: string | undefined): Difference {
  return reason === undefined ? difference : { ...difference, reason }
}

/** Why the library's reference may be another one, in which ours is as it is meant to be. */
function apaReason({ metadata, authors }: DescribedWork): string | undefined {
  const names = authors.map(({ name, family = '', given = '' }) => `${name} ${family} ${given}`)
  if (/(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}/u.test(names.join(''))) {
    return 'names in scripts without capitals'
  }
  const { container_title, language = '', pages = '', volume } = metadata
  if (volume !== undefined && container_title === undefined) return 'a volume of nothing'
  if (['hu', 'vi'].includes(language)) return 'names of Hungarian and Vietnamese get no comma'
  if (language === 'tr') return 'English words in a Turkish reference get dotted capitals'
  if (/[\u1e00-\u1eff]/.test(names.join(''))) return 'no initials of letters beyond U+1E00'
  return /[^\x00-\x7f–—-]/.test(pages) ? 'digits other than 0 to 9 are no numbers' : undefined
}

function read(text: string, forceType: string): CslRecord {
  const [record] = plugins.input.chain(text, { forceType, generateGraph: false })
  if (record === undefined) throw new Error('citation-js reads nothing')
  return record
}

function differences(work: DescribedWork, found: CslRecord): readonly Difference[] {
  const item = cslItem(work)
  // The library has the issue of some types as the number in their series.
  const numbers = (of: (one: CslRecord) => unknown) => [of(item), of(found)] as const
  const facts: readonly (readonly [fact: string, ours: unknown, theirs: unknown])[] = [
    ['title', item.title, found['title']],
    ['authors', namesOf(item.author ?? item.editor), namesOf(found['author'] ?? found['editor'])],
    ['year', yearOf(item.issued), yearOf(found['issued'])],
    ['doi', item.DOI, found['DOI']],
    ['container', containerOf(item), containerOf(found)],
    ['volume', ...numbers((one) => one['volume'] ?? one['collection-number'])],
    ['issue', ...numbers((one) => one['issue'] ?? one['number'] ?? one['collection-number'])],
    ['pages', item.page, found['page']],
  ]
  return facts.flatMap(([fact, mine, other]) => {
    const [ours, theirs] = [fold(textOf(mine)), fold(textOf(other))]
    if (ours === theirs) return []
    // An issue without a volume is a number in the series to the library, which counts it twice.
    if (fact === 'volume' && ours === '' && theirs === fold(textOf(item.issue))) return []
    // What is a part of something in a series has two numbers: the library has that of the series.
    const number = fold(textOf(item['collection-number']))
    if (fact === 'issue' && theirs !== '' && theirs === number) return []
    const isDropped = theirs === '' && placeFacts.has(fact) && item.type !== 'article-journal'
    const hasFormula = fact === 'title' && /\$[^$]+\$/.test(ours)
    const reason = isDropped
      ? 'not read of this type'
      : hasFormula
        ? 'formulas are read as text'
        : undefined
    return [withReason({ fact, ours, theirs }, reason)]
  })
}

// What holds a work, and where the work stands in it: the library reads it of some types only.
const placeFacts = new Set(['container', 'volume', 'issue', 'pages'])

function containerOf(record: CslRecord): unknown {
  const names = ['container-title', 'collection-title', 'event-title', 'event']
  return names.map((name) => record[name]).find((value) => value !== undefined)
}

function textOf(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

function namesOf(names: unknown): string {
  const list = (names ?? []) as readonly Readonly<Record<string, string>>[]
  return list
    .map(({ literal, given, family, ...particles }) => {
      const parts = [particles['dropping-particle'], particles['non-dropping-particle'], family]
      const last = [...parts, particles['suffix']].filter(Boolean).join(' ')
      return literal ?? [last, given].filter(Boolean).join(', ')
    })
    .join('; ')
}

function yearOf(date: unknown): string {
  const { 'date-parts': parts } = (date ?? {}) as { 'date-parts'?: readonly number[][] }
  return String(parts?.[0]?.[0] ?? '')
}
