// A process of a SearchReader. SQLite cannot be stopped; a process can be ended whatever it is
// at. It holds nothing that another could not read again.

import type { DatabaseSync } from 'node:sqlite'

import { lowerPriority } from '#actors/kernel/priority.ts'
import { indexPath, openReader, queryError } from '#src/discovery/search/embedded/index_file.ts'
import { IndexSearch } from '#src/discovery/search/embedded/index_search.ts'
import type { ReaderNews, ReaderOrder } from '#src/discovery/search/embedded/search_reader.ts'
import type { IndexKind } from '#src/discovery/search/search_engine.ts'

let db: DatabaseSync | undefined
const searches = new Map<IndexKind, IndexSearch>()

/** How long nothing is asked for before searches are prepared that are still to come. */
const idleMs = 50

let preparing: NodeJS.Timeout | undefined

function open(dir: string, kind: IndexKind): IndexSearch {
  let opened = searches.get(kind)
  if (opened === undefined) {
    db ??= openReader(indexPath(dir, 'current'))
    opened = new IndexSearch(db, kind)
    searches.set(kind, opened)
  }
  return opened
}

// Questions come between two steps; a damaged index is reported by the next question.
function prepare(): void {
  try {
    const isMore = [...searches.values()].some((opened) => opened.prepare())
    if (isMore) preparing = setTimeout(prepare)
  } catch {
    release()
  }
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
      return { type: 'found', id, page: open(order.dir, order.kind).search(order.query) }
    }
    if (order.type === 'prepare') open(order.dir, order.kind)
    else release()
    return { type: 'done', id }
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
process.on('message', (order: ReaderOrder) => {
  clearTimeout(preparing)
  tell(carryOut(order))
  preparing = setTimeout(prepare, idleMs)
})
tell({ type: 'ready' })
