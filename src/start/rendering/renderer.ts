import { jobBytes, type Render, renderJob } from '#src/start/rendering/rendering_job.ts'
import { RenderingThread } from '#src/start/rendering/rendering_thread.ts'

/** Bytes up to which a job is done at once: the way to a thread and back would take longer. */
const smallJobBytesMax = 16_384

/** Twenty times what the largest job takes on a slow machine; much more if others have it busy. */
const limits = { jobTime: { cpuMsMax: 20_000, msMax: 300_000 }, heapMegabytesMax: 128 }

/** Renders jobs. */
export type JobRenderer = { readonly render: Render; close(): Promise<void> }

/** Renders small jobs at once, and all others in a thread of its own, or `elsewhere`. */
export function openRenderer(elsewhere: JobRenderer = openRenderingThread()): JobRenderer {
  return {
    async render(job) {
      return jobBytes(job) <= smallJobBytesMax ? renderJob(job) : elsewhere.render(job)
    },
    close: () => elsewhere.close(),
  }
}

/** Renders in a thread, which starts when there is something for it. */
export function openRenderingThread(): JobRenderer {
  return new RenderingThread(limits)
}
