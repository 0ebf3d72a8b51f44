import {
  passkeyNameMax,
  passkeysMax,
  type PasskeysOptions,
} from '#src/identity/accounts/passkeys.ts'
import type { Passkey } from '#src/identity/accounts/second_factor.ts'
import { HttpError } from '#src/errors.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { passkeyScript } from '#src/pages/kit/assets.ts'
import { browserName } from '#src/identity/accounts/web_session.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, type Field, field, form, type FormState } from '#src/pages/kit/form_field.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import {
  passkeysPath as path,
  recoveryCodesPath,
  secondStepPath,
} from '#src/pages/kit/page_address.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { buttonLink, card, emptyState, quietLink, table, time } from '#src/pages/kit/parts.ts'
import { passkeyAnswerOf, passkeyFault, passkeyForm } from '#src/pages/kit/passkey_form.ts'

const newPath = `${path}/new`

const flashes: Flashes = {
  added: 'The passkey is added: you can sign in with it.',
  renamed: 'The passkey has its new name.',
  removed: 'The passkey is removed here. Remove it from your device or password manager too.',
}

const nameField: Field = {
  name: 'name',
  label: 'What you call it',
  hint: 'So that you know it again, such as “my phone”.',
  maxLength: passkeyNameMax,
  autocomplete: 'off',
  required: true,
}

/** Adds the pages on which a person adds, names and removes passkeys. */
export function addPasskeyPages(context: AccountContext): void {
  const { member, fresh } = context.pages
  const { passkeys, secondFactors, mail } = context.service
  member.get(path, (visit) => passkeysPage(context, visit))
  fresh.get(newPath, (visit) =>
    newPage(context, visit, givenBack(context.pages.takeForm(visit), emptyForm)),
  )
  fresh.post(newPath, (visit, body) => add(context, visit, body), { limit: 'sign_in' })
  fresh.post(`${path}/recovery-codes`, async (visit) => {
    const codes = await secondFactors.renewRecoveryCodes(visit.account.ppid)
    if (codes === undefined) return { redirect: path }
    return context.pages.redirectWithSecret(visit, recoveryCodesPath, codes.join(' '))
  })
  member.get(`${path}/:id`, (visit) => passkeyPage(context, visit, namedPasskey(context, visit)))
  member.post(`${path}/:id`, async (visit, body) => {
    const { id } = namedPasskey(context, visit)
    await passkeys.rename(visit.account.ppid, id, textOf(body, 'name'))
    return redirectDone(path, 'renamed')
  })
  fresh.post(`${path}/:id/remove`, async (visit) => {
    const { account } = visit
    const removed = await passkeys.remove(account.ppid, namedPasskey(context, visit).id)
    if (removed !== undefined) mail.sendPasskeyChanged(account, 'removed', removed.name)
    return redirectDone(path, 'removed')
  })
}

async function add(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { account, session, browser } = visit
  const { ppid } = account
  const { passkeys, sessions, mail } = context.service
  const answering = { purpose: 'add', browser, ppid, ...passkeyAnswerOf(body) } as const
  const typed = textOf(body, 'name').trim()
  const answer = await passkeys.add(answering, typed === '' ? usualName(visit) : typed)
  if (answer.type === 'refused') {
    const faults = [passkeyFault(answer.reason)]
    return newPage(context, visit, { values: new Map([['name', typed]]), faults })
  }
  mail.sendPasskeyChanged(account, 'added', typed === '' ? usualName(visit) : typed)
  if (answer.recoveryCodes === undefined) return redirectDone(path, 'added')
  // Whoever is signed in elsewhere has not shown the second factor.
  await sessions.endAll(ppid, session.id)
  return context.pages.redirectWithSecret(visit, recoveryCodesPath, answer.recoveryCodes.join(' '))
}

/** What a passkey is called that this browser makes. */
function usualName({ request }: MemberVisit): string {
  return browserName(request.headers['user-agent'] ?? '').slice(0, passkeyNameMax)
}

function namedPasskey({ service }: AccountContext, { account, parameters }: MemberVisit): Passkey {
  const found = service.passkeys.list(account.ppid).find(({ id }) => id === parameters['id'])
  if (found !== undefined) return found
  throw new HttpError('not_found', 'There is no such passkey, or it was removed')
}

const shown = { current: '/account/security', flashes }

const whyImpossible: Readonly<
  Record<Extract<PasskeysOptions['support'], { type: 'impossible' }>['why'], string>
> = {
  ip_address:
    'This registry is reached by an IP address, and browsers bind passkeys to a name. Its ' +
    'operator can give it one (AUTH_URL).',
  insecure:
    'This registry is reached without https, and browsers use passkeys over https alone. Its ' +
    'operator can change that (AUTH_URL).',
  sandbox: 'Test people of the sandbox sign in with a password, and have no passkeys.',
}

function passkeysPage({ pages, service }: AccountContext, visit: MemberVisit): AccountPage {
  const { passkeys, secondFactors } = service
  const { ppid } = visit.account
  const own = passkeys.list(ppid)
  const { support } = passkeys
  const adding = buttonLink(pages.prefix + newPath, 'Add a passkey')
  const possible =
    support.type === 'impossible'
      ? html`<p class="hint">${whyImpossible[support.why]}</p>`
      : own.length < passkeysMax
        ? html`<div class="buttons">${adding}</div>`
        : html`<p class="hint">There are ${passkeysMax} passkeys, as many as an account can have.
</p>`
  const codesLeft = secondFactors.find(ppid)?.recoveryCodesLeft
  return {
    ...shown,
    title: 'Passkeys',
    lead: html`A passkey signs you in by the lock of your device, a password manager or a security
key. There is nothing to type, and no false page can ask for it.`,
    content: html`${own.length === 0 ? none(possible) : [list(pages.prefix, own), possible]}
${codesLeft === undefined ? nothing : codesPart(pages.prefix, visit, codesLeft)}`,
  }
}

function none(possible: Html): Html {
  return emptyState('You have no passkey', 'Your password signs you in.', possible)
}

function list(prefix: string, own: readonly Passkey[]): Html {
  return table<Passkey>(
    'Your passkeys',
    [
      {
        heading: 'Passkey',
        isRowHeading: true,
        cell: ({ id, name }) => html`<a href="${prefix}${path}/${id}">${name}</a>`,
      },
      { heading: 'Kept', cell: ({ is_synced: isSynced }) => keeping(isSynced) },
      { heading: 'Added', cell: ({ created_at: at }) => time(at) },
      {
        heading: 'Last used',
        cell: ({ last_used_at: at }) => (at === undefined ? 'not yet' : time(at)),
      },
    ],
    own,
  )
}

function keeping(isSynced: boolean): string {
  return isSynced ? 'on all devices of an account' : 'on one device or key'
}

function codesPart(prefix: string, { csrf }: MemberVisit, left: number): Html {
  const action = `${prefix}${path}/recovery-codes`
  return card(
    'Without your passkey',
    html`<p>After your password, a recovery code does as well. Left: <strong>${left}</strong>.
<a href="${prefix}${secondStepPath}">An authenticator app</a> can be set up too.</p>
${form({ action, csrf, submit: 'Make new recovery codes; the old ones end' })}`,
  )
}

function newPage(
  { pages, service }: AccountContext,
  visit: MemberVisit,
  state: FormState,
): PageReply {
  const { account, browser, csrf } = visit
  const { ppid, email } = account
  const asked = service.passkeys.askNew(browser, { ppid, name: email ?? ppid })
  if (asked === undefined) return { redirect: path }
  const isFirst = service.secondFactors.find(ppid) === undefined
  const values = state.values.size > 0 ? state.values : new Map([['name', usualName(visit)]])
  const making = passkeyForm({
    action: pages.prefix + newPath,
    csrf,
    kind: 'create',
    asked,
    fields: field(nameField, { ...state, values }),
    submit: 'Add a passkey',
  })
  const consequence = html`<p>From then on your password alone lets nobody in: who has it needs the
passkey too, or one of the recovery codes that you are shown next. All other browsers are signed
out.</p>`
  return {
    ...shown,
    title: 'Add a passkey',
    state,
    scripts: [passkeyScript],
    lead: 'Your browser asks where to keep it: in this device, in another one, or in a key.',
    content: html`${isFirst ? consequence : nothing}<div class="card">${making}</div>
<p><a href="${pages.prefix}${path}">Back to your passkeys</a></p>`,
  }
}

function passkeyPage(
  { pages, service }: AccountContext,
  { account, csrf }: MemberVisit,
  { id, name, is_synced: isSynced }: Passkey,
): AccountPage {
  const action = `${pages.prefix}${path}/${id}`
  const values = new Map([['name', name]])
  const naming = form({
    action,
    csrf,
    fields: field(nameField, { values, faults: [] }),
    submit: 'Save the name',
  })
  const found = service.secondFactors.find(account.ppid)
  const isLast = found?.totpSince === undefined && found?.passkeys.length === 1
  const effect = isLast
    ? html`<p>It is your only second step: your password alone signs you in again, and your recovery
codes end.</p>`
    : html`<p>It signs you in no more, at once.</p>`
  const removing = form({ action: `${action}/remove`, csrf, submit: 'Remove it', danger: true })
  return {
    ...shown,
    title: name,
    lead: html`A passkey that is kept ${keeping(isSynced)}.`,
    content: html`${card('Name', naming)}
${card('Remove it', html`${effect}${removing}`)}
<div class="buttons">${quietLink(pages.prefix + path, 'Back to your passkeys')}</div>`,
  }
}
