import type { CodeAnswer, PendingSecret } from '#src/identity/accounts/second_factor.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, form, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import {
  passkeysPath,
  recoveryCodesPath as codesPath,
  secondStepPath as path,
} from '#src/pages/kit/page_address.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { buttonLink, card, time } from '#src/pages/kit/parts.ts'
import { currentPassword } from '#src/pages/kit/password_fields.ts'
import { qrCode } from '#src/pages/kit/qr_code.ts'
import { secondFactorField, wrongCode } from '#src/pages/kit/second_factor_field.ts'

const flashes: Flashes = {
  required: {
    kind: 'info',
    text:
      'This registry asks administrators for a second step of their sign-in. Until it is set up ' +
      'you can do what everybody can.',
  },
  ended: 'No code of an app is asked for any more.',
}

/** Adds the pages on which a person sets up a second step of their sign-in, and ends it. */
export function addSecondFactorSettings(context: AccountContext): void {
  const { member, fresh } = context.pages
  member.get(path, (visit) => settingsPage(context, visit, emptyForm))
  fresh.post(`${path}/begin`, (visit, body) => begin(context, visit, body), { limit: 'sign_in' })
  member.post(`${path}/confirm`, (visit, body) => confirm(context, visit, body), {
    limit: 'sign_in',
  })
  member.post(`${path}/change`, (visit, body) => change(context, visit, body), {
    limit: 'sign_in',
  })
  member.get(codesPath, (visit) => {
    const codes = context.pages.takeSecret(visit, codesPath)
    return codes === undefined ? { redirect: path } : codesPage(context, codes.split(' '))
  })
}

/** Begins for who knows the password: a browser that was left alone does not suffice. */
async function begin(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { pages, service } = context
  const { account, from } = visit
  if (service.secondFactors.find(account.ppid)?.totpSince !== undefined) return { redirect: path }
  const { ppid, email, password } = account
  if (password !== null) {
    await pages.countAccount('sign_in_account', visit, email ?? ppid)
    if (!(await service.accounts.hasPassword(ppid, textOf(body, 'current_password'), from))) {
      const message = 'This is not your password.'
      const fault = { field: 'current_password', code: 'wrong', message }
      return settingsPage(context, visit, { values: new Map(), faults: [fault] })
    }
  }
  await service.secondFactors.begin(ppid)
  return { redirect: path }
}

async function confirm(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { account, session } = visit
  const { secondFactors, sessions, mail } = context.service
  const codes = await secondFactors.confirm(account.ppid, textOf(body, 'code'))
  if (codes === undefined) return refuse(context, visit, { type: 'refused' })
  // Whoever is signed in elsewhere has not shown the second factor.
  await sessions.endAll(account.ppid, session.id)
  mail.sendSecondFactorChanged(account, 'on')
  return context.pages.redirectWithSecret(visit, codesPath, codes.join(' '))
}

/** What takes a code: another device, new recovery codes, or no second step any more. */
async function change(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { account } = visit
  const { secondFactors, mail } = context.service
  const { ppid } = account
  const answer = await secondFactors.redeem(ppid, textOf(body, 'code'))
  if (answer.type !== 'accepted') return refuse(context, visit, answer)
  switch (textOf(body, 'change')) {
    case 'device':
      await secondFactors.begin(ppid)
      return { redirect: path }
    case 'recovery': {
      const codes = (await secondFactors.renewRecoveryCodes(ppid)) ?? []
      return context.pages.redirectWithSecret(visit, codesPath, codes.join(' '))
    }
    case 'end':
      await secondFactors.endTotp(ppid)
      mail.sendSecondFactorChanged(account, 'off')
      return redirectDone(path, 'ended')
    default:
      return { redirect: path }
  }
}

function refuse(
  context: AccountContext,
  visit: MemberVisit,
  answer: Exclude<CodeAnswer, { type: 'accepted' }>,
): AccountPage {
  const faults = [wrongCode(answer, context.nowMs())]
  return settingsPage(context, visit, { values: new Map(), faults })
}

function settingsPage(context: AccountContext, visit: MemberVisit, state: FormState): AccountPage {
  const { account } = visit
  const { secondFactors } = context.service
  const pending = secondFactors.pending(account.ppid, account.email ?? account.ppid)
  const shown = {
    title: 'Second step of the sign-in',
    current: '/account/security',
    flashes,
    state,
  }
  if (pending !== undefined) {
    return { ...shown, content: pendingPart(context, visit, pending, state) }
  }
  const found = secondFactors.find(account.ppid)
  if (found?.totpSince === undefined) {
    return { ...shown, content: offPart(context, visit, state) }
  }
  const lead = html`On since ${time(found.totpSince)}. Recovery codes left:
<strong>${found.recoveryCodesLeft}</strong>.`
  return { ...shown, lead, content: onPart(context, visit, state) }
}

function offPart({ pages }: AccountContext, visit: MemberVisit, state: FormState): Html {
  const { account, csrf } = visit
  const action = `${pages.prefix}${path}/begin`
  const fields = account.password === null ? '' : field(currentPassword, state)
  return html`<p>After your password you type six digits that an authenticator app on your phone
shows (Aegis, 2FAS, Google Authenticator, a password manager). Who learns your password alone does
not come in, and neither does who can read your mail.</p>
${formCard({ action, csrf, fields, submit: 'Set it up' })}
<p>A <a href="${pages.prefix}${passkeysPath}">passkey</a> does as well, and signs you in without a
password and without anything to type.</p>`
}

function pendingPart(
  { pages }: AccountContext,
  { csrf }: MemberVisit,
  { secret, uri }: PendingSecret,
  state: FormState,
): Html {
  const action = `${pages.prefix}${path}/confirm`
  const code = {
    ...secondFactorField,
    label: 'Code that the app shows',
    hint: 'Six digits. It shows others every 30 seconds.',
  }
  const spaced = secret.match(/.{1,4}/g)?.join(' ') ?? secret
  return html`<ol><li>Scan this with your authenticator app.
${qrCode(uri, 'QR code of the secret, which stands below as text')}
Or type the secret: <code>${spaced}</code></li>
<li>Type the code that the app shows then.</li></ol>
${formCard({ action, csrf, fields: field(code, state), submit: 'Turn it on' })}
<p class="hint">Nothing is changed before that. All other browsers are signed out.</p>`
}

function onPart({ pages }: AccountContext, { csrf }: MemberVisit, state: FormState): Html {
  const action = `${pages.prefix}${path}/change`
  const choice = (value: string, label: string, isFirst = false) => html`<div class="box">
<input type="radio" id="change-${value}" name="change" value="${value}"${
    isFirst ? html` checked` : ''
  }>
<div><label for="change-${value}">${label}</label></div></div>`
  const fields = html`<fieldset><legend>What you want</legend>
${choice('recovery', 'New recovery codes; the old ones end', true)}
${choice('device', 'Another device or app')}
${choice('end', 'No codes of an app any more')}</fieldset>
${field(secondFactorField, state)}`
  return card('Change it', form({ action, csrf, fields, submit: 'Go on' }))
}

function codesPage({ pages }: AccountContext, codes: readonly string[]): AccountPage {
  return {
    title: 'Your recovery codes',
    current: '/account/security',
    lead: html`Each signs you in once, after your password, if you lose your device. They are shown
only now: print them, or keep them in a password manager.`,
    content: html`<div class="card"><ul class="recovery-codes">
${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul></div>
<div class="buttons">${buttonLink(`${pages.prefix}/account/security`, 'I have kept them')}</div>`,
  }
}
