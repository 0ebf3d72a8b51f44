// The thread of an EmbeddedEngine that writes its index. SQLite answers at once and holds up its
// thread meanwhile, so that this is not the thread that answers requests.

import { parentPort, workerData } from 'node:worker_threads'

import { assert } from '#log/errors.ts'
import {
  IndexFile,
  indexPath,
  moveIndex,
  removeIndex,
  searchError,
} from '#src/search/embedded/index_file.ts'
import type { IndexCalls, ThreadOrder, ThreadReply } from '#src/search/embedded/embedded_engine.ts'
import type { IndexTarget } from '#src/search/search_engine.ts'
import { lowerPriority } from '#src/fairness/priority.ts'

const port = parentPort
assert(port !== null, 'this file runs as a thread')
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
port.on('message', ({ id, name, args }: ThreadOrder) => {
  reply(id, () => (calls[name] as (...values: readonly unknown[]) => unknown)(...args))
})

function reply(id: number, call: () => unknown): void {
  let answer: ThreadReply
  try {
    answer = { id, type: 'done', value: call() }
  } catch (error) {
    const { code, message } = searchError(error)
    answer = { id, type: 'failed', code, message }
  }
  port?.postMessage(answer)
}
