import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { Operation } from '#log/store/store.ts'
import type { MailOutcome } from '#src/delivery/mail/mailer.ts'
import type { Message, MessageKind } from '#src/delivery/mail/message.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
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
 * An address that refused a mail for good: no news go there until it takes another mail. With
 * `because`, an operator stopped them, as for a bounce that came back later: until one allows them.
 */
export type SuppressedAddress = {
  readonly address: string
  readonly since: string
  readonly because?: string
}

type MailLogOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
}

/** How long mails are listed, and how many. */
const ageMaxMs = 30 * 86_400_000
const mailsMax = 5_000

/** Mails between two looks at what is too old or too much. */
const prunedEvery = 100

/** What was sent to whom and what became of it, in sealed rows, for administrators. */
export class MailLog {
  readonly #options: MailLogOptions
  readonly #mails: SealedRows<LoggedMail>
  readonly #suppressed: SealedRows<SuppressedAddress>
  #sinceLook = 0

  constructor(options: MailLogOptions) {
    this.#options = options
    this.#mails = new SealedRows(options.store, 'mail_log')
    this.#suppressed = new SealedRows(options.store, 'mail_suppressed')
  }

  /** Notes what became of a mail: an address that refused one for good gets no news any more. */
  async note({ kind, to, subject }: Message, outcome: MailOutcome): Promise<void> {
    const { store, clock, random } = this.#options
    const at = formatTimestamp(clock.nowMs())
    const id = `${at}-${Buffer.from(random(6)).toString('hex')}`
    const old = this.#sinceLook % prunedEvery === 0 ? await this.#tooOld() : []
    this.#sinceLook += 1
    await store.inTurn(() => {
      const address = to.toLowerCase()
      const known = this.#suppressed.read(address)
      const rows: Operation[] = [this.#mails.put(id, { at, kind, to, subject, outcome }), ...old]
      if (known?.because !== undefined) return store.commit(rows)
      if (outcome === 'refused') rows.push(this.#suppressed.put(address, { address, since: at }))
      else if (outcome === 'taken' && known !== undefined)
        rows.push(this.#suppressed.delete(address))
      return store.commit(rows)
    })
  }

  /** Whether an address refused a mail for good, and took none since. */
  isSuppressed(address: string): boolean {
    return this.#suppressed.read(address.toLowerCase()) !== undefined
  }

  /** Stops news to an address until `lift`, and says why. */
  async suppress(text: string, because: string): Promise<SuppressedAddress> {
    const { store, clock } = this.#options
    const address = text.toLowerCase()
    const row = { address, since: formatTimestamp(clock.nowMs()), because }
    await store.inTurn(() => store.commit([this.#suppressed.put(address, row)]))
    return row
  }

  /** Lets news go to an address again. */
  async lift(address: string): Promise<void> {
    const { store } = this.#options
    await store.inTurn(() => store.commit([this.#suppressed.delete(address.toLowerCase())]))
  }

  /** All addresses that get no news, by their text. */
  async suppressed(): Promise<readonly SuppressedAddress[]> {
    const all: SuppressedAddress[] = []
    for await (const [, row] of this.#suppressed.entries()) all.push(row)
    return all.sort((a, b) => (a.address < b.address ? -1 : 1))
  }

  /** All mails that are listed, newest first. */
  async list(): Promise<readonly LoggedMail[]> {
    const rows = await this.#rows()
    return rows.map(({ mail }) => mail)
  }

  async #rows() {
    const rows: { readonly key: string; readonly mail: LoggedMail }[] = []
    for await (const [key, mail] of this.#mails.entries()) rows.push({ key, mail })
    return rows.sort((a, b) => (a.mail.at < b.mail.at ? 1 : -1))
  }

  async #tooOld(): Promise<readonly Operation[]> {
    const oldest = formatTimestamp(this.#options.clock.nowMs() - ageMaxMs)
    const rows = await this.#rows()
    return rows
      .filter(({ mail }, index) => mail.at < oldest || index >= mailsMax)
      .map(({ key }) => ({ type: 'del', key }))
  }
}
