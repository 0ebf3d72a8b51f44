// Has citation-js read and cite the first works of a file, and compares with what we write:
//   node test/src/discovery/formats/check_citations.ts FILE
// The file has a work a line, as JSON, and may be packed with gzip.

import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

import {
  apaDifferences,
  bibtexDifferences,
  type Difference,
  risDifferences,
} from '#test/src/discovery/formats/_citation_check.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

const worksMax = 500

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name a file of works, a JSON object a line')
const bytes = await readFile(file)
const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
const lines = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')

const works = lines
  .filter((line) => line !== '')
  .slice(0, worksMax)
  .flatMap((line) => {
    const check = checkNewWork(JSON.parse(line))
    return check.type === 'ok' ? [describedWork(check.metadata)] : []
  })

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

print(`${works.length} works that can be registered, of ${Math.min(lines.length, worksMax)}`)
for (const [name, compare] of Object.entries({
  'BibTeX, read by citation-js': bibtexDifferences,
  'RIS, read by citation-js': risDifferences,
  'APA, beside its CSL style': apaDifferences,
})) {
  const found = works.map((work) => compare(work))
  const unexplained = found.map((some) => some.filter(({ reason }) => reason === undefined))
  const equal = found.filter((some) => some.length === 0).length
  const different = unexplained.filter((some) => some.length > 0).length
  const explained = works.length - equal - different
  print(`${name}: ${equal} equal, ${explained} explained, ${different} different`)
  unexplained.flat().forEach(printDifference)
  if (different > 0) process.exitCode = 1
}

function printDifference({ fact, ours, theirs }: Difference): void {
  print(`  ${fact}\n    ours   ${ours}\n    theirs ${theirs}`)
}
