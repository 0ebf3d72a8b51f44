import type { ExecutionContext, TestFn } from 'ava'

import { formatNames } from '#src/discovery/formats/format_table.ts'
import { citationStyles, usualForm } from '#src/discovery/formats/citation_styles.ts'
import {
  type Render,
  type RenderingJob,
  renderJob,
} from '#src/cli/start/rendering/rendering_job.ts'
import type { WantedRepresentation } from '#src/use_cases/landing_record.ts'
import { writeRecords } from '#src/discovery/oai/record_formats.ts'
import { wantedPage, recordsJob, workJob } from '#test/src/cli/start/rendering/_jobs.ts'

export type OpenRender = (t: ExecutionContext) => Render

/** Tests a renderer: every adapter of the port has to pass. */
export function testRenderer(test: TestFn, open: OpenRender): void {
  testWorks(test, open)

  test('records are written as they are in the thread of the requests', async (t) => {
    const render = open(t)
    for (const prefix of ['oai_dc', 'oai_datacite', 'mods', 'oai_openaire', 'svc']) {
      const job = recordsJob({ prefix, count: 5 })
      const rendering = await render(job)
      const { bytes, count } = writeRecords(job)
      t.is(rendering.count, 5)
      t.is(count, 5)
      t.is(textOf(rendering.bytes), textOf(bytes))
    }
  })

  test('of more records than bytes are wanted, the first ones are written', async (t) => {
    const render = open(t)
    const whole = recordsJob({ prefix: 'oai_datacite', count: 5 })
    const { bytes } = await render(whole)
    const one = await render({ ...whole, bytesEnough: 1 })
    t.is(one.count, 1)
    t.true(textOf(bytes).startsWith(textOf(one.bytes)))
    const two = await render({ ...whole, bytesEnough: one.bytes.length + 1 })
    t.is(two.count, 2)
  })

  test('jobs that are given together are all done, each as if it were alone', async (t) => {
    const render = open(t)
    const jobs: RenderingJob<'records'>[] = Array.from({ length: 12 }, (_, index) =>
      recordsJob({ prefix: 'svc', count: index + 1 }),
    )
    const renderings = await Promise.all(jobs.map((job) => render(job)))
    t.deepEqual(
      renderings.map(({ count }) => count),
      jobs.map((_, index) => index + 1),
    )
  })

  test('a job that fails fails alone', async (t) => {
    const render = open(t)
    const job = recordsJob({ prefix: 'oai_dc', count: 1 })
    const refused = t.throwsAsync(async () => render({ ...job, prefix: 'none' }), {
      message: /a format that there is/,
    })
    t.is((await render(job)).count, 1)
    await refused
    t.is((await render(job)).count, 1)
  })
}

function testWorks(test: TestFn, open: OpenRender): void {
  test('a work is written in every way and style as in the thread of the requests', async (t) => {
    const render = open(t)
    const styles = Object.keys(citationStyles) as (keyof typeof citationStyles)[]
    const cited = { ...usualForm, name: 'citation', isExport: false } as const
    const commitment = { repository: 'R', policyUrl: 'https://r.example/policy', isPermanent: true }
    const written: readonly WantedRepresentation[] = [
      ...formatNames.map((name) => ({ name, ...usualForm, isExport: true }) as const),
      ...styles.map((style) => ({ ...cited, style })),
      { name: 'erc', commitment },
      { name: 'erc', commitment: undefined },
      wantedPage,
    ]
    const linked = [{ name: 'linkset' }, { name: 'links' }, { name: 'none' }] as const
    for (const wanted of [...written, ...linked]) {
      const job = workJob(wanted, 3)
      const { bytes, ...rest } = await render(job)
      const { bytes: atOnce, ...restAtOnce } = renderJob(job)
      t.deepEqual(rest, restAtOnce)
      t.is(bytes && textOf(bytes), atOnce && textOf(atOnce))
      t.is(rest.contentUrl, 'https://press.example/things')
      if (written.includes(wanted)) t.true(textOf(bytes ?? new Uint8Array()).includes('Ox'))
    }
  })
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
