import { may } from '#actors/values/authority.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { writingOrganization } from '#src/identity/oauth/application_record.ts'
import type { GrantInfo } from '#src/identity/oauth/grants.ts'
import { findOAuthScope, type OAuthScope } from '#src/identity/oauth/oauth_scopes.ts'
import { type AccountContext, type AccountVisit, pageAgent } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { checkbox, form, formCard } from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { addKeyPages, keyName, type KeyRight, scopeList } from '#src/pages/kit/key_pages.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { accessPath, home } from '#src/pages/kit/page_address.ts'
import { redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { asLink, badge, emptyState, facts, quietLink, time } from '#src/pages/kit/parts.ts'
import { scopeWords } from '#src/pages/sign_in/interaction_pages.ts'
import { keys as keyWords, permissions as words, security } from '#src/words/english.ts'
import { dateTime, joined } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import type { Realm } from '#src/use_cases/registry_edge.ts'
import { findOwnTestPerson, ownTestPerson } from '#src/use_cases/test_people.ts'

const path = '/account/applications'

const flashes: Flashes = {
  revoked: words.ended,
}

/** Adds the page of the permissions that a person has given to applications and may revoke. */
export function addPermissionPages(context: AccountContext): void {
  const { member } = routesIn(context)
  member.get(path, permissionsPage)
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

function permissionsPage(visit: AccountVisit): AccountPage {
  const grants = visit.context.grants.list(visit.account.ppid)
  return {
    title: words.title,
    current: path,
    flashes,
    lead: words.lead,
    content:
      grants.length === 0
        ? emptyState(words.none, words.noneText)
        : grants.map((grant) => grantCard(visit, grant)),
  }
}

function grantCard({ context, csrf }: AccountVisit, grant: GrantInfo): Html {
  const { applications, environment, pages } = context
  const application = applications.find(grant.client_id)
  const slug = application === undefined ? null : writingOrganization(application)
  const organization = slug === null ? undefined : environment.organizations.read(slug)?.name
  const scopes = grant.scopes.flatMap((name) => findOAuthScope(name) ?? [])
  const { last_used: used } = grant
  const action = `${pages.prefix}${path}/${grant.id}/revoke`
  const name = application?.name ?? grant.client_id
  const submit = words.end
  return html`<section class="card"><h2>${name}</h2>
${application?.state === 'unverified' ? badge(words.notVerified, 'waiting') : ''}
${facts([
  [words.writesAs, organization ?? words.you],
  [words.canRead, meanings(scopes, 'read')],
  [words.canWrite, meanings(scopes, 'write')],
  [words.permitted, time(grant.granted_at)],
  [words.expires, time(grant.expires_at)],
  [words.lastUsed, used === null ? words.never : usedFrom(used)],
])}
${form({ action, csrf, submit, danger: true })}
</section>`
}

function usedFrom({ at, network }: NonNullable<GrantInfo['last_used']>): Text {
  return words.usedFrom({ time: time(at), network })
}

function meanings(scopes: readonly OAuthScope[], access: OAuthScope['access']): Html {
  const some = scopes.filter((scope) => scope.access === access)
  if (some.length === 0) return html`${words.nothing}`
  const items = some.map(({ name, meaning }) => html`<li>${scopeWords[name] ?? meaning}</li>`)
  return html`<ul>${items}</ul>`
}

const accessFlashes: Flashes = {
  ended: words.selectedEnded,
  stranger: security.othersDone,
}

/** Something that acts for a person, or signs them in, until it is ended. */
type Access = {
  /** The name of its box. */
  readonly name: string
  readonly label: Text
  readonly hint: Text
  end(): Promise<unknown>
}

/**
 * Adds the page that people see after a reset of their password: somebody who knew the old one may
 * have left other ways in.
 */
export function addAccessPages(context: AccountContext): void {
  const { fresh } = routesIn(context)
  fresh.get(accessPath, async (visit) => {
    const all = await accessOf(context, visit.account)
    const isAsked = visit.query.get('done') === 'reset'
    return all.length === 0 && isAsked ? { redirect: home } : accessPage(visit, all)
  })
  fresh.post(accessPath, async ({ account }, body) => {
    for (const access of await accessOf(context, account)) {
      if (body.has(access.name)) await access.end()
    }
    return redirectDone(accessPath, 'ended')
  })
}

async function accessOf(
  context: AccountContext,
  { ppid, links }: Account,
): Promise<readonly Access[]> {
  const { keys, grants, applications, shownApplications, service, environment } = context
  const by = pageAgent(ppid)
  const nameOf = (slug: string) => environment.organizations.read(slug)?.name ?? slug
  const live = keys.listOfMaker(ppid).filter(({ state, expires_at, rotate_until }) => {
    return state !== 'revoked' && context.nowMs() < Date.parse(rotate_until ?? expires_at)
  })
  const lists = shownApplications.map(async (some) => {
    const list = await some.listOfSecret(ppid)
    return list.map((application) => ({ some, application }))
  })
  const held = (await Promise.all(lists)).flat()
  return [
    ...live.map((key) => ({
      name: `key:${key.id}`,
      label: words.apiKey({ name: keyName(key) }),
      hint:
        key.owner.type === 'organization'
          ? words.keyFor({ organization: nameOf(key.owner.id) })
          : `${key.shown}…`,
      end: () => keys.revoke(key.id, by),
    })),
    ...grants.list(ppid).map(({ id, client_id, scopes }) => ({
      name: `grant:${id}`,
      label: words.permissionOf({ name: applications.find(client_id)?.name ?? client_id }),
      hint: joined(
        scopes.map((name) => scopeWords[name] ?? name),
        '; ',
      ),
      end: () => grants.end(id, by),
    })),
    ...held.map(({ some, application: { client_id, name, organization } }) => ({
      name: `application:${client_id}`,
      label: words.secretOf({ name }),
      hint:
        organization === null
          ? words.secretSeen
          : words.secretSeenAs({ organization: nameOf(organization) }),
      end: () => some.endSecret(client_id, by),
    })),
    ...service.passkeys.list(ppid).map(({ id, name, created_at }) => ({
      name: `passkey:${id}`,
      label: words.passkey({ name }),
      hint: words.passkeyHint({ date: dateTime(created_at, 'day') }),
      end: () => service.passkeys.remove(ppid, id),
    })),
    ...links.map((link) => ({
      name: `link:${link.iss} ${link.sub}`,
      label: words.signsIn({ name: link.iss }),
      hint: link.sub,
      end: () => service.accounts.unlink(ppid, link),
    })),
  ]
}

function accessPage(visit: AccountVisit, all: readonly Access[]): AccountPage {
  const { prefix } = visit.context.pages
  const lead = html`<p class="lead">${words.accessLead}</p>`
  const none = emptyState(
    words.accessNone,
    words.accessNoneText,
    quietLink(prefix + home, words.toProfile),
  )
  return {
    title: security.access,
    current: accessPath,
    flashes: accessFlashes,
    content: all.length === 0 ? none : [lead, accessForm(visit, all)],
  }
}

function accessForm({ context: { pages }, csrf }: AccountVisit, all: readonly Access[]): Html {
  const boxes = all.map(({ name, label, hint }) => checkbox({ name, label, hint, checked: true }))
  const action = pages.prefix + accessPath
  const keep = html`<a href="${pages.prefix}${home}">${words.keepAll}</a>`
  const fields = html`<fieldset><legend>${words.whatEnds}</legend>${boxes}</fieldset>`
  const submit = words.endSelected
  const ending = formCard({ action, csrf, fields, submit, beside: keep, danger: true })
  return ending
}

const keysPath = '/account/keys'

/** What a key of a person can be given, in words; the last is not mixed with the first two. */
const rights = [
  { scope: 'mint', label: keyWords.mint, hint: keyWords.mintHint },
  { scope: 'update', label: keyWords.update },
  { scope: 'people:read', label: keyWords.accountRead, hint: keyWords.accountReadHint },
  { scope: 'people:write', label: keyWords.accountWrite, hint: keyWords.accountWriteHint },
] as const satisfies readonly KeyRight[]

const presets = [
  { id: 'deposit', name: keyWords.depositOnly, scopes: ['mint'] },
  { id: 'correct', name: keyWords.depositAndCorrect, scopes: ['mint', 'update'] },
  { id: 'read', name: keyWords.readAccount, scopes: ['people:read'] },
] as const

/** Adds the pages of a person's keys. */
export function addAccountKeyPages(context: AccountContext): void {
  addKeyPages(context, {
    route: keysPath,
    enter: (visit) => {
      const { ppid } = visit.account
      const by = pageAgent(ppid)
      const noSuchKey = 'You have no such key'
      const mayManage = may(by, 'person', 'manage keys', { ppid })
      if (!mayManage) throw new HttpError('forbidden', 'Only you manage your keys')
      return {
        visit,
        owner: { type: 'person', id: ppid, name: ppid },
        by,
        mayManage,
        path: keysPath,
        noSuchKey,
        show: (page) => ({ ...page, current: keysPath }),
      }
    },
    rights,
    presets,
    environment: context.environment.name,
    ...(context.environment.name === 'live' && { sandboxPath }),
    notMixed: keyWords.notMixed,
    lead: keyWords.lead,
    emptyText: keyWords.noneText,
    nameHint: keyWords.nameHint,
    permissionsOf: ({ scopes }) => scopeList(rights, scopes),
  })
}

/** The page of the keys with which a person tries programs out. */
const sandboxPath = '/account/sandbox'

/** What such a key can be given; it never adds and changes a profile at once. */
const sandboxRights = [
  { scope: 'mint', label: keyWords.mint },
  { scope: 'update', label: keyWords.update },
  { scope: 'works:read', label: keyWords.worksRead },
  { scope: 'receipts:read', label: keyWords.receiptsRead },
  { scope: 'people:read', label: keyWords.accountRead },
  { scope: 'search:read', label: keyWords.searchRead },
] as const satisfies readonly KeyRight[]

const sandboxPresets = [
  { id: 'try', name: keyWords.tryAll, scopes: sandboxRights.map(({ scope }) => scope) },
  { id: 'deposit', name: keyWords.depositOnly, scopes: ['mint'] },
  {
    id: 'read',
    name: keyWords.readAndSearch,
    scopes: ['works:read', 'receipts:read', 'search:read'],
  },
]

/** Adds the pages of a person's keys in the sandbox, where a test person stands for them. */
export function addSandboxPages(context: AccountContext, sandbox: Realm): void {
  const { pages, baseUrl } = context
  addKeyPages(
    { ...context, keys: sandbox.keys },
    {
      route: sandboxPath,
      prepare: async ({ account }) => {
        await ownTestPerson(sandbox, pageAgent(account.ppid))
      },
      enter: (visit) => {
        const by = pageAgent(visit.account.ppid)
        return {
          visit,
          // Nobody has the key of who is not there yet.
          owner: findOwnTestPerson(sandbox, by.id) ?? personOwner('nobody'),
          by,
          mayManage: true,
          path: sandboxPath,
          noSuchKey: 'You have no such key in the sandbox',
          show: (page) => ({ ...page, current: '/account/keys' }),
        }
      },
      rights: sandboxRights,
      presets: sandboxPresets,
      presetAtFirst: 'try',
      environment: 'sandbox',
      livePath: '/account/keys',
      lead: keyWords.sandboxLead({
        start: asLink(`${baseUrl}/docs/quick-start`),
        organizations: asLink(`${pages.prefix}/organizations`),
      }),
      emptyText: keyWords.noneSandbox,
      nameHint: keyWords.nameHint,
      permissionsOf: ({ scopes }) => scopeList(sandboxRights, scopes),
    },
  )
}
