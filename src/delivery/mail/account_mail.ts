import { LRUCache } from 'lru-cache'

import type { Outbox } from '#src/delivery/mail/outbox.ts'
import {
  addressChangedMessage,
  type FailedWebhook,
  invitationMessage,
  type InvitationNotice,
  type Message,
  passkeyMessage,
  passwordChangedMessage,
  passwordResetMessage,
  type Reader,
  reportAnswerMessage,
  type ReportAnswer,
  recoveryCodeMessage,
  resetMessage,
  secondFactorMessage,
  unlockMessage,
  verificationMessage,
  webhookFailedMessage,
  writeNotice,
} from '#src/delivery/mail/message.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { isUnconfirmed } from '#src/identity/accounts/account_links.ts'
import type { LinkKind, OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import { english, type Language } from '#src/words/language.ts'
import { languageOf } from '#src/words/languages.ts'

export type AccountMailOptions = {
  /** Where messages wait to be sent; absent where no mail server is configured. */
  readonly outbox: Pick<Outbox, 'add' | 'count' | 'row'> | undefined
  readonly links: OneTimeLinks
  /** Public addresses of the pages and of the registry, without a slash at their end. */
  readonly authUrl: string
  readonly baseUrl: string
  /** A clock that only goes forward, in milliseconds. */
  readonly elapsedMs: () => number
  /** Told of a message that could not be made. */
  readonly report: (fault: unknown) => void
}

/** How often the owner of an account is told that it is locked, and how many are remembered. */
const lockMailEveryMs = 3_600_000
const lockedMax = 10_000

/**
 * The messages to the owners of accounts. Each goes into the outbox in the background, so that how
 * long an answer takes tells nobody whether there is an account, and is sent from there; without a
 * mail server nothing happens.
 */
export class AccountMail {
  readonly #options: AccountMailOptions
  /**
   * Accounts whose owners were told of the lock, by whatever thread: locking them again sends no
   * second mail.
   */
  readonly #recentLockMails: LRUCache<string, true>

  constructor(options: AccountMailOptions) {
    this.#options = options
    this.#recentLockMails = new LRUCache({
      max: lockedMax,
      ttl: lockMailEveryMs,
      ttlResolution: 0,
      perf: { now: options.elapsedMs },
    })
    options.links.follow(({ kind, ppid }) => {
      if (kind === 'unlock' && ppid !== undefined) this.#recentLockMails.set(ppid, true)
    })
  }

  /** How many messages wait to be sent. */
  async waiting(): Promise<number> {
    return (await this.#options.outbox?.count()) ?? 0
  }

  /** Whether messages are sent at all. */
  get isOn(): boolean {
    return this.#options.outbox !== undefined
  }

  /** Asks the owner to show that the address is theirs. */
  sendVerification(account: Account, page?: Language): void {
    this.#sendLink('verify', account, page, verificationMessage)
  }

  /** Gives the owner a link to choose a new password with. */
  sendReset(account: Account, page?: Language): void {
    this.#sendLink('reset', account, page, resetMessage)
  }

  /** Gives the owner a link to go on by while others use up the tries; at most one an hour. */
  sendUnlock(account: Account, page?: Language): void {
    const isNeeded = () => !this.#recentLockMails.has(account.ppid)
    if (isNeeded()) this.#sendLink('unlock', account, page, unlockMessage, isNeeded)
  }

  /** Tells the owner that the password was changed. */
  sendPasswordChanged(account: Account, page?: Language): void {
    const { authUrl, baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to !== undefined) this.#post(passwordChangedMessage(to, `${authUrl}/reset`, baseUrl))
  }

  /** Tells the owner of an account as it was that a link has given it another password. */
  sendPasswordReset(account: Account, page?: Language): void {
    const { authUrl, baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to === undefined) return
    const hasEnded = isUnconfirmed(account)
    this.#post(passwordResetMessage(to, { page: `${authUrl}/account/access`, hasEnded }, baseUrl))
  }

  /** Tells the address that an account had before that it has another one now. */
  sendAddressChanged(account: Account, page?: Language): void {
    const { baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to !== undefined) this.#post(addressChangedMessage(to, baseUrl))
  }

  /** Tells the owner that the second step of the sign-in was turned on or off. */
  sendSecondFactorChanged(account: Account, state: 'on' | 'off', page?: Language): void {
    const { baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to !== undefined) this.#post(secondFactorMessage(to, { state, ...this.#step }, baseUrl))
  }

  /** Tells the owner that a passkey was added or removed. */
  sendPasskeyChanged(
    account: Account,
    passkey: { readonly name: string; readonly change: 'added' | 'removed' },
    language?: Language,
  ): void {
    const { authUrl, baseUrl } = this.#options
    const page = `${authUrl}/account/passkeys`
    const to = readerOf(account, language)
    if (to !== undefined) this.#post(passkeyMessage(to, { ...passkey, page }, baseUrl))
  }

  /** Tells the owner that a recovery code was used, and how many are left. */
  sendRecoveryCodeUsed(account: Account, left: number, page?: Language): void {
    const { baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to !== undefined) this.#post(recoveryCodeMessage(to, { left, ...this.#step }, baseUrl))
  }

  get #step(): { readonly page: string } {
    return { page: `${this.#options.authUrl}/account/second-step` }
  }

  /**
   * Tells a person that `by` wrote to their profile, and with which type of event. Only a verified
   * address is written to: somebody else may have typed it.
   */
  sendWriteNotice(account: Account, notice: { readonly by: string; readonly what: string }): void {
    const { authUrl, baseUrl } = this.#options
    const to = readerOf(account)
    if (to === undefined || !account.email_verified) return
    this.#post(writeNotice(to, { ...notice, page: `${authUrl}/account/writes` }, baseUrl))
  }

  /**
   * Invites the person behind an address to become a member, with or without an account. `to` has
   * the language of their account, or else that of the page on which they are invited.
   */
  sendInvitation(to: Reader, notice: InvitationNotice): void {
    const { baseUrl } = this.#options
    this.#post(invitationMessage(to, notice, baseUrl))
  }

  /** Sends a reader, who needs no account, the answer to what they reported of a work. */
  sendReportAnswer(
    { email, language }: { readonly email: string; readonly language: string },
    answer: ReportAnswer,
  ): void {
    const { baseUrl } = this.#options
    const to = { email, language: languageOf(language) ?? english }
    this.#post(reportAnswerMessage(to, answer, baseUrl))
  }

  /**
   * Tells an owner of an organization that one of its webhooks was given up; resolves when that
   * outlives a crash. `name` is that of the failure: of two mails about one, the second is known.
   */
  async sendWebhookFailed(
    account: Account,
    {
      path,
      name,
      ...told
    }: Omit<FailedWebhook, 'page'> & { readonly path: string; readonly name: string },
  ): Promise<void> {
    const { outbox, authUrl, baseUrl } = this.#options
    const to = readerOf(account)
    if (to === undefined || !account.email_verified) return
    const message = webhookFailedMessage(to, { ...told, page: authUrl + path }, baseUrl)
    await outbox?.add(message, { name: `${name} ${account.ppid}` })
  }

  #post(message: Message): void {
    this.#options.outbox?.add(message).catch(this.#options.report)
  }

  #sendLink(
    kind: LinkKind & ('verify' | 'reset' | 'unlock'),
    account: Account,
    page: Language | undefined,
    messageOf: (to: Reader, link: string, baseUrl: string) => Message,
    isNeeded = () => true,
  ): void {
    const { outbox, links, authUrl, baseUrl, report } = this.#options
    const { ppid, email } = account
    const to = readerOf(account, page)
    if (outbox === undefined || email === null || to === undefined) return
    links
      .issueIf(isNeeded, { kind, ppid, email }, ({ token, expires_at }) => {
        const message = messageOf(to, `${authUrl}/${kind}/${token}`, baseUrl)
        return [outbox.row(message, { untilMs: Date.parse(expires_at) })]
      })
      .catch(report)
  }
}

/**
 * Whom a mail to an account goes to: in the language of its owner, or else of the page on which
 * they acted, or else in English. Undefined without an address.
 */
export function readerOf(
  { email, language }: Account,
  page: Language = english,
): Reader | undefined {
  if (email === null) return undefined
  return { email, language: (language === undefined ? undefined : languageOf(language)) ?? page }
}
