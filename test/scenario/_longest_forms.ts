import type { ExecutionContext } from 'ava'

import { formatNames } from '#src/discovery/formats/format_table.ts'
import { standBy } from '#test/scenario/_bystander.ts'
import { registerLarge, registerSmall } from '#test/scenario/_large_works.ts'
import { memoryBytesMax, watchMemory } from '#test/scenario/_memory_watch.ts'
import { firstKey, newDataDir, startServer } from '#test/scenario/_process.ts'

/**
 * Reads a work of as many authors as there may be in every form, from so many connections at a
 * time: all are served within the memory there is, and others are answered meanwhile.
 */
export async function readLongestForms(t: ExecutionContext, connections: number): Promise<void> {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const [large = ''] = await registerLarge(t, server, { key, titles: ['Many'], authors: 20_000 })
  const small = await registerSmall(server, key)
  const memory = watchMemory(t)
  memory.follow(server.child.pid)
  const bystander = standBy(t, server, { ark: small, waitMs: 0 })
  const forms = [...formatNames, 'html', 'json', 'linkset', 'links', 'erc']
  const targets = [
    ...forms.map((format) => `/${large}?format=${format}`),
    `/api/v1/resolve/${large}`,
    `/api/v1/works/${large}/citation?format=bibtex`,
  ]
  for (const target of targets) {
    const before = bystander.answers
    const statuses = await Promise.all(
      Array.from({ length: connections }, async () => {
        const response = await fetch(server.started.local_url + target)
        await response.arrayBuffer()
        return response.status
      }),
    )
    t.deepEqual(new Set(statuses), new Set([200]), target)
    t.true(bystander.answers > before, target)
  }
  await bystander.leave()
  t.true((memory.peaks[0] ?? Infinity) < memoryBytesMax)
}
