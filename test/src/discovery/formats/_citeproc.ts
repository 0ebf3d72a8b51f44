// References of citeproc-js, with the styles and languages that ours are written with.

import { createRequire } from 'node:module'

import {
  type CslElement,
  elementsOf,
  readCslLocale,
  readCslStyle,
} from '#src/discovery/csl/csl_data.ts'
import { type CslItem, cslItem } from '#src/discovery/formats/csl_json.ts'
import {
  type CitationForm,
  citationLocale,
  citationStyles,
  formatCitation,
} from '#src/discovery/formats/citation_styles.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'

/**
 * A fact that came back as another one. `reason` says why, where it is the library that drops the
 * fact or has another opinion.
 */
export type Difference = {
  readonly fact: string
  readonly ours: string
  readonly theirs: string
  readonly reason?: string
}

type Engine = {
  setOutputFormat(name: 'text'): void
  updateItems(ids: readonly string[]): void
  makeBibliography(): readonly [unknown, readonly string[]]
  previewCitationCluster(cited: object, before: [], after: [], format: 'text'): string
}

type System = {
  readonly retrieveLocale: (locale: string) => Tree
  readonly retrieveItem: () => CslItem
}

/** An element as citeproc-js takes it. */
type Tree = {
  readonly name: string
  readonly attrs: Readonly<Record<string, string>>
  readonly children: readonly (Tree | string)[]
}

type Citeproc = {
  readonly Engine: new (system: System, style: Tree, locale: string, isForced: boolean) => Engine
}

const require = createRequire(import.meta.url)
const { Engine } = require('citeproc') as Citeproc

/** Writes the reference to an item. */
export type Processor = (item: CslItem) => string

/** Opens citeproc-js with a style and a language. */
export function openProcessor(form: CitationForm): Processor {
  const { style } = form
  let current: (CslItem & { readonly event?: string }) | undefined
  let count = 0
  const system: System = {
    retrieveLocale: (name) => treeOf(readCslLocale(name)),
    retrieveItem: () => {
      if (current === undefined) throw new Error('no item is cited')
      return current
    },
  }
  const shown: Readonly<Record<string, { readonly file: string }>> = citationStyles
  const root = readCslStyle(shown[style]?.file ?? style)
  const tree = treeOf(root)
  const isListed = elementsOf(root, 'bibliography').length > 0
  const engine = new Engine(system, tree, citationLocale(form), true)
  engine.setOutputFormat('text')
  return (item) => {
    count += 1
    const { 'event-title': event } = item
    // Styles from before CSL 1.0.2 ask for the event by its older name.
    current = { ...item, id: String(count), ...(event !== undefined && { event }) }
    engine.updateItems([current.id])
    if (isListed) return engine.makeBibliography()[1][0] ?? ''
    const cited = { citationItems: [{ id: current.id }], properties: { noteIndex: 1 } }
    return engine.previewCitationCluster(cited, [], [], 'text')
  }
}

// A reference alone is not sorted, which takes a sixth of the time. It has no number and no
// locator, of which the library prints the label all the same: neither is asked for by a name that
// an item may have.
const ofLists: ReadonlySet<string | undefined> = new Set(['citation-number', 'locator'])

function treeOf({ name, attributes, children }: CslElement): Tree {
  const { lang, ...attrs } = attributes
  if (/^(?:text|number|label)$/.test(name) && ofLists.has(attrs['variable'])) {
    return { name: 'text', attrs: { variable: 'annote' }, children: [] }
  }
  const kept = children.filter((child) => typeof child === 'string' || child.name !== 'sort')
  const inner = kept.map((child) => (typeof child === 'string' ? child : treeOf(child)))
  return {
    name,
    attrs: lang === undefined ? attrs : { ...attrs, 'xml:lang': lang },
    // It reads the text of a term, even of one without any.
    children: name === 'term' && inner.length === 0 ? [''] : inner,
  }
}

/** Where our reference differs from that of citeproc-js, and which text decides it if one does. */
export function styleDifference(
  processor: Processor,
  work: DescribedWork,
  form: CitationForm,
): Difference | undefined {
  const ours = fold(formatCitation(work, form))
  const theirs = fold(processor(cslItem(work)))
  if (ours === theirs) return undefined
  const difference = { fact: work.ark, ours, theirs }
  const reason = judge(difference, form)
  return reason === undefined ? difference : { ...difference, reason }
}

type Judgement = {
  /** The one style that it is about. */
  readonly style?: CitationForm['style']
  /** The text that decides it. */
  readonly reason: string
  /** What citeproc-js writes, and what is meant. */
  readonly written: RegExp
  readonly meant: string
}

const judgements: readonly Judgement[] = [
  {
    style: 'ieee',
    reason: 'IEEE Reference Guide: the comma after a title stands within the quotation marks',
    written: /", \[Online\]/,
    meant: ',"[Online]',
  },
  {
    reason: 'Citing Medicine, chapter 2: given names are initials, and no part of them stays whole',
    written: /(?<=[ ,]\p{Lu}\.?) \p{Ll}+(?=[,.;] | & | and )/u,
    meant: '',
  },
  {
    style: 'harvard',
    reason:
      'a reference alone tells its author from no other (CSL 1.0.2, disambiguate-add-givenname)',
    written: /^([^,]+, \p{Lu})\p{L}+(?= et al\.)/u,
    meant: '$1.',
  },
  {
    reason: 'a point that follows ! or ? is left out, whether or not these are in italics',
    written: /(?<=[!?])\./g,
    meant: '',
  },
]

const emptyLabel = 'a label is only rendered if its variable is not empty (CSL 1.0.2, label)'

/**
 * What decides between two references of a style that pages do not show: texts that such a fold
 * makes equal, or two or three of them, differ in nothing else.
 */
const foldedJudgements: readonly (readonly [reason: string, fold: (text: string) => string])[] = [
  ['lines of their own are parted by a space in one line', (text) => text.replaceAll(' ', '')],
  ['the case of a macro is that of all in it (CSL 1.0.2)', (text) => text.toLowerCase()],
  [
    emptyLabel,
    (text) =>
      text.replace(
        / ?(?:\b(?:pages?|pp?)\.?(?! ?(?:\d|[eS]\d|[ivxlc]+\b))|\b(?:no\.|vol\.(?! ?[\dX])))/gi,
        '',
      ),
  ],
  [emptyLabel, (text) => text.replace(/\b(?:pages?|pp?)\b(?!\.? ?(?:\d|[eS]\d|[ivxlc]+\b))/gi, '')],
  [
    'of the marks in a title the outer are those of the language, the others its inner ones',
    (text) => text.replaceAll("'", '"'),
  ],
  [
    'commas and points stand in quotation marks where the language has them (punctuation-in-quote)',
    (text) => text.replace(/(["']+\)?)([.,])/g, '$2$1'),
  ],
  [
    'of two signs that meet, the weaker one is left out',
    (text) => text.replaceAll(',:', ',').replace(/[.,;:!?](?:["' ]*[.,;:!?])+/g, strongestSign),
  ],
  [
    'a group is left out if none of its variables has a value (CSL 1.0.2, group)',
    (text) => text.replace(/ (?:In ?[.,]|in\.:)(?= )/g, ''),
  ],
  [
    'the delimiter of names stands before a group, too (CSL 1.0.2, name)',
    (text) => text.replace(/(?: -|[,;/]) ?(?=ATLAS)/g, ', '),
  ],
  [
    'what ends a reference ends it after lines of their own, too',
    (text) => text.replace(/\.$/, ''),
  ],
  [
    'what is around a name is not around the words for others (CSL 1.0.2, name)',
    (text) => text.replace(/(?<=and co-authors|et al\.)[.:]/g, ''),
  ],
  [
    'hyphens of names that are not shortened stay (CSL 1.0.2, initialize-with-hyphen)',
    (text) => text.replace(/(?<=Jean|Seung)-/g, ' '),
  ],
  [
    'what is around names is around what stands in their place',
    (text) => text.replace(/ - \.(?= - )/g, ''),
  ],
  [
    'an address is written whole',
    (text) => text.replace(/(?<=example)\/ark:\S+?(?=[.,>\])]*(?: |$))/, ''),
  ],
  [
    'a short name is not turned round: it is its particle and its family name (CSL 1.0.2)',
    (text) => text.replace(/(Tour|Arc|Berg|Helmholtz), (de la|d'|van der|von)/g, inOrder),
  ],
]

/** What decides about the names of a style, in which nothing else differs. */
const nameJudgements: Readonly<Record<string, string>> = {
  'effective-altruism-wiki': 'what a name says goes before what its list says (CSL 1.0.2)',
  'uniwersytet-kardynala-stefana-wyszynskiego-w-warszawie-przypis':
    'what a name says goes before what its list says (CSL 1.0.2)',
  'harvard-north-west-university':
    'the last of all names is shown behind as many as et-al-use-first says (CSL 1.0.2)',
}

function strongestSign(signs: string): string {
  const order = signs.includes('"') ? signs.replace(/[" ]/g, '') : '!?;:.,'
  const strongest = [...order].find((sign) => signs.includes(sign)) ?? ''
  return strongest + signs.replace(/[.,;:!? ]/g, '')
}

function inOrder(_all: string, family: string, particle: string): string {
  return particle.endsWith("'") ? particle + family : `${particle} ${family}`
}

const foldsMax = 3

function judge({ ours, theirs }: Difference, { style }: CitationForm): string | undefined {
  const plain = (text: string) => text.replaceAll(' ', '')
  const found = judgements.find((each) => {
    const meant = theirs.replace(each.written, each.meant)
    return (each.style ?? style) === style && meant !== theirs && plain(meant) === plain(ours)
  })
  if (found !== undefined) return found.reason
  if (keepsLetters(ours, theirs))
    return 'p53, α, formulas, addresses and E. coli keep their letters'
  // Those that pages show have none of these.
  if (Object.hasOwn(citationStyles, style)) return undefined
  const names = nameJudgements[style]
  if (names !== undefined && withoutNames(ours) === withoutNames(theirs)) return names
  for (let count = 1; count <= foldsMax; count += 1) {
    const reason = foldedBy([ours, theirs], 0, count)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Whether only words differ that no case of titles changes, and they in their first letter. */
function keepsLetters(ours: string, theirs: string): boolean {
  const [words, others] = [ours.split(' '), theirs.split(' ')]
  if (words.length !== others.length || ours === theirs) return false
  return words.every((word, index) => {
    const other = others[index] ?? ''
    if (word === other) return true
    const isSpecies = /^\P{L}*\p{Lu}\.$/u.test(words[index - 1] ?? '')
    const isKept =
      isSpecies || /\p{Ll}\d|[$\\{}^_@]|:\/\/|\p{Ll}\.\p{Ll}{2}|\p{Script=Greek}/u.test(word)
    return isKept && word.toLowerCase() === other.toLowerCase()
  })
}

/** A reference from its year on, of which the names stand before it. */
function withoutNames(text: string): string {
  return /(?<=[ (])(?:\d{4}|n\.d\.).*/.exec(text)?.[0] ?? text
}

/** So many folds, from a place of the table on, that make two texts equal. */
function foldedBy(
  [ours, theirs]: readonly [string, string],
  from: number,
  count: number,
): string | undefined {
  for (const [index, [reason, change]] of foldedJudgements.entries()) {
    if (index < from) continue
    const folded = [change(ours), change(theirs)] as const
    if (count === 1) {
      if (folded[0] === folded[1]) return reason
      continue
    }
    const further = foldedBy(folded, index + 1, count - 1)
    if (further !== undefined) return `${reason}; ${further}`
  }
  return undefined
}

/** Texts that differ in typography only become one. */
export function fold(text: string): string {
  return text
    .replace(/<[^>]*>/g, (tag) => (/^<\/?(?:span|i|b|sub|sup)\b/.test(tag) ? '' : tag))
    .replace(/[“”«»„]/g, '"')
    .replace(/[‘’‚]/g, "'")
    .replace(/[‐‑‒–—-]+/g, '-')
    .replaceAll('…', '...')
    .replace(/[\s\u00a0]+/g, ' ')
    .normalize('NFC')
    .trim()
}
