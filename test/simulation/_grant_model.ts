// What may become of a permission: a model of an application's codes and tokens, and the commands
// that change both the model and a real registry, which must agree after each.

import assert from 'node:assert/strict'
import type { ExecutionContext } from 'ava'
import fc from 'fast-check'

import { OAuthFlow, type Reply, tokensOf } from '#test/src/_oauth_flow.ts'
import type { OAuthRegistry, TestPerson } from '#test/src/_oauth_registry.ts'

/** A code or a refresh token; times are in seconds of the model. */
type Secret = {
  state: 'fresh' | 'used' | 'void'
  readonly issuedAt: number
  usedAt: number
  /** The refresh token that came of it, by its place in the list. */
  successor: number
}

/** What should be so: codes and refresh tokens in the order in which they were issued. */
type Model = {
  now: number
  readonly codes: Secret[]
  readonly refreshTokens: Secret[]
  /** Whether each access token still writes. */
  readonly accessTokens: boolean[]
}

/** What is so. */
type Real = {
  readonly flow: OAuthFlow
  readonly time: HeldTime
  readonly codes: { readonly code: string; readonly verifier: string }[]
  readonly refreshTokens: string[]
  readonly accessTokens: string[]
}

type Command = fc.AsyncCommand<Model, Real>

/** How long a code is good, and how long what was used may come again. */
const codeSeconds = 60
const graceSeconds = 10

/** Access tokens that are tried after each command, the newest ones. */
const triedTokens = 3

/** The time of a whole process, which stands still but for what a test lets pass. */
export type HeldTime = { pass(seconds: number): void }

/**
 * Holds the time at the beginning of a second, until the test has ended. To be called before
 * anything is opened that asks for the time later.
 */
export function holdTime(t: ExecutionContext): HeldTime {
  const systemNow = Date.now
  let nowMs = Math.ceil(systemNow() / 1_000) * 1_000
  Date.now = () => nowMs
  t.teardown(() => {
    Date.now = systemNow
  })
  return {
    pass(seconds) {
      nowMs += seconds * 1_000
    },
  }
}

/** What the model is compared with: an open registry, one of its people, and the time of both. */
export type GrantWorld = {
  readonly registry: OAuthRegistry
  readonly person: TestPerson
  readonly time: HeldTime
}

/**
 * Runs so many sequences of commands, each on an application of its own. Time passes only where a
 * command lets it, however long the machine takes. Each sequence begins with a second of its own:
 * the registry's clock is some milliseconds ahead of the system's after what it has stamped, and a
 * sequence is not to be cut by the end of a second.
 */
export async function runGrantModel(
  t: ExecutionContext,
  { registry, person, time }: GrantWorld,
  runs: number,
): Promise<void> {
  const property = fc.asyncProperty(
    fc.commands(commandKinds, { maxCommands: 12 }),
    async (commands) => {
      time.pass(1)
      const flow = new OAuthFlow(registry, await registry.application(), person)
      const real: Real = { flow, time, codes: [], refreshTokens: [], accessTokens: [] }
      const model: Model = { now: 0, codes: [], refreshTokens: [], accessTokens: [] }
      await fc.asyncModelRun(() => ({ model, real }), commands)
    },
  )
  // What fails is told with its seed and the shortest sequence that shows it.
  await t.notThrowsAsync(fc.assert(property, { numRuns: runs }))
}

/** Ends all that the permission has given, which one of its secrets coming twice late does too. */
function endAll(model: Model): void {
  for (const secret of [...model.codes, ...model.refreshTokens]) secret.state = 'void'
  model.accessTokens.fill(false)
}

function newSecret({ now }: Model): Secret {
  return { state: 'fresh', issuedAt: now, usedAt: 0, successor: -1 }
}

/** Redeems a code or a refresh token, which gives what the model says. */
async function redeem(
  model: Model,
  real: Real,
  secret: Secret,
  send: () => Promise<Reply>,
): Promise<void> {
  const reply = await send()
  const isAgain = secret.state === 'used' && model.now < secret.usedAt + graceSeconds
  assert.equal(reply.status, secret.state === 'fresh' || isAgain ? 200 : 400)
  if (secret.state === 'used' && !isAgain) endAll(model)
  if (reply.status !== 200) return
  const { access, refresh } = tokensOf(reply)
  model.accessTokens.push(true)
  real.accessTokens.push(access)
  if (isAgain) {
    assert.equal(refresh, real.refreshTokens[newestOf(model, secret)] ?? '')
    return
  }
  secret.state = 'used'
  secret.usedAt = model.now
  secret.successor = model.refreshTokens.push(newSecret(model)) - 1
  real.refreshTokens.push(refresh)
}

function newestOf(model: Model, { successor }: Secret): number {
  const next = model.refreshTokens[successor]
  return next === undefined || next.state === 'fresh' ? successor : newestOf(model, next)
}

/** A command on one of what there is: of `list`, the one at `pick` counted round. */
function commandOn(
  name: string,
  list: 'codes' | 'refreshTokens' | 'accessTokens',
  pick: number,
  run: (model: Model, real: Real, index: number) => Promise<void>,
): Command {
  return {
    check: (model) => model[list].length > 0,
    async run(model, real) {
      await run(model, real, pick % model[list].length)
      await compare(model, real)
    },
    toString: () => `${name} ${pick}`,
  }
}

async function compare(model: Model, { flow, accessTokens }: Real): Promise<void> {
  const from = Math.max(0, accessTokens.length - triedTokens)
  for (const [at, token] of accessTokens.slice(from).entries()) {
    assert.equal(await flow.write(token), model.accessTokens[from + at] === true ? 200 : 401)
  }
}

const authorize: Command = {
  check: () => true,
  async run(model, real) {
    real.codes.push(await real.flow.code())
    model.codes.push(newSecret(model))
  },
  toString: () => 'authorize',
}

const wait = (seconds: number): Command => ({
  check: () => true,
  async run(model, { time }) {
    model.now += seconds
    time.pass(seconds)
    for (const code of model.codes) {
      if (model.now >= code.issuedAt + codeSeconds) code.state = 'void'
    }
  },
  toString: () => `wait ${seconds}`,
})

const exchange = (pick: number): Command =>
  commandOn('exchange', 'codes', pick, async (model, real, index) => {
    const { code, verifier } = real.codes[index] ?? { code: '', verifier: '' }
    const secret = model.codes[index] ?? newSecret(model)
    await redeem(model, real, secret, () => real.flow.redeem(code, verifier))
  })

const exchangeWrongly = (pick: number): Command =>
  commandOn('exchange wrongly', 'codes', pick, async (_model, real, index) => {
    const { code, verifier } = real.codes[index] ?? { code: '', verifier: '' }
    const reply = await real.flow.redeem(code, [...verifier].toReversed().join(''))
    assert.equal(reply.status, 400)
  })

const refresh = (pick: number): Command =>
  commandOn('refresh', 'refreshTokens', pick, async (model, real, index) => {
    const secret = model.refreshTokens[index] ?? newSecret(model)
    await redeem(model, real, secret, () => real.flow.refresh(real.refreshTokens[index] ?? ''))
  })

const revokeRefresh = (pick: number): Command =>
  commandOn('revoke the refresh token', 'refreshTokens', pick, async (model, real, index) => {
    await revoke(real, real.refreshTokens[index] ?? '')
    // One that was used is a token no more, and its revocation nothing.
    if (model.refreshTokens[index]?.state !== 'void') endAll(model)
  })

const revokeAccess = (pick: number): Command =>
  commandOn('revoke the access token', 'accessTokens', pick, async (model, real, index) => {
    await revoke(real, real.accessTokens[index] ?? '')
    model.accessTokens[index] = false
  })

async function revoke({ flow }: Real, token: string): Promise<void> {
  const { client_id, client_secret } = flow.application
  const reply = await fetch(`${flow.registry.issuer}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token, client_id, client_secret }),
  })
  assert.equal(reply.status, 200)
}

const picks = fc.nat({ max: 11 })

const commandKinds = [
  fc.constant(authorize),
  fc.integer({ min: 1, max: 20 }).map(wait),
  picks.map(exchange),
  picks.map(exchangeWrongly),
  picks.map(refresh),
  picks.map(revokeRefresh),
  picks.map(revokeAccess),
]
