import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { UsageBatch } from '#src/usage/usage_batch.ts'
import type { UsageMessage } from '#src/usage/usage_message.ts'
import { inTransaction } from '#src/usage/usage_tables.ts'

/** How far a file has come in a stream: when the stream was made, and the place of a message. */
export type UsagePlace = { readonly stream: string; readonly position: number }

/** A message that is to be told to all, by its name. */
export type OutgoingMessage = { readonly id: string; readonly bytes: Uint8Array }

/** Rows that a batch is added to if `isNew`, asked in the same transaction, says so. */
type CountedRows = { add(batch: UsageBatch, isNew: () => boolean): boolean }

/** For how many days it is known which messages of a life were counted. */
const livesKept = 60

/**
 * What a file of counts knows of the stream that all nodes share: how far it has come, what of each
 * life of each node it has counted, and what is still to be told. It stands in the same file, so
 * that a message is counted exactly once whenever the process ends.
 */
export class SharedRows {
  readonly #db: DatabaseSync
  readonly #rows: CountedRows
  readonly #setPlace: StatementSync
  readonly #known: StatementSync
  readonly #note: StatementSync
  readonly #forget: StatementSync
  readonly #keep: StatementSync
  #place: UsagePlace

  constructor(db: DatabaseSync, rows: CountedRows) {
    this.#db = db
    this.#rows = rows
    this.#setPlace = db.prepare('INSERT OR REPLACE INTO place VALUES (0, ?, ?)')
    this.#known = db.prepare('SELECT number FROM lives WHERE life = ?')
    this.#note = db.prepare('INSERT OR REPLACE INTO lives VALUES (?, ?, ?)')
    this.#forget = db.prepare('DELETE FROM lives WHERE day < ?')
    this.#keep = db.prepare('INSERT INTO outgoing (id, message) VALUES (?, ?)')
    const { stream, position } = db.prepare('SELECT * FROM place').get() ?? {}
    this.#place = { stream: String(stream ?? ''), position: Number(position ?? 0) }
  }

  /** Where the next message is expected after; a stream of '' is none yet. */
  get place(): UsagePlace {
    return this.#place
  }

  /** Goes on from a place of a stream, counting nothing. */
  moveTo(place: UsagePlace): void {
    this.#setPlace.run(place.stream, place.position)
    this.#place = place
  }

  /** Counts a message that stands at a place, unless it was counted; whether it was counted now. */
  take({ life, number, batch }: UsageMessage, place: UsagePlace): boolean {
    const isNew = () => {
      this.#setPlace.run(place.stream, place.position)
      const known = this.#known.get(life)?.['number']
      if (known !== undefined && number <= Number(known)) return false
      if (known === undefined) this.#forget.run(batch.day - livesKept)
      this.#note.run(life, number, batch.day)
      return true
    }
    const isCounted = this.#rows.add(batch, isNew)
    this.#place = place
    return isCounted
  }

  /** What was to be told when the last process ended, in its order. */
  outgoing(): readonly OutgoingMessage[] {
    const rows = this.#db.prepare('SELECT id, message FROM outgoing ORDER BY at').all()
    return rows.map(({ id, message }) => ({ id: String(id), bytes: message as Uint8Array }))
  }

  /** Keeps what is still to be told, in place of what was. */
  keepOutgoing(messages: readonly OutgoingMessage[]): void {
    inTransaction(this.#db, () => {
      this.#db.exec('DELETE FROM outgoing')
      for (const { id, bytes } of messages) this.#keep.run(id, bytes)
    })
  }
}
