import { LRUCache } from 'lru-cache'

import type { Mail, MailOutcome } from '#src/delivery/mail/mailer.ts'
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
  /** Absent where no mail server is configured. */
  readonly mail: Mail | undefined
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
 * The messages to the owners of accounts. Everything happens in the background, so that how long an
 * answer takes tells nobody whether there is an account; without a mail server nothing happens.
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

  /** What sends the messages, for threads that join; undefined where none are sent. */
  get mail(): Mail | undefined {
    return this.#options.mail
  }

  /** Messages that are on their way from here; undefined if none are sent from here. */
  get waiting(): number | undefined {
    return this.#options.mail?.waiting
  }

  /** Whether messages are sent at all. */
  get isOn(): boolean {
    return this.#options.mail !== undefined
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
    const { mail, authUrl, baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to !== undefined) mail?.send(passwordChangedMessage(to, `${authUrl}/reset`, baseUrl))
  }

  /** Tells the owner of an account as it was that a link has given it another password. */
  sendPasswordReset(account: Account, page?: Language): void {
    const { mail, authUrl, baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to === undefined) return
    const hasEnded = isUnconfirmed(account)
    mail?.send(passwordResetMessage(to, { page: `${authUrl}/account/access`, hasEnded }, baseUrl))
  }

  /** Tells the address that an account had before that it has another one now. */
  sendAddressChanged(account: Account, page?: Language): void {
    const { mail, baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to !== undefined) mail?.send(addressChangedMessage(to, baseUrl))
  }

  /** Tells the owner that the second step of the sign-in was turned on or off. */
  sendSecondFactorChanged(account: Account, state: 'on' | 'off', page?: Language): void {
    const { mail, baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to !== undefined) mail?.send(secondFactorMessage(to, { state, ...this.#step }, baseUrl))
  }

  /** Tells the owner that a passkey was added or removed. */
  sendPasskeyChanged(
    account: Account,
    passkey: { readonly name: string; readonly change: 'added' | 'removed' },
    language?: Language,
  ): void {
    const { mail, authUrl, baseUrl } = this.#options
    const page = `${authUrl}/account/passkeys`
    const to = readerOf(account, language)
    if (to !== undefined) mail?.send(passkeyMessage(to, { ...passkey, page }, baseUrl))
  }

  /** Tells the owner that a recovery code was used, and how many are left. */
  sendRecoveryCodeUsed(account: Account, left: number, page?: Language): void {
    const { mail, baseUrl } = this.#options
    const to = readerOf(account, page)
    if (to !== undefined) mail?.send(recoveryCodeMessage(to, { left, ...this.#step }, baseUrl))
  }

  get #step(): { readonly page: string } {
    return { page: `${this.#options.authUrl}/account/second-step` }
  }

  /**
   * Tells a person that `by` wrote to their profile, and with which type of event. Only a verified
   * address is written to: somebody else may have typed it.
   */
  sendWriteNotice(account: Account, notice: { readonly by: string; readonly what: string }): void {
    const { mail, authUrl, baseUrl } = this.#options
    const to = readerOf(account)
    if (to === undefined || !account.email_verified) return
    mail?.send(writeNotice(to, { ...notice, page: `${authUrl}/account/writes` }, baseUrl))
  }

  /**
   * Invites the person behind an address to become a member, with or without an account. `to` has
   * the language of their account, or else that of the page on which they are invited.
   */
  sendInvitation(to: Reader, notice: InvitationNotice): void {
    const { mail, baseUrl } = this.#options
    mail?.send(invitationMessage(to, notice, baseUrl))
  }

  /** Sends a reader, who needs no account, the answer to what they reported of a work. */
  sendReportAnswer(
    { email, language }: { readonly email: string; readonly language: string },
    answer: ReportAnswer,
  ): void {
    const { mail, baseUrl } = this.#options
    const to = { email, language: languageOf(language) ?? english }
    mail?.send(reportAnswerMessage(to, answer, baseUrl))
  }

  /**
   * Tells an owner of an organization that one of its webhooks was given up, and what became of
   * that; undefined where nobody is written to.
   */
  async sendWebhookFailed(
    account: Account,
    failed: Omit<FailedWebhook, 'page'> & { readonly path: string },
  ): Promise<MailOutcome | undefined> {
    const { mail, authUrl, baseUrl } = this.#options
    const to = readerOf(account)
    if (to === undefined || !account.email_verified) return undefined
    const { path, ...told } = failed
    return mail?.deliver(webhookFailedMessage(to, { ...told, page: authUrl + path }, baseUrl))
  }

  #sendLink(
    kind: LinkKind & ('verify' | 'reset' | 'unlock'),
    account: Account,
    page: Language | undefined,
    messageOf: (to: Reader, link: string, baseUrl: string) => Message,
    isNeeded = () => true,
  ): void {
    const { mail, links, authUrl, baseUrl, report } = this.#options
    const { ppid, email } = account
    const to = readerOf(account, page)
    if (mail === undefined || email === null || to === undefined) return
    links
      .issueIf(isNeeded, { kind, ppid, email })
      .then((link) => {
        if (link === undefined) return
        mail.send(messageOf(to, `${authUrl}/${kind}/${link.token}`, baseUrl))
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
