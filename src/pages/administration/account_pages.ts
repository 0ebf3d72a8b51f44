import type { Environment } from '#actors/registry/environment.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { SecondFactorState } from '#src/identity/accounts/second_factor.ts'
import { HttpError } from '#src/errors.ts'
import { invitationUrl } from '#src/use_cases/account_service.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, form, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import {
  badge,
  emptyState,
  facts,
  pagination,
  quietLink,
  secretBox,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { plural } from '#src/pages/kit/words.ts'
import {
  accountSteps,
  type AccountStep,
  demandStep,
} from '#src/pages/administration/account_steps.ts'
import { adminPath, administrationPage, demandAdmin } from '#src/pages/administration/frame.ts'
import { isLost, lostAccountPath } from '#src/pages/administration/lost_account_page.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

const path = `${adminPath}/accounts`
const peopleOnPage = 50

const flashes: Flashes = Object.fromEntries(accountSteps.map(({ word, done }) => [word, done]))

/** Adds the pages on which administrators find accounts, and help or stop their people. */
export function addAdminAccountPages(context: OrganizationContext): void {
  const { member, fresh } = context.pages
  member.get(path, (visit) => {
    demandAdmin(visit)
    return accountsPage(context, visit)
  })
  fresh.post(`${path}/invite`, async (visit) => {
    demandAdmin(visit)
    const { url } = await invitationUrl(context.service)
    return context.pages.redirectWithSecret(visit, path, url)
  })
  member.get(`${path}/:ppid`, (visit) => {
    demandAdmin(visit)
    return accountPage(context, visit, namedAccount(context, visit))
  })
  fresh.get(`${path}/:ppid/:step`, (visit) => {
    const account = namedAccount(context, visit)
    const step = demandStep(context, demandAdmin(visit), account, visit.parameters['step'])
    const state = givenBack(context.pages.takeForm(visit), emptyForm)
    return stepPage(context, visit, { account, step, state })
  })
  fresh.post(`${path}/:ppid/:step`, async (visit, body) => {
    const by = demandAdmin(visit)
    const account = namedAccount(context, visit)
    const step = demandStep(context, by, account, visit.parameters['step'])
    if (step.demandsPpid === true && textOf(body, 'ppid').trim() !== account.ppid) {
      const fault = { field: 'ppid', code: 'wrong', message: 'This is not their identifier.' }
      return stepPage(context, visit, { account, step, state: { values: body, faults: [fault] } })
    }
    const shown = await step.carryOut(context, account, by)
    const own = `${path}/${account.ppid}`
    if (typeof shown === 'string') return context.pages.redirectWithSecret(visit, own, shown)
    const isLeft = context.service.accounts.find(account.ppid) !== undefined
    return redirectDone(isLeft ? own : path, step.word)
  })
}

function namedAccount({ service }: OrganizationContext, { parameters }: MemberVisit): Account {
  const account = service.accounts.find(parameters['ppid'] ?? '')
  if (account !== undefined) return account
  throw new HttpError('not_found', 'There is no such account, or it was deleted')
}

/** The account that a text names: an address, an identifier, a username or an ORCID iD. */
export function findAccount({ service, environments }: OrganizationContext, text: string) {
  const { people } = environments.live
  return (
    service.accounts.findByEmail(text) ??
    [text, people.findByUsername(text.replace(/^@/, '')), people.findByOrcid(text)]
      .map((ppid) => (ppid === undefined ? undefined : service.accounts.find(ppid)))
      .find((account) => account !== undefined)
  )
}

async function accountsPage(context: OrganizationContext, visit: MemberVisit): Promise<PageReply> {
  const { pages, environments } = context
  const asked = (visit.query.get('q') ?? '').trim().slice(0, 254)
  const found = asked === '' ? undefined : findAccount(context, asked)
  if (found !== undefined) return { redirect: `${path}/${found.ppid}` }
  if (isLost(context, asked)) return { redirect: lostAccountPath(asked) }
  const after = visit.query.get('after') ?? ''
  const { people } = environments.live
  const ppids = await people.list({ after, limit: peopleOnPage })
  const last = ppids.length < peopleOnPage ? undefined : ppids.at(-1)
  const address = pages.prefix + path
  const invitation = pages.takeSecret(visit, path)
  return administrationPage(context, '/accounts', {
    title: 'Accounts',
    flashes,
    content: html`${invitation === undefined ? nothing : secretBox('Invitation', invitation)}
${searchForm(address, asked)}
${asked === '' ? nothing : emptyState('No such account', `Nobody has exactly “${asked}”.`)}
${accountTable(context, ppids)}
${pagination({ path: address, parameter: 'after', next: last, isFirst: after === '' })}
<h2>Invite somebody</h2>
<p>An invitation is a link with which one person makes an account.</p>
${form({ action: `${address}/invite`, csrf: visit.csrf, submit: 'Make an invitation' })}`,
  })
}

function searchForm(action: string, asked: string): Html {
  return html`<form class="form" method="get" action="${action}" role="search">
<div class="field"><label for="account-search">E-mail address, username, identifier or ORCID iD
</label><input type="search" id="account-search" name="q" value="${asked}" maxlength="254"
spellcheck="false" autocapitalize="none"></div>
<div class="buttons"><button class="button" type="submit">Find the account</button></div></form>`
}

function accountTable(context: OrganizationContext, ppids: readonly string[]): Html {
  const { service, pages } = context
  const accounts = ppids.flatMap((ppid) => service.accounts.find(ppid) ?? [])
  if (accounts.length === 0) return nothing
  const columns = [
    {
      heading: 'Person',
      isRowHeading: true,
      cell: ({ ppid }: Account) =>
        html`<a href="${pages.prefix}${path}/${ppid}">${nameOf(context.environments.live, ppid)}</a>
<code>${ppid}</code>`,
    },
    { heading: 'E-mail address', cell: ({ email }: Account) => email ?? 'none' },
    {
      heading: 'Rights',
      cell: ({ roles }: Account) => (roles.includes('admin') ? badge('administrator') : ''),
    },
    { heading: 'Since', cell: ({ created_at }: Account) => time(created_at) },
  ]
  return table('Accounts, by identifier', columns, accounts)
}

function nameOf({ people }: Pick<Environment, 'people'>, ppid: string): string {
  const person = people.read(ppid)
  return person?.type === 'person' ? person.profile.name : ppid
}

async function accountPage(
  context: OrganizationContext,
  visit: MemberVisit,
  account: Account,
): Promise<AccountPage> {
  const { service, environments, pages } = context
  const { ppid, email, email_verified, password, roles, links, created_at } = account
  const all = pages.prefix + adminPath
  const base = `${pages.prefix}${path}/${ppid}`
  const { organizations } = environments.live
  const link = pages.takeSecret(visit, `${path}/${ppid}`)
  const memberships = await organizations.organizationsOf(ppid)
  const steps = accountSteps.filter((step) => step.isOpen(context, demandAdmin(visit), account))
  const buttons = steps.map(({ word, name }) => html`${quietLink(`${base}/${word}`, name)} `)
  return administrationPage(context, '/accounts', {
    title: nameOf(environments.live, ppid),
    flashes,
    content: html`${link === undefined ? nothing : secretBox('Link for a new password', link)}
${facts([
  ['Identifier', html`<code>${ppid}</code>`],
  ['E-mail address', emailText(email, email_verified)],
  [
    'Signs in with',
    [...(password === null ? [] : ['a password']), ...links.map(issuer)].join(', '),
  ],
  ['Second step', secondStepText(service.secondFactors.find(ppid))],
  ['Signed in', plural(service.sessions.list(ppid).length, 'browser')],
  ['Rights', roles.includes('admin') ? badge('administrator') : 'none beyond their own'],
  ['Organizations', memberships.length === 0 ? 'none' : organizationLinks(context, memberships)],
  ['Since', time(created_at)],
])}
${steps.length === 0 ? ownNote(pages.prefix) : html`<div class="buttons">${buttons}</div>`}
<div class="buttons">${quietLink(`${all}/keys?owner=person:${ppid}`, 'Their keys')}
${quietLink(`${all}/audit?whose=${ppid}`, 'What happened to the account')}</div>`,
  })
}

function emailText(email: string | null, isVerified: boolean): Html | string {
  if (email === null) return 'none'
  return html`${email} ${isVerified ? nothing : badge('not confirmed', 'waiting')}`
}

function secondStepText(found: SecondFactorState | undefined): string {
  if (found === undefined) return 'none'
  const { totpSince, passkeys } = found
  const parts = [
    ...(totpSince === undefined ? [] : ['a code of an app']),
    ...(passkeys.length === 0 ? [] : [plural(passkeys.length, 'passkey')]),
  ]
  return parts.join(', ')
}

function issuer({ iss }: Account['links'][number]): string {
  return `an account at ${iss}`
}

function organizationLinks(
  { pages }: OrganizationContext,
  memberships: readonly { readonly slug: string }[],
): Html {
  const items = memberships.map(
    ({ slug }) => html`<li><a href="${pages.prefix}/organizations/${slug}">${slug}</a></li>`,
  )
  return html`<ul>${items}</ul>`
}

function ownNote(prefix: string): Html {
  return html`<p>This is your own account: you change it under
<a href="${prefix}/account/security">Security</a>, and another administrator can take away
your rights.</p>`
}

function stepPage(
  context: OrganizationContext,
  { csrf }: MemberVisit,
  asked: { readonly account: Account; readonly step: AccountStep; readonly state: FormState },
): Promise<AccountPage> {
  const { account, step, state } = asked
  const { ppid } = account
  const base = `${context.pages.prefix}${path}/${ppid}`
  const proof = field(
    {
      name: 'ppid',
      label: 'Their identifier',
      hint: `Type ${ppid} to show that you mean this account.`,
      required: true,
    },
    state,
  )
  return administrationPage(context, '/accounts', {
    title: `${step.name}: ${nameOf(context.environments.live, ppid)}`,
    state,
    content: formCard({
      action: `${base}/${step.word}`,
      csrf,
      fields: html`<p>${step.effect}</p>${step.demandsPpid === true ? proof : nothing}`,
      submit: step.name,
      beside: html`<a href="${base}">Leave it as it is</a>`,
      danger: step.danger === true,
    }),
  })
}
