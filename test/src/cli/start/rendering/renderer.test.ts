import test from 'ava'

import { openRenderer } from '#src/cli/start/rendering/renderer.ts'
import { type RenderingJob, renderJob } from '#src/cli/start/rendering/rendering_job.ts'
import { usualForm } from '#src/discovery/formats/citation_styles.ts'
import type { WantedRepresentation } from '#src/use_cases/landing_record.ts'
import { testRenderer } from '#test/contracts/renderer.ts'
import { recordsJob, workJob } from '#test/src/cli/start/rendering/_jobs.ts'

testRenderer(test, (t) => {
  const renderer = openRenderer()
  t.teardown(() => renderer.close())
  return renderer.render
})

test('what is large is rendered elsewhere, and the requests go on meanwhile', async (t) => {
  const renderer = openRenderer()
  t.teardown(() => renderer.close())
  const large = recordsJob({ prefix: 'oai_datacite', count: 40, authors: 1_000 })
  const order: string[] = []
  const rendered = renderer.render(large).then((rendering) => {
    order.push('large')
    return rendering
  })
  await renderer.render(recordsJob({ prefix: 'oai_dc', count: 1 }))
  order.push('small')
  // To say where something is takes little, also of a work whose page is written elsewhere.
  const read = workJob({ name: 'none' }, 800)
  t.true(read.resolution.length > 30_000)
  await renderer.render(read)
  order.push('read')
  const { bytes, count } = await rendered
  t.deepEqual(order, ['small', 'read', 'large'])
  t.is(count, 40)
  t.true(Buffer.from(bytes).equals(renderJob(large).bytes))
})

test('a description is made once, and anew from anything else', async (t) => {
  const renderer = openRenderer()
  t.teardown(() => renderer.close())
  const cited: WantedRepresentation = { ...usualForm, name: 'citation', isExport: false }
  const job = workJob(cited, 2)
  const first = await renderer.render(job)
  t.is(await renderer.render({ ...job, resolution: Uint8Array.from(job.resolution) }), first)
  t.is(first.bytes?.buffer.byteLength, first.bytes?.length, 'it holds no memory of others')
  const others: RenderingJob<'work'>[] = [
    { ...job, wanted: { ...cited, style: 'mla' } },
    { ...job, place: { ...job.place, isPinned: true } },
    workJob(cited, 3),
  ]
  for (const other of others) {
    t.deepEqual(await renderer.render(other), { ...renderJob(other), bytes: bytesOf(other) })
  }
})

function bytesOf(job: RenderingJob<'work'>): Uint8Array {
  return new Uint8Array(renderJob(job).bytes ?? [])
}
