// Says how good searches are: 250 queries with judged answers over a file of 20,000 works.
//   node test/src/discovery/search/check_quality.ts FILE [CLASS]
// The file has a work a line, as JSON, and may be packed with gzip. `judged_queries.jsonl` names
// the works that answer each query by their lines, from 0, as they were judged from the file alone;
// it belongs to one file, whose hash is below. With MEILI_URL (and MEILI_KEY) a server is searched,
// too, but for what it leaves to the embedded engine. The answers to initials, fields and other
// forms were found by reading the file word by word. CLASS prints each query of a class with the
// place of its first answer.

import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

import type { StandingWork } from '#actors/registry/catalogue/feeds.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { workDocument } from '#src/discovery/search/documents.ts'
import { EmbeddedEngine } from '#src/discovery/search/embedded/embedded_engine.ts'
import { fieldNames } from '#src/discovery/search/index_shape.ts'
import { identifierFilters, isBeyondServer } from '#src/discovery/search/search_service.ts'
import { parseQueryText } from '#src/discovery/search/query_text.ts'
import { ServerEngine } from '#src/discovery/search/meilisearch/server_engine.ts'
import type { SearchDocument, SearchEngine } from '#src/discovery/search/search_engine.ts'

type Judged = {
  readonly class: string
  readonly query: string
  readonly relevant: readonly number[]
}

/** One by the place of the first answer, and the share of answers among those that can be. */
type Score = { readonly reciprocal: number; readonly recall: number }

const worksHash = '29e7e6a2bb333755521a4ffc53c12e1902107598e0225b742fa1b5240896a072'
const shownMax = 10
const batchWorks = 500
const none = { works: [], people: [], organizations: [] }

const [file, shownClass] = process.argv.slice(2)
if (file === undefined) throw new Error('name the file of works, a JSON object a line')
const bytes = await readFile(file)
const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
if (hash('sha256', text) !== worksHash) throw new Error('the answers are judged for another file')
const documents = text.toString('utf8').trim().split('\n').map(documentOf)
const judgedFile = path.join(import.meta.dirname, 'judged_queries.jsonl')
const judged = (await readFile(judgedFile, 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Judged)

const dir = await mkdtemp(path.join(os.tmpdir(), 'arklog-quality-'))
try {
  const embedded = new EmbeddedEngine({ dir, journal: 'quality', queryMsMax: 60_000 })
  await measure(embedded, embedded)
  const { MEILI_URL: url, MEILI_KEY: key } = process.env
  if (url !== undefined) {
    const options = { url, prefix: 'arklog_quality_', journal: 'quality' }
    const server = new ServerEngine({ ...options, ...(key !== undefined && { key }) })
    await measure(server, embedded)
    await server.close()
  }
  await embedded.close()
} finally {
  await rm(dir, { recursive: true, force: true })
}

/** The work of a line, which has the position of its line in the journal. */
function documentOf(line: string, seq: number): SearchDocument {
  const check = checkNewWork(JSON.parse(line))
  if (check.type !== 'ok') throw new Error(`line ${seq} is no work that can be registered`)
  const ark = `12345/k2w${seq}`
  const state = {
    ark,
    identifier: `ark:/${ark}`,
    owner: { type: 'organization', id: 'quality' },
    fixity_status: 'pending',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  } as StandingWork['state']
  return workDocument({
    state,
    metadata: JSON.stringify(check.metadata),
    claims: [],
    registered: seq,
  })
}

/** Fills an engine and searches it; `beside` answers what a server does not. */
async function measure(engine: SearchEngine, beside: SearchEngine): Promise<void> {
  await engine.open()
  const startMs = performance.now()
  for (let first = 0; first < documents.length; first += batchWorks) {
    const works = documents.slice(first, first + batchWorks)
    const position = first + works.length
    const batch = { puts: { ...none, works }, works: [], removes: none, position, purges: false }
    await engine.write(batch, 'current')
    await engine.commit('current')
  }
  const indexedMs = performance.now() - startMs
  print(`${engine.name}: ${documents.length} works indexed in ${(indexedMs / 1_000).toFixed(1)} s`)
  const scores = new Map<string, Score[]>()
  const searchedMs: number[] = []
  for (const one of judged) {
    const beginMs = performance.now()
    const seqs = await find(engine, beside, one.query)
    searchedMs.push(performance.now() - beginMs)
    const score = scoreOf(one, seqs)
    scores.set(one.class, [...(scores.get(one.class) ?? []), score])
    if (one.class === shownClass) print(`  ${score.reciprocal.toFixed(2)} ${one.query}`)
  }
  printScores(scores)
  const [median, late] = [0.5, 0.95].map((at) => timeAt(searchedMs, at))
  print(`  ${median} ms a search, ${late} ms at the 95th percentile`)
}

function printScores(scores: ReadonlyMap<string, readonly Score[]>): void {
  print(`  ${'class'.padEnd(18)}queries   MRR  recall@${shownMax}`)
  const rows = new Map(scores).set('all', [...scores.values()].flat())
  for (const [name, some] of rows) {
    const mean = (member: keyof Score) => {
      const sum = some.reduce((all, score) => all + score[member], 0)
      return (sum / some.length).toFixed(3)
    }
    const count = String(some.length).padStart(7)
    print(`  ${name.padEnd(18)}${count} ${mean('reciprocal')} ${mean('recall')}`)
  }
}

function timeAt(times: readonly number[], share: number): string {
  const sorted = times.toSorted((left, right) => left - right)
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
}

/** The first works that a reader is shown for what they typed, as the service finds them. */
async function find(
  engine: SearchEngine,
  beside: SearchEngine,
  typed: string,
): Promise<readonly number[]> {
  const asked = { limit: shownMax, facets: [] }
  for (const filter of identifierFilters('works', typed, '12345')) {
    const query = { ...asked, filters: [filter], clauses: [], sort: 'newest' }
    const { ids } = await engine.search('works', query)
    if (ids.length > 0) return ids.map(seqOf)
  }
  const clauses = parseQueryText(typed, fieldNames.works)
  const answering = isBeyondServer(clauses) ? beside : engine
  const query = { ...asked, filters: [], clauses, sort: 'relevance' }
  return (await answering.search('works', query)).ids.map(seqOf)
}

function seqOf(id: string): number {
  return Number(id.replace('12345_k2w', ''))
}

function scoreOf({ relevant }: Judged, seqs: readonly number[]): Score {
  const answers = new Set(relevant)
  const first = seqs.findIndex((seq) => answers.has(seq))
  const found = seqs.filter((seq) => answers.has(seq)).length
  return {
    reciprocal: first === -1 ? 0 : 1 / (first + 1),
    recall: found / Math.min(answers.size, shownMax),
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
