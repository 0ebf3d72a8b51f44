import type { MessagePort } from 'node:worker_threads'

import { RenderingError, type RenderingErrorCode } from '#src/errors.ts'
import type { JobRenderer } from '#src/start/rendering/renderer.ts'
import type { JobType, Rendering, RenderingJob } from '#src/start/rendering/rendering_job.ts'

/** A job on its way to the thread that has it rendered. */
type Sent = { readonly id: number; readonly job: RenderingJob }

/** What came of a job. */
type Answered = { readonly id: number } & (
  | { readonly type: 'rendered'; readonly rendering: Rendering }
  | { readonly type: 'given_up'; readonly code: RenderingErrorCode }
  | { readonly type: 'failed'; readonly error: unknown }
)

/**
 * Has what comes over a port rendered, for the thread at its other end (`rendererAt`). Jobs are too
 * long to be sent as JSON is.
 */
export function offerRenderer(port: MessagePort, renderer: JobRenderer): void {
  port.on('message', ({ id, job }: Sent) => {
    renderer.render(job).then(
      (rendering) => port.postMessage({ id, type: 'rendered', rendering } satisfies Answered),
      (error: unknown) => port.postMessage({ id, ...failureOf(error) } satisfies Answered),
    )
  })
  port.unref()
}

function failureOf(error: unknown) {
  if (error instanceof RenderingError) return { type: 'given_up', code: error.code } as const
  return { type: 'failed', error } as const
}

/** A renderer at the other end of a port. Its errors are those that it has there. */
export function rendererAt(port: MessagePort): JobRenderer {
  const waiting = new Map<number, PromiseWithResolvers<Rendering>>()
  let ids = 0
  port.on('message', (answered: Answered) => {
    const asked = waiting.get(answered.id)
    waiting.delete(answered.id)
    if (answered.type === 'rendered') asked?.resolve(answered.rendering)
    else if (answered.type === 'failed') asked?.reject(answered.error)
    else asked?.reject(new RenderingError(answered.code))
  })
  port.on('close', () => {
    for (const { reject } of waiting.values()) reject(new RenderingError('thread_failed'))
    waiting.clear()
  })
  return {
    render<T extends JobType>(job: RenderingJob<T>): Promise<Rendering<T>> {
      const asked = Promise.withResolvers<Rendering>()
      ids += 1
      waiting.set(ids, asked)
      port.postMessage({ id: ids, job } satisfies Sent)
      // What is answered to a job is of its type.
      return asked.promise as Promise<Rendering<T>>
    },
    close: async () => port.close(),
  }
}
