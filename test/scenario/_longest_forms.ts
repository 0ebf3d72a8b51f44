import type { ExecutionContext } from 'ava'

import { formatNames } from '#src/discovery/formats/format_table.ts'
import { standBy } from '#test/scenario/_bystander.ts'
import { registerLarge, registerSmall } from '#test/scenario/_large_works.ts'
import { memoryBytesMax, watchMemory } from '#test/scenario/_memory_watch.ts'
import { firstKey, newDataDir, startServer } from '#test/scenario/_process.ts'

/** How many authors the work has, and from how many connections at a time it is read. */
type Sizes = { readonly authors: number; readonly connections: number }

/**
 * Reads a work of many authors in every form: all are served within the memory there is, and others
 * are answered meanwhile.
 */
export async function readLongestForms(
  t: ExecutionContext,
  { authors, connections }: Sizes,
): Promise<void> {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const [large = ''] = await registerLarge(t, server, { key, titles: ['Many'], authors })
  const small = await registerSmall(server, key)
  const memory = watchMemory(t)
  memory.follow(server.child.pid)
  const bystander = standBy(t, server, { ark: small, waitMs: 5 })
  const forms = [...formatNames, 'html', 'json', 'linkset', 'links', 'erc']
  const targets = [
    ...forms.map((format) => `/${large}?format=${format}`),
    `/api/v1/resolve/${large}`,
    `/api/v1/works/${large}/citation?format=bibtex`,
  ]
  for (const target of targets) {
    const before = bystander.answers
    const statuses = new Set<number>()
    // Each reads on until somebody else was answered meanwhile: if nobody is, that has no end.
    const readers = Array.from({ length: connections }, async () => {
      do {
        const response = await fetch(server.started.local_url + target)
        await response.arrayBuffer()
        statuses.add(response.status)
      } while (bystander.answers === before)
    })
    await Promise.all(readers)
    t.deepEqual([...statuses], [200], target)
  }
  await bystander.leave()
  t.log(`${memory.peaks[0]} bytes of memory at most`)
  t.true((memory.peaks[0] ?? Infinity) < memoryBytesMax)
}
