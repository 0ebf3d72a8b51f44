import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { checkedFilesMax } from '#actors/works/file_fixity.ts'
import { fileKinds } from '#actors/works/files.ts'
import { component, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { readQuery } from '#src/edge/query_string.ts'
import {
  arkIdentifier,
  contentFacts,
  fixityCheck,
  fixityStatus,
  version,
  workOfPath,
  type WorkRequest,
} from '#src/http/kit/works.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'

const filesSchema = component('WorkFiles', {
  ark: arkIdentifier,
  version,
  files: Type.Array(
    component('FileFixity', {
      url: Type.String(),
      name: Type.Optional(Type.String()),
      kind: Type.Optional(wordOf('FileKind', fileKinds)),
      is_content: Type.Boolean({
        description: 'Whether it is the content of the work, whose hash its receipt has.',
      }),
      ...contentFacts,
      fixity_status: nullable(
        fixityStatus,
        'Null of what is not checked: landing pages, copies for similarity checks, an address ' +
          `that stands there already, and what comes after the first ${checkedFilesMax} files.`,
      ),
      next_check_at: nullable(time, 'When it is due to be checked; null if it is not checked.'),
      checks: Type.Array(fixityCheck, { description: 'The newest checks, oldest first.' }),
    }),
    {
      description:
        'First the content of the newest version, then `files` of its record in their order. A ' +
        'work that was withdrawn has none.',
    },
  ),
})

type FileEdge = Pick<RegistryEdge, 'admit' | 'environments'>

/** Tells what is known of each file of a work, below both prefixes. */
export function registerFileRoutes(server: FastifyInstance, edge: FileEdge): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read', keyLimit: 'works_read' }, {}),
    schema: {
      operationId: 'getWorkFiles',
      tags: ['works'],
      summary: 'Whether each file of a work still is what it was.',
      description:
        'The content and each file beside it are read and hashed by themselves, again and again. ' +
        'The receipt is of the content alone.',
      response: { 200: filesSchema },
    },
  }
  for (const prefix of pathPrefixes) {
    server.get(`${prefix}/works/:ark/files`, options, (request: WorkRequest, reply) => {
      readQuery(request, {})
      const { environment, ark } = workOfPath(edge.environments, request, reply)
      const state = environment.catalogue.state(ark)
      if (state === undefined) throw workNotFound(environment, ark)
      const files = environment.fixity.files(ark)
      return reply.send({ ark: state.identifier, version: state.version, files })
    })
  }
}
