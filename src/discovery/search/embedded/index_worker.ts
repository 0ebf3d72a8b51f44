// The thread of an EmbeddedEngine that writes its index. SQLite answers at once and holds up its
// thread meanwhile, so that this is not the thread that answers requests.

import { workerData } from 'node:worker_threads'

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import {
  IndexFile,
  indexPath,
  moveIndex,
  removeIndex,
  searchError,
} from '#src/discovery/search/embedded/index_file.ts'
import type {
  IndexCalls,
  IndexOrder,
  IndexReply,
} from '#src/discovery/search/embedded/embedded_engine.ts'
import type { IndexTarget } from '#src/discovery/search/search_engine.ts'
import { lowerPriority } from '#actors/kernel/kept_worker.ts'

const { dir, journal } = workerData as { readonly dir: string; readonly journal: string }

const writing = new Map<IndexTarget, IndexFile>()

const calls: IndexCalls = {
  open() {
    written('current').rollback()
    return written('current').position()
  },
  write: (batch, target) => written(target).write(batch),
  commit: (target) => written(target).commit(),
  clear(target) {
    close(target)
    removeIndex(indexPath(dir, target))
  },
  swap() {
    close('next')
    close('current')
    moveIndex(indexPath(dir, 'next'), indexPath(dir, 'current'))
  },
  release() {
    for (const target of writing.keys()) close(target)
  },
}

function written(target: IndexTarget): IndexFile {
  let file = writing.get(target)
  if (file === undefined) {
    file = IndexFile.open(indexPath(dir, target), journal)
    writing.set(target, file)
  }
  return file
}

// A file that is damaged cannot always be brought to a good end; it is removed in any case.
function close(target: IndexTarget): void {
  try {
    writing.get(target)?.close()
  } finally {
    writing.delete(target)
  }
}

lowerPriority()
answerOrders<IndexOrder, IndexReply>(({ name, args }) => {
  try {
    const call = calls[name] as (...values: readonly unknown[]) => unknown
    return { type: 'done', value: call(...args) }
  } catch (error) {
    const { code, message } = searchError(error)
    return { type: 'failed', code, message }
  }
})
