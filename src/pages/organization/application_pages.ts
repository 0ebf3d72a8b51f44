import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type Application, checkNewApplication } from '#src/identity/oauth/application_record.ts'
import type { Applications, NewSecret } from '#src/identity/oauth/applications.ts'
import type { ApplicationUse, Grants } from '#src/identity/oauth/grants.ts'
import { oauthScopes } from '#src/identity/oauth/oauth_scopes.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { copyScript } from '#src/pages/kit/assets.ts'
import {
  checkbox,
  emptyForm,
  field,
  fieldList,
  form,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
  hiddenField,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import {
  badge,
  buttonLink,
  card,
  emptyState,
  environmentNames,
  environmentOf,
  environmentSwitch,
  facts,
  quietLink,
  secretBox,
  snippet,
  time,
} from '#src/pages/kit/parts.ts'
import {
  askersName,
  hrefIn,
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/pages/organization/context.ts'
import { addKeyPages, scopeList } from '#src/pages/kit/key_pages.ts'
import { scopeWords } from '#src/pages/sign_in/interaction_pages.ts'
import { desk, frame, keys as keyWords } from '#src/words/english.ts'
import { joined, number } from '#src/words/format.ts'
import { ownApplications as words } from '#src/words/publisher_desk.ts'
import type { Text, Wording } from '#src/words/wording.ts'

/** Checks what a form asks for; `kind` is that of the application, which never changes. */
function checkApplicationForm(
  { organization }: OrganizationVisit,
  body: FormBody,
  kind: Application['kind'],
) {
  const { slug, name } = organization
  const optional = (member: 'homepage' | 'contact') => {
    const text = textOf(body, member).trim()
    return text === '' ? {} : { [member]: text }
  }
  const lines = (member: 'redirect_uris' | 'post_logout_redirect_uris') =>
    textOf(body, member)
      .split(/\s+/)
      .filter((uri) => uri !== '')
  const application = {
    name: textOf(body, 'name'),
    redirect_uris: lines('redirect_uris'),
    post_logout_redirect_uris: lines('post_logout_redirect_uris'),
    kind,
    scopes: oauthScopes.map((scope) => scope.name).filter((scope) => body.has(scope)),
    organization: slug,
    ...optional('homepage'),
    ...optional('contact'),
  } as const
  // It stays the organization's when its maker leaves, and is in the organization's audit list.
  return checkNewApplication(application, { type: 'organization', id: slug, name })
}

function asApplicationFault(fault: FieldFault): FieldFault {
  return fault.field === 'scopes' ? { ...fault, field: oauthScopes[0]?.name ?? '' } : fault
}

/** The form as it stands before anybody changes an application. */
function stateOf(application: Application): FormState {
  const { name, redirect_uris, post_logout_redirect_uris: afterLogout = [] } = application
  const values = new Map([
    ['name', name],
    ['redirect_uris', redirect_uris.join('\n')],
    ['post_logout_redirect_uris', afterLogout.join('\n')],
    ['homepage', application.homepage ?? ''],
    ['contact', application.contact ?? ''],
    ...application.scopes.map((scope) => [scope, 'on'] as const),
  ])
  return { values, faults: [] }
}

/** The fields of an application; `choices` stand after its name. */
function applicationFields(state: FormState, choices: Html | string = ''): readonly Html[] {
  const boxes = oauthScopes.map(({ name, meaning }) =>
    checkbox({ name, label: scopeWords[name] ?? meaning, hint: html`<code>${name}</code>` }, state),
  )
  return [
    field({ name: 'name', label: words.name, required: true, hint: words.nameHint }, state),
    html`${choices}`,
    fieldList(state, [
      {
        name: 'redirect_uris',
        label: words.redirectUris,
        type: 'textarea',
        required: true,
        hint: words.redirectHint,
      },
      {
        name: 'post_logout_redirect_uris',
        label: words.logoutUris,
        type: 'textarea',
        hint: words.logoutHint,
      },
    ]),
    html`<fieldset><legend>${words.scopes}</legend>${boxes}</fieldset>`,
    fieldList(state, [
      { name: 'homepage', label: words.homepage, type: 'url' },
      { name: 'contact', label: words.contact, type: 'email' },
    ]),
  ]
}

type ShownApplication = {
  readonly application: Application
  readonly isTest: boolean
  /** The secret, where the page shows it now. */
  readonly secret: string | undefined
  readonly use: ApplicationUse
  readonly state: FormState
  readonly csrf: string
  /** The full path of the page, and of the list. */
  readonly path: string
  readonly list: string
  /** The full path of the webhooks of its organization. */
  readonly webhooks: string
  readonly baseUrl: string
}

const stateBadges = {
  unverified: [words.unverified, 'waiting'],
  approved: [words.approved, 'good'],
  revoked: [words.revoked, 'plain'],
} as const

/** The state of an application in a word. */
export function applicationBadge({ state }: Application): Html {
  const [word, look] = stateBadges[state]
  return badge(word, look)
}

/** What is told of an application wherever it is shown. */
export function applicationFacts(application: Application, isTest: boolean): Html {
  const { client_id, kind, redirect_uris, scopes, created_at } = application
  const { post_logout_redirect_uris: afterLogout = redirect_uris } = application
  const listOf = (uris: readonly string[]) =>
    html`<ul>${uris.map((uri) => html`<li><code>${uri}</code></li>`)}</ul>`
  return facts([
    [words.clientId, html`<code>${client_id}</code>`],
    [frame.registry, environmentNames[isTest ? 'sandbox' : 'live']],
    [words.secret, kind === 'confidential' ? words.hasSecret : words.noSecret],
    [words.redirectUris, listOf(redirect_uris)],
    [words.logoutUris, listOf(afterLogout)],
    [
      words.scopes,
      joined(
        scopes.map((name) => scopeWords[name] ?? name),
        '; ',
      ),
    ],
    [words.registered, time(created_at)],
  ])
}

function applicationContent(shown: ShownApplication): Pick<AccountPage, 'content' | 'scripts'> {
  const { application, isTest, secret, list } = shown
  const isOver = application.state === 'revoked'
  return {
    scripts: [copyScript],
    content: html`${secret === undefined ? '' : secretBox(words.clientSecret, secret)}
<p>${applicationBadge(application)}</p>
${applicationFacts(application, isTest)}
${secret === undefined ? '' : variables(shown, secret)}
${useCard(shown)}
${isOver ? '' : webhooksCard(shown)}
${isOver ? '' : changeCard(shown)}
<div class="buttons">${buttonLink(list, words.all)}
${isOver ? '' : quietLink(`${shown.path}/revoke`, words.endLink)}</div>`,
  }
}

function variables({ application, baseUrl }: ShownApplication, secret: string): Html {
  const { client_id, redirect_uris } = application
  const lines = [
    `BASE_URL=${baseUrl}`,
    `CLIENT_ID=${client_id}`,
    `CLIENT_SECRET=${secret}`,
    `REDIRECT=${redirect_uris[0] ?? ''}`,
  ]
  const link = (text: Wording) => html`<a href="${baseUrl}/docs/oauth#ask">${text}</a>`
  return html`<h2>${words.tryIt}</h2><p>${words.tryText({ link })}</p>
${snippet(words.variables, lines.join('\n'))}`
}

function useCard({ use, application, csrf, path }: ShownApplication): Html {
  const { people, isExact, usedRecently, lastUsed, scopes } = use
  const amount = (count: number): Text => {
    return isExact ? number(count) : words.andMore({ count: number(count) })
  }
  const lines = [...scopes].map(([name, count]) => {
    const meaning = scopeWords[name] ?? name
    return html`<li>${words.permittedTo({ meaning, count: amount(count) })}</li>`
  })
  const isOver = application.state === 'revoked'
  const end = form({
    action: `${path}/permissions/end`,
    csrf,
    fields: html`<p>${words.endAllText}</p>`,
    submit: words.endAll,
    danger: true,
  })
  const secret = form({
    action: `${path}/secret`,
    csrf,
    submit: words.roll,
    inline: true,
  })
  const hasSecret = application.kind === 'confidential' && !isOver
  return card(
    words.useHeading,
    html`${facts([
      [words.people, amount(people)],
      [words.recent, amount(usedRecently)],
      [words.lastUsed, lastUsed === null ? words.never : time(lastUsed)],
      [words.permitted, lines.length === 0 ? undefined : html`<ul>${lines}</ul>`],
    ])}
${hasSecret ? html`<p>${secret}</p><p class="hint">${words.rollHint}</p>` : ''}
${people > 0 && !isOver ? end : ''}`,
  )
}

function webhooksCard({ application, webhooks, isTest }: ShownApplication): Html {
  const query = new URLSearchParams({
    ...(isTest && { environment: 'sandbox' }),
    application: application.client_id,
  })
  return card(
    desk.webhooks,
    html`<p>${words.webhooksText}</p>
<div class="buttons">${quietLink(`${webhooks}?${query}`, words.webhooks)}</div>`,
  )
}

function changeCard({ state, csrf, path, application }: ShownApplication): Html {
  const again =
    application.state === 'approved' ? html`<p class="hint">${words.warnedAgain}</p>` : ''
  const fields = html`${again}${applicationFields(state)}`
  return card(words.changeHeading, form({ action: path, csrf, fields, submit: words.save }))
}

const flashes: Flashes = {
  revoked: words.isEnded,
}

const ownFlashes: Flashes = {
  changed: words.isChanged,
  ended: words.allEnded,
}

const kinds = [
  { value: 'confidential', label: words.confidential },
  { value: 'public', label: words.public },
] as const

type Found = {
  readonly application: Application
  readonly applications: Applications
  readonly grants: Grants
  readonly environment: EnvironmentName
}

/** Adds the pages of an organization's applications: owners register, change and end them. */
export function addOrganizationApplicationPages(context: OrganizationContext): void {
  const read = organizationRoutes(context, 'read')
  const manage = organizationRoutes(context, 'manage applications')
  const path = '/applications'
  read.member.get(path, (visit) =>
    listPage(visit, givenBack(context.pages.takeForm(visit), emptyForm)),
  )
  manage.fresh.post(path, async (visit, body) => {
    const kind = textOf(body, 'kind') === 'public' ? 'public' : 'confidential'
    const checked = checkApplicationForm(visit, body, kind)
    if (checked.type === 'invalid') {
      return listPage(visit, { values: body, faults: checked.faults.map(asApplicationFault) })
    }
    const isTest = textOf(body, 'environment') === 'sandbox'
    const { applications } = isTest ? context.sandbox.oauth : context
    return leadToSecret(visit, await applications.register(checked.application, memberAgent(visit)))
  })
  manage.fresh.post(`${path}/:client_id/secret`, async (visit) => {
    const { application, applications } = findApplication(visit)
    const answer = await applications.rotateSecret(application.client_id, memberAgent(visit))
    if (answer.type === 'done') return leadToSecret(visit, answer)
    throw new HttpError('conflict', 'This application has no secret that could be replaced')
  })
  addOwnPages(context, `${path}/:client_id`)
}

function addOwnPages(context: OrganizationContext, path: string): void {
  const manage = organizationRoutes(context, 'manage applications')
  manage.member.get(path, (visit) => {
    const kept = context.pages.takeForm(visit)
    return ownPage(visit, kept && givenBack(kept, emptyForm))
  })
  manage.fresh.post(path, async (visit, body) => {
    const { application, applications } = findApplication(visit)
    const checked = checkApplicationForm(visit, body, application.kind)
    if (checked.type === 'invalid') {
      const faults = checked.faults.map(asApplicationFault)
      return ownPage(visit, { values: body, faults })
    }
    const { client_id } = application
    const answer = await applications.change(client_id, checked.application, memberAgent(visit))
    if (answer.type === 'done') return redirectDone(ownPath(visit, client_id), 'changed')
    throw new HttpError('conflict', 'This application is ended: nothing of it can be changed')
  })
  manage.fresh.post(`${path}/permissions/end`, async (visit) => {
    const { application, grants } = findApplication(visit)
    await grants.endAllOfApplication(application.client_id, 'by_application')
    return redirectDone(ownPath(visit, application.client_id), 'ended')
  })
  manage.member.get(`${path}/revoke`, revokePage)
  manage.fresh.post(`${path}/revoke`, async (visit) => {
    const { application, applications } = findApplication(visit)
    await applications.revoke(application.client_id, memberAgent(visit))
    return redirectDone(pathIn(visit, '/applications'), 'revoked')
  })
}

function ownPath(visit: OrganizationVisit, clientId: string): string {
  return `${pathIn(visit, '/applications')}/${clientId}`
}

function leadToSecret(visit: OrganizationVisit, { application, secret }: NewSecret): PageReply {
  const { pages } = visit.context
  const path = ownPath(visit, application.client_id)
  return secret === null ? { redirect: path } : pages.redirectWithSecret(visit, path, secret)
}

function findApplication({
  context: { applications, grants, sandbox },
  organization,
  parameters,
}: OrganizationVisit): Found {
  const realms = [
    { environment: 'live', applications, grants },
    { environment: 'sandbox', ...sandbox.oauth },
  ] as const
  for (const realm of realms) {
    const application = realm.applications.find(parameters['client_id'] ?? '')
    if (application?.organization === organization.slug) return { ...realm, application }
  }
  throw new HttpError('not_found', `${organization.name} has no such application`)
}

async function listPage(visit: OrganizationVisit, state: FormState): Promise<AccountPage> {
  const { slug } = visit.organization
  const named = state.values.get('environment') ?? visit.query.get('environment')
  const environment = environmentOf(named)
  const { applications } = environment === 'live' ? visit.context : visit.context.sandbox.oauth
  const list = (await applications.list({ organization: slug })).toReversed()
  const cards = list.map((each) => describe(visit, each, environment === 'sandbox'))
  const title = environment === 'live' ? words.newHeading : words.newSandbox
  const newCard = mayDo(visit, 'manage applications')
    ? card(title, newForm(visit, { state, environment }))
    : ''
  const none = emptyState(words.none, words.noneText)
  const path = hrefIn(visit, '/applications')
  return organizationPage(visit, {
    section: '/applications',
    title: words.heading,
    flashes,
    state,
    lead: words.lead,
    content: html`${environmentSwitch(
      { live: path, sandbox: `${path}?environment=sandbox` },
      environment,
    )}
${cards.length === 0 ? none : cards}
${newCard}`,
  })
}

function newForm(
  visit: OrganizationVisit,
  { state, environment }: { readonly state: FormState; readonly environment: EnvironmentName },
): Html {
  const choices = html`${hiddenField('environment', environment)}
${selectField({ name: 'kind', label: words.kind, options: kinds }, state)}`
  const fields = applicationFields(state, choices)
  const action = hrefIn(visit, '/applications')
  return form({ action, csrf: visit.csrf, fields, submit: words.register })
}

const warning = html`<p class="hint">${words.warned}</p>`

function describe(visit: OrganizationVisit, application: Application, isTest: boolean): Html {
  const { pages } = visit.context
  const { name, state, client_id } = application
  const base = pages.prefix + ownPath(visit, client_id)
  const actions = html`<div class="buttons">${quietLink(base, words.open)}
${state === 'revoked' ? '' : quietLink(`${base}/revoke`, words.endLink)}</div>`
  return html`<section class="card"><h2>${name}</h2>
${applicationBadge(application)}
${applicationFacts(application, isTest)}
${state === 'unverified' ? warning : ''}
${mayDo(visit, 'manage applications') ? actions : ''}
</section>`
}

async function ownPage(visit: OrganizationVisit, given?: FormState): Promise<AccountPage> {
  const { application, grants, environment } = findApplication(visit)
  const { prefix } = visit.context.pages
  const path = ownPath(visit, application.client_id)
  const isTest = environment === 'sandbox'
  const content = applicationContent({
    application,
    isTest,
    secret: visit.context.pages.takeSecret(visit, path),
    use: await grants.useOf(application.client_id),
    state: given ?? stateOf(application),
    csrf: visit.csrf,
    path: prefix + path,
    list: hrefIn(visit, '/applications') + (isTest ? '?environment=sandbox' : ''),
    webhooks: hrefIn(visit, '/webhooks'),
    baseUrl: visit.context.baseUrl,
  })
  return organizationPage(visit, {
    section: '/applications',
    title: application.name,
    flashes: ownFlashes,
    ...(given && { state: given }),
    ...content,
  })
}

function revokePage(visit: OrganizationVisit): AccountPage {
  const { application } = findApplication(visit)
  const back = hrefIn(visit, '/applications')
  return organizationPage(visit, {
    section: '/applications',
    title: words.endHeading,
    lead: application.name,
    content: formCard({
      action: `${back}/${application.client_id}/revoke`,
      csrf: visit.csrf,
      fields: html`<p>${words.endText}</p>`,
      submit: words.end,
      beside: html`<a href="${back}">${words.keep}</a>`,
      danger: true,
    }),
  })
}

const rights = [
  { scope: 'works:write', label: keyWords.worksWrite },
  { scope: 'works:read', label: keyWords.worksRead },
  { scope: 'receipts:read', label: keyWords.receiptsRead },
  { scope: 'receipts:verify', label: keyWords.receiptsVerify },
  { scope: 'people:read', label: keyWords.peopleRead },
  { scope: 'people:write', label: keyWords.peopleWrite },
  { scope: 'search:read', label: keyWords.searchRead },
].map((right) => ({ ...right, hint: right.scope }))

const presets = [
  { id: 'deposit', name: keyWords.depositOnly, scopes: ['works:write'] },
  { id: 'harvest', name: keyWords.harvest, scopes: ['works:read', 'receipts:read'] },
  {
    id: 'read',
    name: keyWords.readAndSearch,
    scopes: ['works:read', 'receipts:read', 'people:read', 'search:read'],
  },
  {
    id: 'try',
    name: keyWords.tryAll,
    scopes: rights.map(({ scope }) => scope),
  },
] as const

/** Adds the pages of an organization's keys, which its owners make, replace and revoke. */
export function addOrganizationKeyPages(context: OrganizationContext): void {
  addKeyPages(context, {
    route: '/organizations/:slug/keys',
    enter: (member, action) => {
      const visit = visitOrganization(context, member, action)
      const { slug, name } = visit.organization
      return {
        visit,
        owner: { type: 'organization', id: slug, name },
        by: memberAgent(visit),
        mayManage: mayDo(visit, 'manage keys'),
        path: pathIn(visit, '/keys'),
        noSuchKey: `${name} has no such key`,
        show: (page) => organizationPage(visit, { ...page, isOfDesk: false, section: '/keys' }),
      }
    },
    rights,
    presets,
    lead: keyWords.organizationLead,
    emptyText: keyWords.noneOrganization,
    nameHint: keyWords.nameHintOrganization,
    environment: 'both',
    permissionsOf: ({ scopes }) => scopeList(rights, scopes),
    facts: ({ environment, created_by: { type, id, name } }) => [
      [frame.registry, environment === 'live' ? frame.live : frame.sandboxName],
      [keyWords.createdBy, type === 'person' ? askersName(context, id) : name],
    ],
  })
}
