import { ClusterError } from '#src/cluster/cluster_error.ts'

/** Servers that `CLUSTER_URL` names, at most: the client learns of the others from these. */
const serversMax = 16

/** Where the servers of the engine are, and whether connections to them are encrypted. */
export type ClusterUrl = {
  /** `host:port` of each. */
  readonly servers: readonly string[]
  readonly isEncrypted: boolean
}

/**
 * Reads `CLUSTER_URL`: `nats://host:port` of each server, comma-separated, or `tls://host:port` of
 * all of them where connections are encrypted; the port may be missing (4222). A password has no
 * place in it. ClusterError `cluster_url_malformed`.
 */
export function parseClusterUrl(text: string): ClusterUrl {
  const urls = text.split(',').map((url) => parseServer(url.trim()))
  if (urls.length > serversMax) throw malformed(text, `names more than ${serversMax} servers`)
  const schemes = new Set(urls.map(({ scheme }) => scheme))
  if (schemes.size > 1) throw malformed(text, 'mixes nats:// and tls://')
  return { servers: urls.map(({ server }) => server), isEncrypted: schemes.has('tls') }
}

type Server = { readonly scheme: 'nats' | 'tls'; readonly server: string }

const serverForm = /^(nats|tls):\/\/([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i

function parseServer(url: string): Server {
  const [, scheme = '', host = '', port = '4222'] = serverForm.exec(url) ?? []
  if (host === '') throw malformed(withoutPassword(url), 'is not like nats://host:4222')
  if (Number(port) < 1 || Number(port) > 65_535) throw malformed(url, 'has no possible port')
  return { scheme: scheme.toLowerCase() === 'tls' ? 'tls' : 'nats', server: `${host}:${port}` }
}

/** A password that somebody has put there is not for logs. */
function withoutPassword(url: string): string {
  return url.replace(/\/\/.*@/, '//…@')
}

function malformed(text: string, why: string): ClusterError {
  const right = 'Write nats://host:port of each server, with commas between them'
  return new ClusterError('cluster_url_malformed', `CLUSTER_URL: "${text}" ${why}. ${right}.`)
}
