// Fetches a body and then a much larger one: tells, as a line of JSON, how the second ended and by
// how much it raised the most memory ever resident.

import { FetchThread } from '#src/delivery/fetch/fetch_thread.ts'
import { never, testLimits, testPacing } from '#test/src/delivery/fetch/_fetcher.ts'

const [small = '', large = ''] = process.argv.slice(2)
const patient = { totalMs: 600_000, bodyIdleMs: 30_000, headersMs: 30_000, connectMs: 30_000 }
const fetcher = new FetchThread(
  {
    limits: { ...testLimits, ...patient, bytesMax: 4_000_000_000 },
    pacing: testPacing,
    allow: [new URL(large).host],
    ownUrl: 'https://ark.example.org',
    nameServers: undefined,
    egressProxy: undefined,
    userAgent: 'Arklog (+https://ark.example.org)',
  },
  (fault) => {
    throw fault
  },
)
// Whatever any body takes, for buffers and for code that is compiled, is taken by now.
await fetcher.fetchDigest(small, { signal: never, fresh: true })
const before = process.resourceUsage().maxRSS
const outcome = await fetcher.fetchDigest(large, { signal: never, fresh: true })
const grownBytes = (process.resourceUsage().maxRSS - before) * 1_024
process.stdout.write(JSON.stringify({ outcome, grownBytes }))
process.exit()
