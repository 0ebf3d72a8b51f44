import type { ExecutionContext } from 'ava'

import { harvest } from '#test/scenario/_harvester.ts'
import { standBy } from '#test/scenario/_bystander.ts'
import { registerLarge, registerSmall } from '#test/scenario/_large_works.ts'
import { memoryBytesMax, watchMemory } from '#test/scenario/_memory_watch.ts'
import { call, firstKey, newDataDir, startServer } from '#test/scenario/_process.ts'

const mebibyte = 1_048_576

/** How many works there are, half of them from each of two requests, and who harvests at a time. */
type Sizes = { readonly works: number; readonly authors: number; readonly harvesters: number }

/**
 * Harvests long works, many at a time: what is sent and what is in memory is
 * bounded, others are answered meanwhile, and each harvest has every record once.
 */
export async function harvestLongest(
  t: ExecutionContext,
  { works, authors, harvesters }: Sizes,
): Promise<void> {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const memory = watchMemory(t)
  const arks: string[] = []
  for (const half of ['One', 'Two']) {
    const titles = Array.from({ length: works / 2 }, (_, index) => `${half} ${index}`)
    arks.push(...(await registerLarge(t, server, { key, titles, authors })))
  }
  memory.follow(server.child.pid)
  const small = await registerSmall(server, key)
  arks.push(small)
  const bystander = standBy(t, server, { ark: small, waitMs: 5 })
  const url = `${server.started.local_url}/api/v1/oai`
  const first = `${url}?verb=ListRecords&metadataPrefix=oai_datacite`
  // Each goes on until others were answered as often: if they are not, that has no end.
  const harvesting = Array.from({ length: harvesters }, async () => {
    do {
      const response = await fetch(first, { headers: { 'accept-encoding': 'identity' } })
      t.is(response.status, 200)
      // A mebibyte, and the record that brought it there.
      t.true((await response.arrayBuffer()).byteLength < 5 * mebibyte)
    } while (bystander.answers < harvesters)
  })
  await Promise.all(harvesting)
  const { records } = await harvest(url)
  const harvested = [...records.keys()]
  t.deepEqual(harvested.toSorted(), arks.toSorted())
  const seen = new Set<string>()
  for (let after = 0, end = 1; after < end; ) {
    type Page = { changes: { ark?: string }[]; next: number; end: number }
    const target = `/v1/changes?limit=1000&after=${after}`
    const { body } = await call<Page>(server, target, { key })
    for (const { ark } of body.changes) if (ark !== undefined) seen.add(ark)
    ;({ next: after, end } = body)
  }
  // The works of one request are registered side by side: their order is that of the log.
  t.deepEqual([...seen], harvested)
  await bystander.leave()
  t.log(`${memory.peaks[0]} bytes of memory at most`)
  t.true((memory.peaks[0] ?? Infinity) < memoryBytesMax)
}
