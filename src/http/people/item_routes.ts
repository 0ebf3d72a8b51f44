import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { idempotencyOf } from '#actors/journal/idempotency.ts'
import { itemMarkSchema, itemSchemas, itemUpdateSchemas } from '#actors/people/checks.ts'
import type { ChangeItemAnswer, Item, ItemKind, MarkItemAnswer } from '#actors/people/port.ts'
import { itemsMax } from '#actors/people/rules.ts'
import { may } from '#actors/values/authority.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { ifMatch } from '#src/edge/conditional.ts'
import { readIdempotencyKey, replayedHeader } from '#src/edge/keyed_writes.ts'
import { nameCursor, pageLinks, pageOf, pagesOf } from '#src/edge/list_page.ts'
import { recordSentBack } from '#src/edge/record_sent_back.ts'
import { conditionalChange } from '#src/edge/reply_schemas.ts'
import { HttpError } from '#src/edge/errors.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { itemListSchemas, itemReplySchemas } from '#src/http/people/person_schemas.ts'
import {
  callingPerson,
  itemReply,
  type JsonReply,
  type NamedPerson,
  type Refusal,
  refusedPerson,
  seesItem,
} from '#src/use_cases/person_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

type ItemEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

/** A kind of items as it is spelled in paths and in words. */
type Named = {
  readonly kind: ItemKind
  readonly list: 'affiliations' | 'education'
  readonly word: string
  /** One of them and all of them, in the names of operations. */
  readonly name: string
  readonly names: string
}

const kinds = [
  {
    kind: 'affiliation',
    list: 'affiliations',
    word: 'affiliation',
    name: 'Affiliation',
    names: 'Affiliations',
  },
  {
    kind: 'education',
    list: 'education',
    word: 'education record',
    name: 'Education',
    names: 'Education',
  },
] as const

type ItemParts = { readonly id: string }
type ItemRequest = FastifyRequest<{ Params: ItemParts }>
type ItemRoute = Route<ItemEdge, ItemParts>

// Clients that have always read these lists whole still do.
const pages = pagesOf({
  cursor: nameCursor,
  limit: itemsMax,
  limitMax: itemsMax,
  order: 'newest',
})

/** Affiliations and education of the person for whom a request is made, below both prefixes. */
export function registerItemRoutes(server: FastifyInstance, edge: ItemEdge): void {
  const makers = [listing, reading, addition, change, removal]
  const routes = kinds.flatMap((about) => makers.map((make) => make(about)))
  registerRoutes(server, edge, 'people', routes)
}

function listing({ kind, list, names }: Named): ItemRoute {
  return {
    method: 'GET',
    path: `/user/${list}`,
    demands: { right: 'read affiliations', limit: 'people' },
    parameters: pages.parameters,
    operationId: `list${names}`,
    summary: `The ${list} of the person, as far as the caller sees them.`,
    description: 'Newest first unless told.',
    response: { 200: itemListSchemas[kind] },
    handle(edge, request, reply) {
      const page = pages.read(request)
      const named = callingPerson(edge.environments, knownCaller(request))
      keepPrivate(reply)
      const items = named.person.items.filter(
        (item) => item.kind === kind && seesItem(named.audience, item),
      )
      const { entries, next } = pageOf(items, page, ({ id }) => id)
      const shown = entries.map((item) => show(named, item))
      return { [list]: shown, next, links: pageLinks(edge.baseUrl, request, next) }
    },
  }
}

function reading({ kind, list, word, name }: Named): ItemRoute {
  return {
    method: 'GET',
    path: `/user/${list}/:id`,
    demands: { right: 'read affiliations', limit: 'people' },
    operationId: `get${name}`,
    replyHeaders: ['ETag'],
    summary: `One ${word} of the person.`,
    response: { 200: itemReplySchemas[kind] },
    handle(edge, request, reply) {
      const named = callingPerson(edge.environments, knownCaller(request))
      const item = seenItem(named, kind, request.params.id)
      if (item === undefined) throw noItem(word)
      return sendItem(reply, named, item)
    },
  }
}

function addition({ kind, list, word, name }: Named): ItemRoute {
  return {
    method: 'POST',
    path: `/user/${list}`,
    demands: { right: 'add affiliations', limit: 'write_back' },
    isCheckedByRules: true,
    operationId: `create${name}`,
    requestHeaders: ['Idempotency-Key'],
    replyHeaders: ['Location', 'ETag', 'Idempotent-Replayed'],
    summary: `Adds one ${word} to the profile of the person.`,
    description: `If the caller has written the same ${word} before, it is changed: 200.`,
    body: itemSchemas[kind],
    response: { 200: itemReplySchemas[kind], 201: itemReplySchemas[kind] },
    async handle(edge, request, reply) {
      const named = callingPerson(edge.environments, knownCaller(request))
      const { environment, person } = named
      const { body } = request
      const key = readIdempotencyKey(request)
      const idempotency = key === undefined ? undefined : idempotencyOf(`${kind} ${key}`, body)
      const command = {
        ppid: person.ppid,
        kind,
        body,
        by: knownCaller(request).agent,
        ...(idempotency !== undefined && { idempotency }),
      }
      const answer = await environment.people.putItem(command)
      if (answer.type !== 'put') throw refused(answer, word)
      if (answer.replayed) reply.headers(replayedHeader)
      reply.header('location', `${edge.baseUrl}/api/v1/user/${list}/${answer.item.id}`)
      return sendItem(reply.code(answer.created ? 201 : 200), named, answer.item)
    },
  }
}

function change({ kind, list, word, name }: Named): ItemRoute {
  return {
    method: 'PUT',
    path: `/user/${list}/:id`,
    demands: { right: 'update affiliations', limit: 'write_back' },
    isCheckedByRules: true,
    operationId: `update${name}`,
    ...conditionalChange,
    summary: `Changes one ${word}: its source the fields, the person how it is shown.`,
    description:
      'Only the source changes the fields. The person sets `visibility`, and `status` to ' +
      'hidden, contested (with a `reason`) or active, no matter who wrote it.',
    body: Type.Union([itemUpdateSchemas[kind], itemMarkSchema]),
    response: { 200: itemReplySchemas[kind] },
    async handle(edge, request, reply) {
      const named = callingPerson(edge.environments, knownCaller(request))
      const { people } = named.environment
      const { body } = request
      const command = itemCommand(request, kind, named)
      const { ppid } = command
      const isMark = marks(body, may(command.by, 'item', 'mark', { ppid }))
      const answer: ChangeItemAnswer | MarkItemAnswer = isMark
        ? await people.markItem({ ...command, body })
        : await people.changeItem({ ...command, body, ...(await sentBack(request, kind, named)) })
      if ('item' in answer) return sendItem(reply, named, answer.item)
      throw refused(answer, word)
    },
  }
}

function removal({ kind, list, word, name }: Named): ItemRoute {
  return {
    method: 'DELETE',
    path: `/user/${list}/:id`,
    demands: { right: 'update affiliations', limit: 'write_back' },
    operationId: `delete${name}`,
    requestHeaders: ['If-Match'],
    summary: `Removes one ${word}: by its source, or by the person.`,
    response: { 200: itemReplySchemas[kind] },
    async handle(edge, request, reply) {
      const named = callingPerson(edge.environments, knownCaller(request))
      const command = itemCommand(request, kind, named)
      const answer = await named.environment.people.removeItem(command)
      if (answer.type !== 'removed') throw refused(answer, word)
      keepPrivate(reply)
      return { ...show(named, answer.item), status: 'deleted' }
    },
  }
}

function itemCommand(request: ItemRequest, kind: ItemKind, { person }: NamedPerson) {
  const tags = ifMatch(request)
  return {
    ppid: person.ppid,
    kind,
    id: request.params.id,
    by: knownCaller(request).agent,
    ...(tags !== undefined && { ifMatch: tags }),
  }
}

function sentBack({ body, params }: ItemRequest, kind: ItemKind, named: NamedPerson) {
  const item = seenItem(named, kind, params.id)
  const { updated_at, source } = itemReplySchemas[kind].properties
  return recordSentBack(body, {
    update: itemUpdateSchemas[kind],
    edition: { updated_at },
    // Its source may be called something else since.
    moving: { source },
    edited: ['status', 'contest_reason'],
    read: () => (item === undefined ? {} : show(named, item)),
  })
}

/** An item of a person as far as the caller may see it. */
function seenItem({ audience, person }: NamedPerson, kind: ItemKind, id: string) {
  return person.items.find(
    (item) => item.id === id && item.kind === kind && seesItem(audience, item),
  )
}

const markFields: ReadonlySet<string> = new Set(['status', 'reason', 'visibility'])

/** Whether a body says how the person sees an item, and nothing of what it says. */
function marks(body: unknown, byPerson: boolean): boolean {
  if (typeof body !== 'object' || body === null) return false
  const names = Object.keys(body)
  const isMark = names.length > 0 && names.every((name) => markFields.has(name))
  return isMark && (byPerson || 'status' in body || 'reason' in body)
}

function show({ audience, person }: NamedPerson, item: Item): JsonReply {
  return itemReply(item, audience, person)
}

function sendItem(reply: FastifyReply, named: NamedPerson, item: Item): JsonReply {
  keepPrivate(reply)
  reply.header('etag', item.etag)
  return show(named, item)
}

function refused(answer: Refusal, word: string): HttpError {
  return refusedPerson(answer, {
    forbidden: `Only the person hides, shows or contests one ${word}`,
    invalid: `The ${word} cannot be written like this`,
    notFound: `The person has no such ${word}`,
  })
}

function noItem(word: string): HttpError {
  return new HttpError('not_found', `The person has no such ${word}`)
}
