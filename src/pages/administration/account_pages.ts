import type { Environment } from '#actors/registry/environment.ts'
import { type Agent, isPerson, type Owner } from '#actors/values/agent.ts'
import { type Action, may } from '#actors/values/authority.ts'
import { foldText } from '#src/discovery/search/fold.ts'
import { HttpError } from '#src/edge/errors.ts'
import { endSecondStep, invitationUrl, resetUrl } from '#src/use_cases/account_record.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { SecondFactorState } from '#src/identity/accounts/second_factor.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import { asPersonFault, faultOf } from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { PageError } from '#src/pages/kit/error_page.ts'
import {
  emptyForm,
  type Field,
  field,
  type FormBody,
  form,
  formCard,
  type FormState,
  givenBack,
  type PageFault,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import {
  asLink,
  badge,
  emptyState,
  facts,
  filterQuery,
  pagination,
  quietLink,
  secretBox,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'
import { adminAccounts as words, administration } from '#src/words/administrator_desk.ts'
import {
  adminSections,
  changes,
  claims,
  credentials,
  frame,
  owners,
  search,
  security,
} from '#src/words/english.ts'
import { list, number } from '#src/words/format.ts'
import type { Text, TextWording, Wording } from '#src/words/wording.ts'

/** One thing that an administrator can do to the account of somebody else. */
type AccountStep = {
  /** The last part of its address, and the word by which the next page says that it is done. */
  readonly word: string
  /** What its button says. */
  readonly name: Text
  /** What will happen, as it is told before. */
  readonly effect: Text
  /** What has happened, as it is told afterwards. */
  readonly done: Text
  readonly danger?: boolean
  /** Whether the identifier is typed again, because nothing brings the account back. */
  readonly demandsPpid?: boolean
  /** What the account must have before, as a sentence; undefined if nothing is missing. */
  readonly lacks?: (context: OrganizationContext, account: Account) => TextWording | undefined
  /** Whether the step can be done to the account as it stands, by somebody who may. */
  isOpen(context: OrganizationContext, by: Agent, account: Account): boolean
  /** What it asks for. */
  readonly asks?: readonly Field[]
  /** What it gives is shown once, to be handed on; faults of what it asks for are shown there. */
  carryOut(
    context: OrganizationContext,
    account: Account,
    by: Agent,
    body: FormBody,
  ): Promise<string | readonly PageFault[] | void>
}

/**
 * All of them. None is open to one's own account: a slip would shut out who could mend it, and so
 * the last administrator cannot go.
 */
const accountSteps: readonly AccountStep[] = [
  {
    word: 'end-sessions',
    name: words.endSessions,
    effect: words.endSessionsEffect,
    done: words.endSessionsDone,
    isOpen: ({ service }, by, account) =>
      mayDo(by, 'administer', account) && service.sessions.list(account.ppid).length > 0,
    carryOut: ({ service }, { ppid }, by) => service.accounts.endSessions(ppid, ownerOf(by)),
  },
  {
    word: 'end-second-step',
    name: words.endSecondStep,
    effect: words.endSecondStepEffect,
    done: words.endSecondStepDone,
    danger: true,
    isOpen: ({ service }, by, account) =>
      mayDo(by, 'administer', account) && service.secondFactors.find(account.ppid) !== undefined,
    async carryOut({ service }, account, by) {
      await endSecondStep(service, account, ownerOf(by))
    },
  },
  {
    word: 'mail-reset-link',
    name: words.mailReset,
    effect: words.mailResetEffect,
    done: words.mailResetDone,
    isOpen: ({ service }, by, account) =>
      service.mail.isOn && account.email !== null && mayDo(by, 'administer', account),
    carryOut({ service }, account) {
      service.mail.sendReset(account)
      return Promise.resolve()
    },
  },
  {
    word: 'reset-link',
    name: words.makeReset,
    effect: words.makeResetEffect,
    done: words.makeResetDone,
    danger: true,
    isOpen: (_context, by, account) => mayDo(by, 'administer', account),
    async carryOut({ service }, { ppid }, by) {
      return (await resetUrl(service, ppid, ownerOf(by))).url
    },
  },
  {
    word: 'change-address',
    name: words.changeAddress,
    effect: words.changeAddressEffect,
    done: words.changeAddressDone,
    danger: true,
    isOpen: (_context, by, account) => mayDo(by, 'administer', account),
    asks: [
      { name: 'email', label: credentials.newEmail, type: 'email', required: true, maxLength: 254 },
      {
        name: 'proof',
        label: words.proof,
        hint: words.proofHint,
        required: true,
        maxLength: 500,
      },
    ],
    async carryOut({ service }, account, by, body) {
      const because = textOf(body, 'proof').replaceAll(/\s+/g, ' ').trim().slice(0, 500)
      if (because === '') return [faultOf('proof', 'required', words.proofNeeded)]
      const { ppid } = account
      const hand = { by: ownerOf(by), because }
      const faults = await service.accounts.replaceEmail(ppid, textOf(body, 'email').trim(), hand)
      if (faults.length > 0) return faults.map(asPersonFault)
      service.mail.sendAddressChanged(account)
      const changed = service.accounts.find(ppid)
      if (!service.mail.isOn) return (await resetUrl(service, ppid, ownerOf(by))).url
      if (changed !== undefined) service.mail.sendReset(changed)
      return undefined
    },
  },
  {
    word: 'make-administrator',
    name: words.makeAdmin,
    effect: words.makeAdminEffect,
    done: words.makeAdminDone,
    danger: true,
    demandsPpid: true,
    lacks: ({ service }, { ppid, email_verified: isConfirmed }) => {
      if (!isConfirmed) return words.verifyFirst
      return service.secondFactors.find(ppid) === undefined ? words.secondStepFirst : undefined
    },
    isOpen: (_context, by, account) =>
      mayDo(by, 'administer', account) && !account.roles.includes('admin'),
    async carryOut({ service }, { ppid }, by) {
      await service.accounts.setAdmin(ppid, true, ownerOf(by))
    },
  },
  {
    word: 'end-administrator',
    name: words.endAdmin,
    effect: words.endAdminEffect,
    done: words.endAdminDone,
    danger: true,
    isOpen: (_context, by, account) =>
      mayDo(by, 'administer', account) && account.roles.includes('admin'),
    async carryOut({ service }, { ppid }, by) {
      await service.accounts.setAdmin(ppid, false, ownerOf(by))
    },
  },
  {
    word: 'remove',
    name: words.remove,
    effect: words.removeEffect,
    done: words.removeDone,
    danger: true,
    demandsPpid: true,
    isOpen: (_context, by, account) => mayDo(by, 'erase', account),
    carryOut: ({ service }, { ppid }) => service.accounts.remove(ppid),
  },
]

/**
 * The step that a word names. HttpError `not_found` if there is none, `conflict` if the account
 * does not stand so that it can be done.
 */
function demandStep(
  context: OrganizationContext,
  by: Agent,
  account: Account,
  word: string | undefined,
): AccountStep {
  const step = accountSteps.find((each) => each.word === word)
  if (step === undefined) throw new HttpError('not_found', 'There is no such page')
  if (step.isOpen(context, by, account)) return step
  throw new HttpError('conflict', 'This cannot be done to the account as it is now')
}

function mayDo(by: Agent, action: Action<'person'>, { ppid }: Account): boolean {
  return !isPerson(by, ppid) && may(by, 'person', action, { ppid })
}

/** The administrator as audit lists name them. */
function ownerOf({ type, id, name }: Agent): Owner {
  return { type, id, name }
}

const path = `${adminPath}/accounts`
const peopleOnPage = 50

const flashes: Flashes = Object.fromEntries(accountSteps.map(({ word, done }) => [word, done]))

/** Adds the pages on which administrators find accounts, and help or stop their people. */
export function addAdminAccountPages(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(path, accountsPage)
  fresh.post(`${path}/invite`, async (visit) => {
    const { url } = await invitationUrl(context.service)
    return context.pages.redirectWithSecret(visit, path, url)
  })
  member.get(`${path}/:ppid`, (visit) => accountPage(visit, namedAccount(visit)))
  fresh.get(`${path}/:ppid/:step`, (visit) => {
    const account = namedAccount(visit)
    const step = demandStep(context, visit.by, account, visit.parameters['step'])
    const state = givenBack(context.pages.takeForm(visit), emptyForm)
    return stepPage(visit, { account, step, state })
  })
  fresh.post(`${path}/:ppid/:step`, async (visit, body) => {
    const { by } = visit
    const account = namedAccount(visit)
    const step = demandStep(context, by, account, visit.parameters['step'])
    const lacking = step.lacks?.(context, account)
    if (lacking !== undefined) throw new PageError('conflict', lacking)
    if (step.demandsPpid === true && textOf(body, 'ppid').trim() !== account.ppid) {
      const fault = faultOf('ppid', 'wrong', words.ppidWrong)
      return stepPage(visit, { account, step, state: { values: body, faults: [fault] } })
    }
    const shown = await step.carryOut(context, account, by, body)
    if (typeof shown === 'object') {
      return stepPage(visit, { account, step, state: { values: body, faults: shown } })
    }
    const own = `${path}/${account.ppid}`
    if (typeof shown === 'string') return context.pages.redirectWithSecret(visit, own, shown)
    const isLeft = context.service.accounts.find(account.ppid) !== undefined
    return redirectDone(isLeft ? own : path, step.word)
  })
}

function namedAccount({ context: { service }, parameters }: AdminVisit): Account {
  const account = service.accounts.find(parameters['ppid'] ?? '')
  if (account !== undefined) return account
  throw new HttpError('not_found', 'There is no such account, or it was deleted')
}

/** The account that a text names: an address, an identifier, a username or an ORCID iD. */
function findAccount({ service, environments }: OrganizationContext, text: string) {
  const { people } = environments.live
  return (
    service.accounts.findByEmail(text) ??
    [text, people.findByUsername(text.replace(/^@/, '')), people.findByOrcid(text)]
      .map((ppid) => (ppid === undefined ? undefined : service.accounts.find(ppid)))
      .find((account) => account !== undefined)
  )
}

async function accountsPage(visit: AdminVisit): Promise<PageReply> {
  const { pages } = visit.context
  const asked = (visit.query.get('q') ?? '').trim().slice(0, 254)
  const found = asked === '' ? undefined : findAccount(visit.context, asked)
  if (found !== undefined) return { redirect: `${path}/${found.ppid}` }
  if (isLost(visit.context, asked)) return { redirect: lostAccountPath(asked) }
  const after = visit.query.get('after') ?? ''
  const { found: ppids, next: last } = await findPeople(visit.context, asked, after)
  const address = pages.prefix + path
  const invitation = pages.takeSecret(visit, path)
  return administrationPage(visit.context, '/accounts', {
    title: adminSections.accounts,
    flashes,
    content: html`${invitation === undefined ? nothing : invitationBox(invitation)}
${searchForm(address, asked)}
${
  asked === '' || ppids.length > 0
    ? nothing
    : emptyState(words.noneFound, words.noneFoundText({ typed: asked }))
}
${accountTable(visit.context, ppids)}
${pagination({
  path: address,
  parameter: 'after',
  next: last,
  isFirst: after === '',
  kept: filterQuery({ q: asked }),
})}
<h2>${words.invite}</h2>
<p>${words.inviteText}</p>
${form({ action: `${address}/invite`, csrf: visit.csrf, submit: words.inviteSubmit })}`,
  })
}

function invitationBox(invitation: string): Html {
  return secretBox(changes.subjectInvitation, invitation)
}

/** Accounts that are looked through for one page. */
const lookedThroughMax = 5_000

/** Accounts after a ppid that have a text in name, username or address: as many as fit a page. */
async function findPeople(
  { environments, service }: OrganizationContext,
  q: string,
  after: string,
) {
  const { people } = environments.live
  const text = foldText(q)
  const found: string[] = []
  let last = after
  for (let looked = 0; looked < lookedThroughMax; looked += peopleOnPage) {
    const ppids = await people.list({ after: last, limit: peopleOnPage })
    for (const ppid of ppids) {
      last = ppid
      const person = people.read(ppid)
      const profile = person?.type === 'person' ? person.profile : undefined
      const names = [profile?.name, profile?.username, service.accounts.find(ppid)?.email]
      if (!names.some((name) => foldText(name ?? '').includes(text))) continue
      if (found.push(ppid) === peopleOnPage) return { found, next: last }
    }
    if (ppids.length < peopleOnPage) return { found, next: undefined }
  }
  return { found, next: last }
}

function searchForm(action: string, asked: string): Html {
  return html`<form class="form" method="get" action="${action}" role="search">
<div class="field"><label for="account-search">${words.searchLabel}</label>
<input type="search" id="account-search" name="q" value="${asked}" maxlength="254"
spellcheck="false" autocapitalize="none"></div>
<div class="buttons"><button class="button" type="submit">${search.search}</button></div></form>`
}

function accountTable(context: OrganizationContext, ppids: readonly string[]): Html {
  const { live } = context.environments
  const { service, pages } = context
  const accounts = ppids.flatMap((ppid) => service.accounts.find(ppid) ?? [])
  if (accounts.length === 0) return nothing
  const personLink = ({ ppid }: Account) =>
    html`<a href="${pages.prefix}${path}/${ppid}"><bdi>${nameOf(live, ppid)}</bdi></a>
<code>${ppid}</code>`
  return table(words.table, accounts, [
    [words.person, personLink],
    [credentials.email, ({ email }) => email ?? administration.none],
    [words.rights, ({ roles }) => (roles.includes('admin') ? badge(words.administrator) : '')],
    [claims.since, ({ created_at }) => time(created_at)],
  ])
}

function nameOf({ people }: Pick<Environment, 'people'>, ppid: string): string {
  const person = people.read(ppid)
  return person?.type === 'person' ? person.profile.name : ppid
}

async function accountPage(visit: AdminVisit, account: Account): Promise<AccountPage> {
  const { service, environments, pages } = visit.context
  const { ppid, email, email_verified, password, roles, links, created_at } = account
  const all = pages.prefix + adminPath
  const base = `${pages.prefix}${path}/${ppid}`
  const { organizations } = environments.live
  const link = pages.takeSecret(visit, `${path}/${ppid}`)
  const memberships = await organizations.organizationsOf(ppid)
  const steps = accountSteps.filter((step) => step.isOpen(visit.context, visit.by, account))
  const buttons = steps.map(({ word, name }) => html`${quietLink(`${base}/${word}`, name)} `)
  return administrationPage(visit.context, '/accounts', {
    title: nameOf(environments.live, ppid),
    flashes,
    content: html`${link === undefined ? nothing : secretBox(words.resetLink, link)}
${facts([
  [owners.identifier, html`<code>${ppid}</code>`],
  [credentials.email, emailText(email, email_verified)],
  [
    words.signsInWith,
    list([...(password === null ? [] : [security.method_password]), ...links.map(issuer)], 'unit'),
  ],
  [security.secondStep, secondStepText(service.secondFactors.find(ppid))],
  [security.browsers, number(service.sessions.list(ppid).length)],
  [words.rights, roles.includes('admin') ? badge(words.administrator) : words.noRights],
  [
    frame.organizations,
    memberships.length === 0 ? administration.none : organizationLinks(visit.context, memberships),
  ],
  [claims.since, time(created_at)],
])}
${steps.length === 0 ? ownNote(pages.prefix) : html`<div class="buttons">${buttons}</div>`}
<div class="buttons">${quietLink(`${all}/keys?owner=person:${ppid}`, words.itsKeys)}
${quietLink(`${all}/audit?subject=${ppid}`, words.itsAudit)}</div>`,
  })
}

function emailText(email: string | null, isVerified: boolean): Wording {
  if (email === null) return administration.none
  return html`${email} ${isVerified ? nothing : badge(security.notVerified, 'waiting')}`
}

function secondStepText(found: SecondFactorState | undefined): Text {
  if (found === undefined) return administration.none
  const { totpSince, passkeys } = found
  const parts = [
    ...(totpSince === undefined ? [] : [security.method_totp]),
    ...(passkeys.length === 0 ? [] : [words.passkeys({ count: passkeys.length })]),
  ]
  return list(parts, 'unit')
}

function issuer({ iss }: Account['links'][number]): Text {
  return words.accountAt({ issuer: iss })
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
  const link = asLink(`${prefix}/account/security`)
  return html`<p>${words.own({ link })}</p>`
}

function stepPage(
  { context, csrf }: AdminVisit,
  asked: { readonly account: Account; readonly step: AccountStep; readonly state: FormState },
): Promise<AccountPage> {
  const { account, step, state } = asked
  const { ppid } = account
  const base = `${context.pages.prefix}${path}/${ppid}`
  const proof = field(
    {
      name: 'ppid',
      label: words.ppid,
      hint: words.ppidHint({ ppid }),
      required: true,
    },
    state,
  )
  const name = nameOf(context.environments.live, ppid)
  const title = words.stepTitle({ step: step.name, name })
  const lacking = step.lacks?.(context, account)
  if (lacking !== undefined) {
    return administrationPage(context, '/accounts', {
      title,
      content: html`<p>${lacking}</p><p><a href="${base}">${words.back}</a></p>`,
    })
  }
  return administrationPage(context, '/accounts', {
    title,
    state,
    content: formCard({
      action: `${base}/${step.word}`,
      csrf,
      fields: html`<p>${step.effect}</p>${(step.asks ?? []).map((each) => field(each, state))}${
        step.demandsPpid === true ? proof : nothing
      }`,
      submit: step.name,
      beside: html`<a href="${base}">${claims.leave}</a>`,
      danger: step.danger === true,
    }),
  })
}

const lostPath = `${adminPath}/people/:ppid/account`

/** Where a person who has lost their account is given a new one. */
function lostAccountPath(ppid: string): string {
  return lostPath.replace(':ppid', ppid)
}

/** Adds the page on which somebody whose account a restored copy does not have gets another one. */
export function addLostAccountPage(context: OrganizationContext): void {
  const { fresh } = adminRoutes(context)
  const { accounts } = context.service
  fresh.get(lostPath, (visit) => {
    const ppid = demandLost(visit)
    return lostAccountPage(visit, ppid, givenBack(context.pages.takeForm(visit), emptyForm))
  })
  fresh.post(lostPath, async (visit, body) => {
    const ppid = demandLost(visit)
    const account = await accounts.adopt(ppid, textOf(body, 'email').trim())
    if (account === undefined) {
      const faults = [faultOf('email', 'refused', words.lostFault)]
      return lostAccountPage(visit, ppid, { values: body, faults })
    }
    const { url } = await resetUrl(context.service, ppid, ownerOf(visit.by))
    const own = `${path}/${ppid}`
    return context.pages.redirectWithSecret(visit, own, url)
  })
}

/** Whether a text is the identifier of a person without an account. */
function isLost({ service, environments }: OrganizationContext, text: string): boolean {
  const isThere = environments.live.people.read(text)?.type === 'person'
  return isThere && service.accounts.find(text) === undefined
}

function demandLost(visit: AdminVisit): string {
  const { by } = visit
  const ppid = visit.parameters['ppid'] ?? ''
  if (isLost(visit.context, ppid) && may(by, 'person', 'administer', { ppid })) return ppid
  throw new HttpError('not_found', 'There is no such person, or they have an account')
}

function lostAccountPage(
  { context, csrf }: AdminVisit,
  ppid: string,
  state: FormState,
): Promise<AccountPage> {
  const { prefix } = context.pages
  const person = context.environments.live.people.read(ppid)
  const name = person?.type === 'person' ? person.profile.name : ppid
  const email = field(
    {
      name: 'email',
      label: credentials.email,
      type: 'email',
      required: true,
      maxLength: 254,
      hint: words.lostHint,
    },
    state,
  )
  return administrationPage(context, '/accounts', {
    title: words.lostTitle({ name }),
    state,
    lead: words.lostLead,
    content: formCard({
      action: prefix + lostAccountPath(ppid),
      csrf,
      fields: html`<p>${words.lostText({ ppid: html`<code>${ppid}</code>` })}</p>
${email}`,
      submit: words.lostSubmit,
      beside: html`<a href="${prefix}${path}">${claims.leave}</a>`,
      danger: true,
    }),
  })
}
