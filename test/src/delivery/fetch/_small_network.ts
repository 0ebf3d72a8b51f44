import { execFileSync } from 'node:child_process'

import { type NameServer, serveNames } from '#test/src/delivery/fetch/_name_server.ts'
import { type CountedServer, type Owner, serve } from '#test/src/delivery/fetch/_servers.ts'

/** A network in which public and private addresses alike are this machine's. */
export type SmallNetwork = {
  /** By address; each listens on port 80. */
  readonly servers: ReadonlyMap<string, CountedServer>
  readonly nameServer: NameServer
}

/** The only host that may be asked. */
export const publicHost = '93.184.215.14'

const privateHosts = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', 'fd00::1', '::1']

const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': [publicHost],
  'private.example': ['10.0.0.1'],
  'private6.example': ['fd00::1'],
  'mixed.example': [publicHost, '10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
}

// Nothing is asked for at port 80 of this name.
const secureNames: Readonly<Record<string, readonly string[]>> = { 'doi.org': [publicHost] }

const paths: Readonly<Record<string, string>> = {
  '/to-name': 'http://private.example/',
  '/to-address': 'http://169.254.169.254/latest/meta-data/',
  '/to-v6': 'http://[fd00::1]/',
  '/to-mapped': 'http://[::ffff:10.0.0.1]/',
  '/to-decimal': 'http://167772161/',
  '/chain': 'http://public.example/to-name',
  '/again': 'http://rebind.example/again',
}

/** What URLs of port 80 name: all of it is private but `public.example` itself. */
export const networkHosts = [
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

/** Serves all of it, in a network namespace of its own; names on a random port if none is given. */
export async function serveNetwork(owner: Owner, namePort?: number): Promise<SmallNetwork> {
  for (const host of [publicHost, ...privateHosts]) {
    const isOfLo = host === '127.0.0.1' || host === '::1'
    // An address that the kernel still looks for elsewhere can have no server yet.
    const rest = host.includes(':') ? ['nodad'] : []
    if (!isOfLo) execFileSync('ip', ['address', 'add', host, 'dev', 'lo', ...rest])
  }
  const servers = new Map<string, CountedServer>()
  for (const host of privateHosts) {
    const server = await serve(owner, (_, response) => response.end('secret'), { host, port: 80 })
    servers.set(host, server)
  }
  servers.set(publicHost, await servePublic(owner))
  // The names that are rebound: public when one is first asked for, private ever after.
  const answerOf = (name: string, nth: number) =>
    name === 'rebind.example' || name === 'rebind-post.example'
      ? [nth === 0 ? publicHost : '10.0.0.1']
      : (names[name] ?? secureNames[name] ?? [])
  return { servers, nameServer: await serveNames(owner, answerOf, namePort) }
}

function servePublic(owner: Owner): Promise<CountedServer> {
  const at = { host: publicHost, port: 80 }
  return serve(
    owner,
    ({ url }, response) => {
      const location = paths[url ?? '']
      if (location === undefined) response.end('content')
      // Without a connection to use again, the next request resolves the name anew.
      else response.writeHead(302, { location, connection: 'close' }).end()
    },
    at,
  )
}

/** How many connections each host has had. */
export function countConnections({ servers }: SmallNetwork): Record<string, number> {
  return Object.fromEntries([...servers].map(([host, { connections }]) => [host, connections()]))
}
