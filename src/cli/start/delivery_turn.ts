import { randomBytes } from 'node:crypto'

import { elapsedMs } from '#actors/values/clock.ts'
import {
  type EnvironmentName,
  environmentNames,
  type Environments,
  perEnvironment,
} from '#actors/registry/environment.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import type { DeliveryTurn } from '#src/delivery/webhooks/deliverer.ts'

/** Of each environment, until when it is the turn of this node, on the clock of all threads. */
export type DeliveryTurnMemory = Readonly<Record<EnvironmentName, BigInt64Array>>

/** How often it is looked whose turn it is, and how long nobody may have looked. */
const lookEveryMs = 100
const unseenMsMax = 2_000

/**
 * Writes into memory of all threads whether this node of a cluster is the one that delivers, until
 * `opened` ends. It is, once it has carried out all that others have written, as long as it leads:
 * not beyond the end of its lease, nor while a journal is in doubt or this thread stands still.
 */
export function shareDeliveryTurns(
  cluster: Pick<ClusterNode, 'leadsUntilMs'>,
  environments: Environments,
  opened: AsyncDisposableStack,
): DeliveryTurnMemory {
  const memory = perEnvironment(newMemory)
  const look = () => {
    const untilMs = Math.min(cluster.leadsUntilMs, elapsedMs() + unseenMsMax)
    for (const name of environmentNames) {
      const isDue = environments[name].part?.member.leads === true
      Atomics.store(memory[name], 0, isDue ? BigInt(Math.floor(untilMs)) : 0n)
    }
  }
  look()
  const looking = setInterval(look, lookEveryMs).unref()
  opened.defer(() => clearInterval(looking))
  return memory
}

/** The delivery turns of this node, as another thread has written them. */
export function deliveryTurnsIn(
  memory: DeliveryTurnMemory,
): Readonly<Record<EnvironmentName, DeliveryTurn>> {
  const turnOf = (untilMs: BigInt64Array): DeliveryTurn => ({
    isDue: () => elapsedMs() < Number(Atomics.load(untilMs, 0)),
    drawTerm: () => randomBytes(12).toString('hex'),
  })
  return perEnvironment((name) => turnOf(memory[name]))
}

function newMemory(): BigInt64Array {
  return new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT))
}
