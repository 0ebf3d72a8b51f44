// Three nodes and three NATS servers on hosts of a network of their own, under load, while they
// are killed and stopped, their links are cut, their disks filled and their clocks put forward.
// ROUNDS_OF_FAULTS says how many rounds there are, SEED which ones, FAULTS of which kinds.

import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'

import { seed } from '#test/_seed.ts'
import { checkChain, whyNoChain } from '#test/long/_checkpoint_chain.ts'
import type { Fault, Faulty } from '#test/long/_fault.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { drawFaults, endLater, kindsNamed } from '#test/long/_fault_rounds.ts'
import { type HostedCluster, settled, startHostedCluster } from '#test/long/_hosted_cluster.ts'
import { checkHistory, whyNoChecker } from '#test/long/_linearizability.ts'
import { whyNoNetwork } from '#test/long/_private_network.ts'
import { RegisterClients } from '#test/long/_register_history.ts'
import { ServedRoots } from '#test/long/_served_roots.ts'
import { startAgain } from '#test/scenario/_cluster.ts'
import { runArklog } from '#test/scenario/_process.ts'
import { natsServerProgram } from '#test/src/cluster/_nats_program.ts'
import { until } from '#test/_until.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

const { ROUNDS_OF_FAULTS = countOf({ few: 3, full: 20 }), FAULTS } = process.env
const { REQUIRE_NETNS } = process.env
const rounds = Number(ROUNDS_OF_FAULTS)

const clientCount = 4

/** How long a client waits for a node, which may stand still. */
const answerMsMax = 8_000
const worksEach = 8

/** Errors that a node has logged, of which so many are shown when a round fails. */
const errorsShown = 5

/** Load before a fault, and after its end. */
const loadMs = 1_500

async function runRounds(t: ExecutionContext): Promise<void> {
  t.timeout((rounds + 2) * 3 * 60_000)
  t.log(`seed ${seed}`)
  const cluster = await startHostedCluster(t)
  try {
    await runRoundsOf(t, cluster)
  } catch (error) {
    for (const { process } of cluster.nodes) {
      const { stderr } = await process.server.end('SIGKILL')
      const errors = stderr.split('\n').filter((line) => line.includes('"level":50'))
      t.log(process.name, errors.slice(-errorsShown).join('\n'))
    }
    throw error
  }
}

async function runRoundsOf(t: ExecutionContext, cluster: HostedCluster): Promise<void> {
  const random = seededRandom(seed)
  const roots = new ServedRoots(cluster.nodes)
  for (const [round, begin] of drawFaults(kindsNamed(FAULTS), rounds, random).entries()) {
    const clients = new RegisterClients(cluster.nodes, cluster.key, { random, answerMsMax })
    const fault = await loadUnder({ t, cluster, random }, { clients, roots, round, begin })
    await settled(cluster)
    await auditNodes(t, cluster)
    const treeSize = await settled(cluster)
    await checkRound(t, cluster, clients)
    t.true((await roots.now()).every(({ treeSize: size }) => size === treeSize))
    checkCheckpoints(t, cluster, roots)
    const { acknowledgedMs, refused } = clients
    const gapMs = longestGapMs(acknowledgedMs)
    const counts = `${acknowledgedMs.length} acknowledged, ${refused} not, tree ${treeSize}`
    t.log(`round ${round}: ${fault.what}: nothing written for ${gapMs} ms; ${counts}`)
  }
  const [size] = await roots.checkAll(cluster.nodes[0]?.process.server.started.vkey ?? '')
  t.log(`${roots.count} roots were served, all of one log of ${size} entries`)
}

type Round = {
  readonly clients: RegisterClients
  readonly roots: ServedRoots
  readonly round: number
  readonly begin: (faulty: Faulty) => Promise<Fault>
}

/** Clients write and read while a fault comes, stands and ends. */
async function loadUnder(faulty: Faulty, { clients, roots, round, begin }: Round): Promise<Fault> {
  const arks: string[] = []
  for (let index = 0; index < worksEach; index += 1) {
    arks.push(await clients.register(`Round ${round}, work ${index}`))
  }
  const loading = new AbortController()
  const load = Array.from({ length: clientCount }, (_, client) =>
    clients.run(client, arks, loading.signal),
  )
  load.push(roots.watch(loading.signal))
  const run = async () => {
    await sleep(loadMs)
    const fault = await begin(faulty)
    await endLater(faulty, fault)
    await sleep(loadMs)
    return fault
  }
  try {
    return await Promise.race([run(), Promise.all(load).then(() => Promise.reject(endedEarly))])
  } finally {
    loading.abort()
    await Promise.all(load)
  }
}

const endedEarly = new Error('the load ended before it was told to')

/** All nodes show what was acknowledged, and what was read under the fault fits one history. */
async function checkRound(
  t: ExecutionContext,
  { nodes }: HostedCluster,
  clients: RegisterClients,
): Promise<void> {
  const { first, operations } = clients.history
  const written = operations.filter(({ write, version }) => write && version > 0)
  for (const ark of Object.keys(first)) {
    for (const node of nodes) {
      const shows = () => clients.read(clientCount, ark, node)
      await until(`${node.process.name} shows ${ark}`, shows, { pauseMs: 50 })
    }
    const shown = operations.slice(-nodes.length)
    t.is(new Set(shown.map(({ version, value }) => `${version} ${value}`)).size, 1, ark)
    const own = written.filter(({ register }) => register === ark)
    const newest = Math.max(1, ...own.map(({ version }) => version))
    t.true((shown[0]?.version ?? 0) >= newest, `${ark} is at version ${newest}`)
    t.is(new Set(own.map(({ version }) => version)).size, own.length, 'no version is two writes')
  }
  if (whyNoChecker === undefined) {
    t.deepEqual(checkHistory(clients.history), {
      linearizable: worksEach,
      broken: [],
      undecided: [],
    })
  }
}

/** A client that is not ours finds all checkpoints that were served on one chain, at every node. */
function checkCheckpoints(t: ExecutionContext, { nodes }: HostedCluster, roots: ServedRoots): void {
  if (whyNoChain !== undefined) return
  const checkpoints = roots.takeCheckpoints()
  const urls = nodes.map(({ url }) => `${url}/log`)
  const chain = checkChain(nodes[0]?.process.server.started.vkey ?? '', urls, checkpoints)
  t.is(chain.checkpoints, checkpoints.length)
  t.is(chain.proofs, nodes.length * (checkpoints.length - 1))
}

/**
 * Stops all nodes, has what each holds recomputed, and starts them again. So what no client waits
 * for any more, and a node was still trying to have written, is written by then or never.
 */
async function auditNodes(t: ExecutionContext, { nodes }: HostedCluster): Promise<void> {
  await Promise.all(nodes.map(({ process }) => process.server.end('SIGTERM')))
  const audits = nodes.map(({ process }) => runArklog(t, ['audit'], process.settings))
  for (const { code, stdout, stderr } of await Promise.all(audits)) t.is(code, 0, stdout + stderr)
  await Promise.all(nodes.map(({ process }) => startAgain(t, process)))
}

/** The longest time between two acknowledgements. */
function longestGapMs(acknowledgedMs: readonly number[]): number {
  const gaps = acknowledgedMs.slice(1).map((atMs, index) => atMs - (acknowledgedMs[index] ?? atMs))
  return Math.round(Math.max(0, ...gaps))
}

const name = `${rounds} rounds of faults in a network lose nothing, and fork nothing`
const whyNot = natsServerProgram === undefined ? 'nats-server is not installed' : whyNoNetwork()
if (whyNot === undefined) test.serial(name, runRounds)
else if (REQUIRE_NETNS === '1') test(name, (t) => t.fail(whyNot))
else test.skip(`${name} (skipped: ${whyNot})`, runRounds)
