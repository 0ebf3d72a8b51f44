// The thread of a RenderingThread: renders each job it is sent, in order.

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import { lowerPriority } from '#actors/kernel/kept_worker.ts'
import {
  renderJob,
  type Rendering,
  type RenderingJob,
} from '#src/cli/start/rendering/rendering_job.ts'

lowerPriority()
answerOrders<RenderingJob, Rendering>(render, {
  transferOf: ({ bytes }) => (bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]),
})

function render(job: RenderingJob): Rendering {
  const rendering = renderJob(job)
  const { bytes } = rendering
  // Bytes that share their memory with others cannot be handed over.
  const isWhole = bytes === undefined || bytes.length === bytes.buffer.byteLength
  return isWhole ? rendering : { ...rendering, bytes: new Uint8Array(bytes) }
}
