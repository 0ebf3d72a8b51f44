import type { Rendered } from '#actors/registry/catalogue/port.ts'
import {
  landingRecord,
  type LandingRecord,
  readLandingSources,
} from '#src/use_cases/landing_record.ts'
import { mint } from '#test/src/_served_registry.ts'
import { type SharedRegistry, testShared } from '#test/src/_shared_registry.ts'

const test = testShared()

/** What the page of a work shows, of a version or of the newest one. */
async function read(
  { environments: { live } }: SharedRegistry,
  identifier: string,
  version?: number,
): Promise<LandingRecord | undefined> {
  const ark = identifier.slice('ark:/'.length)
  const found = (await live.catalogue.resolve(ark, identifier, version)) as Rendered
  const sources = await readLandingSources(live, ark, found, version)
  const work = JSON.parse(Buffer.from(found.body).toString('utf8')) as LandingRecord['work']
  return sources && landingRecord(work, sources)
}

test('lists are as long as a page, around the version that is shown', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  for (let version = 2; version <= 35; version += 1) {
    const body = { work_title: `Title ${version}`, version_note: `Note ${version}` }
    await call(`/v1/works/${ark}/versions`, { method: 'POST', key, body })
  }
  const spans = [
    [undefined, 35, 16],
    [30, 35, 16],
    [15, 25, 6],
    [2, 12, 1],
  ] as const
  for (const [version, first, last] of spans) {
    const record = await read(t.context, ark, version)
    t.is(record?.versionsTotal, 35)
    t.is(record?.versions[0]?.version, first)
    t.is(record?.versions.at(-1)?.version, last)
    t.is(record?.receipt.version, version ?? 35)
    t.is(record?.fixity === undefined, version !== undefined)
  }
  const newest = await read(t.context, ark)
  t.is(newest?.events.length, 20)
  t.true(newest?.hasOlder)
  t.like(newest?.versions[0], { kind: 'versioned', version_note: 'Note 35' })
  t.like(newest?.owner, { type: 'organization', id: 'demo' })
})

test('a withdrawn work has its last receipt, and its history', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'test' } })
  const record = await read(t.context, ark)
  t.is(record?.work.status, 'withdrawn')
  t.is(record?.receipt.statement, 'tombstoned')
  t.is(record?.fixity, undefined)
  t.deepEqual(
    record?.events.map(({ type }) => type),
    ['work.withdrawn', 'work.registered'],
  )
})
