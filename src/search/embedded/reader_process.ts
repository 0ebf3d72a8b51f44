// A process of a SearchReader. SQLite cannot be told to stop; a process can be ended whatever it is
// at. It holds nothing that another could not read again.

import type { DatabaseSync } from 'node:sqlite'

import { lowerPriority } from '#src/fairness/priority.ts'
import { indexPath, openReader, queryError } from '#src/search/embedded/index_file.ts'
import { IndexSearch } from '#src/search/embedded/index_search.ts'
import type { ReaderNews, ReaderOrder } from '#src/search/embedded/search_reader.ts'
import type { EnginePage, EngineQuery, IndexKind } from '#src/search/search_engine.ts'

let db: DatabaseSync | undefined
const searches = new Map<IndexKind, IndexSearch>()

function search(dir: string, kind: IndexKind, query: EngineQuery): EnginePage {
  let found = searches.get(kind)
  if (found === undefined) {
    db ??= openReader(indexPath(dir, 'current'))
    found = new IndexSearch(db, kind)
    searches.set(kind, found)
  }
  return found.search(query)
}

function release(): void {
  searches.clear()
  db?.close()
  db = undefined
}

function carryOut(order: ReaderOrder): ReaderNews {
  const { id } = order
  try {
    if (order.type === 'search') {
      return { type: 'found', id, page: search(order.dir, order.kind, order.query) }
    }
    release()
    return { type: 'released', id }
  } catch (error) {
    const { code, message } = queryError(error)
    return { type: 'failed', id, code, message }
  }
}

// The process that asked may be gone by now.
function tell(news: ReaderNews): void {
  process.send?.(news, () => undefined)
}

lowerPriority()
// A terminal and a service manager tell all processes to end; this one ends with its registry.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (order: ReaderOrder) => tell(carryOut(order)))
tell({ type: 'ready' })
