import { decodeMapLeaf, encodeMapLeaf, isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { depthFor, MapLayer, pathIn } from '#log/tlog/map/map_layer.ts'
import { checkMapProof, encodeMapProof } from '#log/tlog/map/map_proof.ts'
import { mapKey } from '#log/tlog/map/map_tree.ts'
import type { MapFact } from '#log/tlog/map/map_value.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { MapStore } from '#log/store/map_store.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { LogError } from '#log/tlog/errors.ts'

/** What a map that follows its log is made of. */
export type LiveMapOptions = {
  /** The folder of its database. */
  readonly dir: string
  readonly origin: string
  readonly log: LogReader
  /** What an entry states about one name; undefined if it states nothing. */
  readonly factOf: (entry: Uint8Array, leafIndex: number) => MapFact | undefined
  /** Least time from one map leaf to the next, in milliseconds. */
  readonly intervalMs: number
  /** Whether proofs wait until the checkpoint of their map leaf has its cosignatures. */
  readonly isWitnessed: boolean
  readonly elapsedMs: () => number
  /** Hears that a map leaf is due while nobody writes. */
  readonly wake: () => void
  /** Hears of damage that was mended, in a sentence. */
  readonly damaged: (message: string) => void
  /** Hears once of what ends the map: the log has a map leaf that does not follow from it. */
  readonly failed: (error: LogError) => void
}

/** What the map of a log has about a name, proven: the leaf index is that of `leaf`. */
export type MapEvidence = {
  readonly leafIndex: number
  readonly leaf: Uint8Array
  readonly proof: Uint8Array
  /** The value, as it is encoded; undefined if the map has none. */
  readonly value: Uint8Array | undefined
}

/** How a map is doing. */
export type MapStatus = {
  readonly state: 'building' | 'ready' | 'failed'
  /** Entries of the log that it covers, and names that it has. */
  readonly covers: number
  readonly keys: number
  /** The index of the newest map leaf; undefined before the first. */
  readonly newestLeaf: number | undefined
}

/** Name of the folder of the map within that of the store of its log. */
export const mapFolder = 'map'

/** Entries that are taken in one turn of the event loop. */
const turnEntries = 64

/** Entries that a commit lets be taken at once, at most, so that it can begin with a map leaf. */
const hurriedEntriesMax = 1_024

/** Sealed layers that are kept apart: as many as come while a checkpoint waits for its quorum. */
const layersMax = 16

/** Buckets that changes in memory have at most: some 25 MB with the nodes above them. */
const bucketsMax = 16_384

/** Entries that are read by one scan, which holds up what is removed from the store for good. */
const scanEntries = 4_096

/** How often it is looked whether a map leaf is due, at the least. */
const tickMsMax = 100

/**
 * The map of a log as it grows. What is on the disk is the state of the map leaf that proofs refer
 * to: the newest one that is witnessed. What has changed since lies on it in layers in memory,
 * one for each later map leaf, and is made from the log again after a start. Nothing of the log
 * waits for it, but a commit that begins with a map leaf: for the facts of the commit before. It
 * owns its database.
 */
export class LiveMap {
  readonly #options: LiveMapOptions
  readonly #timer: NodeJS.Timeout
  #base: MapStore | undefined
  /** What has changed since the base, up to each later map leaf. */
  #sealed: MapLayer[] = []
  #current: MapLayer | undefined
  #newestLeaf: number | undefined
  #leafAtMs = Number.NEGATIVE_INFINITY
  #failure: LogError | undefined
  /** Whether it has taken all that the log had at its start. */
  #isReady = false
  /** Whether it was made anew from the entries, and has met no map leaf since. */
  #isRebuilt = false
  #isTaking = false
  #isFolding = false
  #isClosed = false
  /** What is under way on the disk. */
  #working: Promise<void>

  constructor(options: LiveMapOptions) {
    this.#options = options
    this.#working = this.#build(false)
    const look = () => {
      if (this.isDue(this.#treeSize)) options.wake()
    }
    this.#timer = setInterval(look, Math.min(Math.max(options.intervalMs, 1), tickMsMax)).unref()
  }

  get status(): MapStatus {
    const { covers = 0, keys = 0 } = this.#current ?? {}
    const state = this.#failure ? 'failed' : this.#isReady ? 'ready' : 'building'
    return { state, covers, keys, newestLeaf: this.#newestLeaf }
  }

  /** The size of the newest checkpoint that ends with a map leaf; undefined if there is none. */
  get newestSize(): number | undefined {
    return this.#newestLeaf === undefined ? undefined : this.#newestLeaf + 1
  }

  /** Hears that the log has grown, or of cosignatures. */
  published(): void {
    if (this.#isTaking) return
    this.#isTaking = true
    setImmediate(() => this.#takeSome())
  }

  /** Whether a commit to a log of so many entries should begin with a map leaf. */
  isDue(treeSize: number): boolean {
    if (!this.#isReady || this.#current === undefined || this.#isClosed) return false
    const isNew = treeSize > (this.newestSize ?? 0)
    const { elapsedMs, intervalMs } = this.#options
    const isFull = this.#current.buckets.size > bucketsMax / 2
    return isNew && (isFull || elapsedMs() - this.#leafAtMs >= intervalMs)
  }

  /** The map leaf for the next commit to a published log; undefined if it is to have none. */
  nextLeaf(treeSize: number): Uint8Array | undefined {
    const current = this.#isDueAt(treeSize) ? this.#current : undefined
    if (current === undefined || current.covers !== treeSize) return undefined
    this.#leafAtMs = this.#options.elapsedMs()
    const { keys, rootHash } = current
    return encodeMapLeaf({ origin: this.#options.origin, covers: treeSize, keys, rootHash })
  }

  /**
   * Checks a map leaf that was made elsewhere for the next commit to a published log: it must be
   * the one that is made here. What cannot be judged yet is judged when the map has come so far.
   * Errors: `log_inconsistent`.
   */
  checkLeaf(leaf: Uint8Array, treeSize: number): void {
    this.#hurry(treeSize)
    if (!this.#isReady || this.#current?.covers !== treeSize) return
    this.#judge(leaf, treeSize, this.#current)
  }

  /**
   * What the map says about a name, by the map leaf that proofs go by now; undefined as long as it
   * cannot say. Errors: `store_corrupt`: the map was damaged, and is being made anew.
   */
  async prove(name: string): Promise<MapEvidence | undefined> {
    while (this.#isFolding) await this.#working
    const base = this.#base
    if (!this.#isReady || base?.state.isCommitted !== true) return undefined
    const key = mapKey(name)
    const leafIndex = base.state.covers
    const leaf = this.#options.log.entry(leafIndex)
    try {
      const proof = encodeMapProof(key, pathIn(base, key))
      const value = checkMapProof(proof, key, decodeMapLeaf(leaf).rootHash)
      return { leafIndex, leaf, proof, value }
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      const message = `the map of the log is damaged where ${name} is: ${error.message}`
      const damage = new LogError('store_corrupt', message, { cause: error })
      this.#rebuild(damage)
      throw damage
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (let work; work !== this.#working; ) await (work = this.#working)
    await this.#base?.close()
  }

  get #treeSize(): number {
    return this.#options.log.head().treeSize
  }

  #isDueAt(treeSize: number): boolean {
    if (!this.isDue(treeSize)) return false
    this.#hurry(treeSize)
    return this.isDue(treeSize)
  }

  /** Takes what is left up to a size, if it is little. */
  #hurry(treeSize: number): void {
    const { covers } = this.#current ?? { covers: 0 }
    const isShown = treeSize <= this.#treeSize
    if (isShown && treeSize - covers <= hurriedEntriesMax) this.#takeUpTo(treeSize)
  }

  #takeSome(): void {
    this.#isTaking = false
    if (!this.#isReady || this.#isClosed) return
    const covers = this.#current?.covers ?? 0
    this.#takeUpTo(Math.min(covers + turnEntries, this.#treeSize))
    this.#settle()
    if (this.#isReady && (this.#current?.covers ?? 0) < this.#treeSize) this.published()
    else if (this.isDue(this.#treeSize)) this.#options.wake()
  }

  #takeUpTo(treeSize: number): void {
    const { log } = this.#options
    const current = this.#current
    if (!this.#isReady || current === undefined) return
    try {
      const entries: Uint8Array[] = []
      for (let at = current.covers; at < treeSize; at += 1) entries.push(log.entry(at))
      this.#take(entries)
    } catch (error) {
      this.#rebuild(error)
    }
  }

  /** Takes the next entries. Errors: `store_corrupt`, `log_inconsistent`. */
  #take(entries: readonly Uint8Array[]): void {
    let facts: MapFact[] = []
    let layer = this.#current
    if (layer === undefined) return
    let at = layer.covers
    for (const entry of entries) {
      if (isMapLeaf(entry)) {
        layer.add(facts, at)
        facts = []
        this.#judge(entry, at, layer)
        layer = this.#seal(layer)
      } else {
        const fact = this.#options.factOf(entry, at)
        if (fact !== undefined) facts.push(fact)
      }
      at += 1
    }
    layer.add(facts, at)
  }

  #judge(entry: Uint8Array, leafIndex: number, { keys, rootHash }: MapLayer): void {
    const { origin } = this.#options
    const leaf = encodeMapLeaf({ origin, covers: leafIndex, keys, rootHash })
    if (Buffer.compare(leaf, entry) === 0) {
      this.#isRebuilt = false
      return
    }
    const message =
      `the map leaf at entry ${leafIndex} is not what the entries before it lead to here: keep ` +
      'DATA_DIR as it is, run "arklog audit", and tell those who follow the log what it finds'
    throw new LogError('log_inconsistent', message)
  }

  /** Begins a new layer after a map leaf. */
  #seal(layer: MapLayer): MapLayer {
    this.#newestLeaf = layer.covers
    const { covers, keys } = layer
    const next = new MapLayer(layer, { covers: covers + 1, keys })
    this.#sealed.push(layer)
    this.#current = next
    if (this.#sealed.length > layersMax && !this.#isFolding) {
      const [first, second, third = next] = this.#sealed
      if (first !== undefined && second !== undefined) {
        first.absorb(second)
        third.rest(first)
        this.#sealed.splice(1, 1)
      }
    }
    return next
  }

  /** Brings the base to the state by which is proven from now on. */
  #settle(): void {
    if (!this.#isReady || this.#isFolding || this.#foldable() === undefined) return
    this.#isFolding = true
    this.#working = this.#foldAll()
      .catch((error: unknown) => this.#rebuild(error))
      .finally(() => {
        this.#isFolding = false
        this.published()
      })
  }

  /** The oldest layer, if the base is to go on to it. */
  #foldable(): MapLayer | undefined {
    const { isWitnessed, log } = this.#options
    const [oldest] = this.#sealed
    const buckets = this.#sealed.reduce((sum, layer) => sum + layer.buckets.size, 0)
    if (oldest === undefined) {
      const isLong = (this.#current?.buckets.size ?? 0) > bucketsMax
      return isLong ? this.#current : undefined
    }
    const witnessed = log.cosigned().witnessed?.treeSize ?? 0
    const isNeeded = isWitnessed && this.#base?.state.isCommitted === true
    const isBehind = this.#sealed.some(({ covers }) => covers < witnessed)
    return !isNeeded || isBehind || buckets > bucketsMax ? oldest : undefined
  }

  async #foldAll(): Promise<void> {
    const base = this.#base
    if (base === undefined) return
    for (let layer = this.#foldable(); layer !== undefined; layer = this.#foldable()) {
      await this.#fold(base, layer)
    }
    const depth = depthFor(base.state.keys)
    if (depth <= base.depth) return
    this.#drop()
    await base.recut(depth, nextTurn)
    await this.#replay(base)
  }

  async #fold(base: MapStore, layer: MapLayer): Promise<void> {
    const isCommitted = layer !== this.#current
    if (!isCommitted) this.#current = new MapLayer(layer, layer)
    const treeRoot = encodeHex(this.#options.log.rootAt(layer.covers))
    await base.fold(layer, { isCommitted, treeRoot })
    if (this.#sealed[0] === layer) this.#sealed.shift()
    const above = this.#sealed[0] ?? this.#current
    above?.rest(base)
  }

  #drop(): void {
    this.#isReady = false
    this.#current = undefined
    this.#sealed = []
  }

  /** Opens the map, or makes it anew, and takes what the log has since. */
  async #build(isAnew: boolean): Promise<void> {
    const { dir, log } = this.#options
    this.#drop()
    try {
      await this.#base?.close()
      this.#base = undefined
      if (isAnew) await MapStore.discard(dir)
      const base = await MapStore.open(dir, depthFor(this.#treeSize / 2), nextTurn)
      this.#base = base
      const { covers, treeRoot } = base.state
      const isOurs =
        covers === 0 || (covers <= this.#treeSize && encodeHex(log.rootAt(covers)) === treeRoot)
      if (!isOurs) return await this.#build(true)
      await this.#replay(base)
    } catch (error) {
      if (this.#isClosed) return
      if (isAnew || this.#isRebuilt) return this.#fail(error)
      this.#isRebuilt = true
      this.#options.damaged(`the map of the log is made anew: ${(error as Error).message}`)
      return this.#build(true)
    }
  }

  /** Takes what the log has beyond the base; what is in memory is given up before. */
  async #replay(base: MapStore): Promise<void> {
    const { log } = this.#options
    const { covers, keys, isCommitted } = base.state
    const start = { covers: covers + (isCommitted ? 1 : 0), keys }
    if (isCommitted) this.#newestLeaf = Math.max(covers, this.#newestLeaf ?? 0)
    this.#current = new MapLayer(base, start)
    for (let at = start.covers; at < this.#treeSize; at = this.#current?.covers ?? at) {
      const end = Math.min(at + scanEntries, this.#treeSize)
      await this.#takeAll(log.entries(at, end))
      if (this.#isClosed) return
      await this.#foldAll()
      // It was cut anew, and has taken the rest since.
      if (this.#isReady) return
    }
    this.#isReady = true
    this.published()
  }

  async #takeAll(entries: AsyncIterable<Uint8Array>): Promise<void> {
    let some: Uint8Array[] = []
    for await (const entry of entries) {
      some.push(entry)
      if (some.length < turnEntries) continue
      this.#take(some)
      some = []
      if (this.#isClosed) return
      await nextTurn()
    }
    this.#take(some)
  }

  /** After damage of the map: what follows from the entries is made from them again. */
  #rebuild(error: unknown): void {
    if (this.#isClosed || this.#failure !== undefined) return
    this.#drop()
    if (this.#isRebuilt) return this.#fail(error)
    this.#isRebuilt = true
    this.#options.damaged(`the map of the log is made anew: ${(error as Error).message}`)
    const before = this.#working
    this.#working = before.then(() => this.#build(true))
  }

  #fail(error: unknown): void {
    this.#drop()
    const failure =
      error instanceof LogError
        ? error
        : new LogError('store_failed', 'the map of the log cannot be kept', { cause: error })
    if (this.#failure !== undefined) return
    this.#failure = failure
    this.#options.failed(failure)
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
