// Runs in a network namespace of its own, where public and private addresses alike are this
// machine's: tells, as a line of JSON, how fetches end and who was reached meanwhile.

import { dnsLookup } from '#src/fetch/checked_lookup.ts'
import { never, openFetcher } from '#test/src/fetch/_fetcher.ts'
import { countConnections, networkHosts, serveNetwork } from '#test/src/fetch/_small_network.ts'

/** What the process tells: outcomes by address fetched, and requests by address reached. */
export type PrivateNetworkReport = {
  readonly outcomes: Readonly<Record<string, { readonly type: string; readonly address?: string }>>
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
const connections = countConnections(network)
const report: PrivateNetworkReport = { outcomes, connections, questions }
process.stdout.write(JSON.stringify(report))
process.exit()
