// A network of Linux network namespaces on one bridge, in which links are cut and slowed. Its
// addresses are of 198.18.0.0/15, which is set aside for such tests (RFC 2544).

import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** A host of the network. */
export type PrivateHost = {
  readonly name: string
  readonly namespace: string
  readonly address: string
  /** What a program is started with to run there. */
  readonly prefix: readonly string[]
}

/** An address of the link layer that no host has: what is sent there arrives nowhere. */
const nowhere = '02:00:00:00:00:00'

/** Why no network can be made on this machine, or undefined. */
export function whyNoNetwork(): string | undefined {
  const probe = `arklog-probe-${process.pid}`
  try {
    ip('netns', 'add', probe)
    ip('-n', probe, 'link', 'add', 'probe0', 'type', 'veth', 'peer', 'name', 'probe1')
    ip('-n', probe, 'link', 'add', 'probe2', 'type', 'bridge')
    return undefined
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1) ?? 'ip has failed'
  } finally {
    try {
      ip('netns', 'del', probe)
    } catch {
      // It was not made.
    }
  }
}

/** Hosts that reach each other, and are reached from this process, and from nowhere else. */
export class PrivateNetwork {
  readonly hosts: readonly PrivateHost[]
  readonly #bridge = `ark${process.pid}`
  readonly #cuts: (readonly [PrivateHost, PrivateHost])[] = []
  readonly #slowed = new Set<PrivateHost>()

  /** Makes a host of each name; all are taken away when their owner ends. */
  constructor(owner: Owner, names: readonly string[]) {
    const subnet = `198.18.${randomInt(256)}`
    this.hosts = names.map((name, index) => {
      const namespace = `arklog-${process.pid}-${name}`
      const prefix = ['ip', 'netns', 'exec', namespace]
      return { name, namespace, address: `${subnet}.${index + 1}`, prefix }
    })
    owner.teardown(() => this.#remove())
    ip('link', 'add', this.#bridge, 'type', 'bridge')
    ip('address', 'add', `${subnet}.254/24`, 'dev', this.#bridge)
    ip('link', 'set', this.#bridge, 'up')
    for (const [index, host] of this.hosts.entries()) this.#connect(host, index)
  }

  /** Lets nothing through from one host to another; what comes back is let through. */
  cut(from: PrivateHost, to: PrivateHost): void {
    const lost = ['lladdr', nowhere, 'nud', 'permanent', 'dev', 'eth0']
    ip('-n', from.namespace, 'neighbour', 'replace', to.address, ...lost)
    this.#cuts.push([from, to])
  }

  /** Delays and loses what a host sends: netem does so, or a queue that is too short for it. */
  slow(host: PrivateHost): 'netem' | 'tbf' {
    const add = ['-n', host.namespace, 'qdisc', 'add', 'dev', 'eth0', 'root']
    this.#slowed.add(host)
    try {
      tc(...add, 'netem', 'delay', '60ms', '30ms', 'loss', '2%')
      return 'netem'
    } catch {
      tc(...add, 'tbf', 'rate', '512kbit', 'burst', '4kb', 'latency', '120ms')
      return 'tbf'
    }
  }

  /** Takes back all cuts and delays. */
  heal(): void {
    for (const [{ namespace }, { address }] of this.#cuts.splice(0)) {
      ip('-n', namespace, 'neighbour', 'flush', 'to', address, 'nud', 'permanent', 'dev', 'eth0')
    }
    for (const { namespace } of this.#slowed) {
      tc('-n', namespace, 'qdisc', 'del', 'dev', 'eth0', 'root')
    }
    this.#slowed.clear()
  }

  #connect({ namespace, address }: PrivateHost, index: number): void {
    const port = `${this.#bridge}h${index}`
    ip('netns', 'add', namespace)
    const inside = ['peer', 'name', 'eth0', 'netns', namespace]
    ip('link', 'add', port, 'type', 'veth', ...inside)
    ip('link', 'set', port, 'master', this.#bridge, 'up')
    ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    ip('-n', namespace, 'link', 'set', 'lo', 'up')
  }

  #remove(): void {
    const commands = this.hosts.map(({ namespace }) => ['netns', 'del', namespace])
    for (const command of [...commands, ['link', 'del', this.#bridge]]) {
      try {
        ip(...command)
      } catch {
        // It was not made, or somebody else was faster.
      }
    }
  }
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function tc(...args: readonly string[]): void {
  execFileSync('tc', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
