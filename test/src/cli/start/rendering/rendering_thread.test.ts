import test from 'ava'
import type { ExecutionContext } from 'ava'

import { RenderingError } from '#src/edge/errors.ts'
import { type RenderingLimits, RenderingThread } from '#src/cli/start/rendering/renderer.ts'
import { testRenderer } from '#test/contracts/renderer.ts'
import { recordsJob } from '#test/src/cli/start/rendering/_jobs.ts'

const limits: RenderingLimits = {
  jobTime: { cpuMsMax: 60_000, msMax: 600_000 },
  heapMegabytesMax: 256,
}

function openThread(t: ExecutionContext, changes: Partial<RenderingLimits> = {}): RenderingThread {
  const thread = new RenderingThread({ ...limits, ...changes })
  t.teardown(() => thread.close())
  return thread
}

testRenderer(test, (t) => {
  const thread = openThread(t)
  return (job) => thread.render(job)
})

const small = recordsJob({ prefix: 'oai_dc', count: 1 })

test('a job that takes too long is ended, and so are those after it if they do', async (t) => {
  const thread = openThread(t, { jobTime: { ...limits.jobTime, msMax: 1 } })
  // It is looked at ten times a second, and these take longer wherever they are rendered.
  const long = recordsJob({ prefix: 'oai_datacite', count: 1, authors: 200_000 })
  const jobs = [thread.render(long), thread.render(long)]
  for (const job of jobs) {
    const error = await t.throwsAsync(job, { instanceOf: RenderingError })
    t.is(error?.code, 'too_slow')
  }
})

test('a job that takes too much memory is ended, and the next has a new thread', async (t) => {
  const thread = openThread(t, { heapMegabytesMax: 40 })
  const large = recordsJob({ prefix: 'oai_datacite', count: 1, authors: 400_000 })
  const refused = t.throwsAsync(thread.render(large), { instanceOf: RenderingError })
  const next = thread.render(small)
  t.is((await refused)?.code, 'too_large')
  t.is((await next).count, 1)
})

test('what is not done when the thread is closed fails', async (t) => {
  const thread = openThread(t)
  const jobs = [thread.render(small), thread.render(small)]
  const failed = jobs.map((job) => t.throwsAsync(job, { instanceOf: RenderingError }))
  await thread.close()
  for (const error of await Promise.all(failed)) t.is(error?.code, 'thread_failed')
})
