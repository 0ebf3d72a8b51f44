import type {
  FastifyInstance,
  FastifyReply,
  onRequestHookHandler,
  onSendHookHandler,
} from 'fastify'

import { HttpError } from '#src/errors.ts'
import { allowPreflight } from '#src/edge/cross_origin.ts'

/** The methods of an address; `allow` lists those it takes, once all routes are there. */
type Methods = { readonly names: Set<string>; anyOrigin: boolean; allow: string }

/**
 * Watches which methods each address gets. Call what it returns once all routes are there: it gives
 * every address the methods it lacks, as 405 with `Allow`, and OPTIONS as 204. A route that answers
 * OPTIONS itself is asked by browsers only, before they send what another origin wants sent.
 */
export function registerMethodTable(server: FastifyInstance): () => void {
  const addresses = new Map<string, Methods>()
  server.addHook('onRoute', (route) => {
    const { url, method, config, onRequest, onSend } = route
    if (method === 'HEAD') route.onSend = [onSend ?? [], tellNoLengthOfNothing].flat()
    const methods = addresses.get(url) ?? {
      names: new Set(['OPTIONS']),
      anyOrigin: false,
      allow: '',
    }
    if (method === 'OPTIONS') {
      route.onRequest = [answerUnlessPreflight(methods), onRequest ?? []].flat()
    }
    for (const name of [method].flat()) methods.names.add(name)
    methods.anyOrigin ||= config?.anyOrigin === true
    addresses.set(url, methods)
  })
  return () => {
    for (const [url, methods] of addresses) {
      // An address with a slash at its end comes with the one without, unannounced.
      for (const method of server.supportedMethods) {
        if (server.hasRoute({ method, url })) methods.names.add(method)
      }
      completeAddress(server, url, methods)
    }
  }
}

function answerUnlessPreflight(methods: Methods): onRequestHookHandler {
  return (request, reply, done) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (isPreflight) return done()
    tellMethods(reply, methods)
  }
}

function tellMethods(reply: FastifyReply, { allow, anyOrigin }: Methods): void {
  reply.header('allow', allow)
  if (anyOrigin) allowPreflight(reply, allow)
  reply.code(204).send()
}

/**
 * The framework gives each reply to HEAD a length; that of a 304, where there is one, is that of
 * the body that is not sent again (RFC 9110 §8.6), which nobody has made.
 */
const tellNoLengthOfNothing: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}

function completeAddress(server: FastifyInstance, url: string, methods: Methods): void {
  const { names, anyOrigin } = methods
  const allow = [...names].sort().join(', ')
  methods.allow = allow
  const missing = server.supportedMethods.filter((name) => !names.has(name))
  server.route({
    method: missing,
    url,
    config: { anyOrigin },
    schema: { hide: true },
    onRequest(_request, reply, done) {
      reply.header('allow', allow)
      done(new HttpError('method_not_allowed', `This address takes ${allow}`))
    },
    // The hook has answered already.
    handler: () => undefined,
  })
  if (server.hasRoute({ method: 'OPTIONS', url })) return
  server.route({
    method: 'OPTIONS',
    url,
    config: { anyOrigin },
    schema: { hide: true },
    handler: (_request, reply) => tellMethods(reply, methods),
  })
}
