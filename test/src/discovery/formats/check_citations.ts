// Has citeproc-js write the references that we write, of twenty works of every kind, and compares:
//   npm run check:citations -- [--any 200 [--seed 1]] [--locale de-DE] [FILE]
// In all languages that pages have, or one. With --any, by so many of all the styles, of twenty
// works each, in US English or that language. With a file, which has a work a line as JSON and may
// be packed with gzip, of its works instead; then citation-js reads their BibTeX and RIS, too.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

import { bibtexDifferences, risDifferences } from '#test/src/discovery/formats/_citation_check.ts'
import {
  type Difference,
  openProcessor,
  styleDifference,
} from '#test/src/discovery/formats/_citeproc.ts'
import { type CitedWork, citedWorks } from '#test/src/discovery/formats/_cited_works.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { cslTitles } from '#src/discovery/csl/csl_data.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { type CitationForm, citationStyles } from '#src/discovery/formats/citation_styles.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

const locales = 'en-US en-GB de-DE es-ES fr-FR it-IT nl-NL pt-BR'.split(' ')
const worksMax = 500
const equalShareMin = 0.98

const anyShareMin = 0.96
const worksOfAny = 20

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    any: { type: 'string' },
    seed: { type: 'string', default: '1' },
    locale: { type: 'string' },
  },
})
const [file] = positionals
const works = file === undefined ? citedWorks : readWorks(file)
print(`${works.length} works`)
if (values.any === undefined) compareStyles()
else compareAny(Number(values.any))
if (file !== undefined) {
  compare('BibTeX, read by citation-js', bibtexDifferences)
  compare('RIS, read by citation-js', risDifferences)
}

function readWorks(name: string): readonly CitedWork[] {
  const bytes = readFileSync(name)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const lines = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')
  return lines.slice(0, worksMax).flatMap((line, index) => {
    const check = checkNewWork(line === '' ? {} : JSON.parse(line))
    return check.type === 'ok'
      ? [{ name: `line ${index + 1}`, work: describedWork(check.metadata) }]
      : []
  })
}

function compareStyles(): void {
  for (const locale of values.locale === undefined ? locales : [values.locale]) {
    for (const style of Object.keys(citationStyles) as (keyof typeof citationStyles)[]) {
      compareStyle({ style, locale })
    }
  }
}

/** The styles are those whose places a seed leads to; the works of each are of all kinds. */
function compareAny(count: number): void {
  const names = [...cslTitles().keys()]
  const random = seededRandom(Number(values.seed))
  const styles = Array.from({ length: count }, () => names[Math.floor(random() * names.length)])
  const compared = styles.flatMap((style = '', index) => compareOfAny(style, index))
  const found = compared.filter((one) => one !== undefined)
  const unjudged = found.filter(({ reason }) => reason === undefined)
  const equal = compared.length - found.length
  const judged = found.length - unjudged.length
  print(`${count} styles: ${equal} of ${compared.length} equal, ${judged} judged`)
  for (const [reason, times] of countedReasons(found)) print(`  ${times} × ${reason}`)
  unjudged.forEach(printDifference)
  if (unjudged.length > (1 - anyShareMin) * compared.length) process.exitCode = 1
}

function compareOfAny(style: string, index: number): readonly (Difference | undefined)[] {
  const form = { style, locale: values.locale ?? 'en-US' }
  const kinds = works.length / worksOfAny
  try {
    const processor = openProcessor(form)
    return Array.from({ length: worksOfAny }, (_, place) => {
      const one = works[worksOfAny * ((place * 5 + index * 3) % kinds) + place]
      if (one === undefined) return undefined
      const difference = styleDifference(processor, one.work, form)
      return difference && { ...difference, fact: `${style}, ${one.name}` }
    })
  } catch (error) {
    print(`left out: ${style}, in which the library ends: ${String(error)}`)
    return []
  }
}

function compareStyle(form: CitationForm): void {
  const processor = openProcessor(form)
  const differences = works.flatMap(({ name, work }) => {
    const difference = styleDifference(processor, work, form)
    return difference === undefined ? [] : [{ ...difference, fact: name }]
  })
  const unjudged = differences.filter(({ reason }) => reason === undefined)
  const equal = works.length - differences.length
  const judged = differences.length - unjudged.length
  print(`${form.style} ${form.locale}: ${equal} equal, ${judged} judged, ${unjudged.length} not`)
  for (const [reason, count] of countedReasons(differences)) print(`  ${count} × ${reason}`)
  unjudged.forEach(printDifference)
  if (unjudged.length > (1 - equalShareMin) * works.length) process.exitCode = 1
}

function countedReasons(differences: readonly Difference[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { reason } of differences) {
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return counts
}

function compare(name: string, differencesOf: (work: CitedWork['work']) => readonly Difference[]) {
  const found = works.map(({ work }) => differencesOf(work))
  const unexplained = found.map((some) => some.filter(({ reason }) => reason === undefined))
  const equal = found.filter((some) => some.length === 0).length
  const different = unexplained.filter((some) => some.length > 0).length
  print(`${name}: ${equal} equal, ${works.length - equal - different} explained, ${different} not`)
  unexplained.flat().forEach(printDifference)
  if (different > 0) process.exitCode = 1
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function printDifference({ fact, ours, theirs }: Difference): void {
  print(`  ${fact}\n    ours   ${ours}\n    theirs ${theirs}`)
}
