// The thread of a RenderingThread: renders each job it is sent, in order.

import { parentPort } from 'node:worker_threads'

import { assert } from '#log/errors.ts'
import { renderJob, type RenderingJob } from '#src/rendering/rendering_job.ts'
import type { ThreadAnswer } from '#src/rendering/rendering_thread.ts'
import { lowerPriority } from '#src/fairness/priority.ts'

const port = parentPort
assert(port !== null, 'this file runs as a thread')

lowerPriority()
port.on('message', (job: RenderingJob) => {
  const answer = answerTo(job)
  const bytes = answer.type === 'rendered' ? answer.rendering.bytes : undefined
  port.postMessage(answer, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer])
})

function answerTo(job: RenderingJob): ThreadAnswer {
  try {
    const rendering = renderJob(job)
    const { bytes } = rendering
    // Bytes that share their memory with others cannot be handed over.
    const isWhole = bytes === undefined || bytes.length === bytes.buffer.byteLength
    return {
      type: 'rendered',
      rendering: isWhole ? rendering : { ...rendering, bytes: new Uint8Array(bytes) },
    }
  } catch (error) {
    return { type: 'failed', error }
  }
}
