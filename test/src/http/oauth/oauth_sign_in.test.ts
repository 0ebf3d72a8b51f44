// What applications may ask of a sign-in, and are told of it.

import test, { type ExecutionContext } from 'ava'
import { TOTP } from 'otpauth'

import type { Seen, TestBrowser } from '#test/src/_browser.ts'
import { answerOf, OAuthFlow } from '#test/src/_oauth_flow.ts'
import { password, permit, pkcePair } from '#test/src/_oauth_registry.ts'
import { sharedOAuthAtSetTime } from '#test/src/_shared_registry.ts'

const { registry, newFlow, time } = sharedOAuthAtSetTime()

const scope = 'openid'
const signInPath = /\/auth\/sign-in\?/

/** A flow whose person has permitted the application to know them, and is known to the provider. */
async function knownFlow() {
  const flow = await newFlow()
  await permit(flow.person.browser, await flow.ask({ scope }))
  return flow
}

function signIn({ person: { browser } }: OAuthFlow, page: Seen, email: string): Promise<Seen> {
  return browser.submit(page, { email, password }, '/sign-in')
}

function hasCode(t: ExecutionContext, seen: Seen): void {
  t.truthy(answerOf(seen)['code'], seen.url)
}

async function isSignedIn(browser: TestBrowser): Promise<boolean> {
  return (await browser.request(`${registry.issuer}/account`)).status === 200
}

test.serial('who is asked to sign in anew stays signed in until they have', async (t) => {
  const flow = await knownFlow()
  const { browser, email } = flow.person
  const before = browser.cookie('svc_session')
  const form = await flow.ask({ scope, prompt: 'login' })
  t.regex(form.url, signInPath)
  t.regex(
    form.body,
    new RegExp(`Until you do, you stay signed in as <strong><bdi>${email}</bdi></strong>`),
  )
  t.true(await isSignedIn(browser), 'she left the page')
  const wrong = await browser.submit(form, { email, password: 'not hers' }, '/sign-in')
  t.is(wrong.status, 422)
  t.true(await isSignedIn(browser), 'she has failed')
  t.is(browser.cookie('svc_session'), before)
  hasCode(t, await flow.ask({ scope }))
  hasCode(t, await signIn(flow, wrong, email))
  t.not(browser.cookie('svc_session'), before)
  t.true(await isSignedIn(browser))
})

test.serial('another person may answer the question to sign in anew', async (t) => {
  const flow = await knownFlow()
  const other = await registry.person()
  const form = await flow.ask({ scope, prompt: 'login' })
  const consent = await signIn(flow, form, other.email)
  t.regex(consent.url, /\/auth\/interaction\//)
  const { verifier, challenge } = pkcePair()
  hasCode(t, await permit(flow.person.browser, consent))
  const code = answerOf(await flow.ask({ scope, code_challenge: challenge }))['code'] ?? ''
  const { json } = await flow.redeem(code, verifier)
  t.is(claimsOf(json)['sub'], other.ppid)
})

test.serial('a sign-in that is young enough is not asked for twice', async (t) => {
  const application = await registry.application()
  const asked = { scope, max_age: '600' }
  // The provider does not know yet who is signed in to the pages.
  const fresh = new OAuthFlow(registry, application, await registry.person())
  time.aheadMs += 5_000
  const consent = await fresh.ask(asked)
  t.regex(consent.url, /\/auth\/interaction\//)
  hasCode(t, await permit(fresh.person.browser, consent))
  hasCode(t, await fresh.ask(asked))

  // It knows of an old sign-in, and there was one on the pages since.
  time.aheadMs += 601_000
  const { browser, email } = fresh.person
  await browser.submit(await browser.go(`${registry.issuer}/sign-out`), {}, '/sign-out')
  await signIn(fresh, await browser.go(`${registry.issuer}/sign-in`), email)
  hasCode(t, await fresh.ask(asked))

  time.aheadMs += 601_000
  const form = await fresh.ask(asked)
  t.regex(form.url, signInPath)
  hasCode(t, await signIn(fresh, form, email))
})

function claimsOf(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [, body = ''] = String(json['id_token']).split('.')
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<string, unknown>
}

/** What an ID token says to the application that asks now. */
async function idToken(flow: OAuthFlow): Promise<Record<string, unknown>> {
  const { verifier, challenge } = pkcePair()
  const seen = await flow.ask({ scope, code_challenge: challenge })
  const { json } = await flow.redeem(answerOf(seen)['code'] ?? '', verifier)
  return claimsOf(json)
}

test.serial('an ID token says when and how its person has signed in', async (t) => {
  const metadata = await fetch(`${registry.issuer}/.well-known/openid-configuration`)
  const { acr_values_supported, claims_supported } = (await metadata.json()) as {
    acr_values_supported: string[]
    claims_supported: string[]
  }
  for (const claim of ['auth_time', 'acr', 'amr']) t.true(claims_supported.includes(claim), claim)

  const began = Math.floor(Date.now() / 1_000)
  const flow = await knownFlow()
  const known = Math.ceil(Date.now() / 1_000)
  time.aheadMs += 60_000
  const { auth_time, acr, amr } = await idToken(flow)
  t.deepEqual(amr, ['pwd'])
  t.true(acr_values_supported.includes(String(acr)))
  t.true(Number(auth_time) >= began && Number(auth_time) <= known)

  const { browser, email } = flow.person
  const settings = `${registry.issuer}/account/second-step`
  const begin = await browser.go(settings)
  const page = await browser.submit(begin, { current_password: password }, '/second-step/begin')
  const secret = /type the secret: <code>([A-Z2-7 ]+)</.exec(page.body)?.[1]?.replaceAll(' ', '')
  const code = () => new TOTP({ secret: secret ?? '' }).generate({ timestamp: Date.now() })
  await browser.submit(page, { code: code() }, '/second-step/confirm')
  await browser.submit(await browser.go(`${registry.issuer}/sign-out`), {}, '/sign-out')
  time.aheadMs += 60_000
  const anew = Math.floor(Date.now() / 1_000)
  const form = await browser.go(`${registry.issuer}/sign-in`)
  const asking = await browser.submit(form, { email, password }, '/sign-in')
  await browser.submit(asking, { code: code() }, '/sign-in/code')
  const second = await idToken(flow)
  t.deepEqual(second['amr'], ['pwd', 'otp', 'mfa'])
  t.is(second['acr'], 'https://refeds.org/profile/mfa')
  t.true(acr_values_supported.includes(String(second['acr'])))
  t.true(Number(second['auth_time']) >= anew)
})
