// Works for the benches: as long as real records are (1.6 kB), and the n-th always the same.

/** The body of a work registration, as a client sends it. */
export type WorkBody = Readonly<Record<string, string>>

const words = (
  'archive measure of the and in for with from river protein structure language model evidence ' +
  'medieval trade network graph learning climate sediment cell theory galaxy enzyme policy ' +
  'survey approach method data results show that we propose significant improvement over prior ' +
  'analysis distribution étude Übergang niño straße resolution estimate variance field quantum'
).split(' ')
const names = ['Ada Ruiz', 'Wei Chen', 'Ngozi Obi', 'Lars Berg', 'Mei Tanaka', 'José Pérez']
const descriptionCharacters = 1_200
const descriptions = Array.from({ length: 256 }, (_, seed) =>
  writeText(seed, descriptionCharacters),
)

/**
 * The n-th work, under a name of its own. Titles differ, so none is a duplicate; three in ten have
 * a DOI, as in collections of conference papers.
 */
export function createWork(n: number, name = String(n)): WorkBody {
  const author = (offset: number) => names[(n + offset) % names.length] ?? ''
  return {
    work_title: `${writeText(n, 70)} ${name}`,
    work_type: n % 12 === 0 ? 'article' : 'conference_paper',
    authors: [0, 1, 3, 4].map(author).join(', '),
    description: descriptions[n % descriptions.length] ?? '',
    work_url: `https://papers.example.org/volumes/2026/${name}.pdf`,
    keywords: 'registry, provenance, benchmark',
    language: 'en',
    ...(n % 10 < 3 ? { existing_doi: `10.5555/bench.${name}` } : {}),
  }
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function writeText(seed: number, characters: number): string {
  const random = seededRandom(seed)
  let text = ''
  while (text.length < characters) text += `${words[Math.floor(random() * words.length)]} `
  return text.trim()
}
