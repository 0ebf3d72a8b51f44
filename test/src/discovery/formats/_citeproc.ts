// References of citeproc-js, with the styles and languages that ours are written with.

import { createRequire } from 'node:module'

import { type CslElement, readCslLocale, readCslStyle } from '#src/discovery/csl/csl_data.ts'
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
  const tree = treeOf(readCslStyle(shown[style]?.file ?? style))
  const engine = new Engine(system, tree, citationLocale(form), true)
  engine.setOutputFormat('text')
  return (item) => {
    count += 1
    const { 'event-title': event } = item
    // Styles from before CSL 1.0.2 ask for the event by its older name.
    current = { ...item, id: String(count), ...(event !== undefined && { event }) }
    engine.updateItems([current.id])
    const [entry = ''] = engine.makeBibliography()[1]
    // A reference alone has no number.
    return entry.trim().replace(/^(?:\[1\]|1\.)\s*/, '')
  }
}

function treeOf({ name, attributes, children }: CslElement): Tree {
  const { lang, ...attrs } = attributes
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
  readonly style: CitationForm['style']
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
    style: 'vancouver',
    reason: 'Citing Medicine, chapter 2: given names are initials, and no part of them stays whole',
    written: /(?<= \p{Lu}) \p{Ll}+(?=[,.])/u,
    meant: '',
  },
]

function judge({ ours, theirs }: Difference, { style }: CitationForm): string | undefined {
  const plain = (text: string) => text.replaceAll(' ', '')
  return judgements.find(
    (each) =>
      each.style === style && plain(theirs.replace(each.written, each.meant)) === plain(ours),
  )?.reason
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
