// Every step from the sign-up to the deletion of an account, each cut off by kill -9.

import assert from 'node:assert/strict'
import type { ExecutionContext } from 'ava'

import { bothScopes, KilledRegistry, password } from '#test/scenario/_killed_registry.ts'
import { newWork } from '#test/scenario/_process.ts'
import { type OAuthFlow, type Reply, tokensOf } from '#test/src/_oauth_flow.ts'
import { permit } from '#test/src/_oauth_registry.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

type Step = (registry: KilledRegistry) => Promise<void>

// Milliseconds within which the kill comes: a password takes longer to check than all else.
const passwordMs = 250
const requestMs = 25

/** For how long a code is good at least. */
const codeMs = 59_000

const scope = bothScopes.join(' ')

async function duringSignUp(registry: KilledRegistry): Promise<void> {
  const newcomer = registry.newcomer()
  const browser = registry.browser()
  const form = await browser.go(`${registry.issuer}/sign-up`)
  const sent = await registry.killDuring(passwordMs, () => browser.send(form, newcomer))
  const isThere = (await registry.ppidOf(newcomer.email)) !== undefined
  if (sent?.status === 303) assert(isThere, 'an account that was told of is there')
  if (!isThere) assert.equal((await browser.send(form, newcomer)).status, 303, 'the form is good')
  await registry.signIn(browser, newcomer.email)
  await registry.goOn(await registry.flowOf(browser, newcomer.email))
}

async function duringSignIn(registry: KilledRegistry): Promise<void> {
  const { person } = await registry.flow()
  const { email } = person
  const browser = registry.browser()
  const form = await browser.go(`${registry.issuer}/sign-in`)
  const sent = await registry.killDuring(passwordMs, () => browser.send(form, { email, password }))
  const page = await browser.go(`${registry.issuer}/account`)
  if (sent?.status === 303) assert.match(page.url, /\/account$/, 'who was signed in stays so')
  await registry.signIn(browser, email)
  await registry.goOn(await registry.flowOf(browser, email))
}

async function beforeSignIn(registry: KilledRegistry): Promise<void> {
  const { person } = await registry.flow()
  const browser = registry.browser()
  const flow = await registry.flowOf(browser, person.email)
  await registry.killDuring(requestMs, () => flow.ask({ scope }))
  const page = await flow.ask({ scope })
  await registry.kill()
  const question = await browser.submit(page, { email: person.email, password }, '/sign-in')
  assert.match(question.body, /Permit Press Desk/, 'the sign-in leads to the question')
  assert.equal((await permit(browser, question)).status, 0)
  await registry.goOn(flow)
}

async function beforeConsent(registry: KilledRegistry): Promise<void> {
  const flow = await registry.flow()
  const question = await flow.ask({ scope })
  await registry.kill()
  assert.equal(await registry.listed(flow), undefined, 'nothing was said yet')
  const back = await permit(flow.person.browser, question)
  assert(new URL(back.url).searchParams.has('code'))
  await registry.goOn(flow)
}

async function duringConsent(registry: KilledRegistry): Promise<void> {
  const flow = await registry.flow()
  const question = await flow.ask({ scope })
  const refused = ['svc:affiliations:write']
  const answer = () => permit(flow.person.browser, question, refused)
  const back = await registry.killDuring(2 * requestMs, answer)
  const isListed = (await registry.listed(flow, ['svc:works:write'])) !== undefined
  if (back?.status === 0) assert(isListed, 'who was sent back has permitted it')
  await registry.goOn(flow, isListed ? ['svc:works:write'] : bothScopes)
}

async function beforeExchange(registry: KilledRegistry): Promise<void> {
  const flow = await registry.flow()
  const beganMs = performance.now()
  const { code, verifier } = await flow.code(scope)
  await registry.kill()
  assert(await registry.listed(flow, bothScopes))
  const first = await flow.redeem(code, verifier)
  // A code is good for a minute: a start on a busy machine may take as long.
  if (first.status === 400 && performance.now() - beganMs > codeMs) return registry.goOn(flow)
  const { access, refresh } = tokensOf(first)
  assert.equal(await flow.write(access), 200)
  const again = await flow.redeem(code, verifier)
  if (again.status === 200) assert.equal(tokensOf(again).refresh, refresh)
  else assert.equal(await flow.write(access), 401, 'a code that comes late and twice was stolen')
  await registry.goOn(flow)
}

async function duringExchange(registry: KilledRegistry): Promise<void> {
  const flow = await registry.flow()
  const { code, verifier } = await flow.code(scope)
  await givesOne(registry, flow, () => flow.redeem(code, verifier))
}

async function duringRefresh(registry: KilledRegistry): Promise<void> {
  const flow = await registry.flow()
  const { access, refresh } = await flow.tokens(scope)
  await givesOne(registry, flow, () => flow.refresh(refresh))
  const isOver = (await flow.refresh(refresh)).status === 400
  if (isOver) assert.equal(await flow.write(access), 401, 'it came twice, and late')
  await registry.goOn(flow)
}

/**
 * What is exchanged for tokens gives one refresh token across a kill, or none when it comes late,
 * and its permission is whole.
 */
async function givesOne(registry: KilledRegistry, flow: OAuthFlow, send: () => Promise<Reply>) {
  const replies = [await registry.killDuring(requestMs, send), await send(), await send()]
  const [, ...later] = replies
  const statuses = replies.map((reply) => reply?.status)
  for (const reply of later) assert(reply?.status === 200 || reply?.status === 400, statuses.join())
  const tokens = replies.filter((reply) => reply?.status === 200).map((reply) => reply as Reply)
  assert(new Set(tokens.map((reply) => tokensOf(reply).refresh)).size <= 1, 'there is one line')
  const isListed = (await registry.listed(flow, bothScopes)) !== undefined
  for (const token of tokens.map(tokensOf)) {
    if ((await flow.write(token.access)) === 200) assert(isListed, 'a token has its permission')
  }
  await registry.goOn(flow)
}

async function duringWrite(registry: KilledRegistry): Promise<void> {
  const flow = await registry.flow()
  const { access } = await flow.tokens(scope)
  const send = (path: string, body: object) => write(registry, access, path, body)
  const work = () => send('/api/v1/works', newWork(`By ${flow.person.ppid}`))
  const first = await registry.killDuring(requestMs, work)
  const again = await work()
  assert.equal(again.status, 201)
  if (first !== undefined) assert.deepEqual(again.body, first.body)
  const role = { organization: 'Royal Society', role: 'Fellow' }
  const affiliation = () => send('/api/v1/user/affiliations', role)
  await registry.killDuring(requestMs, affiliation)
  assert((await affiliation()).status < 300)
  const profile = await fetch(`${registry.baseUrl}/api/v1/people/${flow.person.ppid}`)
  const shown = (await profile.json()) as { works_count: number; affiliations: unknown[] }
  assert.deepEqual([shown.works_count, shown.affiliations.length], [1, 1], 'each is there once')
}

async function write({ baseUrl }: KilledRegistry, token: string, path: string, body: object) {
  const reply = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'sent-again-after-a-kill',
    },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as unknown }
}

async function duringRevocation(registry: KilledRegistry): Promise<void> {
  const flow = await registry.flow()
  const { access, refresh } = await flow.tokens(scope)
  const before = await registry.listed(flow, bothScopes)
  assert(before)
  const { page, action } = before
  const sent = await registry.killDuring(requestMs, () =>
    flow.person.browser.send(page, {}, action),
  )
  const isListed = (await registry.listed(flow, bothScopes)) !== undefined
  if (sent?.status === 303) assert(!isListed, 'what was taken back is gone')
  assert.equal(await flow.write(access), isListed ? 200 : 401)
  assert.equal((await flow.refresh(refresh)).status, isListed ? 200 : 400)
  await registry.goOn(flow)
}

async function duringDeletion(registry: KilledRegistry): Promise<void> {
  const flow = await registry.flow()
  const { access } = await flow.tokens(scope)
  const { browser, email, ppid } = flow.person
  const page = await browser.go(`${registry.issuer}/account/delete`)
  const sent = await registry.killDuring(passwordMs, () =>
    browser.send(page, { password }, '/account/delete'),
  )
  const isThere = (await registry.ppidOf(email)) !== undefined
  if (sent?.status === 303) assert(!isThere, 'an account that was said to be deleted is')
  assert.equal(await flow.write(access), isThere ? 200 : 401)
  if (isThere) return registry.goOn(flow)
  registry.noteLeft(ppid)
  const signIn = await browser.go(`${registry.issuer}/account`)
  assert.match(signIn.url, /\/sign-in/)
  const refused = await browser.submit(signIn, { email, password }, '/sign-in')
  assert.match(refused.url, /\/sign-in/)
}

const steps: Readonly<Record<string, Step>> = {
  'during the sign-up': duringSignUp,
  'during the sign-in': duringSignIn,
  'before the sign-in of a question': beforeSignIn,
  'with the question open': beforeConsent,
  'during the answer': duringConsent,
  'with a code in hand': beforeExchange,
  'during the exchange': duringExchange,
  'during a refresh': duringRefresh,
  'during writes': duringWrite,
  'during a revocation': duringRevocation,
  'during a deletion': duringDeletion,
}

type FlowKills = {
  readonly rounds: number
  readonly seed: number
  /** In how many of the steps a round kills: all of them unless it is told. */
  readonly stepsOfRound?: number
}

/**
 * Runs one registry through the steps, `rounds` times, and kills it in the middle of each; then
 * the person goes on, nothing is half permitted, nothing is good twice, and accounts and people
 * are as many. `seed` decides when the kills come, and in which steps where they are not in all.
 */
export async function runFlowKills(
  t: ExecutionContext,
  { rounds, seed, stepsOfRound = Object.keys(steps).length }: FlowKills,
): Promise<void> {
  const registry = await KilledRegistry.start(t, seed)
  const random = seededRandom(seed)
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of sampleOf(Object.entries(steps), stepsOfRound, random)) {
      const step = `round ${round}, ${name}`
      await t.notThrowsAsync(run(registry), step)
      await t.notThrowsAsync(registry.check(), step)
    }
  }
  await registry.end()
  const { kills, underWay } = registry
  t.log(`${kills} kills, ${underWay.answered} of ${underWay.sent} requests were answered before`)
}

/** So many of all, each as likely as any other, in their order. */
function sampleOf<T>(all: readonly T[], count: number, random: () => number): readonly T[] {
  const drawn = all.map((each, index) => ({ each, index, at: random() }))
  return drawn
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ each }) => each)
}
