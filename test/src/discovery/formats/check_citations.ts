// Has citeproc-js write the references that we write, of twenty works of every kind, and compares:
//   npm run check:citations [-- FILE]
// With a file, which has a work a line as JSON and may be packed with gzip, of its works instead;
// then citation-js reads their BibTeX and RIS, too.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

import { bibtexDifferences, risDifferences } from '#test/src/discovery/formats/_citation_check.ts'
import {
  type Difference,
  openProcessor,
  styleDifference,
} from '#test/src/discovery/formats/_citeproc.ts'
import { type CitedWork, citedWorks } from '#test/src/discovery/formats/_cited_works.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { type CitationForm, citationStyles } from '#src/discovery/formats/citation_styles.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

const locales = 'en-US en-GB de-DE es-ES fr-FR it-IT nl-NL pt-BR'.split(' ')
const worksMax = 500
const equalShareMin = 0.98

const [file] = process.argv.slice(2)
const works = file === undefined ? citedWorks : readWorks(file)
print(`${works.length} works`)
compareStyles()
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
  for (const locale of locales) {
    for (const style of Object.keys(citationStyles) as (keyof typeof citationStyles)[]) {
      compareStyle({ style, locale })
    }
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
