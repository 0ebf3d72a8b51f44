import path from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { DestinationStream } from 'pino'

import { networkOf } from '#src/identity/store/ip_list.ts'
import { inTransaction, openDatabase, openOrInMemory } from '#src/operations/usage/sqlite_file.ts'

/** What is kept: a request that was refused, a warning or an error, an alarm of the metrics. */
export type EventKind = 'refusal' | 'error' | 'alarm'

/** One thing that happened, at a time in milliseconds since 1970. `text` says what, in one line. */
export type KeptEvent = {
  readonly atMs: number
  readonly kind: EventKind
  readonly text: string
  /** Of a refusal: its status and the network that it came from, such as `192.0.2.0/24`. */
  readonly status?: number
  readonly network?: string
  readonly requestId?: string
}

/** Events to be kept, and how many there were of each kind, with those that are only counted. */
type EventBatch = {
  readonly events: readonly KeptEvent[]
  readonly counts: ReadonlyMap<EventKind, number>
}

/** From and until when, in milliseconds since 1970, and how many events of each kind at most. */
export type EventSpan = {
  readonly fromMs: number
  readonly untilMs: number
  readonly limit: number
}

/** What happened in a time: the newest events of each kind, and how many there were. */
export type FoundEvents = Readonly<
  Record<EventKind, { readonly count: number; readonly events: readonly KeptEvent[] }>
>

/** Bounds: days, lines of the file, lines of a kind in a minute, characters of a line. */
export const keptLimits = {
  ageMs: 30 * 86_400_000,
  eventsMax: 50_000,
  perMinuteMax: 200,
  charactersMax: 600,
} as const

/** A data directory. */
type EventFolder = { readonly dataDir: string }

/** The file of a data directory. */
export function eventsFile({ dataDir }: EventFolder): string {
  return path.join(dataDir, 'events.db')
}

const minuteMs = 60_000

/**
 * What happened in the last 30 days, in an SQLite file of 50 MB at most: a line each up to a number
 * a minute, beyond which lines are only counted. Each thread of a registry opens it. Nothing else
 * depends on the file.
 */
export class KeptEvents {
  readonly #db: DatabaseSync
  readonly #count: StatementSync
  readonly #put: StatementSync
  #prunedMs = 0

  /** Opens the file, or makes one, as `openOrInMemory`. */
  static open(file: string, report: (error: unknown) => void): KeptEvents {
    return openOrInMemory(file, (name) => new KeptEvents(name), report)
  }

  private constructor(file: string) {
    this.#db = openDatabase(file, (db) =>
      db.exec(
        'CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, ' +
          'kind TEXT NOT NULL, event TEXT NOT NULL);' +
          'CREATE INDEX IF NOT EXISTS events_by_time ON events (kind, at);' +
          'CREATE TABLE IF NOT EXISTS counts (minute INTEGER NOT NULL, kind TEXT NOT NULL, ' +
          'count INTEGER NOT NULL, PRIMARY KEY (minute, kind)) WITHOUT ROWID',
      ),
    )
    this.#count = this.#db.prepare(
      'INSERT INTO counts (minute, kind, count) VALUES (?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count',
    )
    this.#put = this.#db.prepare('INSERT INTO events (at, kind, event) VALUES (?, ?, ?)')
  }

  /** Adds what happened, and forgets what is too old or too much. */
  add({ events, counts }: EventBatch, nowMs: number): void {
    inTransaction(this.#db, () => {
      for (const [kind, count] of counts) {
        const { count: known } = this.#count.get(Math.floor(nowMs / minuteMs), kind, count) ?? {}
        const room = Math.max(0, keptLimits.perMinuteMax - (Number(known) - count))
        for (const event of events.filter((one) => one.kind === kind).slice(0, room)) {
          this.#put.run(event.atMs, kind, JSON.stringify(event))
        }
      }
      if (nowMs - this.#prunedMs >= minuteMs) this.#prune(nowMs)
    })
  }

  /** What happened from a time on, until another one, of each kind `limit` events, newest first. */
  read(span: EventSpan): FoundEvents {
    const { fromMs, untilMs, limit } = span
    const ofKind = (kind: EventKind) => {
      const events = this.#db
        .prepare(
          'SELECT event FROM events WHERE kind = ? AND at >= ? AND at < ? ' +
            'ORDER BY at DESC, id DESC LIMIT ?',
        )
        .all(kind, fromMs, untilMs, limit)
      const counted = this.#db
        .prepare(
          'SELECT sum(count) AS count FROM counts WHERE kind = ? AND minute >= ? AND minute < ?',
        )
        .get(kind, Math.floor(fromMs / minuteMs), Math.ceil(untilMs / minuteMs))
      const read = events.map(({ event }) => JSON.parse(String(event)) as KeptEvent)
      return { count: Number(counted?.['count'] ?? 0), events: read }
    }
    return { refusal: ofKind('refusal'), error: ofKind('error'), alarm: ofKind('alarm') }
  }

  close(): void {
    this.#db.close()
  }

  #prune(nowMs: number): void {
    this.#prunedMs = nowMs
    const oldest = nowMs - keptLimits.ageMs
    this.#db.prepare('DELETE FROM events WHERE at < ?').run(oldest)
    this.#db.prepare('DELETE FROM counts WHERE minute < ?').run(Math.floor(oldest / minuteMs))
    this.#db
      .prepare('DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ?')
      .run(keptLimits.eventsMax)
  }
}

/** How long events wait in memory, and how many of a thread; further ones are only counted. */
const waitMs = 1_000
const waitingMax = 500

/**
 * The destination of a log that also keeps what administrators look for later: refused requests,
 * warnings and errors. Until `keepIn` says where, they wait in memory.
 */
export class EventTap implements DestinationStream {
  readonly #destination: DestinationStream
  readonly #nowMs: () => number
  readonly #timer: NodeJS.Timeout
  #kept: KeptEvents | undefined
  #events: KeptEvent[] = []
  #counts = new Map<EventKind, number>()

  constructor(destination: DestinationStream, nowMs: () => number) {
    this.#destination = destination
    this.#nowMs = nowMs
    this.#timer = setInterval(() => this.flush(), waitMs).unref()
  }

  write(line: string): void {
    this.#destination.write(line)
    const kind = kindOf(line)
    if (kind !== undefined) this.#note(kind, () => readLine(line, kind))
  }

  /** Notes an alarm that began or ended. */
  noteAlarm(text: string): void {
    this.#note('alarm', () => ({ atMs: this.#nowMs(), kind: 'alarm', text: cut(text) }))
  }

  /** Keeps all from now on in a data directory, and what has waited. */
  keepIn(folders: EventFolder, report: (error: unknown) => void): void {
    this.#kept = KeptEvents.open(eventsFile(folders), report)
  }

  /** Writes what waits; what cannot be written is lost, for the log has it. */
  flush(): void {
    if (this.#kept === undefined || this.#counts.size === 0) return
    const batch = { events: this.#events, counts: this.#counts }
    this.#events = []
    this.#counts = new Map()
    try {
      this.#kept.add(batch, this.#nowMs())
    } catch {
      // A full disk is told by the metrics, and telling it here would come back here.
    }
  }

  /** What happened in a time; as `KeptEvents.read`. */
  read(span: EventSpan): FoundEvents | undefined {
    this.flush()
    return this.#kept?.read(span)
  }

  /** Writes what waits, and closes the file. */
  close(): void {
    clearInterval(this.#timer)
    this.flush()
    this.#kept?.close()
    this.#kept = undefined
  }

  #note(kind: EventKind, read: () => KeptEvent): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    if (this.#events.length < waitingMax) this.#events.push(read())
  }
}

/** Of a line as pino writes it; the level is its first member. */
function kindOf(line: string): EventKind | undefined {
  const level = Number(/^\{"level":(\d\d)/.exec(line)?.[1] ?? 0)
  if (level >= 40) return 'error'
  return level === 30 && line.includes('"msg":"request"') ? 'refusal' : undefined
}

type LogLine = {
  readonly time: number
  readonly msg?: string
  readonly request_id?: string
  readonly method?: string
  readonly url?: string
  readonly status?: number
  readonly ip?: string
  readonly err?: { readonly message?: string; readonly code?: string }
}

function readLine(line: string, kind: EventKind): KeptEvent {
  const {
    time,
    msg = '',
    method,
    url,
    status,
    ip,
    err,
    request_id: id,
  } = JSON.parse(line) as LogLine
  const asked = method === undefined ? '' : `${method} ${url ?? ''}`
  const cause = [err?.code, err?.message].filter((part) => part !== undefined && part !== msg)
  const text = kind === 'refusal' ? asked : [msg, ...cause, asked].filter(Boolean).join(' · ')
  return {
    atMs: time,
    kind,
    text: cut(text),
    ...(status !== undefined && { status }),
    ...(ip !== undefined && { network: networkOf(ip) }),
    ...(id !== undefined && { requestId: id }),
  }
}

function cut(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, keptLimits.charactersMax)
}
