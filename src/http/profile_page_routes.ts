import type { FastifyInstance, FastifyReply } from 'fastify'

import type { HeldWork } from '#actors/holdings.ts'
import type { Environment } from '#actors/environment.ts'
import type { Person } from '#actors/people.ts'
import { HttpError } from '#src/errors.ts'
import { type NamedPerson, namePerson } from '#src/http/named_person.ts'
import type { PersonRequest } from '#src/http/people_routes.ts'
import { everybody, seesClaim } from '#src/http/person_audience.ts'
import type { Edge } from '#src/http/server.ts'
import { personLinks } from '#src/http/shown_person.ts'
import { summarizeWork } from '#src/http/work_summary.ts'
import { errorPage } from '#src/web/error_page.ts'
import { type Page, pagePolicy, renderPage } from '#src/web/page.ts'
import { publicProfilePage } from '#src/web/public_profile.ts'
import { icon, stylesheet } from '#src/web/assets.ts'

/** Works that the page of a person shows, the newest ones. */
const worksMax = 100

/** `GET /people/{ppid}`: a person as readers see them. */
export function registerProfilePageRoute(server: FastifyInstance, edge: Edge): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }),
    schema: { hide: true },
  }
  server.get('/people/:ppid', options, async (request: PersonRequest, reply) => {
    const named = nameReadably(edge, request)
    if (named instanceof HttpError) return send(edge, reply, errorPage(named, request.id))
    const { environment, person } = named
    const { self } = personLinks(edge.baseUrl, person.ppid)
    reply.header('link', `<${self}>; rel="alternate"; type="application/json"`)
    const works = await countedWorks(environment, person)
    return send(edge, reply, publicProfilePage({ person, works, baseUrl: edge.baseUrl }))
  })
}

/** Works that count as a person's and that everybody may see with them. */
async function countedWorks(
  { claims, catalogue }: Environment,
  { ppid, profile }: Person,
): Promise<HeldWork[]> {
  const newest = claims.ofPerson(ppid, { limit: worksMax }).claims
  const counted = newest.filter(
    (claim) =>
      claim.status === 'verified' && seesClaim(everybody, profile.visibility.claims, claim),
  )
  const works = await Promise.all(counted.map(({ ark }) => summarizeWork(catalogue, ark)))
  return works.filter((work) => work !== undefined).filter(({ status }) => status === 'registered')
}

/** The person that a path names; or that there is none, or none any more, which a page tells. */
function nameReadably(edge: Edge, request: PersonRequest): NamedPerson | HttpError {
  try {
    return namePerson(edge.environments, request)
  } catch (error) {
    if (error instanceof HttpError && ['not_found', 'gone'].includes(error.code)) return error
    throw error
  }
}

function send({ accounts, baseUrl }: Edge, reply: FastifyReply, page: Page): FastifyReply {
  const prefix = new URL(accounts.authUrl).pathname.replace(/\/$/, '')
  const frame = {
    prefix,
    stylesheet: prefix + stylesheet.path,
    icon: prefix + icon.path,
    baseUrl,
    // Everybody gets the same page, which anybody may keep; who reads it does not matter.
    signedInAs: undefined,
    maySignUp: accounts.signUp === 'open',
    csrf: '',
  }
  reply.code(page.status ?? 200)
  reply.header('content-type', 'text/html; charset=utf-8')
  reply.header('content-security-policy', pagePolicy)
  reply.header('cache-control', 'no-cache')
  return reply.send(renderPage(page, frame))
}
