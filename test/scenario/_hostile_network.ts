// Runs in a network namespace of its own, where names are resolved by this process and public and
// private addresses alike are this machine's: tells, as a line of JSON, what a real registry makes
// of works that name them, and who was reached meanwhile.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'

import { type FetchVerdict, judgeAddresses, judgeWorks } from '#test/scenario/_fetch_verdicts.ts'
import { firstKey, newWork, startServer } from '#test/scenario/_process.ts'
import { selfSign } from '#test/src/delivery/fetch/_certificate.ts'
import {
  countConnections,
  networkHosts,
  publicHost,
  serveNetwork,
} from '#test/src/delivery/fetch/_small_network.ts'

/**
 * What the process tells: verdicts by address named and by what a DOI leads to, and connections by
 * address reached.
 */
export type HostileNetworkReport = {
  readonly verdicts: Readonly<Record<string, FetchVerdict>>
  readonly doiVerdicts: Readonly<Record<'page' | 'file', FetchVerdict>>
  readonly connections: Readonly<Record<string, number>>
}

// Where the resolver of the registry looks for a name server.
const namePort = 53

const owner = { teardown: () => undefined }
const network = await serveNetwork(owner, namePort)
const dir = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
const certFile = path.join(dir, 'doi.pem')
await serveDois(certFile)
const server = await startServer(owner, {
  DATA_DIR: path.join(dir, 'data'),
  NODE_EXTRA_CA_CERTS: certFile,
  FETCH_CONTENT: 'on',
  FETCH_HOST_INTERVAL_MS: '0',
})
const addresses = networkHosts.map((host) => `http://${host}`)
// The first check of a work asks for the name twice: it is private at the second time.
const verdicts = await judgeAddresses(server, firstKey(server), [
  ...addresses,
  'http://rebind.example/paper',
])
const [page, file] = await judgeWorks(server, firstKey(server), [doiWork('page'), doiWork('file')])
if (page === undefined || file === undefined) throw new Error('both works were judged')
await server.end('SIGTERM')
await rm(dir, { recursive: true })
const report: HostileNetworkReport = {
  verdicts: Object.fromEntries(verdicts),
  doiVerdicts: { page, file },
  connections: countConnections(network),
}
process.stdout.write(JSON.stringify(report))
process.exit()

/** A work that is known by nothing but its DOI. */
function doiWork(name: 'page' | 'file'): Record<string, string> {
  const { work_url: _url, ...work } = newWork(`A DOI that leads to a ${name}`)
  return { ...work, existing_doi: `10.5555/${name}` }
}

/** Serves doi.org: one DOI leads to a web page, the other to a file. */
async function serveDois(certPath: string): Promise<void> {
  const { cert, key } = selfSign('doi.org')
  await writeFile(certPath, cert)
  const dois = https.createServer({ cert, key }, ({ url }, response) => {
    const type = url === '/10.5555/page' ? 'text/html; charset=utf-8' : 'application/pdf'
    response.writeHead(200, { 'content-type': type }).end('content')
  })
  await new Promise<void>((resolve) => dois.listen(443, publicHost, resolve))
}
