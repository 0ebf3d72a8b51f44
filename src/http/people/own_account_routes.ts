import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { profileUpdateSchema } from '#actors/people/checks.ts'
import type { Claim } from '#actors/people/claims/port.ts'
import type { WriteByOther } from '#actors/people/port.ts'
import { workLinks } from '#actors/registry/catalogue/representation.ts'
import { isPerson } from '#actors/values/agent.ts'
import type { Page } from '#actors/journal/rows.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { HttpError } from '#src/edge/errors.ts'
import { nameCursor, numberCursor, pageLinks, pageMembers, pagesOf } from '#src/edge/list_page.ts'
import { component, conditionalChange, nullable, time } from '#src/edge/reply_schemas.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import {
  arkIdentifier,
  contentHash,
  fixityStatus,
  linksSchema,
  receiptId,
  sha256Hash,
  version,
  workStatus,
} from '#src/http/kit/works.ts'
import { sendPerson, updatePerson } from '#src/http/people/people_routes.ts'
import {
  claimSchema,
  personSchema,
  undoneSchema,
  writesSchema,
} from '#src/http/people/person_schemas.ts'
import type { Right } from '#src/identity/keys/scope.ts'
import { collectExport } from '#src/use_cases/account_record.ts'
import { summarizeWork } from '#src/use_cases/listed_works.ts'
import {
  callingPerson,
  callingSelf,
  claimReply,
  type JsonReply,
  type NamedPerson,
  refusedPerson,
  seesClaim,
  sourceReply,
} from '#src/use_cases/person_reply.ts'
import { realmOf, type Realms, type RegistryEdge } from '#src/use_cases/registry_edge.ts'

const newestPages = { limit: 50, limitMax: 200, order: 'newest' } as const

type OwnAccountEdge = Realms & Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

/** What a person reads of themselves, and takes back of what others wrote; below both prefixes. */
export function registerOwnAccountRoutes(server: FastifyInstance, edge: OwnAccountEdge): void {
  registerRoutes(server, edge, 'people', accountRoutes)
}

const accountRoutes: readonly Route<OwnAccountEdge, { readonly position: string }>[] = [
  {
    method: 'GET',
    path: '/user',
    demands: { limit: 'people' },
    operationId: 'getOwnProfile',
    replyHeaders: ['ETag'],
    summary: 'The profile of the person for whom the caller acts.',
    description: 'Any credential of a person will do; what its scopes do not show is left out.',
    response: { 200: personSchema },
    handle: (edge, request, reply) =>
      sendPerson(edge, reply, callingPerson(edge.environments, knownCaller(request))),
  },
  {
    method: 'PUT',
    path: '/user',
    demands: { right: 'write people', limit: 'write_back' },
    isCheckedByRules: true,
    operationId: 'updateOwnProfile',
    ...conditionalChange,
    summary: 'Changes the profile of the person for whom the caller acts.',
    body: profileUpdateSchema,
    response: { 200: personSchema },
    handle(edge, request, reply) {
      const named = callingPerson(edge.environments, knownCaller(request))
      return updatePerson(edge, request, reply, named)
    },
  },
  ownList({
    path: '/user/writes',
    operationId: 'listWrites',
    summary: 'What others wrote for the person and what it changed, newest first unless told.',
    response: { 200: writesSchema },
    read: (_edge, { environment, person }, page) =>
      environment.people.writes({ ppid: person.ppid, ...page }),
    placeOf: ({ position }) => position,
    show: (writes, self) => ({ writes: writes.map((write) => showWrite(write, self)) }),
  }),
  {
    method: 'POST',
    path: '/user/writes/:position/undo',
    demands: { right: 'write own account', limit: 'write_back' },
    isCheckedByRules: true,
    operationId: 'undoWrite',
    summary: 'Takes back one write; its history stays.',
    response: { 200: undoneSchema },
    async handle(edge, request, reply) {
      const { environment, person } = callingSelf(edge.environments, knownCaller(request))
      const position = parseDecimal(request.params.position)
      if (position === undefined) throw noWrite()
      const command = { ppid: person.ppid, position, by: knownCaller(request).agent }
      const answer = await environment.people.undo(command)
      keepPrivate(reply)
      if (answer.type === 'undone') return { position, undone: true }
      if (answer.type === 'already_undone') return { position, undone: true, unchanged: true }
      throw refusedPerson(answer, {
        forbidden: 'Only the person undoes what was written for them',
        invalid: 'The write cannot be undone',
        notFound: noWrite().message,
      })
    },
  },
]

function showWrite(write: WriteByOther, { person, audience, environment }: NamedPerson): JsonReply {
  const { position, at, by, type, item, ark, diff, undoable, undone_at } = write
  const identifier = ark && (environment.catalogue.state(ark)?.identifier ?? `ark:/${ark}`)
  return {
    position,
    at,
    by: sourceReply(by, person, audience),
    ...(isPerson(by, person.ppid) && by.key_id !== undefined && { key_id: by.key_id }),
    type,
    ...(item !== undefined && { item }),
    ...(identifier !== undefined && { ark_identifier: identifier }),
    ...(write.version !== undefined && { version: write.version }),
    diff,
    undoable,
    ...(undone_at !== undefined && { undone_at }),
  }
}

function noWrite(): HttpError {
  return new HttpError('not_found', 'There is no such write')
}

type OwnDataEdge = Realms & Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'nowMs'>

const exportSchema = component(
  'AccountExport',
  { exported_at: time, ppid: Type.String() },
  { additionalProperties: true, description: 'Everything that is held, by what it is.' },
)

const auditSchema = component('AuditPage', {
  entries: Type.Array(
    component(
      'AuditEntry',
      { seq: Type.Integer(), at: time, action: Type.String() },
      { additionalProperties: true },
    ),
  ),
  ...pageMembers(Type.Integer()),
})

/** What is held of a person, and what happened to their keys and permissions. */
export function registerOwnDataRoutes(server: FastifyInstance, edge: OwnDataEdge): void {
  registerRoutes(server, edge, 'people', dataRoutes)
}

const dataRoutes: readonly Route<OwnDataEdge>[] = [
  {
    method: 'GET',
    path: '/user/export',
    demands: { right: 'read own account', limit: 'people' },
    operationId: 'exportAccount',
    summary: 'Exports everything that is stored about the person.',
    response: { 200: exportSchema },
    async handle(edge, request, reply) {
      const { environment, person } = callingSelf(edge.environments, knownCaller(request))
      const { accounts: service, oauth, keys } = realmOf(edge, environment.name)
      const parts = { environment, ...service, ...oauth, keys, nowMs: edge.nowMs }
      const held = await collectExport(parts, person.ppid)
      keepPrivate(reply)
      reply.header('content-disposition', `attachment; filename="${person.ppid}.json"`)
      return held
    },
  },
  ownList<OwnDataEdge, { readonly seq: number }>({
    path: '/user/audit',
    operationId: 'listAuditEntries',
    summary:
      'Lists what happened to the keys and permissions of the person, newest first unless told.',
    response: { 200: auditSchema },
    read(edge, { environment, person }, page) {
      const owner = { type: 'person', id: person.ppid } as const
      return realmOf(edge, environment.name).oauth.audit.read(owner, page)
    },
    placeOf: ({ seq }) => seq,
    show: (entries) => ({ entries }),
  }),
]

/** A list of a person's own, newest first by default. */
type OwnList<Edge, T> = Pick<Route<Edge>, 'path' | 'operationId' | 'summary' | 'response'> & {
  readonly read: (edge: Edge, self: NamedPerson, page: Page<number>) => Promise<readonly T[]>
  /** The place of an entry: the cursor of the page that begins after it. */
  readonly placeOf: (entry: T) => number
  /** The reply, to which the `next` page and the links are added. */
  readonly show: (entries: readonly T[], self: NamedPerson) => object
}

/** Serves a list page by page to the person it is about, and to nobody else. */
function ownList<Edge extends OwnWorkEdge, T>(list: OwnList<Edge, T>): Route<Edge> {
  const { read, placeOf, show, ...described } = list
  const pages = pagesOf({ ...newestPages, cursor: numberCursor, olderName: 'before' })
  return {
    method: 'GET',
    demands: { right: 'read own account', limit: 'people' },
    parameters: pages.parameters,
    ...described,
    async handle(edge, request, reply) {
      const page = pages.read(request)
      const self = callingSelf(edge.environments, knownCaller(request))
      // The entry after the page tells that there is one.
      const found = await read(edge, self, { ...page, limit: page.limit + 1 })
      keepPrivate(reply)
      const entries = found.slice(0, page.limit)
      const last = found.length > page.limit ? entries.at(-1) : undefined
      const next = last === undefined ? null : placeOf(last)
      return { ...show(entries, self), next, links: pageLinks(edge.baseUrl, request, next) }
    },
  }
}

type OwnWorkEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

const workPages = pagesOf({ ...newestPages, cursor: nameCursor, olderName: 'after' })

const pagePlace = pageMembers(Type.String())

const worksSchema = component('OwnWorkPage', {
  works: Type.Array(
    component('OwnWork', {
      ark_identifier: arkIdentifier,
      work_title: nullable(Type.String(), 'Null once the metadata has been erased.'),
      version,
      status: workStatus,
      fixity_status: fixityStatus,
      created_at: time,
      updated_at: time,
      claim: claimSchema,
      links: linksSchema,
    }),
  ),
  ...pagePlace,
})

const receiptsSchema = component('OwnReceiptPage', {
  receipts: Type.Array(
    component('OwnReceipt', {
      ark_identifier: arkIdentifier,
      version,
      receipt_id: receiptId,
      metadata_hash: sha256Hash,
      content_hash: contentHash,
      fixity_status: fixityStatus,
      links: linksSchema,
    }),
  ),
  ...pagePlace,
})

/** The works of the person for whom a request is made, and the receipts of their versions. */
export function registerOwnWorkRoutes(server: FastifyInstance, edge: OwnWorkEdge): void {
  registerRoutes(server, edge, 'people', workRoutes)
}

const workRoutes: readonly Route<OwnWorkEdge>[] = [
  {
    method: 'GET',
    path: '/user/works',
    demands: { right: 'read works', limit: 'people' },
    parameters: workPages.parameters,
    operationId: 'listOwnWorks',
    summary: 'Lists the works of the person, each with its claim; newest first unless told.',
    response: { 200: worksSchema },
    async handle(edge, request, reply) {
      const { named, claims, ...page } = readPage(edge, request, 'read works')
      const { environment, person, audience } = named
      const works = await Promise.all(
        claims.map(async (claim) => {
          const work = await summarizeWork(environment.catalogue, claim.ark)
          return (
            work && {
              ...work,
              claim: claimReply(claim, audience, person),
              links: workLinks(edge.baseUrl, work.ark_identifier, work.version),
            }
          )
        }),
      )
      keepPrivate(reply)
      return { works: works.filter((work) => work !== undefined), ...page }
    },
  },
  {
    method: 'GET',
    path: '/user/receipts',
    demands: { right: 'read receipts', limit: 'people' },
    parameters: workPages.parameters,
    operationId: 'listOwnReceipts',
    summary:
      'Lists the receipts of the newest versions of the works of the person, the newest works ' +
      'first unless told.',
    response: { 200: receiptsSchema },
    handle(edge, request, reply) {
      const { named, claims, ...page } = readPage(edge, request, 'read receipts')
      const { catalogue } = named.environment
      const receipts = claims.flatMap(({ ark }) => {
        const state = catalogue.state(ark)
        if (state === undefined) return []
        const { identifier, receipt_id, metadata_hash, content_hash, fixity_status } = state
        const links = workLinks(edge.baseUrl, identifier, state.version)
        const hashes = { metadata_hash, content_hash, fixity_status }
        return { ark_identifier: identifier, version: state.version, receipt_id, ...hashes, links }
      })
      keepPrivate(reply)
      return { receipts, ...page }
    },
  },
]

/** A page of claims of the person for whom a request is made, and where it stands. */
type OwnPage = {
  readonly named: NamedPerson
  readonly claims: readonly Claim[]
  readonly next: string | null
  readonly links: ReturnType<typeof pageLinks>
}

/** A page of the claims that make works the person's, as far as the caller sees them. */
function readPage(edge: OwnWorkEdge, request: FastifyRequest, right: Right): OwnPage {
  const page = workPages.read(request)
  const named = callingPerson(edge.environments, knownCaller(request))
  const { environment, person, audience } = named
  const { claims, next } = environment.claims.ofPerson(person.ppid, page)
  const { visibility } = person.profile
  const isTheirs = (claim: Claim) =>
    (claim.status === 'verified' || claim.status === 'pending') &&
    seesClaim(audience, visibility.claims, claim, right)
  const links = pageLinks(edge.baseUrl, request, next)
  return { named, claims: claims.filter(isTheirs), next, links }
}
