import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { varyBy } from '#src/edge/reply_coding.ts'
import { html, type Html } from '#src/pages/kit/html.ts'

/** What a public page has for one reader alone. */
export type PersonalParts = {
  /** What stands in the header in place of the sign-in. */
  readonly menu: Html
  /** What the reader may do to a work. */
  readonly workActions: (ark: string) => Html
}

/** Tells who reads a page. */
export type Readers = {
  /** Whether a request names a session: nothing is looked up for it. */
  isNamed(request: FastifyRequest): boolean
  /** The parts of whoever is signed in; undefined if nobody is. */
  partsFor(request: FastifyRequest): Promise<PersonalParts | undefined>
}

// Comments of ours: whatever people have written is escaped, so no text of theirs holds one.
const accountPlace = /<!--account-->[^]*?<!--\/account-->/
const workPlace = /<!--work (ark:[\w/.-]+)-->/g

/** Marks what stands in a header for whoever is not signed in. */
export function placeOfAccount(content: Html): Html {
  return html`<!--account-->${content}<!--/account-->`
}

/** Marks where a page has what its reader may do to a work, `ark:/naan/name`. */
export function placeOfWork(ark: string): Html {
  return html`<!--work ${ark}-->`
}

/**
 * Has public pages, which are the same for everybody and are kept as such, say who is signed in and
 * what they may do there. Such a page is for one reader, and is `private, no-store`; every page
 * says that it depends on the cookie (`Vary`), so that no cache shows it to who is signed in.
 * Whoever comes without a session costs one look at the cookies. Register it before what codes the
 * bodies of replies.
 */
export function personalizePages(server: FastifyInstance, readers: Readers): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!isPage(reply)) return done(null, payload)
    varyBy(reply, 'Cookie')
    const page = readers.isNamed(request) ? publicPage(payload) : undefined
    if (page === undefined) return done(null, payload)
    readers.partsFor(request).then(
      (parts) => done(null, parts === undefined ? payload : personal(page, parts, reply)),
      (error: unknown) => done(error as Error),
    )
  })
}

function isPage(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && type.startsWith('text/html')
}

/** The text of a page that has places for its reader; undefined for every other one. */
function publicPage(payload: unknown): string | undefined {
  const text = payload instanceof Uint8Array ? Buffer.from(payload).toString('utf8') : payload
  return typeof text === 'string' && accountPlace.test(text) ? text : undefined
}

function personal(page: string, { menu, workActions }: PersonalParts, reply: FastifyReply): string {
  reply.header('cache-control', 'private, no-store')
  return page
    .replace(accountPlace, () => menu.text)
    .replace(workPlace, (_, ark: string) => workActions(ark).text)
}
