// The thread of a RenderingThread: renders each job it is sent, in order.

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import { lowerPriority } from '#actors/kernel/kept_worker.ts'
import {
  renderJob,
  type Rendering,
  type RenderingJob,
  withOwnBytes,
} from '#src/cli/start/rendering/rendering_job.ts'

lowerPriority()
answerOrders<RenderingJob, Rendering>((job) => withOwnBytes(renderJob(job)), {
  transferOf: ({ bytes }) => (bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]),
})
