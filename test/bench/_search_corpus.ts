// Works for the benches of search: their words are as unevenly common as those of a language are
// (Zipf-Mandelbrot), so that there are words that everything has, and words that nothing else has.

import { workDocument } from '#src/discovery/search/documents.ts'
import type { StandingWork } from '#actors/registry/catalogue/feeds.ts'
import type { SearchDocument } from '#src/discovery/search/search_engine.ts'
import { seededRandom } from '#test/bench/_works.ts'

const vocabulary = 80_000
const exponent = 1.05
const offset = 2.7
const types = ['article', 'conference_paper', 'book', 'dataset', 'thesis'] as const
const languages = ['en', 'de', 'fr', 'es', 'zh']
const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ')

// Shares of all words up to each rank.
const cumulated = (() => {
  const shares = new Float64Array(vocabulary)
  let total = 0
  for (let rank = 0; rank < vocabulary; rank += 1) {
    total += 1 / (rank + 1 + offset) ** exponent
    shares[rank] = total
  }
  return shares.map((share) => share / total)
})()

/** The word of a rank, from 0: the most common one. */
export function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + 400; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length] ?? ''
  }
  return word
}

/** The rank of a word that is drawn as often as it is common. */
function drawRank(random: () => number): number {
  const share = random()
  let low = 0
  let high = vocabulary - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulated[middle] ?? 1) < share) low = middle + 1
    else high = middle
  }
  return low
}

/** The words of the n-th title. */
export function titleOf(n: number): string[] {
  const random = seededRandom(n)
  return wordsBetween(random, 7, 13)
}

function wordsBetween(random: () => number, least: number, most: number): string[] {
  const count = least + Math.floor(random() * (most - least + 1))
  return Array.from({ length: count }, () => wordOf(drawRank(random)))
}

/** The n-th work, as it is indexed. */
export function createDocument(n: number): SearchDocument {
  const random = seededRandom(n + 1_000_000_007)
  const ark = `12345/k2${n.toString(36)}`
  const at = new Date(1_700_000_000_000 + n * 1_000).toISOString()
  const year = 1990 + Math.floor(random() * 36)
  const metadata = {
    work_title: titleOf(n).join(' '),
    work_type: types[n % types.length] ?? 'other',
    authors: wordsBetween(random, 2, 7).join(', '),
    description: wordsBetween(random, 60, 100).join(' '),
    keywords: wordsBetween(random, 3, 6).join(', '),
    language: languages[Math.floor(random() * languages.length)] ?? 'en',
    published_date: String(year),
    ...(n % 10 < 3 && { existing_doi: `10.5555/bench.${n}` }),
  } as const
  const state = {
    ark,
    identifier: `ark:/${ark}`,
    owner: { type: 'organization', id: `press-${n % 20}`, name: 'Press' },
    fixity_status: 'verified',
    created_at: at,
    updated_at: at,
  }
  // Of the state of a work, no more than this is indexed.
  const work = { state, metadata: JSON.stringify(metadata), claims: [], registered: n }
  return workDocument(work as unknown as StandingWork)
}
