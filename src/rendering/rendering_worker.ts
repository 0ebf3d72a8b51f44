// The thread of a RenderingThread: renders each job it is sent, in order.

import { parentPort } from 'node:worker_threads'

import { assert } from '#log/errors.ts'
import { renderJob, type RenderingJob } from '#src/rendering/rendering_job.ts'
import type { ThreadAnswer } from '#src/rendering/rendering_thread.ts'
import { standBack } from '#src/niceness.ts'

const port = parentPort
assert(port !== null, 'this file runs as a thread')

standBack()
port.on('message', (job: RenderingJob) => {
  const answer = answerTo(job)
  const owned = answer.type === 'rendered' ? [answer.rendering.bytes.buffer as ArrayBuffer] : []
  port.postMessage(answer, owned)
})

function answerTo(job: RenderingJob): ThreadAnswer {
  try {
    const { bytes, count } = renderJob(job)
    // Bytes that share their memory with others cannot be handed over.
    const isWhole = bytes.length === bytes.buffer.byteLength
    return {
      type: 'rendered',
      rendering: { bytes: isWhole ? bytes : new Uint8Array(bytes), count },
    }
  } catch (error) {
    return { type: 'failed', error }
  }
}
