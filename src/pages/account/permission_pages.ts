import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { may } from '#actors/values/authority.ts'
import { HttpError } from '#src/errors.ts'
import { writingOrganization } from '#src/identity/oauth/application_record.ts'
import type { GrantInfo } from '#src/identity/oauth/grants.ts'
import { findOAuthScope, type OAuthScope } from '#src/identity/oauth/oauth_scopes.ts'
import { type AccountContext, pageAgent } from '#src/pages/account/context.ts'
import { form } from '#src/pages/kit/form_field.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'
import { badge, emptyState, facts, time } from '#src/pages/kit/parts.ts'

const path = '/account/applications'

const flashes: Flashes = {
  revoked: 'The permission is taken back: the application can do nothing for you any more.',
}

/** Adds the page of the permissions that a person has given to applications and may revoke. */
export function addPermissionPages(context: AccountContext): void {
  const { member } = context.pages
  member.get(path, (visit) => permissionsPage(context, visit))
  member.post(`${path}/:grant_id/revoke`, async ({ account, parameters }) => {
    const by = pageAgent(account.ppid)
    const grant = context.grants.find(parameters['grant_id'] ?? '')
    const isTheirs = grant !== undefined && may(by, 'person', 'end permission', grant)
    if (!isTheirs) throw notPermitted()
    await context.grants.end(grant.id, by)
    return redirectDone(path, 'revoked')
  })
}

function notPermitted(): HttpError {
  return new HttpError('not_found', 'You have not permitted this, or not any more')
}

function permissionsPage(context: AccountContext, visit: MemberVisit): AccountPage {
  const grants = context.grants.list(visit.account.ppid)
  return {
    title: 'Connected applications',
    current: path,
    flashes,
    lead: html`Who may read and write for you. What they have written stays when you take a
permission back; you can undo it on the page Changes.`,
    content:
      grants.length === 0 ? nothingYet() : grants.map((grant) => grantCard(context, visit, grant)),
  }
}

function nothingYet(): Html {
  return emptyState(
    'No application is connected',
    'When a publisher or your institution asks to read or write for you, you are asked here ' +
      'first, and see it on this page from then on.',
  )
}

function grantCard(context: AccountContext, { csrf }: MemberVisit, grant: GrantInfo): Html {
  const { applications, environment, pages } = context
  const application = applications.find(grant.client_id)
  const slug = application === undefined ? null : writingOrganization(application)
  const organization = slug === null ? undefined : environment.organizations.read(slug)?.name
  const scopes = grant.scopes.flatMap((name) => findOAuthScope(name) ?? [])
  const { last_used: used } = grant
  const action = `${pages.prefix}${path}/${grant.id}/revoke`
  const name = application?.name ?? grant.client_id
  const submit = 'Take the permission back'
  return html`<section class="card"><h2>${name}</h2>
${application?.state === 'unverified' ? badge('not verified', 'waiting') : ''}
${facts([
  ['Writes as', organization ?? 'you'],
  ['May read', meanings(scopes, 'read')],
  ['May write', meanings(scopes, 'write')],
  ['Permitted', time(grant.granted_at)],
  ['Ends', time(grant.expires_at)],
  ['Last used', used === null ? 'never' : html`${time(used.at)} from ${used.network}`],
])}
${form({ action, csrf, submit, danger: true })}
</section>`
}

function meanings(scopes: readonly OAuthScope[], access: OAuthScope['access']): Html {
  const some = scopes.filter((scope) => scope.access === access)
  if (some.length === 0) return html`nothing`
  return html`<ul>${some.map(({ meaning }) => html`<li>${meaning}</li>`)}</ul>`
}
