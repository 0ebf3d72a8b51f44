import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

import { isAdministrator } from '#actors/values/authority.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { type Caller, type KeyCaller, type TokenCaller, unauthorized } from '#src/edge/caller.ts'
import type { EdgeReply, HeaderStep } from '#src/edge/step.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type KnownSuspensions, refuseSuspended } from '#src/edge/suspended.ts'
import type { AdminCodes } from '#src/identity/keys/admin_code.ts'
import type { Authentication, KeyStore, LoadedKey, Origin } from '#src/identity/keys/key_store.ts'
import { keyScopes } from '#src/identity/keys/scope.ts'
import type { AccessTokens } from '#src/identity/oauth/access_tokens.ts'

const bearer = /^Bearer +(\S+)$/i

/** What of a request tells who sends it. */
export type PresentedRequest = Pick<FastifyRequest, 'ip' | 'headers' | 'query'> & {
  readonly raw: Pick<IncomingMessage, 'rawHeaders'>
}

/** A credential, and whether it came as `Authorization: Bearer` and nowhere else. */
type Presented = { readonly text: string; readonly isBearer: boolean }

/**
 * The credential of a request, from `Authorization: Bearer`, `X-API-Key` or `?api_key=`, not yet
 * known to be a key or a token; undefined without any. An Authorization header of another scheme is
 * a credential too, one that no key equals. Two different ones are `bad_request`: neither may win
 * by its place.
 */
function presentedKey(request: PresentedRequest): Presented | undefined {
  let text: string | undefined
  let isBearer = true
  const add = (credential: string): void => {
    if (text !== undefined && text !== credential) throw twoCredentials()
    text = credential
  }
  const { rawHeaders } = request.raw
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    const value = rawHeaders[at + 1] as string
    // Node keeps the first of several Authorization headers; here the second one counts as well.
    if (name.length === 13 && name.toLowerCase() === 'authorization') {
      add(bearer.exec(value)?.[1] ?? '')
    } else if (name.length === 9 && name.toLowerCase() === 'x-api-key') {
      isBearer = false
      add(value)
    }
  }
  const { api_key: inQuery } = request.query as { api_key?: string | string[] }
  for (const credential of inQuery === undefined ? [] : [inQuery].flat()) {
    isBearer = false
    add(credential)
  }
  return text === undefined ? undefined : { text, isBearer }
}

function twoCredentials(): HttpError {
  return new HttpError('bad_request', 'The request carries two different credentials; send one')
}

/** A confirmed administrator has every scope for the length of one call. */
const allScopes: ReadonlySet<string> = new Set(keyScopes)

/** The keys and access tokens of an environment; those of the sandbox lie apart. */
type Credentials = {
  readonly suspensions: KnownSuspensions
  readonly keys: Pick<KeyStore, 'authenticate'>
  readonly oauth: { readonly accessTokens: Pick<AccessTokens, 'check'> }
}

/** Tells who sends a request. */
export type Authenticate = (request: PresentedRequest) => Caller | Promise<Caller>

/**
 * Makes the function that tells who sends a request. It throws HttpError `unauthorized`, always
 * with the same words, for a credential that cannot be used, whatever the reason, and `bad_request`
 * for two different ones; `suspended`, and why, for a credential that is good but for a suspension.
 * Of a one-time code beside a key that is good, `unauthorized` says that it
 * was not accepted, and `forbidden` that the key may not be confirmed. Only a call that such a code
 * confirms is waited for.
 */
export function createAuthenticate(
  credentials: Credentials & { readonly sandbox: Credentials },
  adminCodes: AdminCodes,
): Authenticate {
  return (request) => {
    const { ip } = request
    const adminCode = request.headers['x-admin-code']
    const presented = presentedKey(request)
    if (presented === undefined) {
      if (adminCode !== undefined) throw unauthorized()
      return { kind: 'anonymous', ip }
    }
    const { text, isBearer } = presented
    if (isBearer && adminCode === undefined) {
      const { sandbox } = credentials
      const token =
        tokenCaller(credentials, 'live', text, ip) ?? tokenCaller(sandbox, 'sandbox', text, ip)
      if (token !== undefined) return token
    }
    const userAgent = request.headers['user-agent'] ?? ''
    const caller = keyCaller(credentials, text, { ip, userAgent })
    if (caller === undefined) throw unauthorized()
    if (adminCode === undefined) return caller
    return confirmed(caller, adminCodes, readHeader(String(adminCode)))
  }
}

/** The administrator that a key and a one-time code name together. */
async function confirmed(
  caller: KeyCaller,
  adminCodes: AdminCodes,
  adminCode: string,
): Promise<KeyCaller> {
  if (!caller.scopes.has('admin:*')) {
    throw new HttpError('forbidden', 'API key lacks required scope: admin:*')
  }
  if (!(await adminCodes.redeem(adminCode))) {
    const message =
      'The one-time code in X-Admin-Code was not accepted: it is wrong, it was used before, or ' +
      'it is older than five minutes. Make a new one with "arklog key confirm", for one call'
    throw new HttpError('unauthorized', message)
  }
  return { ...caller, agent: { ...caller.agent, admin: true }, scopes: allScopes }
}

/** Whether a one-time code has confirmed the call of an administrator; nobody calls what is 404. */
export function isConfirmed(caller: Caller | undefined): caller is KeyCaller {
  return caller?.kind === 'key' && isAdministrator(caller.agent)
}

/** A header's text: Node gives each byte of it as one character. */
function readHeader(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8')
}

function tokenCaller(
  { oauth, suspensions }: Credentials,
  environment: EnvironmentName,
  text: string,
  ip: string,
): TokenCaller | undefined {
  const token = oauth.accessTokens.check(text, ip)
  if (token === undefined) return undefined
  const { parties, ...caller } = token
  refuseSuspended(suspensions, parties)
  return { kind: 'token', environment, ip, ...caller }
}

/**
 * The caller that a key names. What lies among the keys of the people of the sandbox is for the
 * sandbox, whatever its record says.
 */
function keyCaller(
  { keys, suspensions, sandbox }: Credentials & { readonly sandbox: Credentials },
  text: string,
  origin: Origin,
): KeyCaller | undefined {
  const answer = keys.authenticate(text, origin)
  if (answer.type !== 'unknown') return callerOf(suspensions, answer, origin)
  return callerOf(suspensions, sandbox.keys.authenticate(text, origin), origin, 'sandbox')
}

function callerOf(
  suspensions: KnownSuspensions,
  answer: Authentication,
  { ip }: Origin,
  environment?: EnvironmentName,
): KeyCaller | undefined {
  if (answer.type !== 'accepted') return undefined
  refuseSuspended(suspensions, answer.key.parties)
  const { agent, scopes, record }: LoadedKey = answer.key
  const { id: keyId } = record
  return { kind: 'key', agent, scopes, environment: environment ?? record.environment, keyId, ip }
}

const inQueryWarning = '299 - "API keys in addresses leak into logs: send Authorization: Bearer"'

/**
 * Marks every reply to a request that carries its key in the address: nothing may keep the reply or
 * pass the address on. It has the last word over what a route says about caching.
 */
export const warnOfKeysInAddresses: HeaderStep = ({ query }, reply) => {
  if ((query as { api_key?: unknown }).api_key === undefined) return
  reply.header('warning', inQueryWarning)
  reply.header('referrer-policy', 'no-referrer')
  keepPrivate(reply)
}

/** Says that a reply is for its reader alone. */
export function keepPrivate(reply: Pick<EdgeReply, 'header'>): void {
  reply.header('cache-control', 'private, no-store')
}

/** The values that cookies of a name have in a request, in their order (RFC 6265 §5.4). */
export function cookieValues({ cookie = '' }: IncomingHttpHeaders, name: string): string[] {
  const prefix = `${name}=`
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
}
