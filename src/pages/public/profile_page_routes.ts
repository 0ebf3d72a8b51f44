import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Person } from '#actors/people/port.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { readListedWorks } from '#src/use_cases/listed_works.ts'
import { everybody, namePerson, personLinks, seesClaim } from '#src/use_cases/person_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { documentId } from '#src/discovery/search/documents.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import { type CountedWork, publicProfilePage } from '#src/pages/public/profile_page.ts'

/** Works that the page of a person shows, the newest ones. */
const worksMax = 100

/** `GET /people/{ppid}`: a person as readers see them. */
export function registerProfilePageRoute(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'baseUrl' | 'environments' | 'accounts'>,
): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }),
    schema: { hide: true },
  }
  type Named = FastifyRequest<{ Params: { ppid: string } }>
  server.get('/people/:ppid', options, async (request: Named, reply) => {
    const { caller, params } = request
    const { environment, person } = namePerson(edge.environments, caller, params.ppid)
    const { self } = personLinks(edge.baseUrl, person.ppid)
    reply.header('link', `<${self}>; rel="alternate"; type="application/json"`)
    const works = await countedWorks(environment, person, edge.baseUrl)
    const isTest = environment.name === 'sandbox'
    if (isTest) markSandbox(reply)
    const page = publicProfilePage({ person, works, isTest, baseUrl: edge.baseUrl })
    return sendPublicPage(page, reply, edge)
  })
}

/** Works that count as a person's and that everybody may see with them. */
async function countedWorks(
  environment: ServedEnvironment,
  { ppid, profile }: Person,
  baseUrl: string,
): Promise<CountedWork[]> {
  const newest = environment.claims.ofPerson(ppid, { limit: worksMax }).claims
  const counted = newest.filter(
    (claim) =>
      claim.status === 'verified' && seesClaim(everybody, profile.visibility.claims, claim),
  )
  const ids = counted.map(({ ark }) => documentId({ type: 'work', id: ark }))
  const works = await readListedWorks(ids, { environment, baseUrl })
  return works.flatMap((work) => {
    const claim = counted.find(({ ark_identifier: ark }) => ark === work.ark_identifier)
    return claim === undefined ? [] : [{ ...work, claim }]
  })
}
