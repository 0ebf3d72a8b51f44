// Loaded before all else by each thread of a process (`--import`): counts what the thread allocates
// on its heap, from one collection to the next, by what V8 tells of each (`v8.GCProfiler`). Bytes
// outside of the heap, such as those of long Buffers, are not counted.

import { GCProfiler } from 'node:v8'
import { BroadcastChannel, isMainThread, threadName } from 'node:worker_threads'

/** Bytes of the heap that a thread has allocated since it was asked last. */
export type ThreadGarbage = { readonly thread: string; readonly bytes: number }

const name = isMainThread ? 'registry' : (threadName ?? '')
let profiler = startProfiler()
let usedBytes = process.memoryUsage().heapUsed

function startProfiler(): GCProfiler {
  const started = new GCProfiler()
  started.start()
  return started
}

function countBytes(): number {
  let bytes = 0
  for (const { beforeGC, afterGC } of profiler.stop().statistics) {
    bytes += beforeGC.heapStatistics.usedHeapSize - usedBytes
    usedBytes = afterGC.heapStatistics.usedHeapSize
  }
  const now = process.memoryUsage().heapUsed
  bytes += now - usedBytes
  usedBytes = now
  profiler = startProfiler()
  return bytes
}

// The main thread asks the others on behalf of the process that has started this one.
const asking = new BroadcastChannel('garbage: asked')
const answering = new BroadcastChannel('garbage: answers')
asking.unref()
answering.unref()
const count = (): ThreadGarbage => ({ thread: name, bytes: countBytes() })
asking.addEventListener('message', () => answering.postMessage(count()))
if (isMainThread) {
  answering.addEventListener('message', (told) => process.send?.((told as MessageEvent).data))
  process.on('message', () => {
    process.send?.(count())
    asking.postMessage('count')
  })
  process.channel?.unref()
}
