import type { ClusterProcess } from '#test/scenario/_cluster.ts'
import { type Reply, request } from '#test/scenario/_request.ts'
import { freePort } from '#test/_free_port.ts'
import type { NodePlace } from '#test/scenario/_cluster.ts'

/** What clients were answered who change one work at the same time. */
export type Contention = {
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>
  /** How long each answer took, in milliseconds, shortest first. */
  readonly answeredMs: readonly number[]
  /** How long all of them took. */
  readonly tookMs: number
  /** Changes that were decided anew, at the nodes that were asked. */
  readonly superseded: number
}

/** Who changes what: client by client, each at the next one of the nodes. */
export type ContendedWork = {
  readonly key: string
  readonly ark: string
  readonly clients: number
  /** Changes of each client, one after the other. */
  readonly changes: number
}

type Work = { readonly description?: string }

/** Places of nodes, by their names, each with a port that tells its metrics. */
export async function placesWithMetrics(
  names: readonly string[],
): Promise<(name: string) => NodePlace> {
  const ports = new Map<string, number>()
  for (const name of names) ports.set(name, await freePort())
  return (name) => ({ settings: { ADMIN_PORT: String(ports.get(name)) }, prefix: [] })
}

/** Has clients change a work at the same time, whatever it says. */
export function changeAtOnce(
  nodes: readonly ClusterProcess[],
  work: ContendedWork,
): Promise<Contention> {
  return contend(nodes, work, async (node, change, note) => {
    const body = { description: change }
    note(
      await request(node.server, `/v1/works/${work.ark}`, { method: 'PUT', key: work.key, body }),
    )
  })
}

/**
 * Has clients count in a work: each reads the number that it says, and writes the next one if
 * nobody has changed it since; otherwise it begins again.
 */
export function countAtOnce(
  nodes: readonly ClusterProcess[],
  work: ContendedWork,
): Promise<Contention> {
  const { key, ark } = work
  return contend(nodes, work, async ({ server }, _change, note) => {
    for (;;) {
      const read = await request<Work>(server, `/v1/works/${ark}`, { key })
      const count = Number(read.body.description)
      const etag = read.headers.get('etag') ?? ''
      const written = await request(server, `/v1/works/${ark}`, {
        method: 'PUT',
        key,
        headers: { 'if-match': etag },
        body: { description: String(count + 1) },
      })
      note(written)
      if (written.status !== 412) return
    }
  })
}

/** Makes one change, and notes each answer to it. */
type MakeChange = (
  node: ClusterProcess,
  change: string,
  note: (reply: Reply<unknown>) => void,
) => Promise<void>

async function contend(
  nodes: readonly ClusterProcess[],
  { clients, changes }: ContendedWork,
  make: MakeChange,
): Promise<Contention> {
  const before = await supersededOf(nodes)
  const statuses: Record<string, number> = {}
  const answeredMs: number[] = []
  const startMs = performance.now()
  const runClient = async (client: number): Promise<void> => {
    const node = nodes[client % nodes.length]
    if (node === undefined) throw new Error('there are nodes')
    for (let nth = 0; nth < changes; nth += 1) {
      let askedMs = performance.now()
      await make(node, `Change ${nth} of client ${client}`, ({ status }) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        answeredMs.push(performance.now() - askedMs)
        askedMs = performance.now()
      })
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
  return {
    statuses,
    answeredMs: answeredMs.toSorted((a, b) => a - b),
    tookMs: performance.now() - startMs,
    superseded: (await supersededOf(nodes)) - before,
  }
}

/** Changes that nodes have decided anew, because another one was faster. */
async function supersededOf(nodes: readonly ClusterProcess[]): Promise<number> {
  const counts = nodes.map(async ({ settings }) => {
    const response = await fetch(`http://127.0.0.1:${settings['ADMIN_PORT']}/metrics`)
    return Number(/^arklog_cluster_outrun_total (\d+)$/m.exec(await response.text())?.[1])
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
