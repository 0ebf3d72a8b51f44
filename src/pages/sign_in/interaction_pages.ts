import { HttpError } from '#src/errors.ts'
import type { Applications } from '#src/identity/oauth/applications.ts'
import { authenticationOf } from '#src/identity/oauth/authentication_context.ts'
import type { Grants } from '#src/identity/oauth/grants.ts'
import { oauthScopeNames } from '#src/identity/oauth/oauth_scopes.ts'
import type { IdentityProvider, Question } from '#src/identity/oauth/provider.ts'
import type { SignInDetails } from '#src/identity/oauth/provider_configuration.ts'
import type { WebSession } from '#src/identity/accounts/web_session.ts'
import { boxName, consentPage, goingOnPage } from '#src/pages/sign_in/consent_page.ts'
import type { FormBody } from '#src/pages/kit/form_body.ts'
import { signInAnew } from '#src/pages/kit/page_address.ts'
import type { PageReply, Pages, Visit } from '#src/pages/kit/pages.ts'

/** What the answers to the identity provider's questions are made from. */
export type Interactions = {
  readonly provider: IdentityProvider
  readonly applications: Applications
  readonly grants: Grants
  /** The name of an organization, by its slug; undefined if there is none. */
  readonly organizationName: (slug: string) => string | undefined
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

const path = '/interaction/:uid'
/** Reasons for which the provider wants a new sign-in, however young the one that there is. */
const anewReasons: ReadonlySet<string> = new Set(['login_prompt', 'max_age_zero'])

const refusal = { error: 'access_denied', error_description: 'the person did not permit it' }

/** Adds the page on which the identity provider asks a person to sign in or to consent. */
export function addInteractionPages(pages: Pages, interactions: Interactions): void {
  pages.open.get(path, async (visit) => {
    const question = await readQuestion(interactions, visit)
    if (question.prompt.name === 'login') return signIn(pages, interactions, visit, question)
    checkPerson(visit, question)
    const action = `${pages.prefix}/interaction/${question.uid}`
    return consentPage(describe(interactions, question), { action, csrf: visit.csrf })
  })

  pages.open.post(path, async (visit, form) => {
    const question = await readQuestion(interactions, visit)
    if (question.prompt.name !== 'consent') throw expired()
    checkPerson(visit, question)
    // A form may not lead to another origin by a redirect, so a page of ours leads there.
    return goingOnPage(await answer(interactions, visit, question, form))
  })
}

/** What the provider asks, if this browser is the one that it asks. */
async function readQuestion({ provider }: Interactions, visit: Visit): Promise<Question> {
  const { request, reply, parameters } = visit
  const question = await provider.question(request.raw, reply.raw)
  if (question === undefined || question.uid !== parameters['uid']) throw expired()
  return question
}

function expired(): HttpError {
  const message = 'This request has expired, or was answered: go back to the application'
  return new HttpError('gone', `${message}, and begin again there`)
}

/** Somebody else may have signed in since the provider asked. */
function checkPerson({ account }: Visit, { session }: Question): void {
  if (account === undefined || account.ppid !== session?.accountId) throw expired()
}

/**
 * Signs a person of the pages in to the provider; others are sent to sign in first. Who is asked to
 * sign in anew stays signed in until they have, as the same person or as another.
 */
async function signIn(
  pages: Pages,
  { provider, nowMs }: Interactions,
  visit: Visit,
  question: Question,
): Promise<PageReply> {
  const { account, session, request, reply } = visit
  const here = `${pages.prefix}/interaction/${question.uid}`
  const signInFirst = (query: Record<string, string> = {}) => ({
    redirect: `/sign-in?${new URLSearchParams({ return_to: here, ...query })}`,
  })
  if (account === undefined || session === undefined) return signInFirst()
  const authentication = authenticationOf(session)
  const isAnswer = isOtherSession(session, question) && authentication.ts >= question.iat
  if (asksAnew(question, authentication.ts, nowMs()) && !isAnswer) {
    return signInFirst({ [signInAnew]: '1' })
  }
  // The provider holds an answer to be for the person that it has asked.
  if (question.session !== undefined && question.session.accountId !== account.ppid) {
    delete question.session
    await question.persist()
  }
  const login = { accountId: account.ppid, ...authentication }
  const interactions = await provider.interactions()
  return { redirect: await interactions.interactionResult(request.raw, reply.raw, { login }) }
}

/**
 * Whether the application asks for a new sign-in than that of a time in seconds since 1970. The
 * provider asks for one by `max_age` also where it knows of none yet, while the pages do.
 */
function asksAnew(
  { prompt: { reasons }, params }: Question,
  signedInSeconds: number,
  nowMs: number,
): boolean {
  if (reasons.some((reason) => anewReasons.has(reason))) return true
  const ageSeconds = Math.floor(nowMs / 1_000) - signedInSeconds
  return reasons.includes('max_age') && ageSeconds > Number(params['max_age'])
}

function isOtherSession({ id }: WebSession, { prompt }: Question): boolean {
  const { askedSessionId }: SignInDetails = prompt.details
  return id !== askedSessionId
}

function describe(
  { applications, grants, organizationName }: Interactions,
  { params, session }: Question,
) {
  const clientId = String(params['client_id'])
  const application = applications.findUsable(clientId)
  if (application === undefined) throw expired()
  const { organization } = application
  const grant = grants.findFor(session?.accountId ?? '', clientId)
  const asked = askedScopes(params)
  const permitted = grant?.scopes ?? []
  return {
    application,
    organizationName: organization === null ? undefined : organizationName(organization),
    redirectUri: String(params['redirect_uri']),
    asked,
    refused: new Set(grant === undefined ? [] : grants.refused(grant.id)),
    permitted: permitted.filter((scope) => !asked.includes(scope)),
  }
}

function askedScopes(params: Question['params']): string[] {
  const { scope } = params
  const asked = new Set(typeof scope === 'string' ? scope.split(' ') : [])
  return oauthScopeNames.filter((name) => asked.has(name))
}

/** Tells the provider what the person said; gives where the browser goes then. */
async function answer(
  { provider, applications }: Interactions,
  { request, reply }: Visit,
  { params, session, grantId }: Question,
  form: FormBody,
): Promise<string> {
  const clientId = String(params['client_id'])
  if (applications.findUsable(clientId) === undefined) throw expired()
  const interactions = await provider.interactions()
  const asked = askedScopes(params)
  const ticked = asked.filter((scope) => scope === 'openid' || form.has(boxName(scope)))
  if (form.has('deny') || ticked.length === 0) {
    return interactions.interactionResult(request.raw, reply.raw, refusal, {
      mergeWithLastSubmission: false,
    })
  }
  const accountId = session?.accountId ?? ''
  const grant =
    (grantId === undefined ? undefined : await interactions.Grant.find(grantId)) ??
    new interactions.Grant({ accountId, clientId })
  const before = grant.getOIDCScope().split(' ')
  const refused = asked.filter((scope) => !ticked.includes(scope))
  const stillRefused = grant.getRejectedOIDCScope().split(' ')
  const scopes = [...before.filter((scope) => !asked.includes(scope)), ...ticked]
  grant.openid = { scope: scopes.filter((scope) => scope !== '').join(' ') }
  const rejected = [...stillRefused.filter((scope) => !asked.includes(scope)), ...refused]
  grant.rejected = { openid: { scope: rejected.filter((scope) => scope !== '').join(' ') } }
  const consent = { grantId: await grant.save() }
  return interactions.interactionResult(request.raw, reply.raw, { consent })
}
