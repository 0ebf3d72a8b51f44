import test from 'ava'
import fc from 'fast-check'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import type { ReadEntry } from '#src/discovery/citation_files/citation_file.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'

const runs = { numRuns: 1_000 }

const bibtexPieces =
  '@ article misc string comment preamble { } ( ) " , = # \n \\ \\{ \\} \\\' $ ^ _ & % ~ -- ' +
  'title author year month crossref key1 key2 {key1, doi url and others __proto__ constructor ' +
  '+an :x {T} {10.1/x} {Doe, Jane} 2001 jan \\begin{x} \\end{x} é \u0301 \0'

const risPieces =
  'TY AU TI PY SP EP ER DO UR KW AB ZZ JOUR 2001/02/03 Doe, Jane \n - é \0 __proto__'

/** Texts of pieces that mean something, and of any characters. */
function mangled(pieces: string): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...pieces.split(' '), ' ', '  - ')
  return fc
    .array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string({ maxLength: 3 })), {
      maxLength: 60,
    })
    .map((parts) => parts.join(''))
}

function isWhole(entries: readonly ReadEntry[], text: string): boolean {
  const lines = text.split('\n').length
  const inherited = Object.keys(Object.prototype).length
  return (
    inherited === 0 &&
    entries.every(({ line, body, faults }, index) => {
      const before = entries[index - 1]?.line ?? 1
      return line >= before && line <= lines && (body !== undefined || faults.length > 0)
    })
  )
}

test('property: whatever BibTeX is made of, each entry has a body or its faults', (t) => {
  const whole = fc.property(mangled(bibtexPieces), (text) => {
    return isWhole(readBibtex(splitBibtex(text)), text)
  })
  t.notThrows(() => fc.assert(whole, runs))
})

test('property: whatever RIS is made of, each record has a body or its faults', (t) => {
  const whole = fc.property(mangled(risPieces), (text) => isWhole(readRis(splitRis(text)), text))
  t.notThrows(() => fc.assert(whole, runs))
})

test('property: a good entry comes through whatever stands before it', (t) => {
  const good = '\n@misc{good, title={T}, author={A B}, doi={10.1234/x}}'
  const survives = fc.property(mangled(bibtexPieces), (text) => {
    const last = readBibtex(splitBibtex(text + good)).at(-1)
    return last?.key === 'good' && last.body?.['work_title'] === 'T'
  })
  const examples: [string][] = [['@url{'], ['@and{key1,@=']]
  t.notThrows(() => fc.assert(survives, { ...runs, examples }))
})
