// Fetches a small body until the process has the memory it works with, then a large one: tells, as
// a line of JSON, how that ended and by how much it raised the most memory ever resident.

import { never, openFetcher } from '#test/src/fetch/_fetcher.ts'

const [small = '', large = ''] = process.argv.slice(2)
const smallFetches = 30
const fetcher = openFetcher(
  { teardown: () => undefined },
  {
    allow: [new URL(small).host],
    limits: { bytesMax: 4_000_000_000, totalMs: 600_000, bodyIdleMs: 30_000, headersMs: 30_000 },
  },
)
for (let nth = 0; nth < smallFetches; nth += 1) {
  await fetcher.fetchDigest(small, { signal: never })
}
const before = process.resourceUsage().maxRSS
const outcome = await fetcher.fetchDigest(large, { signal: never })
const grownBytes = (process.resourceUsage().maxRSS - before) * 1_024
process.stdout.write(JSON.stringify({ outcome, grownBytes }))
process.exit()
