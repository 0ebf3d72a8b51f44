import type { EnvironmentName } from '#actors/registry/environment.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Application } from '#src/identity/oauth/application_record.ts'
import type { OAuthService } from '#src/identity/oauth/oauth.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { form, formCard } from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'
import {
  emptyState,
  environmentNames,
  facts,
  filterQuery,
  listAfter,
  listFilter,
  pagination,
  quietLink,
  secretBox,
  table,
  textFilter,
  time,
} from '#src/pages/kit/parts.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import { ownerLink } from '#src/pages/administration/key_pages.ts'
import { applicationBadge, applicationFacts } from '#src/pages/organization/application_pages.ts'
import { type OrganizationContext, organizationsPath } from '#src/pages/organization/context.ts'
import { adminApplications as words, administration } from '#src/words/administrator_desk.ts'
import { claims, consent, frame, organizations, permissions, standing } from '#src/words/english.ts'
import { number } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'

const path = `${adminPath}/applications`
const applicationsOnPage = 50

const environments = ['live', 'sandbox'] as const

const flashes: Flashes = {
  verified: words.verifiedDone,
  ended: words.endedDone,
}

const states = [
  ['', standing.all],
  ['unverified', words.unverified],
  ['approved', words.verified],
  ['revoked', words.ended],
] as const

type Found = {
  readonly application: Application
  readonly oauth: Pick<OAuthService, 'applications' | 'grants'>
  readonly environment: EnvironmentName
}

/** Adds the pages on which administrators find applications, verify them and end them. */
export function addAdminApplicationPages(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(path, listPage)
  member.get(`${path}/:client_id`, applicationPage)
  fresh.get(`${path}/:client_id/revoke`, endPage)
  for (const [word, change] of [
    ['verified', 'approve'],
    ['ended', 'revoke'],
  ] as const) {
    fresh.post(`${path}/:client_id/${change}`, async (visit) => {
      const { by } = visit
      const { application, oauth } = findApplication(visit)
      const answer = await oauth.applications[change](application.client_id, by)
      if (answer.type === 'done') return redirectDone(`${path}/${application.client_id}`, word)
      throw new HttpError('conflict', 'The application was ended before, for good')
    })
  }
  fresh.post(`${path}/:client_id/secret`, async (visit) => {
    const { by } = visit
    const { application, oauth } = findApplication(visit)
    const { client_id } = application
    const answer = await oauth.applications.rotateSecret(client_id, by)
    if (answer.type === 'done') {
      return context.pages.redirectWithSecret(visit, `${path}/${client_id}`, answer.secret ?? '')
    }
    throw new HttpError('conflict', 'This application has no secret that could be replaced')
  })
}

async function allApplications({ realms }: OrganizationContext): Promise<readonly Found[]> {
  const lists = environments.map(async (environment) => {
    const { oauth } = realms[environment]
    const applications = await oauth.applications.list()
    return applications.map((application) => ({ application, oauth, environment }))
  })
  return (await Promise.all(lists)).flat()
}

function findApplication({ context: { realms }, parameters }: AdminVisit): Found {
  for (const environment of environments) {
    const { oauth } = realms[environment]
    const application = oauth.applications.find(parameters['client_id'] ?? '')
    if (application !== undefined) return { application, oauth, environment }
  }
  throw new HttpError('not_found', 'There is no such application')
}

async function listPage({ context, query }: AdminVisit): Promise<AccountPage> {
  const base = context.pages.prefix + path
  const asked = (query.get('q') ?? '').trim().slice(0, 200)
  const sought = asked.toLowerCase()
  const state = states.find(([value]) => value === query.get('state'))?.[0] ?? ''
  const all = await allApplications(context)
  const found = all
    .filter(({ application }) => {
      const { name, client_id, organization, owner } = application
      const texts = [name, client_id, organization ?? '', owner.id]
      return (
        (state === '' || application.state === state) &&
        texts.some((text) => text.toLowerCase().includes(sought))
      )
    })
    .toReversed()
    // What waits for an administrator stands first.
    .toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)))
  const { shown, ...rest } = listAfter(found, {
    after: query.get('after') ?? '',
    max: applicationsOnPage,
    idOf: ({ application }) => application.client_id,
  })
  const kept = filterQuery({ q: asked, state })
  return administrationPage(context, '/applications', {
    title: frame.applications,
    flashes,
    lead: words.lead,
    content: html`${listFilter(base, frame.applications, [
      textFilter('q', words.filter, asked),
      { name: 'state', label: claims.status, value: state, options: states },
    ])}
${shown.length === 0 ? noneFound() : applicationTable(context, shown)}
${pagination({ path: base, parameter: 'after', ...rest, kept })}`,
  })
}

function isWaiting({ application }: Found): boolean {
  return application.state === 'unverified'
}

function noneFound(): Html {
  return emptyState(words.none, words.noneText)
}

function applicationTable(context: OrganizationContext, shown: readonly Found[]): Html {
  const nameLink = ({ application: { client_id, name } }: Found) =>
    html`<a href="${context.pages.prefix}${path}/${client_id}"><bdi>${name}</bdi></a>
<code>${client_id}</code>`
  const list = table(frame.applications, shown, [
    [consent.application, nameLink],
    [administration.owner, (found) => holderLink(context, found)],
    [words.environment, ({ environment }) => environmentNames[environment]],
    [claims.status, ({ application }) => applicationBadge(application)],
    [words.registered, ({ application }) => time(application.created_at)],
  ])
  return html`<div class="admin-table">${list}</div>`
}

function holderLink(
  context: OrganizationContext,
  { application: { organization, owner }, environment }: Omit<Found, 'oauth'>,
): Html {
  const holder =
    organization === null ? owner : ({ type: 'organization', id: organization } as const)
  return ownerLink(context, holder, environment)
}

async function applicationPage(visit: AdminVisit): Promise<AccountPage> {
  const { application, oauth, environment } = findApplication(visit)
  const { client_id, name, state, kind, organization } = application
  const { prefix } = visit.context.pages
  const base = `${prefix}${path}/${client_id}`
  const secret = visit.context.pages.takeSecret(visit, `${path}/${client_id}`)
  const { people, isExact, lastUsed } = await oauth.grants.useOf(client_id)
  const push = (step: 'approve' | 'secret', submit: Text) =>
    form({ action: `${base}/${step}`, csrf: visit.csrf, submit, inline: true })
  const own = `${prefix}${organizationsPath}/${organization}/applications/${client_id}`
  const buttons =
    state === 'revoked'
      ? nothing
      : html`<div class="buttons">
${state === 'unverified' ? push('approve', words.verify) : nothing}
${kind === 'confidential' ? push('secret', words.rollSecret) : nothing}
${organization === null ? nothing : quietLink(own, words.edit)}
${quietLink(`${base}/revoke`, words.end)}</div>`
  return administrationPage(visit.context, '/applications', {
    title: name,
    flashes,
    content: html`${secret === undefined ? nothing : secretBox(words.secret, secret)}
<p>${applicationBadge(application)}</p>
${facts([
  [permissions.writesAs, organization ?? words.asPerson],
  [administration.owner, holderLink(visit.context, { application, environment })],
  [organizations.homePage, application.homepage],
  [consent.contact, application.contact],
  [words.people, isExact ? number(people) : administration.orMore({ count: people })],
  [permissions.lastUsed, lastUsed === null ? permissions.never : time(lastUsed)],
])}
${applicationFacts(application, environment === 'sandbox')}
${buttons}
<div class="buttons">${quietLink(prefix + path, words.all)}</div>`,
  })
}

function endPage(visit: AdminVisit): Promise<AccountPage> {
  const { application } = findApplication(visit)
  const base = `${visit.context.pages.prefix}${path}/${application.client_id}`
  return administrationPage(visit.context, '/applications', {
    title: words.endTitle,
    lead: application.name,
    content: formCard({
      action: `${base}/revoke`,
      csrf: visit.csrf,
      fields: html`<p>${words.endText}</p>`,
      submit: words.endSubmit,
      beside: html`<a href="${base}">${words.keep}</a>`,
      danger: true,
    }),
  })
}
