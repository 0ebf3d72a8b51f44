// Runs in a network namespace of its own, where public and private addresses alike are this
// machine's: tells, as a line of JSON, how fetches end and who was reached meanwhile.

import { dnsLookup } from '#src/delivery/fetch/address_rule.ts'
import { type PostOutcome, posterOf } from '#src/delivery/fetch/poster.ts'
import { never, openFetcher, testLimits, testPacing } from '#test/src/delivery/fetch/_fetcher.ts'
import {
  countConnections,
  networkHosts,
  serveNetwork,
} from '#test/src/delivery/fetch/_small_network.ts'

/** What the process tells: outcomes by address fetched, and requests by address reached. */
export type PrivateNetworkReport = {
  readonly outcomes: Readonly<Record<string, { readonly type: string; readonly address?: string }>>
  /** How posts to the same addresses ended, and two to a name that is rebound between them. */
  readonly posts: Readonly<Record<string, PostOutcome>>
  readonly connections: Readonly<Record<string, number>>
  readonly questions: readonly string[]
}

const owner = { teardown: () => undefined }
const network = await serveNetwork(owner)
const { address, questions } = network.nameServer
const fetcher = openFetcher(owner, { lookup: dnsLookup({ servers: [address] }) })
const outcomes: Record<string, { readonly type: string }> = {}
for (const host of networkHosts) {
  outcomes[host] = await fetcher.fetchDigest(`http://${host}`, { signal: never })
}
const poster = posterOf({
  limits: testLimits,
  pacing: testPacing,
  allow: [],
  ownUrl: 'https://ark.example.org',
  nameServers: [address],
  egressProxy: undefined,
  userAgent: 'Arklog (+https://ark.example.org)',
})
const posts: Record<string, PostOutcome> = {}
const rebound = 'rebind-post.example/again'
for (const host of [...networkHosts, rebound, `${rebound}?twice`]) {
  posts[host] = await poster.post({ url: `http://${host}`, headers: {}, body: '{}' }, never)
}
const connections = countConnections(network)
const report: PrivateNetworkReport = { outcomes, posts, connections, questions }
process.stdout.write(JSON.stringify(report))
process.exit()
