import { type ClockStatus, formatClockFault } from '#actors/journal/clock_guard.ts'
import { statementSigner } from '#actors/works/receipts/statement.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { type AdminRegistry, command, environment } from '#src/http/admin/command.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { NodeAdmin } from '#src/cluster/invitations.ts'
import { endpointHealth } from '#src/delivery/webhooks/endpoint_store.ts'
import { HttpError } from '#src/edge/errors.ts'
import { operatorAgent } from '#src/identity/store/owner_text.ts'
import { realmOf } from '#src/use_cases/registry_edge.ts'

const rotatedAlone = 'docs/cluster.md says how to rotate it where one node is left'
const noRotation =
  'In a cluster the receipt key is not rotated: the other nodes would not have the new one, and ' +
  `could sign nothing. ${rotatedAlone}`
const noTokenRotation =
  'In a cluster the key of ID tokens is not rotated: the other nodes would not have the new one, ' +
  `and would sign with the old. ${rotatedAlone}`

/** The commands on the registry itself: its state, its clock, its node, its keys, its indexes. */
export const registryCommands = {
  '/status': command({}, async (registry) => {
    const { live, sandbox } = registry.environments
    const lists = [registry.keys.listAll(), registry.sandbox.keys.listAll()]
    const keys = (await Promise.all(lists)).flat().length
    const webhooks = { live: healthIn(registry, 'live'), sandbox: healthIn(registry, 'sandbox') }
    return { keys, webhooks, live: live.status(), sandbox: sandbox.status() }
  }),
  '/clock/status': command({}, clockStatus),
  /** Goes on with the clock as it is; `accepted` is what was wrong, null if nothing was. */
  '/clock/accept': command({}, (registry) => {
    const fault = registry.clockGuard.accept()
    if (fault?.by === 'release') throw new HttpError('conflict', formatClockFault(fault))
    if (fault !== undefined) {
      for (const { clock } of Object.values(registry.environments)) clock.restart()
    }
    return { ...clockStatus(registry), accepted: fault ? formatClockFault(fault) : null }
  }),
  '/cluster/status': command({}, ({ cluster }) => {
    if (cluster === undefined) throw noCluster()
    return cluster.status('live')
  }),
  /** The token is shown once, and good once. */
  '/cluster/invite': command({}, (registry) =>
    ofNode(registry, (node) => {
      const { token, expiresMs } = node.invite()
      return { token, expires_at: formatTimestamp(expiresMs) }
    }),
  ),
  '/cluster/leave': command({}, (registry) => ofNode(registry, (node) => node.leave())),
  '/token-keys/rotate': command({ environment }, (registry, { environment: name = 'live' }) => {
    if (registry.cluster !== undefined) throw new HttpError('conflict', noTokenRotation)
    return realmOf(registry, name).oauth.provider.rotateKeys()
  }),
  /** The new key signs from `rotated_at` on; the log's entry `leaf_index` announces it. */
  '/receipt-keys/rotate': command({ environment }, (registry, { environment: name = 'live' }) =>
    rotateReceiptKey(registry, name),
  ),
  '/search/status': command({}, (registry) => {
    const { live, sandbox } = searchOf(registry)
    return { live: live.status(), sandbox: sandbox.status() }
  }),
  /** `begun` is false if it was under way before; the status tells how it goes. */
  '/search/reindex': command({ environment }, (registry, { environment: name = 'live' }) => ({
    environment: name,
    begun: searchOf(registry)[name].beginReindex(),
  })),
}

function healthIn(registry: AdminRegistry, name: EnvironmentName) {
  const { events } = registry.environments[name].records
  return endpointHealth(realmOf(registry, name).webhooks, events)
}

function clockStatus({ environments: { live, sandbox } }: AdminRegistry) {
  const nowMs = Date.now()
  return {
    now: formatTimestamp(nowMs),
    live: clockReply(live.clock.status(), nowMs),
    sandbox: clockReply(sandbox.clock.status(), nowMs),
  }
}

/** `dated_until`: while the log is ahead of the clock, all is dated with that time. */
function clockReply({ problem, logAheadMs }: ClockStatus, nowMs: number) {
  return {
    problem: problem ?? null,
    dated_until: logAheadMs === 0 ? null : formatTimestamp(nowMs + logAheadMs),
  }
}

/** What the node of a cluster gives; what the cluster does not let happen is a refusal. */
async function ofNode<T>(
  { nodeAdmin }: AdminRegistry,
  use: (node: NodeAdmin) => T | Promise<T>,
): Promise<T> {
  if (nodeAdmin === undefined) throw noCluster()
  try {
    return await use(nodeAdmin)
  } catch (error) {
    if (error instanceof ClusterError) throw new HttpError('conflict', error.message)
    throw error
  }
}

function noCluster(): HttpError {
  const message = 'This registry runs on one machine alone: CLUSTER_URL is not set'
  return new HttpError('conflict', message)
}

async function rotateReceiptKey(registry: AdminRegistry, name: EnvironmentName) {
  if (registry.cluster !== undefined) throw new HttpError('conflict', noRotation)
  const { receiptKeys } = registry.environments[name]
  const answer = await registry.receiptKeyFiles[name].rotate(
    (next) => receiptKeys.rotate(statementSigner(next), operatorAgent),
    () => receiptKeys.publicKey,
  )
  switch (answer?.type) {
    case undefined:
      throw new HttpError('conflict', 'Another rotation is under way, or needs a restart to end')
    case 'too_many':
      throw new HttpError('conflict', 'There are as many receipt keys as verifiers read')
    case 'overloaded':
      throw new HttpError('unavailable', answer.message, { extra: { retry_after: 1 } })
    case 'clock_wrong':
      throw new HttpError('clock_wrong', answer.message)
    case 'rotated': {
      const { old_key_id, new_key_id, at: rotated_at, leafIndex: leaf_index } = answer
      return { environment: name, old_key_id, new_key_id, rotated_at, leaf_index }
    }
  }
}

function searchOf({ search }: AdminRegistry): NonNullable<AdminRegistry['search']> {
  if (search !== undefined) return search
  throw new HttpError('conflict', 'This registry has no search')
}
