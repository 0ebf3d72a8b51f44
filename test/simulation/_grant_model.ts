// What may become of a permission: a model of an application's codes and tokens, and the commands
// that change both the model and a real registry, which must agree after each.

import type { ExecutionContext } from 'ava'
import fc from 'fast-check'

import { OAuthFlow, type Reply, tokensOf } from '#test/src/_oauth_flow.ts'
import type { OAuthRegistry, TestPerson } from '#test/src/_oauth_registry.ts'

type State = 'fresh' | 'used' | 'void'

/** What should be so: codes and refresh tokens in the order in which they were issued. */
type Model = {
  readonly codes: State[]
  readonly refreshTokens: State[]
  /** Whether each access token still writes. */
  readonly accessTokens: boolean[]
}

/** What is so. */
type Real = {
  readonly t: ExecutionContext
  readonly flow: OAuthFlow
  readonly codes: { readonly code: string; readonly verifier: string }[]
  readonly refreshTokens: string[]
  readonly accessTokens: string[]
}

type Command = fc.AsyncCommand<Model, Real>

/** Access tokens that are tried after each command, the newest ones. */
const triedTokens = 3

/** Runs so many sequences of commands, each on an application of its own. */
export async function runGrantModel(
  t: ExecutionContext,
  registry: OAuthRegistry,
  person: TestPerson,
  runs: number,
): Promise<void> {
  const property = fc.asyncProperty(
    fc.commands(commandKinds, { maxCommands: 12 }),
    async (commands) => {
      const flow = new OAuthFlow(registry, await registry.application(), person)
      const real: Real = { t, flow, codes: [], refreshTokens: [], accessTokens: [] }
      const model: Model = { codes: [], refreshTokens: [], accessTokens: [] }
      await fc.asyncModelRun(() => ({ model, real }), commands)
    },
  )
  await fc.assert(property, { numRuns: runs })
}

/** Ends all that the permission has given, which one of its secrets coming twice does too. */
function endAll(model: Model): void {
  model.codes.fill('void')
  model.refreshTokens.fill('void')
  model.accessTokens.fill(false)
}

function issue(model: Model, real: Real, reply: Reply): void {
  const { access, refresh } = tokensOf(reply)
  model.refreshTokens.push('fresh')
  model.accessTokens.push(true)
  real.refreshTokens.push(refresh)
  real.accessTokens.push(access)
}

/** A command on one of what there is: of `list`, the one at `pick` counted round. */
function commandOn(
  name: string,
  list: keyof Model,
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

async function compare(model: Model, { t, flow, accessTokens }: Real): Promise<void> {
  const from = Math.max(0, accessTokens.length - triedTokens)
  for (const [at, token] of accessTokens.slice(from).entries()) {
    t.is(await flow.write(token), model.accessTokens[from + at] === true ? 200 : 401)
  }
}

const authorize: Command = {
  check: () => true,
  async run(model, real) {
    real.codes.push(await real.flow.code())
    model.codes.push('fresh')
  },
  toString: () => 'authorize',
}

const exchange = (pick: number): Command =>
  commandOn('exchange', 'codes', pick, async (model, real, index) => {
    const { code, verifier } = real.codes[index] ?? { code: '', verifier: '' }
    const reply = await real.flow.redeem(code, verifier)
    const state = model.codes[index]
    real.t.is(reply.status, state === 'fresh' ? 200 : 400)
    if (state === 'fresh') {
      model.codes[index] = 'used'
      issue(model, real, reply)
    } else if (state === 'used') {
      endAll(model)
    }
  })

const exchangeWrongly = (pick: number): Command =>
  commandOn('exchange wrongly', 'codes', pick, async (_model, real, index) => {
    const { code, verifier } = real.codes[index] ?? { code: '', verifier: '' }
    const reply = await real.flow.redeem(code, [...verifier].toReversed().join(''))
    real.t.is(reply.status, 400)
  })

const refresh = (pick: number): Command =>
  commandOn('refresh', 'refreshTokens', pick, async (model, real, index) => {
    const reply = await real.flow.refresh(real.refreshTokens[index] ?? '')
    const state = model.refreshTokens[index]
    real.t.is(reply.status, state === 'fresh' ? 200 : 400)
    if (state === 'fresh') {
      model.refreshTokens[index] = 'used'
      issue(model, real, reply)
    } else if (state === 'used') {
      endAll(model)
    }
  })

const revokeRefresh = (pick: number): Command =>
  commandOn('revoke the refresh token', 'refreshTokens', pick, async (model, real, index) => {
    await revoke(real, real.refreshTokens[index] ?? '')
    // One that was used is a token no more, and its revocation nothing.
    if (model.refreshTokens[index] !== 'void') endAll(model)
  })

const revokeAccess = (pick: number): Command =>
  commandOn('revoke the access token', 'accessTokens', pick, async (model, real, index) => {
    await revoke(real, real.accessTokens[index] ?? '')
    if (model.accessTokens[index] === true) endAll(model)
  })

async function revoke({ t, flow }: Real, token: string): Promise<void> {
  const { client_id, client_secret } = flow.application
  const reply = await fetch(`${flow.registry.issuer}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token, client_id, client_secret }),
  })
  t.is(reply.status, 200)
}

const picks = fc.nat({ max: 11 })

const commandKinds = [
  fc.constant(authorize),
  picks.map(exchange),
  picks.map(exchangeWrongly),
  picks.map(refresh),
  picks.map(revokeRefresh),
  picks.map(revokeAccess),
]
