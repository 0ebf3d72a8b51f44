import { isJsonObject, parseJson } from '#actors/values/serialization.ts'
import { assert } from '#log/tlog/errors.ts'
import {
  countedNames,
  type CountedName,
  type LimitConfig,
  type LimitMemory,
  nodeCountsOf,
} from '#src/edge/limits/limits.ts'
import {
  type Growth,
  type NodeCounts,
  notify,
  setNodes,
  takeNotification,
} from '#src/edge/limits/windows.ts'

/** How nodes tell each other what they have counted: at most once, in order from each node. */
export type Broadcast = {
  /** Says something to all other nodes. */
  say(text: string): void
  /** Hears what others say, until what it returns is called. */
  hear(heard: (from: string, text: string) => void): () => void
}

/** Which nodes there are, as far as this one knows, and whether it is in contact with them. */
export type Contact = { readonly connected: boolean; readonly nodes: readonly string[] }

/** What an exchange needs. */
export type LimitExchangeOptions = {
  readonly config: LimitConfig
  /** Made by `createNodeLimitMemory`. */
  readonly memory: LimitMemory
  /** The name of this node. */
  readonly node: string
  /** Names this life of the process: no two have the same. */
  readonly life: string
  readonly broadcast: Broadcast
  readonly contact: () => Contact
  /** The clock of the windows. */
  readonly elapsedMs: () => number
}

// A client is known to all nodes within two of these, and what a network takes.
const tickMs = 20

/** Clients in one message, about: some 40 kB. */
const clientsMax = 1_000

/** Messages that not all have heard; while there are as many, nothing more is told. */
const unheardMax = 50
const repeatMs = 500

/** For how long a node that is gone is still counted: as one that may let calls through. */
const goneMs = 2_000

/** Other nodes that are told and counted, at most. */
const othersMax = 64

/** A message that not all have heard. */
type Unheard = {
  readonly number: number
  readonly counts: ReadonlyMap<CountedName, readonly Growth[]>
  saidMs: number
}

const nothing: Unheard['counts'] = new Map()

/** What another node has heard of this one, and when it was last known to be there. */
type Other = { heard: number; seenMs: number }

/** What this node has heard of another one's life. */
type Heard = { readonly life: string; number: number }

/**
 * Tells other nodes what was counted here, and counts what was counted there: in short intervals,
 * so that no request waits for it. What it says is one message with all that is new, and how far
 * it has heard the others; so a node that reads that it was heard has read before what was counted
 * by then. A message that not all have heard is said again. It owns what was said and heard.
 */
export class LimitExchange {
  readonly #options: LimitExchangeOptions
  readonly #limits: readonly (readonly [CountedName, NodeCounts])[]
  readonly #control: SharedArrayBuffer
  readonly #others = new Map<string, Other>()
  readonly #heard = new Map<string, Heard>()
  readonly #stopHearing: () => void
  readonly #ticking: NodeJS.Timeout
  readonly #unheard: Unheard[] = []
  #said = 0
  /** Where the next message begins to look, so that each limit has its turn. */
  #turn = 0
  #owesAnswer = false

  constructor(options: LimitExchangeOptions) {
    const { config, memory, broadcast } = options
    assert(memory.nodes !== undefined, 'there is memory for the counts of other nodes')
    this.#options = options
    this.#control = memory.nodes.control
    this.#limits = countedNames(config).flatMap((name) => {
      const counts = nodeCountsOf(config, name, memory)
      return counts === undefined ? [] : [[name, counts] as const]
    })
    this.#countNodes()
    this.#stopHearing = broadcast.hear((from, text) => this.#hear(from, text))
    this.#ticking = setInterval(() => this.tick(), tickMs).unref()
  }

  /** Says what is new, while somebody can hear it. */
  tick(): void {
    if (!this.#countNodes()) return
    this.#repeat()
    const hasRoom = this.#unheard.length < unheardMax
    const counts = hasRoom && takeNotification(this.#control) ? this.#takeCounts() : nothing
    if (counts.size > 0) {
      const message = { number: (this.#said += 1), counts, saidMs: this.#options.elapsedMs() }
      this.#unheard.push(message)
      this.#say(message)
      this.#forgetHeard()
    } else if (this.#owesAnswer) this.#say(undefined)
  }

  close(): void {
    clearInterval(this.#ticking)
    this.#stopHearing()
  }

  /** Forgets nodes that are gone for a while; false if this node is out of contact itself. */
  #countNodes(): boolean {
    const { contact, node, elapsedMs } = this.#options
    const { connected, nodes } = contact()
    const nowMs = elapsedMs()
    for (const name of nodes.filter((other) => other !== node).slice(0, othersMax)) {
      const other = this.#others.get(name)
      if (other === undefined) this.#others.set(name, { heard: 0, seenMs: nowMs })
      else other.seenMs = nowMs
    }
    for (const [name, other] of this.#others) {
      if (!connected) other.seenMs = nowMs
      else if (nowMs - other.seenMs > goneMs) {
        this.#others.delete(name)
        this.#heard.delete(name)
        this.#forgetHeard()
      }
    }
    setNodes(this.#control, this.#others.size + 1)
    return connected
  }

  #takeCounts(): Unheard['counts'] {
    const counts = new Map<CountedName, readonly Growth[]>()
    const nowMs = this.#options.elapsedMs()
    let left = clientsMax
    for (let limits = 0; limits < this.#limits.length && left > 0; limits += 1) {
      const limit = this.#limits[(this.#turn += 1) % this.#limits.length]
      if (limit === undefined) break
      const [name, windows] = limit
      const growth = windows.takeGrowth(left, nowMs)
      if (growth.length > 0) counts.set(name, growth)
      left -= growth.length
    }
    if (left <= 0) notify(this.#control)
    return counts
  }

  #say(message: Unheard | undefined): void {
    const { life, broadcast, elapsedMs } = this.#options
    const heard = [...this.#heard].map(
      ([node, { life: of, number }]) => [node, of, number] as const,
    )
    const oldest = this.#unheard[0]?.number ?? this.#said + 1
    const counts = message?.counts ?? nothing
    const news = { life, number: message?.number ?? 0, said: this.#said, oldest, heard, counts }
    broadcast.say(encodeNews(news, elapsedMs()))
    this.#owesAnswer = false
  }

  #repeat(): void {
    const [oldest] = this.#unheard
    const nowMs = this.#options.elapsedMs()
    if (oldest === undefined || nowMs - oldest.saidMs < repeatMs) return
    oldest.saidMs = nowMs
    this.#say(oldest)
  }

  #hear(from: string, text: string): void {
    const { node, life, elapsedMs } = this.#options
    if (from === node) return
    const nowMs = elapsedMs()
    const news = decodeNews(text, nowMs)
    const heard = news && this.#heardOf(from, news)
    if (news === undefined || heard === undefined) return
    if (news.number > 0) {
      this.#owesAnswer = true
      // Where one is missing, it is said again, and so is what came after it.
      if (news.number === heard.number + 1) {
        heard.number = news.number
        this.#count(news, nowMs)
      }
    }
    const other = this.#others.get(from)
    const own = news.heard.find(([name, of]) => name === node && of === life)
    // What was counted there before this was heard there is counted here by now.
    if (other === undefined || own === undefined || heard.number < news.said) return
    other.heard = Math.max(other.heard, own[2])
    this.#forgetHeard()
  }

  /** How far this life of another node is heard; undefined if too many are. */
  #heardOf(from: string, { life, oldest }: LimitNews): Heard | undefined {
    const known = this.#heard.get(from)
    if (known?.life === life) return known
    if (known === undefined && this.#heard.size >= othersMax) return undefined
    const heard = { life, number: oldest - 1 }
    this.#heard.set(from, heard)
    return heard
  }

  #count({ counts }: LimitNews, nowMs: number): void {
    for (const [name, windows] of this.#limits) {
      for (const growth of counts.get(name) ?? []) windows.add(growth, nowMs)
    }
  }

  /** What all have heard needs no charge any more. */
  #forgetHeard(): void {
    const heard = Math.min(...[...this.#others.values()].map((other) => other.heard))
    const limits = new Map(this.#limits)
    while (this.#unheard[0] !== undefined && this.#unheard[0].number <= heard) {
      for (const [name, growth] of this.#unheard.shift()?.counts ?? []) {
        for (const one of growth) limits.get(name)?.confirm(one)
      }
    }
  }
}

/** What a node tells the others of what it has counted. */
type LimitNews = {
  /** Names the life of its process. */
  readonly life: string
  /** Its place among what has counts, from 1; 0: it has none. */
  readonly number: number
  /** The newest of these places when this was said. */
  readonly said: number
  /** The first number that not all have heard. */
  readonly oldest: number
  /** How far it has heard which life of which other node. */
  readonly heard: readonly (readonly [node: string, life: string, number: number])[]
  readonly counts: ReadonlyMap<string, readonly Growth[]>
}

/** Calls of a client in one message, at most: more than any limit has. */
const callsMax = 10_000_000
const clientsReadMax = 10_000
const nodesMax = 256

/**
 * JSON without spaces: `{"life":"…","number":7,"said":7,"oldest":5,"heard":[["b","…",12]],`
 * and the counts by limit, a list for each client of the halves of its hash, calls, and for how
 * many milliseconds its window lasts: `"counts":{"works_read":[[-12,3004,2,59000]]}}`.
 */
function encodeNews({ counts, ...news }: LimitNews, nowMs: number): string {
  const lists = [...counts].map(([name, growth]) => {
    const clients = growth.filter(({ end }) => end > nowMs)
    return [name, clients.map(({ hash, calls, end }) => rowOf(hash, calls, end - nowMs))] as const
  })
  return JSON.stringify({ ...news, counts: Object.fromEntries(lists) })
}

function rowOf({ first, last }: Growth['hash'], calls: number, lastsMs: number): number[] {
  return [first, last, calls, Math.ceil(lastsMs)]
}

/** Reads what `encodeNews` wrote. Undefined: it is nothing of the kind. */
function decodeNews(text: string, nowMs: number): LimitNews | undefined {
  const read = parseJson(text)
  if (!isJsonObject(read)) return undefined
  const { life, number, said, oldest, heard, counts } = read
  if (typeof life !== 'string' || !isCount(number) || !isCount(said)) return undefined
  if (!isCount(oldest) || oldest < 1) return undefined
  if (!Array.isArray(heard) || heard.length > nodesMax || !heard.every(isHeard)) return undefined
  if (!isJsonObject(counts)) return undefined
  const lists = new Map<string, readonly Growth[]>()
  for (const [name, rows] of Object.entries(counts)) {
    if (!Array.isArray(rows) || rows.length > clientsReadMax || !rows.every(isRow)) return undefined
    lists.set(
      name,
      rows.map(([first, last, calls, lastsMs]) => {
        return { hash: { first, last }, calls, end: nowMs + lastsMs }
      }),
    )
  }
  return { life, number, said, oldest, heard, counts: lists }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isHeard(value: unknown): value is LimitNews['heard'][number] {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [node, life, number] = value as unknown[]
  return typeof node === 'string' && typeof life === 'string' && isCount(number)
}

function isRow(value: unknown): value is [number, number, number, number] {
  if (!Array.isArray(value) || value.length !== 4 || !value.every(Number.isSafeInteger))
    return false
  const [first, last, calls, lastsMs] = value as [number, number, number, number]
  if (first !== (first | 0) || last !== (last | 0)) return false
  return calls > 0 && calls <= callsMax && lastsMs > 0
}
