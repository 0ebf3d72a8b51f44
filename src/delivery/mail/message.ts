import { mails, report } from '#src/words/english.ts'
import type { Language } from '#src/words/language.ts'
import { termOf } from '#src/words/message.ts'
import { type Text, textIn, type TextWording } from '#src/words/wording.ts'

/** What a message is about, by which logs name it: they never hold an address or a text. */
export type MessageKind =
  | 'verification'
  | 'reset'
  | 'unlock'
  | 'write_notice'
  | 'password_changed'
  | 'address_changed'
  | 'second_factor'
  | 'webhook_failed'
  | 'member_invitation'
  | 'report_answer'
  | 'news'

const askedKinds: ReadonlySet<MessageKind> = new Set([
  'verification',
  'reset',
  'unlock',
  'member_invitation',
])

/** Whether somebody waits for messages of a kind: each has a link that is a secret. */
export function wasAskedFor(kind: MessageKind): boolean {
  return askedKinds.has(kind)
}

/** Whom a message goes to, and the language that they read. */
export type Reader = { readonly email: string; readonly language: Language }

/** A message in plain text. */
export type Message = {
  readonly kind: MessageKind
  readonly to: string
  /** The tag of its language. */
  readonly language: string
  readonly subject: string
  readonly text: string
  /** Names the mail, so that one which is sent twice is known to be one. */
  readonly id?: string
  /** The page on which its reader can switch such mail off. */
  readonly switches?: string
  /** A table that goes with the mail. */
  readonly attachment?: { readonly name: string; readonly csv: string }
}

/** A piece of news: what happened, what to do, and the one page where it is done. */
export type News = {
  readonly id: string
  readonly subject: TextWording
  readonly text: TextWording
  readonly toDo: TextWording
  readonly page: string
  /** The page on which such news are switched off, if they can be. */
  readonly switches?: string
  /** Further paragraphs, and a table as CSV. */
  readonly more?: readonly TextWording[]
  readonly attachment?: { readonly name: string; readonly csv: string }
}

/** Characters of what news say: a note on a takedown fits. */
const newsCharactersMax = 2_500

/** Tells somebody what happened, and where to look at it or change it. */
export function newsMessage(reader: Reader, news: News): Message {
  const { id, subject, text, toDo, page, switches, more = [], attachment } = news
  const { language } = reader
  const paragraphs = [text, ...more].map((each) => oneLine(each.text(language), newsCharactersMax))
  const parts = [...paragraphs, mails.newsToDo({ toDo }), page]
  const table = attachment !== undefined && { attachment }
  const told = message('news', reader, oneLine(subject.text(language)), parts)
  return { ...told, id, ...(switches !== undefined && { switches }), ...table }
}

/** Asks the holder of an address to show that it is theirs. */
export function verificationMessage(to: Reader, link: string, registry: string): Message {
  const text = mails.verifyText({ registry })
  return message('verification', to, mails.verifySubject, [text, link, mails.verifyElse])
}

/** Lets the holder of an address choose a new password for its account. */
export function resetMessage(to: Reader, link: string, registry: string): Message {
  const text = mails.resetText({ registry })
  return message('reset', to, mails.resetSubject, [text, link, mails.resetElse])
}

/** Lets the holder of an address sign in although others have tried too many passwords. */
export function unlockMessage(to: Reader, link: string, registry: string): Message {
  const text = mails.unlockText({ registry })
  return message('unlock', to, mails.unlockSubject, [text, link, mails.unlockElse])
}

/** Tells that a password was changed, in case its owner did not do it. */
export function passwordChangedMessage(to: Reader, resetPage: string, registry: string): Message {
  const text = mails.passwordText({ registry })
  return message('password_changed', to, mails.passwordSubject, [text, resetPage])
}

/**
 * Tells that a link has given an account a new password, and what is with all that acts for it
 * besides: it has ended, or stands on a page where it can be ended.
 */
export function passwordResetMessage(
  to: Reader,
  { page, hasEnded }: { readonly page: string; readonly hasEnded: boolean },
  registry: string,
): Message {
  const text = mails.passwordByLink({ registry })
  const others = hasEnded ? mails.passwordEnded : mails.passwordLeft
  return message('password_changed', to, mails.passwordSubject, [text, others, page])
}

/** Tells the old address that the account has another one, in case its owner did not do it. */
export function addressChangedMessage(to: Reader, registry: string): Message {
  const parts = [mails.addressText({ registry }), contactPage(registry)]
  return message('address_changed', to, mails.addressSubject, parts)
}

/** The page that says who runs the registry, and how to reach them. */
function contactPage(registry: string): string {
  return `${registry}/contact`
}

/** Tells that the second step of a sign-in was turned on or off, by its owner or the operator. */
export function secondFactorMessage(
  to: Reader,
  { state, page }: { readonly state: 'on' | 'off'; readonly page: string },
  registry: string,
): Message {
  const subject = state === 'on' ? mails.secondOn : mails.secondOff
  const text = state === 'on' ? mails.secondOnText : mails.secondOffText
  return message('second_factor', to, subject, [text({ registry }), mails.lookAtOnce, page])
}

/** Tells that an account was given a passkey, or has lost one. */
export function passkeyMessage(
  to: Reader,
  passkey: { readonly name: string; readonly change: 'added' | 'removed'; readonly page: string },
  registry: string,
): Message {
  const { change, page } = passkey
  const name = oneLine(passkey.name)
  const subject = change === 'added' ? mails.passkeyAdded : mails.passkeyRemoved
  const text = change === 'added' ? mails.passkeyAddedText : mails.passkeyRemovedText
  const parts = [text({ name, registry }), mails.lookAtOnce, page]
  return message('second_factor', to, subject, parts)
}

/** Tells that a recovery code has signed somebody in, and how many are left. */
export function recoveryCodeMessage(
  to: Reader,
  { left, page }: { readonly left: number; readonly page: string },
  registry: string,
): Message {
  const text = mails.recoveryText({ registry, left })
  return message('second_factor', to, mails.recoverySubject, [text, page])
}

/** What is told of a webhook that was given up. `page` is where it is resumed. */
export type FailedWebhook = {
  readonly url: string
  readonly owner: string
  readonly reason: string
  readonly page: string
}

/** Tells an owner that nothing is sent to a webhook any more, and why. */
export function webhookFailedMessage(
  to: Reader,
  { url, owner: name, reason, page }: FailedWebhook,
  registry: string,
): Message {
  const owner = oneLine(name)
  const address = oneLine(url)
  const text = mails.webhookText({ registry, owner, reason: oneLine(reason), address })
  const parts = [text, mails.webhookResume, page]
  return message('webhook_failed', to, mails.webhookSubject({ owner }), parts)
}

/** What is told of an invitation. `organization` and `by` are names, `link` the page to answer. */
export type InvitationNotice = {
  readonly organization: string
  readonly role: string
  readonly by: string
  readonly link: string
}

/** Asks the holder of an address whether they want to be a member of an organization. */
export function invitationMessage(to: Reader, notice: InvitationNotice, registry: string): Message {
  const { link } = notice
  const role = termOf(mails, `role_${notice.role}`) ?? notice.role
  const organization = oneLine(notice.organization)
  const text = mails.invitationText({ by: oneLine(notice.by), organization, registry, role })
  const subject = mails.invitationSubject({ organization })
  return message('member_invitation', to, subject, [text, link, mails.invitationElse])
}

/** Tells a person that somebody wrote to their profile; `what` is the type of the event. */
export function writeNotice(
  to: Reader,
  notice: { readonly by: string; readonly what: string; readonly page: string },
  registry: string,
): Message {
  const { page } = notice
  const what = termOf(mails, notice.what) ?? notice.what
  const by = oneLine(notice.by)
  const text = mails.writeText({ by, registry, what })
  return message('write_notice', to, mails.writeSubject({ by }), [text, mails.writeSee, page])
}

/** What a registrant answers to a report on a work, `naan/name`. */
export type ReportAnswer = {
  readonly ark: string
  readonly registrant: string
  readonly answer: string
}

/** Tells a reader what was answered to their report. */
export function reportAnswerMessage(
  to: Reader,
  { ark, registrant, answer }: ReportAnswer,
  registry: string,
): Message {
  const who = oneLine(registrant)
  const text = report.answerMail({ work: `ark:/${ark}`, who })
  const page = `${registry}/ark:/${ark}`
  const parts = [text, oneLine(answer, newsCharactersMax), page, report.answerOnce]
  return message('report_answer', to, report.answerSubject, parts)
}

function message(
  kind: MessageKind,
  { email, language }: Reader,
  subject: Text,
  paragraphs: readonly Text[],
): Message {
  const parts = [mails.hello, ...paragraphs].map((each) => textIn(language, each))
  const text = `${parts.join('\n\n')}\n`
  return { kind, to: email, language: language.tag, subject: textIn(language, subject), text }
}

/** A name in a subject or a sentence: one line, not longer than a name is. */
function oneLine(text: string, charactersMax = 200): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, charactersMax)
}
