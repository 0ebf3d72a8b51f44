import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import type { FastifyInstance } from 'fastify'
import ipaddr from 'ipaddr.js'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { LiveToken } from '#src/identity/oauth/access_tokens.ts'
import { ipAllowed, type IpList, parseIpList } from '#src/identity/store/ip_list.ts'

/** A caller that sent a usable key: for whom it acts, what it may do, and in which environment. */
export type KeyCaller = {
  readonly kind: 'key'
  readonly agent: Agent
  readonly scopes: ReadonlySet<string>
  readonly environment: EnvironmentName
  readonly keyId: string
  /** The client's address as the trusted proxies tell it, IPv4-mapped IPv6 unfolded to IPv4. */
  readonly ip: string
}

/** A caller that sent a usable access token: an application, for a person who permitted it. */
export type TokenCaller = Omit<LiveToken, 'parties'> &
  Pick<KeyCaller, 'environment' | 'ip'> & { readonly kind: 'token' }

/** A caller that sent no credentials; the environment follows from what it asks for. */
export type AnonymousCaller = { readonly kind: 'anonymous'; readonly ip: string }

/** A caller that sent a credential. */
export type KnownCaller = KeyCaller | TokenCaller

/** Who is calling. Credentials that cannot be used never become a caller: they are a 401. */
export type Caller = KnownCaller | AnonymousCaller

/** The environment that a caller's requests are about: without a credential it is the live one. */
export function environmentOf<E>(
  environments: Readonly<Record<EnvironmentName, E>>,
  caller: Caller,
): E {
  return environments[caller.kind === 'anonymous' ? 'live' : caller.environment]
}

/**
 * What tells the callers of the registry apart where they share something: the id of a key, the
 * application and person of a token, else what the client address is counted by.
 */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'key':
      return caller.keyId
    case 'token':
      return `${caller.clientId} ${caller.ppid}`
    case 'anonymous':
      return countedAddress(caller.ip)
  }
}

/** The one answer to credentials that are missing or cannot be used, whatever the reason. */
export function unauthorized(
  extra: { readonly public_path?: string } = {},
  message = 'Invalid API key',
): HttpError {
  return new HttpError('unauthorized', message, { extra })
}

/** Entries of an X-Forwarded-For that are read: more proxies stand before no registry. */
const entriesMax = 32

// `192.0.2.7`, perhaps with zeros before its numbers.
const dotted = /^\d{1,10}(?:\.\d{1,10}){3}$/
const dottedWithPort = /^([\d.]+):\d{0,5}$/
const bracketed = /^\[([^\]]*)\](?::\d{0,5})?$/

/**
 * An address in its one form, in any of those in which proxies write it: `192.0.2.7`, also with a
 * port, in quotation marks, with zeros before its numbers or mapped into IPv6; `2001:db8::1`, also
 * in brackets, with a port or with a zone. Undefined for what is no address.
 */
export function readAddress(written: string): string | undefined {
  const text = written.trim().replace(/^"(.*)"$/, '$1')
  const host = dottedWithPort.exec(text)?.[1] ?? bracketed.exec(text)?.[1] ?? text
  if (dotted.test(host)) {
    // The library takes zeros before a number for an octal one, which no proxy means.
    const address = host.split('.').map(Number).join('.')
    return net.isIPv4(address) ? address : undefined
  }
  const [address = ''] = host.split('%', 1)
  if (!net.isIPv6(address)) return undefined
  return ipaddr.process(address).toString()
}

/**
 * From where a request comes: the last address before our proxies, as those tell it. `peer` is at
 * the other end of the connection. Where a proxy tells what is no address, it is that proxy's own,
 * so that nobody can be everybody.
 */
function clientAddress({ headers }: IncomingMessage, peer: string, proxies: IpList): string {
  let client = peer
  const forwarded = headers['x-forwarded-for']
  if (proxies.length === 0 || forwarded === undefined) return client
  const entries = [forwarded].flat().join(',').split(',').slice(-entriesMax)
  while (ipAllowed(proxies, client)) {
    const before = readAddress(entries.pop() ?? '')
    if (before === undefined) break
    client = before
  }
  return client
}

/** Tells from where a request comes. */
export type AddressOf = (request: IncomingMessage) => string

/**
 * Makes `request.ip` the address of the client in its one form, for limits, lists of allowed
 * addresses, sessions and log lines alike, and gives what tells it. `trusted` are the addresses and
 * networks of our proxies.
 */
export function registerClientAddress(
  server: FastifyInstance,
  trusted: readonly string[],
): AddressOf {
  const proxies = parseIpList(trusted)
  // A connection has one address and many requests.
  const peers = new WeakMap<net.Socket, string>()
  const peerOf = (socket: net.Socket): string => {
    const known = peers.get(socket)
    if (known !== undefined) return known
    const { remoteAddress = '' } = socket
    const peer = readAddress(remoteAddress) ?? remoteAddress
    peers.set(socket, peer)
    return peer
  }
  const addressOf: AddressOf = (request) => clientAddress(request, peerOf(request.socket), proxies)
  server.addHook('onRequest', (request, _reply, done) => {
    const value = addressOf(request.raw)
    if (value !== request.raw.socket.remoteAddress || proxies.length > 0) {
      Object.defineProperty(request, 'ip', { value })
    }
    done()
  })
  return addressOf
}

/**
 * What an address is counted by: an IPv6 one by its /64, for a client with one address of it has
 * all of them.
 */
export function countedAddress(ip: string): string {
  if (!ip.includes(':')) return ip
  return net.isIPv6(ip) ? ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString() : ip
}
