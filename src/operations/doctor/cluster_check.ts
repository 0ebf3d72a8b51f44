import { once } from 'node:events'
import net from 'node:net'

import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import {
  bad,
  type Check,
  good,
  unused,
  type Verdict,
  warning,
} from '#src/operations/doctor/finding.ts'

/** How long a server of the engine may take to be reached. */
const reachMs = 5_000

/** What is looked at of the engine of a cluster: whether its servers can be reached from here. */
export function clusterCheck(clusterUrl: string | undefined): Check {
  return {
    name: 'cluster',
    async look() {
      if (clusterUrl === undefined) return unused('CLUSTER_URL is not set: this is no node.')
      const { servers } = parseClusterUrl(clusterUrl)
      const problems = await Promise.all(servers.map(async (server) => problemOf(server)))
      const reached = problems.filter((problem) => problem === undefined).length
      if (reached === servers.length) return good(`All ${reached} NATS servers can be reached.`)
      return servers.flatMap((server, index) => verdictOf(server, problems[index], reached))
    },
  }
}

function verdictOf(server: string, problem: string | undefined, reached: number): Verdict[] {
  if (problem === undefined) return []
  const text = `The NATS server ${server} cannot be reached from here (${problem})`
  if (reached === 0) return [bad(`${text}: nothing is written. Start it, or correct CLUSTER_URL.`)]
  return [warning(`${text}: another one is used. Start it before one more ends.`)]
}

async function problemOf(server: string): Promise<string | undefined> {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(server) ?? []
  const socket = net.connect({ host: host.replace(/^\[|\]$/g, ''), port: Number(port) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(reachMs) })
    return undefined
  } catch (error) {
    const { name, message } = error as Error
    return name === 'AbortError' ? `no answer within ${reachMs / 1_000} s` : message
  } finally {
    socket.destroy()
  }
}
