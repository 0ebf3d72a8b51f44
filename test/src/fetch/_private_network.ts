// Runs in a network namespace of its own, where public and private addresses alike are this
// machine's: tells, as a line of JSON, how fetches end and who was reached meanwhile.

import { execFileSync } from 'node:child_process'

import { dnsLookup } from '#src/fetch/checked_lookup.ts'
import { never, openFetcher } from '#test/src/fetch/_fetcher.ts'
import { serveNames } from '#test/src/fetch/_name_server.ts'
import { type CountedServer, serve } from '#test/src/fetch/_servers.ts'

/** What the process tells: outcomes by address fetched, and requests by address reached. */
export type PrivateNetworkReport = {
  readonly outcomes: Readonly<Record<string, { readonly type: string; readonly address?: string }>>
  readonly connections: Readonly<Record<string, number>>
  readonly questions: readonly string[]
}

const publicHost = '93.184.215.14'
const privateHosts = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', 'fd00::1', '::1']

const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': [publicHost],
  'private.example': ['10.0.0.1'],
  'private6.example': ['fd00::1'],
  'mixed.example': [publicHost, '10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
}

const paths: Readonly<Record<string, string>> = {
  '/to-name': 'http://private.example/',
  '/to-address': 'http://169.254.169.254/latest/meta-data/',
  '/to-v6': 'http://[fd00::1]/',
  '/to-mapped': 'http://[::ffff:10.0.0.1]/',
  '/to-decimal': 'http://167772161/',
  '/chain': 'http://public.example/to-name',
  '/again': 'http://rebind.example/again',
}

const addresses = [
  ...privateHosts.map((host) => (host.includes(':') ? `[${host}]` : host)),
  '167772161',
  '0x0a000001',
  '012.0.0.1',
  '10.1',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  ...Object.keys(names),
  ...Object.keys(paths).map((path) => `public.example${path}`),
]

const owner = { teardown: () => undefined }

for (const host of [publicHost, ...privateHosts]) {
  const isOfLo = host === '127.0.0.1' || host === '::1'
  if (!isOfLo) execFileSync('ip', ['address', 'add', host, 'dev', 'lo'])
}

const servers = new Map<string, CountedServer>()
for (const host of privateHosts) {
  const server = await serve(owner, (_, response) => response.end('secret'), { host, port: 80 })
  servers.set(host, server)
}
const publicServer = await serve(
  owner,
  ({ url }, response) => {
    const location = paths[url ?? '']
    if (location === undefined) response.end('content')
    // Without a connection to use again, the next request resolves the name anew.
    else response.writeHead(302, { location, connection: 'close' }).end()
  },
  { host: publicHost, port: 80 },
)
servers.set(publicHost, publicServer)

// The name that is rebound: public when it is first asked for, private ever after.
const nameServer = await serveNames(owner, (name, nth) => {
  if (name === 'rebind.example') return [nth === 0 ? publicHost : '10.0.0.1']
  return names[name] ?? []
})
const fetcher = openFetcher(owner, { lookup: dnsLookup({ servers: [nameServer.address] }) })
const outcomes: Record<string, { readonly type: string }> = {}
for (const address of addresses) {
  outcomes[address] = await fetcher.fetchDigest(`http://${address}`, { signal: never })
}
const report: PrivateNetworkReport = {
  outcomes,
  connections: Object.fromEntries(
    [...servers].map(([host, { connections }]) => [host, connections()]),
  ),
  questions: nameServer.questions,
}
process.stdout.write(JSON.stringify(report))
process.exit()
