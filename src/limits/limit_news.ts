import type { Growth } from '#src/limits/node_counts.ts'

/** What a node tells the others of what it has counted. */
export type LimitNews = {
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
const clientsMax = 10_000
const nodesMax = 256

/**
 * JSON without spaces: `{"life":"…","number":7,"said":7,"oldest":5,"heard":[["b","…",12]],`
 * and the counts by limit, a list for each client of the halves of its hash, calls, and for how
 * many milliseconds its window lasts: `"counts":{"works_read":[[-12,3004,2,59000]]}}`.
 */
export function encodeNews({ counts, ...news }: LimitNews, nowMs: number): string {
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
export function decodeNews(text: string, nowMs: number): LimitNews | undefined {
  const read = parse(text)
  if (!isRecord(read)) return undefined
  const { life, number, said, oldest, heard, counts } = read
  if (typeof life !== 'string' || !isCount(number) || !isCount(said)) return undefined
  if (!isCount(oldest) || oldest < 1) return undefined
  if (!Array.isArray(heard) || heard.length > nodesMax || !heard.every(isHeard)) return undefined
  if (!isRecord(counts)) return undefined
  const lists = new Map<string, readonly Growth[]>()
  for (const [name, rows] of Object.entries(counts)) {
    if (!Array.isArray(rows) || rows.length > clientsMax || !rows.every(isRow)) return undefined
    lists.set(
      name,
      rows.map(([first, last, calls, lastsMs]) => {
        return { hash: { first, last }, calls, end: nowMs + lastsMs }
      }),
    )
  }
  return { life, number, said, oldest, heard, counts: lists }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
