import { jobBytes, type Render, renderJob } from '#src/rendering/rendering_job.ts'
import { RenderingThread } from '#src/rendering/rendering_thread.ts'

/** Bytes up to which a job is done at once: the way to a thread and back would take longer. */
const smallJobBytesMax = 16_384

/** Twenty times what the largest job takes on a slow machine; much more if others have it busy. */
const limits = { jobTime: { cpuMsMax: 20_000, msMax: 300_000 }, heapMegabytesMax: 128 }

/** Renders small jobs at once, and all others in a thread of its own. */
export type Renderer = { readonly render: Render; close(): Promise<void> }

/** Opens a renderer; its thread starts when there is something for it. */
export function openRenderer(): Renderer {
  const thread = new RenderingThread(limits)
  return {
    async render(job) {
      return jobBytes(job) <= smallJobBytesMax ? renderJob(job) : thread.render(job)
    },
    close: () => thread.close(),
  }
}
