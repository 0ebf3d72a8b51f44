import { MessageChannel } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'

import { RenderingError, type RenderingErrorCode } from '#src/edge/errors.ts'
import {
  type JobRenderer,
  offerRenderer,
  openRenderer,
  openRenderingThread,
  rendererAt,
} from '#src/cli/start/rendering/renderer.ts'
import { testRenderer } from '#test/contracts/renderer.ts'
import { recordsJob } from '#test/src/cli/start/rendering/_jobs.ts'

/** The renderer at the other end of a port at which another one is offered. */
function share(t: ExecutionContext, renderer: JobRenderer) {
  const { port1, port2 } = new MessageChannel()
  offerRenderer(port1, renderer)
  const shared = rendererAt(port2)
  t.teardown(async () => {
    await shared.close()
    await renderer.close()
  })
  return { shared, end: () => port1.close() }
}

testRenderer(test, (t) => openRenderer(share(t, openRenderingThread()).shared).render)

const job = recordsJob({ prefix: 'oai_dc', count: 1 })

for (const code of ['too_slow', 'too_large', 'thread_failed'] satisfies RenderingErrorCode[]) {
  test(`a job that was given up there is given up here: ${code}`, async (t) => {
    const render = () => Promise.reject(new RenderingError(code))
    const { shared } = share(t, { render, close: async () => undefined })
    await t.throwsAsync(shared.render(job), { instanceOf: RenderingError, code })
  })
}

test('what rendering has thrown is thrown here', async (t) => {
  const render = () => Promise.reject(new TypeError('not a record'))
  const { shared } = share(t, { render, close: async () => undefined })
  await t.throwsAsync(shared.render(job), { instanceOf: TypeError, message: 'not a record' })
})

test('jobs fail when the other end of the port has gone', async (t) => {
  const render = () => new Promise<never>(() => undefined)
  const { shared, end } = share(t, { render, close: async () => undefined })
  const lost = shared.render(job)
  end()
  await t.throwsAsync(lost, { instanceOf: RenderingError, code: 'thread_failed' })
})
