import { type Occurrence, personIn, writerOf } from '#actors/registry/catalogue/provenance.ts'
import { applicationKey, type Endpoint, organizationKey } from '#src/delivery/webhooks/endpoint.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import { type EventKind, kindOf } from '#src/delivery/webhooks/event.ts'

/** What applications may read, asked at each delivery, so that an end of it counts at once. */
export type Permissions = {
  /** Whether an application that was not revoked still is one of an organization. */
  isOf(clientId: string, organization: string): boolean
  /** Whether somebody is suspended who hears by an endpoint. */
  isSuspended(endpoint: Pick<Endpoint, 'application' | 'organization'>): boolean
  /** The applications that a person permits something, by their ids. */
  permittedBy(ppid: string): readonly string[]
  /** Whether an application may read what something is about. */
  mayRead(clientId: string, occurrence: Occurrence): boolean
}

/** Who is told of what: those of whose endpoints listen for it who may read it. */
export class Audience {
  readonly #endpoints: EndpointStore
  readonly #permissions: Permissions

  constructor(endpoints: EndpointStore, permissions: Permissions) {
    this.#endpoints = endpoints
    this.#permissions = permissions
  }

  /** Whether an endpoint can hear of anything: its application is there, if it hears for one. */
  isThere({ application, organization }: Endpoint): boolean {
    return application === undefined || this.#permissions.isOf(application, organization)
  }

  /** Whether all that an endpoint hears of waits: its organization or application is suspended. */
  isHeld(endpoint: Endpoint): boolean {
    return this.#permissions.isSuspended(endpoint)
  }

  /** Under which kind an endpoint is told of something; undefined if it is not. */
  hears(endpoint: Endpoint, occurrence: Occurrence): EventKind | undefined {
    const kind = kindOf(occurrence, endpoint.events)
    if (kind === undefined) return undefined
    const { application, organization } = endpoint
    const hearsIt =
      application === undefined
        ? mayOrganizationRead(organization, occurrence)
        : this.#permissions.mayRead(application, occurrence)
    return hearsIt ? kind : undefined
  }

  /** The endpoints that are told of something, by their ids. */
  of(occurrence: Occurrence): ReadonlySet<string> {
    const told = new Set<string>()
    for (const owner of this.#ownersIn(occurrence)) {
      for (const endpoint of this.#endpoints.of(owner)) {
        if (this.hears(endpoint, occurrence) !== undefined) told.add(endpoint.id)
      }
    }
    return told
  }

  /** Whom something may concern, as `ownerKey` names them. */
  #ownersIn(occurrence: Occurrence): ReadonlySet<string> {
    const owners = new Set<string>()
    const organization = organizationIn(occurrence)
    if (organization !== undefined) owners.add(organizationKey(organization))
    const writer = writerOf(occurrence)
    if (writer !== undefined) owners.add(applicationKey(writer.client_id))
    const ppid = personIn(occurrence)
    if (ppid === undefined) return owners
    for (const clientId of this.#permissions.permittedBy(ppid)) owners.add(applicationKey(clientId))
    return owners
  }
}

/** The organization that something concerns: whose work it is, or who wrote what was added. */
function organizationIn(occurrence: Occurrence): string | undefined {
  if (occurrence.about === 'profile') return undefined
  const { type, id } = occurrence.about === 'item' ? occurrence.source : occurrence.owner
  return type === 'organization' ? id : undefined
}

function mayOrganizationRead(slug: string, occurrence: Occurrence): boolean {
  return organizationIn(occurrence) === slug
}
