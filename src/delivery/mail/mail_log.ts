import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { MailOutcome } from '#src/delivery/mail/mailer.ts'
import type { Message, MessageKind } from '#src/delivery/mail/message.ts'
import { deleteRow, type IdentityStore, type RowChange } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** A mail that was sent, or not, and what became of it. */
export type LoggedMail = {
  readonly at: string
  readonly kind: MessageKind
  readonly to: string
  readonly subject: string
  readonly outcome: MailOutcome
}

/**
 * An address that refused a mail for good: no mails go there until it takes one that was asked for.
 * With `because`, an operator stopped them, as for a bounce that came back later: until one allows
 * them.
 */
export type SuppressedAddress = {
  readonly address: string
  readonly since: string
  readonly because?: string
}

type MailLogOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  /** How many mails are listed: 5,000 unless told. */
  readonly mailsMax?: number
}

/** After a refusal, mails that somebody asked for do not go to the address for so long. */
const askedAgainMs = 86_400_000

/** How long mails are listed. */
const ageMaxMs = 30 * 86_400_000

/** Rows that are looked at with each mail, for those that are too old. */
const prunedMax = 4

/** What was sent to whom and what became of it, in sealed rows, for administrators. */
export class MailLog {
  readonly #options: MailLogOptions
  readonly #mails: SealedRows<LoggedMail>
  readonly #suppressed: SealedRows<SuppressedAddress>

  constructor(options: MailLogOptions) {
    this.#options = options
    this.#mails = new SealedRows(options.store, table)
    this.#suppressed = new SealedRows(options.store, 'mail_suppressed')
  }

  /** Notes what became of a mail: an address that refused one for good is suppressed. */
  async note({ kind, to, subject }: Message, outcome: MailOutcome): Promise<void> {
    const { store, clock, mailsMax = 5_000 } = this.#options
    const at = formatTimestamp(clock.nowMs())
    await store.inTurn(async () => {
      const address = to.toLowerCase()
      const known = this.#suppressed.read(address)
      const next = (await this.#newest()) + 1
      const rows: RowChange[] = [
        this.#mails.putAt(keyOf(next), { at, kind, to, subject, outcome }),
        ...(next > mailsMax ? [deleteRow(keyOf(next - mailsMax))] : []),
        ...(await this.#tooOld()),
      ]
      if (known?.because !== undefined) return store.commit(rows)
      if (outcome === 'refused') rows.push(this.#suppressed.put(address, { address, since: at }))
      else if (outcome === 'taken' && known !== undefined)
        rows.push(this.#suppressed.delete(address))
      return store.commit(rows)
    })
  }

  /**
   * Whether an address refused a mail for good, and took none since, or an operator stopped mails
   * to it. A mail that its holder asked for is tried again a day after a refusal: otherwise nobody
   * could find out that the address works again.
   */
  isSuppressed(address: string, isAsked = false): boolean {
    const found = this.#suppressed.read(address.toLowerCase())
    if (found === undefined) return false
    if (!isAsked || found.because !== undefined) return true
    return this.#options.clock.nowMs() < Date.parse(found.since) + askedAgainMs
  }

  /** Stops mails to an address until `lift`, and says why. */
  async suppress(text: string, because: string): Promise<SuppressedAddress> {
    const { store, clock } = this.#options
    const address = text.toLowerCase()
    const row = { address, since: formatTimestamp(clock.nowMs()), because }
    await store.inTurn(() => store.commit([this.#suppressed.put(address, row)]))
    return row
  }

  /** Lets mails go to an address again. */
  async lift(address: string): Promise<void> {
    const { store } = this.#options
    await store.inTurn(() => store.commit([this.#suppressed.delete(address.toLowerCase())]))
  }

  /** All addresses that get no mails, by their text. */
  async suppressed(): Promise<readonly SuppressedAddress[]> {
    const all: SuppressedAddress[] = []
    for await (const [, row] of this.#suppressed.entries()) all.push(row)
    return all.sort((a, b) => (a.address < b.address ? -1 : 1))
  }

  /** All mails that are listed, newest first. */
  async list(): Promise<readonly LoggedMail[]> {
    const mails: LoggedMail[] = []
    for await (const [, mail] of this.#mails.entries({ reverse: true })) mails.push(mail)
    return mails.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  }

  /** The number of the newest mail; 0 if there is none. */
  async #newest(): Promise<number> {
    for await (const [key] of this.#mails.entries({ reverse: true, limit: 1 })) {
      return Number(numberForm.exec(key)?.[1] ?? 0)
    }
    return 0
  }

  /** The oldest rows, if their time is over: each mail that comes lets some of them go. */
  async #tooOld(): Promise<readonly RowChange[]> {
    const oldest = formatTimestamp(this.#options.clock.nowMs() - ageMaxMs)
    const rows: RowChange[] = []
    for await (const [key, { at }] of this.#mails.entries({ limit: prunedMax })) {
      if (at < oldest) rows.push(deleteRow(key))
    }
    return rows
  }
}

const table = 'mail_log'

// Numbers in the order of the mails. Rows of before have 64 hex digits, and come first.
const numberForm = /\/n(\d{12})$/

function keyOf(number: number): string {
  return `${table}/n${String(number).padStart(12, '0')}`
}
