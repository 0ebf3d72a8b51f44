import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { AskedNode } from '#test/long/_register_history.ts'
import { merkleTreeHash, readLog } from '#test/scenario/_tlog_client.ts'

type Root = { readonly treeSize: number; readonly rootHash: string }

/** How many of the roots that were served are computed anew at the end. */
const computedMax = 400

/** Every root that nodes were seen to serve: each size has one. */
export class ServedRoots {
  readonly #nodes: readonly AskedNode[]
  readonly #roots = new Map<number, string>()
  /** A signed checkpoint of each size that was served since they were taken. */
  readonly #checkpoints = new Map<number, string>()

  constructor(nodes: readonly AskedNode[]) {
    this.#nodes = nodes
  }

  get count(): number {
    return this.#roots.size
  }

  /** Reads the checkpoints of all nodes, those that answer, over and over until `signal` aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    const watchOne = async (node: AskedNode) => {
      while (!signal.aborted) {
        await this.#note(node)
        await sleep(20)
      }
    }
    await Promise.all(this.#nodes.map(watchOne))
  }

  /** Checkpoints that were served, one of each size but the empty, from the newest taken before. */
  takeCheckpoints(): readonly string[] {
    const sizes = [...this.#checkpoints.keys()]
    const taken = [...this.#checkpoints.values()]
    const newest = Math.max(...sizes)
    for (const size of sizes) if (size !== newest) this.#checkpoints.delete(size)
    return taken
  }

  /** The roots that are served now, of all nodes. */
  async now(): Promise<readonly Root[]> {
    const read = await Promise.all(this.#nodes.map((node) => this.#note(node)))
    return read.map((root) => root ?? assert.fail('all nodes show a checkpoint'))
  }

  /**
   * Reads the whole log at each node as somebody else does, and computes from its entries the roots
   * that were served: they are of one chain. Gives the sizes.
   */
  async checkAll(vkey: string): Promise<readonly number[]> {
    const logs = await Promise.all(this.#nodes.map(({ url }) => readLog(`${url}/log`, vkey)))
    const [log] = logs
    assert(log !== undefined)
    for (const { rootHash } of logs) assert.deepEqual(rootHash, log.rootHash)
    const leaves = log.entries.map(leafHash)
    const stride = Math.ceil(this.#roots.size / computedMax)
    const served = [...this.#roots].filter((_, index) => index % stride === 0)
    for (const [treeSize, rootHash] of served) {
      const computed = merkleTreeHash(leaves.slice(0, treeSize)).toString('base64')
      assert.equal(rootHash, computed, `the root of size ${treeSize} is of another log`)
    }
    return logs.map(({ treeSize }) => treeSize)
  }

  async #note({ url }: AskedNode): Promise<Root | undefined> {
    const signal = AbortSignal.timeout(5_000)
    const reply = await fetch(`${url}/log/checkpoint`, { signal }).catch(() => undefined)
    const text = await reply?.text().catch(() => undefined)
    if (reply?.status !== 200 || text === undefined) return undefined
    const [, size, rootHash = ''] = text.split('\n')
    const treeSize = Number(size)
    const known = this.#roots.get(treeSize) ?? rootHash
    assert.equal(rootHash, known, `two roots for size ${treeSize}`)
    this.#roots.set(treeSize, rootHash)
    if (treeSize > 0) this.#checkpoints.set(treeSize, text)
    return { treeSize, rootHash }
  }
}

function leafHash(entry: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(entry).digest()
}
