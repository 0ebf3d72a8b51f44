import { EmbeddedEngine } from '#src/discovery/search/embedded/embedded_engine.ts'
import type { SearchDocument } from '#src/discovery/search/search_engine.ts'
import { createDocument } from '#test/bench/_search_corpus.ts'

/** Works of one batch: as many as the indexer reads events. */
const batchWorks = 500

/** What it took to index works: of one core, and in all. */
export type Indexed = { readonly seconds: number; readonly engine: EmbeddedEngine }

/** Indexes so many works in a folder, which is empty. The documents are made beforehand. */
export async function indexWorks(dir: string, works: number): Promise<Indexed> {
  // How long a query takes is measured: none is cut off.
  const engine = new EmbeddedEngine({ dir, journal: 'bench', queryMsMax: 60_000 })
  await engine.open()
  let seconds = 0
  for (let first = 0; first < works; first += batchWorks) {
    const count = Math.min(batchWorks, works - first)
    const batch = Array.from({ length: count }, (_, index) => createDocument(first + index))
    const startMs = performance.now()
    await engine.write(batchOf(batch, first + count), 'current')
    await engine.commit('current')
    seconds += (performance.now() - startMs) / 1_000
  }
  return { seconds, engine }
}

function batchOf(works: readonly SearchDocument[], position: number) {
  const none = { works: [], people: [], organizations: [] }
  return { puts: { ...none, works }, works: [], removes: none, position, purges: false }
}
