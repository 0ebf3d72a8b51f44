import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { relationSides } from '#actors/registry/catalogue/port.ts'
import { relations } from '#actors/values/related_identifier.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { relationFields } from '#actors/works/relations.ts'
import { noticeDirections, noticeKinds } from '#actors/works/update_notices.ts'
import { nameCursor, nextDescription, pageLinksSchema, pagesOf } from '#src/edge/list_page.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { sendPage } from '#src/edge/rendered_reply.ts'
import { component, conditionalRead, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import {
  arkIdentifier,
  linksSchema,
  version,
  workOfPath,
  type WorkRequest,
  workStatus,
} from '#src/http/kit/works.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { existingWork } from '#src/use_cases/work_lookup.ts'

const relation = wordOf('Relation', relations)

const relatedPageSchema = component('RelatedPage', {
  ark: arkIdentifier,
  related: Type.Array(
    component('RelatedWork', {
      ark_identifier: Type.Optional({
        ...arkIdentifier,
        description: 'The other one, if it is a work of this registry.',
      }),
      direction: wordOf('RelationSide', relationSides),
      relation,
      inverse: nullable(
        relation,
        'The relation as the other one would say it; null if it has no name.',
      ),
      stated_in: wordOf('RelationField', relationFields),
      identifier: Type.Optional(
        Type.String({ description: 'As the record of the work has it, of `out`.' }),
      ),
      scheme: Type.Optional(Type.String()),
      note: Type.Optional(Type.String()),
      notice: Type.Optional(
        component(
          'RelatedNotice',
          {
            kind: wordOf('NoticeKind', noticeKinds),
            direction: wordOf('NoticeDirection', noticeDirections),
          },
          {
            description: 'Of a retraction, a correction or the like: `of_this` is about this work.',
          },
        ),
      ),
      title: nullable(Type.String(), 'Null where none is known, or once it was erased.'),
      type: nullable(wordOf('WorkType', workTypeNames), 'Its kind; null as above.'),
      status: nullable(workStatus, 'Null of what is no work of this registry.'),
      version: Type.Optional(version),
      withdrawn_at: Type.Optional(time),
      links: Type.Optional(linksSchema),
    }),
    {
      description:
        'What the work says of others, and what works of this registry say of it (`in`). With ' +
        '`in`, `relation` is what the other one says.',
    },
  ),
  next: nullable(Type.String(), nextDescription),
  links: pageLinksSchema,
})

const pages = pagesOf({ cursor: nameCursor, limit: 50, limitMax: 200, order: 'newest' })

const parameters = {
  ...pages.parameters,
  direction: {
    read: (text: string) => relationSides.find((side) => side === text),
    accepts: 'out or in',
    schema: Type.String({
      title: 'RelationSide',
      enum: [...relationSides],
      description: 'Only what the work says (`out`), or only what others say of it (`in`).',
    }),
  },
}

type RelatedEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

/** Tells what works relate to, in both directions, below both prefixes. */
export function registerRelatedRoutes(server: FastifyInstance, edge: RelatedEdge): void {
  for (const prefix of pathPrefixes) {
    const options = {
      ...edge.admit({ type: 'public', limit: 'public_read', keyLimit: 'works_read' }, parameters),
      schema: {
        operationId: prefix === '/v1' ? 'listRelated' : 'listPublicRelated',
        ...conditionalRead,
        tags: ['works'],
        summary: 'Lists what a work relates to, and what relates to it.',
        description:
          'First what its newest version says, in the order of its record, then other works with ' +
          'its DOI, then works that say they relate to it, the newest statement first. They are ' +
          'found where they name it by its ARK, its DOI or an address that has one of ' +
          'both. A work ' +
          'that was withdrawn stays in the list, until its metadata is erased.',
        response: { 200: relatedPageSchema },
      },
    }
    server.get(`${prefix}/works/:ark/related`, options, async (request: WorkRequest, reply) => {
      const query = readQuery(request, parameters)
      const side = query.direction
      const page = { ...pages.of(query), ...(side && { side }) }
      const named = workOfPath(edge.environments, request, reply)
      const found = await named.environment.catalogue.related(named.ark, page)
      return sendPage(request, reply, existingWork(named, found), edge.baseUrl)
    })
  }
}
