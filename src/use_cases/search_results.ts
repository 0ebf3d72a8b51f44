import { Stride } from '#actors/kernel/stride.ts'
import { undefinedIfDamage } from '#log/store/damage.ts'
import { organizationReply } from '#src/use_cases/organization_reply.ts'
import { everybody, personReply } from '#src/use_cases/person_reply.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import { documentArk } from '#src/discovery/search/documents.ts'
import type { IndexKind } from '#src/discovery/search/search_engine.ts'

/** Bytes of records after which the reply of a search ends: what publishers write can be long. */
const resultBytesEnough = 1_048_576

/**
 * The records that an index names, as JSON texts in its order. They are read where they are kept,
 * as they stand now: what is withdrawn, erased or damaged since it was indexed is left out.
 */
export async function renderResults(
  kind: IndexKind,
  ids: readonly string[],
  registry: Registry,
): Promise<string[]> {
  return (await renderFirst(kind, ids, registry, Infinity)).texts
}

/** The first of these records, as many as one reply has; `read` tells how many that are. */
export function renderPage(
  kind: IndexKind,
  ids: readonly string[],
  registry: Registry,
): Promise<{ readonly texts: string[]; readonly read: number }> {
  return renderFirst(kind, ids, registry, resultBytesEnough)
}

async function renderFirst(
  kind: IndexKind,
  ids: readonly string[],
  registry: Registry,
  bytesEnough: number,
): Promise<{ readonly texts: string[]; readonly read: number }> {
  const stride = new Stride()
  const texts: string[] = []
  let bytes = 0
  let read = 0
  for (const id of ids) {
    const text = await renderResult(kind, id, registry).catch(undefinedIfDamage)
    read += 1
    if (text === undefined) continue
    texts.push(text)
    bytes += text.length
    if (bytes >= bytesEnough) break
    await stride.step(text.length)
  }
  return { texts, read }
}

async function renderResult(
  kind: IndexKind,
  id: string,
  { environment, baseUrl }: Registry,
): Promise<string | undefined> {
  switch (kind) {
    case 'works': {
      const found = await environment.catalogue.work(documentArk(id))
      if (found.type === 'not_found' || found.status !== 'registered') return undefined
      return Buffer.from(found.body).toString('utf8')
    }
    case 'people': {
      const person = environment.people.read(id)
      if (person?.type !== 'person') return undefined
      const worksCount = environment.claims.worksCount(id)
      const known = { person, account: undefined, claims: [], worksCount }
      const { claims: _, ...shown } = personReply(known, everybody, baseUrl)
      return JSON.stringify(shown)
    }
    case 'organizations': {
      const organization = environment.organizations.read(id)
      return organization && JSON.stringify(organizationReply(baseUrl, environment, organization))
    }
  }
}
