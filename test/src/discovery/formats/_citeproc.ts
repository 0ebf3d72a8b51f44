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

// A reference alone has no number and no locator, of which the library prints the label all the
// same: neither is asked for by a name that an item may have.
const ofLists: ReadonlySet<string | undefined> = new Set(['citation-number', 'locator'])

function treeOf({ name, attributes, children }: CslElement): Tree {
  const { lang, ...attrs } = attributes
  if (/^(?:text|number|label)$/.test(name) && ofLists.has(attrs['variable'])) {
    return { name: 'text', attrs: { variable: 'annote' }, children: [] }
  }
  const inner = children.map((child) => (typeof child === 'string' ? child : treeOf(child)))
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
    written: /(?<= \p{Lu}\.?) \p{Ll}+(?=[,.] | & | and )/u,
    meant: '',
  },
  {
    reason: 'a point that follows ! or ? is left out, whether or not these are in italics',
    written: /(?<=[!?])\./g,
    meant: '',
  },
]

/** What decides between two texts that differ in their spaces, or in their capitals, alone. */
const foldedJudgements: readonly (readonly [reason: string, fold: (text: string) => string])[] = [
  ['lines of their own are parted by a space in one line', (text) => text.replaceAll(' ', '')],
  ['the case of a macro is that of all in it (CSL 1.0.2)', (text) => text.toLowerCase()],
]

function judge({ ours, theirs }: Difference, { style }: CitationForm): string | undefined {
  const plain = (text: string) => text.replaceAll(' ', '')
  const found = judgements.find((each) => {
    const meant = theirs.replace(each.written, each.meant)
    return (each.style ?? style) === style && meant !== theirs && plain(meant) === plain(ours)
  })
  if (found !== undefined) return found.reason
  // Those that pages show have neither.
  if (Object.hasOwn(citationStyles, style)) return undefined
  return foldedJudgements.find(([, folded]) => folded(ours) === folded(theirs))?.[0]
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
