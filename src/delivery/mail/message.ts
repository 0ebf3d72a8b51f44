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
  | 'suspension'
  | 'owner_named'
  | 'news'

/** A message in plain text. */
export type Message = {
  readonly kind: MessageKind
  readonly to: string
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
  readonly subject: string
  readonly text: string
  readonly toDo: string
  readonly page: string
  readonly switches: string
  /** Further paragraphs, with an empty line between two, and a table as CSV. */
  readonly more?: string
  readonly attachment?: { readonly name: string; readonly csv: string }
}

/** Characters of what news say: a note on a takedown fits. */
const newsCharactersMax = 2_500

/** Tells somebody what happened to them, or to what is theirs. */
export function newsMessage(to: string, news: News, baseUrl: string): Message {
  const { id, subject, text, toDo, page, switches, more, attachment } = news
  const paragraphs = more?.split('\n\n').flatMap((part) => [oneLine(part, newsCharactersMax), ''])
  const lines = [
    oneLine(text, newsCharactersMax),
    '',
    ...(paragraphs ?? []),
    `${toDo}:`,
    '',
    page,
    '',
    `Registry: ${baseUrl}`,
  ]
  const table = attachment !== undefined && { attachment }
  return { ...message('news', to, oneLine(subject), lines), id, switches, ...table }
}

/** Asks the holder of an address to show that it is theirs. */
export function verificationMessage(to: string, link: string, baseUrl: string): Message {
  return message('verification', to, 'Confirm your e-mail address', [
    `somebody made an account at ${baseUrl} with this e-mail address. If it was you, confirm the`,
    'address by opening this page within two days:',
    '',
    link,
    '',
    'If it was not you, there is nothing to do: the address stays unconfirmed.',
  ])
}

/** Lets the holder of an address choose a new password for its account. */
export function resetMessage(to: string, link: string, baseUrl: string): Message {
  return message('reset', to, 'Choose a new password', [
    `somebody asked for a new password for your account at ${baseUrl}. If it was you,`,
    'choose one on this page within an hour; it works once:',
    '',
    link,
    '',
    'If it was not you, there is nothing to do: your password stays as it is.',
  ])
}

/** Lets the holder of an address sign in although others have tried too many passwords. */
export function unlockMessage(to: string, link: string, baseUrl: string): Message {
  return message('unlock', to, 'Too many passwords were tried for your account', [
    `somebody has tried so many passwords for your account at ${baseUrl} that no more are`,
    'taken for a while, but in browsers in which you have signed in before. To sign in with',
    'another browser, open this page in it within an hour; it works once:',
    '',
    link,
    '',
    'Your password stays as it is. If it is easy to guess, choose another one.',
  ])
}

/** Tells that a password was changed, in case its owner did not do it. */
export function passwordChangedMessage(to: string, resetPage: string, baseUrl: string): Message {
  return message('password_changed', to, 'Your password was changed', [
    `the password of your account at ${baseUrl} was changed, and other browsers were signed out.`,
    'If it was not you, choose a new one at once:',
    '',
    resetPage,
  ])
}

/**
 * Tells that a link has given an account a new password, and what is with all that acts for it
 * besides: it has ended, or stands on a page where it can be ended.
 */
export function passwordResetMessage(
  to: string,
  { page, hasEnded }: { readonly page: string; readonly hasEnded: boolean },
  baseUrl: string,
): Message {
  const ended = [
    'This address had not been confirmed, so the keys of the account, its permissions and the',
    'accounts elsewhere that signed it in have ended too. What acts for you from now on is here:',
  ]
  const left = [
    'Keys, permissions and accounts elsewhere still act for it. If somebody else may have had the',
    'account, end what is not yours on this page:',
  ]
  return message('password_changed', to, 'Your password was changed', [
    `the account at ${baseUrl} has a new password, and every browser was signed out.`,
    ...(hasEnded ? ended : left),
    '',
    page,
  ])
}

/** Tells the old address that the account has another one, in case its owner did not do it. */
export function addressChangedMessage(to: string, baseUrl: string): Message {
  return message('address_changed', to, 'Your e-mail address was changed', [
    `your account at ${baseUrl} has another e-mail address now.`,
    'If it was not you, tell the operator of the registry: this address no longer opens it.',
  ])
}

/** Tells that the second step of a sign-in was turned on or off, by its owner or the operator. */
export function secondFactorMessage(
  to: string,
  { state, page }: { readonly state: 'on' | 'off'; readonly page: string },
  baseUrl: string,
): Message {
  const subject = `The second step of your sign-in is ${state}`
  const what =
    state === 'on'
      ? 'asks for a code of an app after the password from now on.'
      : 'asks for no code after the password any more.'
  return message('second_factor', to, subject, [
    `your account at ${baseUrl} ${what}`,
    'If you know nothing of it, choose a new password and look at this page at once:',
    '',
    page,
  ])
}

/** Tells that an account was given a passkey, or has lost one. */
export function passkeyMessage(
  to: string,
  passkey: { readonly name: string; readonly change: 'added' | 'removed'; readonly page: string },
  baseUrl: string,
): Message {
  const { name, change, page } = passkey
  const what =
    change === 'added'
      ? `signs in with one more passkey from now on: “${oneLine(name)}”.`
      : `is signed in to by one passkey less: “${oneLine(name)}” was removed.`
  return message('second_factor', to, `A passkey was ${change}`, [
    `your account at ${baseUrl} ${what}`,
    'If you know nothing of it, choose a new password and look at this page at once:',
    '',
    page,
  ])
}

/** Tells that a recovery code has signed somebody in, and how many are left. */
export function recoveryCodeMessage(
  to: string,
  { left, page }: { readonly left: number; readonly page: string },
  baseUrl: string,
): Message {
  return message('second_factor', to, 'A recovery code was used', [
    `somebody signed in to your account at ${baseUrl} with its password and a recovery code;`,
    `${left} are left. If it was not you, choose a new password at once. New codes are made here:`,
    '',
    page,
  ])
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
  to: string,
  { url, owner, reason, page }: FailedWebhook,
  baseUrl: string,
): Message {
  return message('webhook_failed', to, `A webhook of ${oneLine(owner)} is paused`, [
    `the registry at ${baseUrl} sends nothing more to this webhook of ${oneLine(owner)}:`,
    '',
    oneLine(url),
    '',
    `The reason: ${oneLine(reason)}.`,
    'Nothing is lost: when it is resumed, it goes on where it was. See its deliveries, and resume',
    'it, here:',
    '',
    page,
  ])
}

/** What is told of an invitation. `organization` and `by` are names, `link` the page to answer. */
export type InvitationNotice = {
  readonly organization: string
  readonly role: string
  readonly by: string
  readonly link: string
}

/** Asks the holder of an address whether they want to be a member of an organization. */
export function invitationMessage(
  to: string,
  { organization, role, by, link }: InvitationNotice,
  baseUrl: string,
): Message {
  const name = oneLine(organization)
  return message('member_invitation', to, `You are invited to ${name}`, [
    `${oneLine(by)} asks you to be ${/^[eo]/.test(role) ? 'an' : 'a'} ${role} of`,
    `${name} at ${baseUrl}. Accept or decline on this page, within a week; you sign in there, or`,
    'make an account:',
    '',
    link,
    '',
    'If this is not for you, there is nothing to do: nothing happens without your answer.',
  ])
}

/** Tells a person that somebody wrote to their profile; `what` completes "… has". */
export function writeNotice(
  to: string,
  notice: { readonly by: string; readonly what: string; readonly page: string },
  baseUrl: string,
): Message {
  return message('write_notice', to, `${oneLine(notice.by)} wrote to your profile`, [
    `${oneLine(notice.by)} has ${oneLine(notice.what)} at ${baseUrl}, as you have permitted.`,
    'See what was written, undo it, or withdraw the permission here:',
    '',
    notice.page,
  ])
}

/** What is told of a suspension: of what, such as `organization press`, and whom to ask. */
export type SuspensionNotice = {
  readonly name: string
  readonly state: 'suspended' | 'resumed'
  readonly reason: string
  readonly contact: string
}

/** Tells those concerned that something was suspended, or goes on again. */
export function suspensionMessage(
  to: string,
  { name, state, reason, contact }: SuspensionNotice,
  baseUrl: string,
): Message {
  if (name.startsWith('work '))
    return withheldMessage(to, { name, state, reason, contact }, baseUrl)
  if (state === 'resumed') {
    return message('suspension', to, `The ${name} is no longer suspended`, [
      `the suspension of the ${name} at ${baseUrl} has ended.`,
      'All works as before, and webhooks are told now what they have missed.',
    ])
  }
  return message('suspension', to, `The ${name} is suspended`, [
    `an administrator has suspended the ${name} at ${baseUrl}. The reason:`,
    '',
    oneLine(reason).slice(0, 500),
    '',
    'Keys, tokens, webhooks, forms and sign-ins are refused until it ends. Works stay readable.',
    `Questions: ${contact}`,
  ])
}

function withheldMessage(
  to: string,
  { name, state, reason, contact }: SuspensionNotice,
  baseUrl: string,
): Message {
  if (state === 'resumed') {
    return message('suspension', to, `The ${name} is shown again`, [
      `the operator of the registry at ${baseUrl} no longer withholds the ${name}.`,
    ])
  }
  return message('suspension', to, `The ${name} is withheld`, [
    `the operator of the registry at ${baseUrl} withholds the ${name} for now. The reason, which`,
    'readers see as well:',
    '',
    oneLine(reason).slice(0, 500),
    '',
    'Its page, its content and its citations are not shown. Nothing is withdrawn.',
    `Questions: ${contact}`,
  ])
}

/** Tells the owners of an organization that the operator has named one of them. */
export function ownerNamedMessage(
  to: string,
  { organization, page }: { readonly organization: string; readonly page: string },
  baseUrl: string,
): Message {
  return message('owner_named', to, `${oneLine(organization)} has a new owner`, [
    `the operator of the registry at ${baseUrl} has named an owner of ${oneLine(organization)}.`,
    'See who its owners are:',
    '',
    page,
  ])
}

function message(kind: MessageKind, to: string, subject: string, lines: string[]): Message {
  return { kind, to, subject, text: `Hello,\n\n${lines.join('\n')}\n` }
}

/** A name in a subject or a sentence: one line, not longer than a name is. */
function oneLine(text: string, charactersMax = 200): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, charactersMax)
}
