import type { ExecutionContext } from 'ava'

import type { LeaderMessage } from '#actors/journal/shared_sequencer.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { type Ref, referTo, type Reply, tell } from '#actors/kernel/kernel.ts'
import type { Environment, EnvironmentOptions } from '#actors/registry/environment.ts'
import { until } from '#test/_until.ts'
import { makeRegistry } from '#test/actors/_environment.ts'
import { type MemoryDisk, openMemoryStore } from '#test/contracts/_memory_store.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'

/** One node of a registry that several run. */
export type SharedNode = {
  readonly name: string
  readonly environment: Environment
  readonly disk: MemoryDisk
  /** What has stopped it. */
  readonly stopped: unknown[]
  leads(): boolean
}

/** The nodes of a registry, in memory, and who leads them. */
export type SharedNodes = {
  readonly nodes: readonly [SharedNode, SharedNode, SharedNode]
  /** Has a node lead; resolves when it does, and no other. */
  lead(node: SharedNode): Promise<void>
  /** Resolves when all nodes have come equally far. */
  agree(): Promise<void>
}

type Changes = (name: string) => Partial<EnvironmentOptions>

type NodesOptions = {
  readonly leaderMsMax?: number
  /** Whether an answer of the leader is lost on its way to another node. */
  readonly isLost?: () => boolean
}

/** Another node's way to a leader, on which answers are lost. */
function losing(leader: Ref<LeaderMessage>, isLost: () => boolean): Ref<LeaderMessage> {
  return referTo(leader.name, (message: LeaderMessage) => {
    if (message.type === 'end_turn') return tell(leader, message)
    const asked = message.reply as Reply<unknown>
    const reject = (error: ActorError) => asked.reject(error)
    const fail = () => reject(new ActorError('lost', 'the connection has ended'))
    const resolve = (given: unknown) => (isLost() ? fail() : asked.resolve(given))
    const reply = { reject, resolve }
    return tell(leader, { ...message, reply })
  })
}

/**
 * Opens three nodes of a new registry, two as copies of the first, which leads, until the end of
 * the test. One that leads is looked for as long as a busy machine takes, unless a test says
 * otherwise.
 */
export async function openSharedNodes(
  t: ExecutionContext,
  changes: Changes = () => ({}),
  { leaderMsMax = 120_000, isLost = () => false }: NodesOptions = {},
): Promise<SharedNodes> {
  const journal = new SimulatedJournal(() => 0.99)
  const byName = new Map<string, SharedNode>()
  let leader = ''
  const open = async (name: string): Promise<SharedNode> => {
    const stopped: unknown[] = []
    const shared = {
      journal: journal.of(name),
      leader: () => {
        const offered = byName.get(leader)?.environment.part?.offered
        return offered && losing(offered, isLost)
      },
      holdsLead: () => leader === name,
      stopped: (error: unknown) => stopped.push(error),
      leaderMsMax,
      elapsedMs: () => performance.now(),
    }
    const registry = await makeRegistry(t, { shared, ...changes(name) })
    const [first] = byName.values()
    for (const [key, value] of first?.disk ?? []) registry.disk.set(key, value)
    const environment = await registry.open(openMemoryStore(registry.disk))
    t.teardown(() => environment.close())
    const leads = () => environment.part?.member.leads === true
    const node = { name, environment, disk: registry.disk, stopped, leads }
    byName.set(name, node)
    return node
  }
  const nodes = [await open('a'), await open('b'), await open('c')] as const
  const lead = async (next: SharedNode) => {
    leader = next.name
    for (const { environment } of nodes) {
      if (environment !== next.environment) {
        environment.part?.member.follow(new AbortController().signal)
      }
    }
    next.environment.part?.member.lead()
    await until(`${next.name} leads alone`, () => {
      return nodes.every((node) => node.leads() === (node === next))
    })
  }
  const places = () => nodes.map(({ environment }) => environment.part?.member.place.sequence)
  await lead(nodes[0])
  return {
    nodes,
    lead,
    agree: () => until('all nodes have come equally far', () => new Set(places()).size === 1),
  }
}
