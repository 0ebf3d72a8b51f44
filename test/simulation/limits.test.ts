// Nodes that count limits together on a network that delays, loses and cuts.

import test from 'ava'

import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { limitedNode, type LimitedNode } from '#test/src/edge/_limited_node.ts'

type Letter = { readonly from: string; readonly text: string }

/** Three nodes, of which each hears what the others say when the network delivers it. */
class Network {
  readonly nodes: LimitedNode[]
  readonly #names = ['a', 'b', 'c']
  readonly #hear = new Map<string, (from: string, text: string) => void>()
  /** What is on its way from one node to another, in order. */
  readonly #ways = new Map<string, Letter[]>()
  readonly cut = new Set<string>()
  nowMs = 1_000

  constructor(max: number) {
    this.nodes = this.#names.map((node) => this.#open(node, max))
  }

  #open(node: string, max: number): LimitedNode {
    return limitedNode({
      node,
      max,
      elapsedMs: () => this.nowMs,
      contact: () => ({ connected: true, nodes: this.#names }),
      broadcast: {
        say: (text) => this.#say(node, text),
        hear: (heard) => {
          this.#hear.set(node, heard)
          return () => undefined
        },
      },
    })
  }

  #say(from: string, text: string): void {
    for (const to of this.#names) {
      if (to === from || this.cut.has(from) || this.cut.has(to)) continue
      const way = this.#ways.get(`${from} ${to}`) ?? []
      way.push({ from, text })
      this.#ways.set(`${from} ${to}`, way)
    }
  }

  /** Delivers the oldest letter of a way, if there is one. */
  deliver(index: number, isLost = false): void {
    const ways = [...this.#ways]
    const [name = '', letters = []] = ways[index % Math.max(1, ways.length)] ?? []
    const letter = letters.shift()
    if (letter !== undefined && !isLost) {
      this.#hear.get(name.split(' ')[1] ?? '')?.(letter.from, letter.text)
    }
  }

  /** Lets all that is said be heard. */
  settle(rounds = 400): void {
    this.cut.clear()
    for (let round = 0; round < rounds; round += 1) {
      this.nowMs += 20
      for (const { exchange } of this.nodes) exchange.tick()
      for (let way = 0; way < 6; way += 1) for (let each = 0; each < 3; each += 1) this.deliver(way)
    }
  }

  close(): void {
    for (const { exchange } of this.nodes) exchange.close()
  }
}

/** What is let through of a client in one window, on a network that does what it likes. */
function letThrough(seed: number, max: number): { early: number; late: number } {
  const random = seededRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const network = new Network(max)
  const [isLossy, isCutting] = [random() < 0.3, random() < 0.3]
  let early = 0
  for (let step = 0; step < max * 8; step += 1) {
    const node = network.nodes[below(3)]
    const kind = random()
    if (kind < 0.5 && node?.call('client') === true) early += 1
    else if (kind < 0.7) node?.exchange.tick()
    else if (kind < 0.95) network.deliver(below(6), isLossy && random() < 0.2)
    else if (isCutting && random() < 0.2) network.cut.add(['a', 'b', 'c'][below(3)] ?? '')
    else if (isCutting) network.cut.clear()
    if (random() < 0.1) network.nowMs += 10
  }
  network.settle()
  let late = 0
  for (const node of network.nodes) if (node.call('client')) late += 1
  network.close()
  return { early, late }
}

test('whatever the network does, no client gets a fifth more than its limit', (t) => {
  for (let seed = 0; seed < 200; seed += 1) {
    const max = [5, 10, 50, 60, 200][seed % 5] ?? 60
    const { early, late } = letThrough(seed, max)
    const bound = max + Math.max(2, max / 5)
    t.true(early + late <= bound, `seed ${seed}: ${early} + ${late} of ${max}`)
  }
})

test('once all is heard, a client gets all of its limit, at one node or at all', (t) => {
  for (const [max, spread] of [
    [60, 1],
    [60, 3],
    [5, 1],
    [5, 3],
  ] as const) {
    const network = new Network(max)
    let through = 0
    for (let calls = 0; calls < max + 10; calls += 1) {
      if (network.nodes[calls % spread]?.call('client') === true) through += 1
      network.settle(3)
    }
    t.is(through, max)
    network.close()
  }
})

test('a node that nobody hears gives a client its share of the limit, and no more', (t) => {
  const network = new Network(60)
  for (const name of ['a', 'b', 'c']) network.cut.add(name)
  const through = network.nodes.map((node) => {
    let calls = 0
    while (node.call('client')) calls += 1
    return calls
  })
  t.deepEqual(through, [24, 24, 24])
  network.settle()
  t.deepEqual(
    network.nodes.map((node) => node.call('client')),
    [false, false, false],
  )
  network.close()
})

test('of all nodes one sends a notice in an hour', (t) => {
  const network = new Network(60)
  for (const hour of [1, 2]) {
    const sent = [0, 1, 2, 0, 1, 2].filter((node) => {
      const isSent = network.nodes[node]?.notice('of an application') === true
      network.settle(3)
      return isSent
    })
    t.deepEqual(sent, [0], `hour ${hour}`)
    network.nowMs += 3_600_000
  }
  network.close()
})
