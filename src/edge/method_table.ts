import type {
  FastifyInstance,
  FastifyReply,
  onRequestHookHandler,
  onSendHookHandler,
} from 'fastify'
import createRouter from 'find-my-way'

import { allowPreflight } from '#src/edge/request_guard.ts'
import type { AnswerError } from '#src/edge/error_reply.ts'
import type { EdgeRequest } from '#src/edge/step.ts'
import { HttpError } from '#src/edge/errors.ts'

/** An address as its routes name it, and the methods for which it has one. */
export type Address = {
  readonly url: string
  readonly routed: Set<string>
  /** Whether web pages of any origin may call it. */
  anyOrigin: boolean
  /** All that it takes, as `Allow` lists it; made when it is first asked for. */
  allow?: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route only keeps requests from others whose addresses are wider. */
    readonly isMissed?: boolean
  }
}

/** Characters of an address that is looked for; the server takes no longer request line. */
const addressCharactersMax = 16_384

/**
 * Knows which methods each address takes, and answers the others: 405 with `Allow`, and OPTIONS
 * with 204. A route that answers OPTIONS itself is asked by browsers only, before they send what
 * another origin wants sent. Such requests reach no route, so what is told of them is found here:
 * each as a route of its own would be three quarters of all routes, and as much of what they cost.
 */
export class MethodTable {
  readonly #server: FastifyInstance
  readonly #addresses = new Map<string, Address>()
  #finder: ReturnType<typeof createRouter> | undefined

  constructor(server: FastifyInstance) {
    this.#server = server
  }

  /** The address that a request has reached with a method that it does not take, if that is so. */
  missedBy({ is404, method, url, routeOptions }: EdgeRequest): Address | undefined {
    if (!is404 && routeOptions.config.isMissed !== true) return undefined
    if (!this.#server.supportedMethods.includes(method)) return undefined
    this.#finder ??= this.#openFinder()
    const address = this.#finder.find('GET', url)?.store as Address | undefined
    return address?.routed.has(method) === false ? address : undefined
  }

  /** Watches routes from here on, and answers what reaches none because of its method. */
  watch(answerError: AnswerError): void {
    this.#server.addHook('onRoute', (route) => {
      const { url, method, config, onRequest, onSend } = route
      if (config?.isMissed === true) return
      if (method === 'HEAD') route.onSend = [onSend ?? [], tellNoLengthOfNothing].flat()
      const address = this.#addresses.get(url) ?? { url, routed: new Set(), anyOrigin: false }
      if (method === 'OPTIONS') {
        route.onRequest = [this.#answerUnlessPreflight(address), onRequest ?? []].flat()
      }
      for (const name of [method].flat()) address.routed.add(name)
      address.anyOrigin ||= config?.anyOrigin === true
      this.#addresses.set(url, address)
    })
    this.#server.addHook('onRequest', (request, reply, done) => {
      const address = this.missedBy(request)
      if (address === undefined) return done()
      if (request.method === 'OPTIONS') return this.#tell(address, reply)
      const allow = this.#allowOf(address)
      reply.header('allow', allow)
      const refusal = new HttpError('method_not_allowed', `This address takes ${allow}`)
      answerError(refusal, request, reply)
    })
  }

  /**
   * Call it once all routes are there: where a method that one address lacks would lead to the
   * route of another, such as `PUT /works/bulk` to that of `/works/:ark`, it leads to a refusal.
   */
  complete(): void {
    for (const [address, methods] of otherwiseRouted([...this.#addresses.values()])) {
      const { url, anyOrigin } = address
      // An address with a slash at its end comes with the one without, unannounced.
      const lacked = [...methods].filter((method) => !this.#server.hasRoute({ method, url }))
      if (lacked.length === 0) continue
      // Before it has routes for what it does not take.
      this.#allowOf(address)
      this.#server.route({
        method: lacked,
        url,
        exposeHeadRoute: false,
        config: { anyOrigin, isMissed: true },
        schema: { hide: true },
        // The hook has answered already.
        handler: () => undefined,
      })
    }
  }

  #openFinder(): ReturnType<typeof createRouter> {
    const finder = createRouter({ maxParamLength: addressCharactersMax })
    for (const [url, address] of this.#addresses) finder.on('GET', url, () => {}, address)
    return finder
  }

  #allowOf(address: Address): string {
    const { url, routed } = address
    const takes = (method: string) =>
      method === 'OPTIONS' || routed.has(method) || this.#server.hasRoute({ method, url })
    address.allow ??= this.#server.supportedMethods.filter(takes).sort().join(', ')
    return address.allow
  }

  #answerUnlessPreflight(address: Address): onRequestHookHandler {
    return (request, reply, done) => {
      const isPreflight = request.headers['access-control-request-method'] !== undefined
      if (isPreflight) return done()
      this.#tell(address, reply)
    }
  }

  #tell(address: Address, reply: FastifyReply): void {
    const allow = this.#allowOf(address)
    reply.header('allow', allow)
    if (address.anyOrigin) allowPreflight(reply, allow)
    reply.code(204).send()
  }
}

/**
 * The methods that an address lacks and that another one has which some request may mean as well,
 * with each address where there are any.
 */
function otherwiseRouted(addresses: readonly Address[]): Map<Address, Set<string>> {
  const found = new Map<Address, Set<string>>()
  const add = (address: Address, { routed }: Address) => {
    const lacked = [...routed].filter((method) => !address.routed.has(method))
    if (lacked.length > 0) found.set(address, new Set([...(found.get(address) ?? []), ...lacked]))
  }
  const before = new Branch()
  for (const address of addresses) {
    const segments = segmentsOf(address.url)
    for (const other of before.meeting(segments)) {
      add(address, other)
      add(other, address)
    }
    before.add(segments, address)
  }
  return found
}

/**
 * Addresses that begin alike, by how they go on: each start asks of hundreds which of them may have
 * a path in common.
 */
class Branch {
  readonly #ended: Address[] = []
  readonly #words = new Map<string, Branch>()
  readonly #wide: { readonly segment: Segment; readonly branch: Branch }[] = []

  add([segment, ...rest]: readonly Segment[], address: Address): void {
    if (segment === undefined) return void this.#ended.push(address)
    const known = segment.word === undefined ? undefined : this.#words.get(segment.word)
    const branch = known ?? new Branch()
    if (segment.word === undefined) this.#wide.push({ segment, branch })
    else this.#words.set(segment.word, branch)
    branch.add(rest, address)
  }

  /** Those of which a path may be one of these segments, too. */
  meeting([segment, ...rest]: readonly Segment[]): Address[] {
    if (segment === undefined) return this.#ended
    if (segment.isRest) return this.#all().slice(this.#ended.length)
    const { word } = segment
    const named = word === undefined ? [...this.#words] : [[word, this.#words.get(word)] as const]
    const found = named.flatMap(([said, branch]) =>
      branch !== undefined && mayTake(segment, said) ? branch.meeting(rest) : [],
    )
    for (const { segment: wide, branch } of this.#wide) {
      if (wide.isRest) found.push(...branch.#ended)
      else if (mayTake(wide, word)) found.push(...branch.meeting(rest))
    }
    return found
  }

  #all(): Address[] {
    const branches = [...this.#words.values(), ...this.#wide.map(({ branch }) => branch)]
    return [...this.#ended, ...branches.flatMap((branch) => branch.#all())]
  }
}

/**
 * The framework gives each reply to HEAD a length; that of a 304, where there is one, is that of
 * the body that is not sent again (RFC 9110 §8.6), which nobody has made.
 */
const tellNoLengthOfNothing: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}

/** What a segment of a path is held to: a word, a form, or nothing. The rest takes all segments. */
type Segment = { readonly word?: string; readonly form?: RegExp; readonly isRest: boolean }

const parameter = /^:\w+\((?<form>.*)\)$/

/** The segments of a route's address, such as `/works/:ark` or `/tile/*`. */
function segmentsOf(url: string): readonly Segment[] {
  return url.split('/').map((text) => {
    if (text.endsWith('*')) return { isRest: true }
    if (!text.includes(':')) return { word: text, isRest: false }
    const form = parameter.exec(text)?.groups?.['form']
    return { isRest: false, ...(form !== undefined && { form: new RegExp(form) }) }
  })
}

/** Whether what a segment stands for may be what another one says; forms are not compared. */
function mayTake({ word, form }: Segment, said: string | undefined): boolean {
  if (said === undefined) return true
  return word === undefined ? form?.test(said) !== false : word === said
}
