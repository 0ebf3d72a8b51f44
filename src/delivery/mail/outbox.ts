import { createHash, randomUUID } from 'node:crypto'

import type { Clock } from '#actors/values/clock.ts'
import type { Mailer } from '#src/delivery/mail/mailer.ts'
import { type Message, wasAskedFor } from '#src/delivery/mail/message.ts'
import { deleteRow, type IdentityStore, type RowChange } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** A mail that is to be sent, until when it is of use, and before when nobody takes it. */
type WaitingMail = {
  readonly message: Message
  readonly untilMs: number
  readonly notBeforeMs: number
}

/** How a mail waits: three days at most, under a name of its own, unless told. */
export type OutboxOptions = { readonly untilMs?: number; readonly name?: string }

type OutboxParts = { readonly store: IdentityStore; readonly clock: Clock }

/** What could not be sent for so long is dropped. */
const ageMaxMs = 3 * 86_400_000

/** Mails that are looked at in one go. */
const atATime = 1_000

/**
 * Mails about accounts and webhooks that are to be sent, in sealed rows: what a crash cuts off is
 * sent by the next start. Of a mail with a secret nothing is left in any file once it was sent, or
 * the time of its link is over.
 */
export class Outbox {
  readonly #parts: OutboxParts
  readonly #rows: SealedRows<WaitingMail>

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#rows = new SealedRows(parts.store, table)
  }

  /** The row of a mail, for the batch of the change that it tells of. */
  row(message: Message, { untilMs, name }: OutboxOptions = {}): RowChange {
    const nowMs = this.#parts.clock.nowMs()
    const place = `${table}/${name ?? `${nowMs.toString(16).padStart(12, '0')}-${randomUUID()}`}`
    const id = createHash('sha256').update(place).digest('hex').slice(0, 32)
    return this.#rows.putAt(place, {
      message: { ...message, id },
      untilMs: untilMs ?? nowMs + ageMaxMs,
      notBeforeMs: 0,
    })
  }

  /** Adds a mail; once this resolves it is sent, whatever ends before. */
  add(message: Message, options?: OutboxOptions): Promise<void> {
    return this.#parts.store.append([this.row(message, options)])
  }

  /** Calls `listener` when there is a new mail, on whichever thread it was added. */
  follow(listener: () => void): void {
    this.#rows.followChanges((_key, waiting) => {
      if (waiting?.notBeforeMs === 0) listener()
    })
  }

  /** How many mails wait, be it for another attempt. */
  count(): Promise<number> {
    return this.#rows.count()
  }

  /** The places of mails that nobody put off beyond a time, oldest first; of 1,000 at most. */
  async places(dueMs = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const places: string[] = []
    for await (const [key, { notBeforeMs }] of this.#rows.entries()) {
      if (notBeforeMs <= dueMs) places.push(key)
      if (places.length === atATime) break
    }
    return places
  }

  /** Takes the turn of a mail until a time; undefined while somebody has it, or it was put off. */
  async take(place: string, untilMs: number): Promise<WaitingMail | undefined> {
    const { store, clock } = this.#parts
    const read = () => {
      const waiting = this.#rows.readAt(place)
      return waiting !== undefined && waiting.notBeforeMs <= clock.nowMs() ? waiting : undefined
    }
    // Where nodes share nothing, one thread sends, and whoever had the turn died with it.
    if (!store.isShared) return read()
    return store.inTurn(async () => {
      const waiting = read()
      if (waiting !== undefined) await this.#putOff(place, waiting, untilMs)
      return waiting
    })
  }

  /** Has nobody take a mail before a time. */
  putOff(place: string, untilMs: number): Promise<void> {
    return this.#parts.store.inTurn(async () => {
      const waiting = this.#rows.readAt(place)
      if (waiting !== undefined) await this.#putOff(place, waiting, untilMs)
    })
  }

  /** Ends a mail that was sent, or never will be. */
  end(place: string, { kind }: Message): Promise<void> {
    const { store } = this.#parts
    return store.inTurn(async () => {
      await store.commit([deleteRow(place)])
      if (wasAskedFor(kind)) await store.purge([place])
    })
  }

  #putOff(place: string, waiting: WaitingMail, untilMs: number): Promise<void> {
    const row = this.#rows.putAt(place, { ...waiting, notBeforeMs: untilMs })
    return this.#parts.store.commit([row])
  }
}

const table = 'mail_outbox'

type SenderOptions = {
  readonly outbox: Outbox
  readonly mailer: Pick<Mailer, 'deliver'>
  /** Whether nothing goes to an address; `isAsked`: its holder has asked for the mail. */
  readonly bounced: (address: string, isAsked: boolean) => boolean
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

/** How long a node has the turn of a mail, and how long one that was given up is put off. */
const turnMs = 20 * 60_000
const lookEveryMs = 60_000

/** Mails that are on their way at one time: those that wait for a server hold up no others. */
const underWayMax = 100

/** Sends what is in the outbox: one thread of each node does so. */
export class OutboxSender {
  readonly #options: SenderOptions
  readonly #timer: NodeJS.Timeout
  readonly #underWay = new Map<string, Promise<void>>()
  #looking: Promise<void> = Promise.resolve()
  /** Whether a look is to come that has not begun. */
  #isToLook = false
  #isClosed = false

  constructor(options: SenderOptions) {
    this.#options = options
    options.outbox.follow(() => this.#look())
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref()
    this.#look()
  }

  /** Sends nothing more; resolves when what is under way was sent, or given up by its mailer. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#looking
    await Promise.all(this.#underWay.values())
  }

  // However many come while one looks, one look after that finds all of them.
  #look(): void {
    if (this.#isToLook) return
    this.#isToLook = true
    this.#looking = this.#looking.then(() => this.#takeAll()).catch(this.#options.report)
  }

  async #takeAll(): Promise<void> {
    this.#isToLook = false
    const { outbox, clock, report } = this.#options
    for (const place of await outbox.places(clock.nowMs())) {
      if (this.#isClosed || this.#underWay.size >= underWayMax) return
      if (this.#underWay.has(place)) continue
      const waiting = await outbox.take(place, clock.nowMs() + turnMs)
      if (waiting === undefined) continue
      const sending = this.#send(place, waiting)
        .catch(report)
        .finally(() => {
          const wasFull = this.#underWay.size >= underWayMax
          this.#underWay.delete(place)
          if (wasFull) this.#look()
        })
      this.#underWay.set(place, sending)
    }
  }

  async #send(place: string, { message, untilMs }: WaitingMail): Promise<void> {
    const { outbox, mailer, bounced, clock } = this.#options
    const isOver = clock.nowMs() >= untilMs
    if (!isOver && !bounced(message.to, wasAskedFor(message.kind))) {
      const outcome = await mailer.deliver(message)
      // What ends with this process is sent by the next start at once.
      if (outcome === 'given_up' && this.#isClosed) return
      if (outcome === 'given_up') return outbox.putOff(place, clock.nowMs() + turnMs)
    }
    await outbox.end(place, message)
  }
}
