import type { FastifyReply, FastifyRequest } from 'fastify'

import { withoutHost } from '#src/edge/request_path.ts'

/** Where people who sign in go unless they came for another page. */
export const home = '/account'

/** The query parameter by which the sign-in asks somebody who is signed in already, too. */
export const signInAnew = 'anew'

/** The path below the prefix of the page that asks who has just come who sees their profile. */
export const welcomePath = '/account/welcome'

/** The path below the prefix of the page that asks who signs in for the second factor. */
export const secondFactorPath = '/sign-in/code'

/** The path below the prefix of the page on which a person sets up the second factor. */
export const secondStepPath = '/account/second-step'

/** The path below the prefix of the page that shows recovery codes once. */
export const recoveryCodesPath = `${secondStepPath}/recovery-codes`

/** The path below the prefix of the page of a person's notices. */
export const noticesPath = '/account/notices'

/** The path below the prefix of the page of a person's saved searches. */
export const savedSearchesPath = '/account/searches'

/** The path below the prefix of the page of a person's last sign-ins. */
export const signInsPath = '/account/sign-ins'

/** The path below the prefix of the page for who finds a sign-in that was not theirs. */
export const strangerPath = '/account/sign-ins/not-mine'

/** The path below the prefix of the page of a person's passkeys. */
export const passkeysPath = '/account/passkeys'

/** The path below the prefix of the page on which who is signed in shows again who they are. */
export const confirmPath = '/account/confirm'

/** The page that shows a form again which was sent after its session had ended. */
export const unsentPath = '/account/unsent'

/** The path below the prefix of the page of keys, permissions and other ways into an account. */
export const accessPath = '/account/access'

/**
 * Where a text leads among the pages at `authUrl`: a path below its path, with the query, built
 * anew from what a browser would make of the text (WHATWG URL); undefined if it leads elsewhere.
 * What is sent to a browser is parsed once more there, and must mean the same then: `/.//host`
 * is a path of ours at first, and another host once its dot is gone.
 */
export function readReturnPath(text: string, authUrl: string): string | undefined {
  const { protocol, host, origin, pathname } = new URL(authUrl)
  const prefix = pathname.replace(/\/$/, '')
  if (text === '' || !URL.canParse(text, origin)) return undefined
  const asked = new URL(text, origin)
  const isOurs = asked.protocol === protocol && asked.host === host
  if (!isOurs || !asked.pathname.startsWith(`${prefix}/`)) return undefined
  const path = asked.pathname.slice(prefix.length) + asked.search
  const isPath = !path.startsWith('//') && new URL(path, origin).href === origin + path
  return isPath ? path : undefined
}

/** Answers a request before its route does, or lets it go on. */
export type LeadBrowser = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Where pages have a host of their own, a browser that comes for one to the host of the registry
 * (`baseUrl`) is sent to theirs (`authUrl`): cookies, forms and tokens are good there only. A
 * request that names neither host, as some proxies send, goes on.
 */
export function leadToPages(baseUrl: string, authUrl: string): LeadBrowser {
  const { host: registryHost } = new URL(baseUrl)
  const { host: pagesHost, origin } = new URL(authUrl)
  return async (request, reply) => {
    if (pagesHost === registryHost || request.host.toLowerCase() !== registryHost) return undefined
    reply.header('cache-control', 'no-store')
    return reply.redirect(origin + withoutHost(request.originalUrl), 303)
  }
}
