import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'

import { relationSides } from '#actors/registry/catalogue/port.ts'
import { relations } from '#actors/values/related_identifier.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { relationFields } from '#actors/works/relations.ts'
import { noticeDirections, noticeKinds } from '#actors/works/update_notices.ts'
import {
  citationBytesMax,
  citationEntriesMax,
  type CitationEntry,
  readCitationFile,
} from '#src/discovery/citation_files/citation_file.ts'
import { columnTargets } from '#src/discovery/citation_files/csv_columns.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import { nameCursor, nextDescription, pageLinksSchema, pagesOf } from '#src/edge/list_page.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { sendPage } from '#src/edge/rendered_reply.ts'
import {
  component,
  conditionalRead,
  fieldFaultSchema,
  nullable,
  time,
  wordOf,
} from '#src/edge/reply_schemas.ts'
import { createLongBodyTurns } from '#src/edge/turns.ts'
import {
  arkIdentifier,
  contentFacts,
  fixityCheck,
  fixityStatus,
  linksSchema,
  version,
  workOfPath,
  type WorkRequest,
  workStatus,
} from '#src/http/kit/works.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { existingWork, workNotFound } from '#src/use_cases/work_lookup.ts'
import { checkedFilesMax } from '#actors/works/file_fixity.ts'
import { fileKinds } from '#actors/works/files.ts'

const formats = ['bibtex', 'ris', 'json', 'csv', 'xml'] as const
const kinds = ['left_out', 'not_read', 'repeated', 'taken_as'] as const

const columnTarget = wordOf('ColumnTarget', columnTargets)

const bodySchema = Type.Object(
  {
    text: Type.String({ minLength: 1, description: 'The whole file, as text.' }),
    columns: Type.Optional(
      Type.Record(Type.String({ maxLength: 200 }), nullable(columnTarget, 'Null: not read.'), {
        description:
          'What columns of a table hold, by their names, where their names do not say it.',
      }),
    ),
  },
  { title: 'FileOfWorks', additionalProperties: false },
)

const noteSchema = component('ReadNote', {
  kind: wordOf('ReadNoteKind', kinds),
  field: Type.String({ description: 'Its name in the file; empty if it is about the entry.' }),
  line: Type.Integer({ minimum: 1 }),
  message: Type.String(),
  is_loss: Type.Boolean({ description: 'Whether the file says something that the work does not.' }),
})

const entrySchema = component('ReadEntry', {
  line: Type.Integer({ minimum: 1, description: 'Where it begins in the file.' }),
  key: Type.String(),
  ark: Type.Optional(Type.String({ description: 'The work that it changes, as the file has it.' })),
  work: nullable(
    Type.Record(Type.String(), Type.Unknown(), { title: 'ReadWork' }),
    'What `POST /v1/works` takes, or `PUT` of the work at `ark`, if there are no faults; null if ' +
      'the entry cannot be read.',
  ),
  faults: Type.Array(fieldFaultSchema),
  notes: Type.Array(noteSchema),
})

const readFileSchema = component('ReadFile', {
  format: wordOf('FileFormat', formats),
  entries: Type.Array(entrySchema),
  note_counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'How many notes there are of each kind.',
  }),
  columns: Type.Optional(
    Type.Array(
      component('ReadColumn', {
        name: Type.String(),
        holds: nullable(columnTarget, 'Null: nothing of it is read.'),
      }),
    ),
  ),
})

/** Adds the route that reads a file for its sender, below both prefixes; it registers nothing. */
export function registerReadRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'turnQueues'>,
): void {
  const preParsing = createLongBodyTurns(edge.turnQueues)
  for (const prefix of pathPrefixes) {
    const access = { type: 'key', prefix, right: 'mint works', limit: 'works_bulk' } as const
    const admission = edge.admit(access)
    const options = {
      ...admission,
      config: { ...admission.config, writesNothing: true },
      preParsing,
      // A text in JSON may be twice as long as the file.
      bodyLimit: 2 * citationBytesMax,
      schema: {
        operationId: 'readFile',
        tags: ['works'],
        summary: 'Reads a file of works, and registers nothing.',
        description:
          'BibTeX, RIS, CSV, XML (DataCite, Crossref, JATS, MODS) or JSON (CSL-JSON, schema.org, ' +
          'or what Crossref and DataCite give for a DOI), of ' +
          `${citationEntriesMax} entries at most. ` +
          'What is right in an entry stands as `work`: send it to `POST /v1/works/bulk`. `notes` ' +
          'name what the file says beyond that.',
        body: bodySchema,
        response: { 200: readFileSchema },
      },
    }
    server.post(`${prefix}/works/read`, options, async (request) => {
      readQuery(request, {})
      const { text, columns = {} } = request.body as Static<typeof bodySchema>
      const file = await readCitationFile(Buffer.from(text), columns)
      if (file.type !== 'read') throw refusalOf(file)
      const notes = file.entries.flatMap((entry) => entry.notes)
      return {
        format: file.format,
        entries: file.entries.map(entryReply),
        note_counts: Object.fromEntries(
          Object.entries(Object.groupBy(notes, ({ kind }) => kind)).map(([kind, list]) => {
            return [kind, list.length]
          }),
        ),
        ...(file.columns && {
          columns: file.columns.map(({ name, target = null }) => ({ name, holds: target })),
        }),
      }
    })
  }
}

type Refusal = Exclude<Awaited<ReturnType<typeof readCitationFile>>, { type: 'read' }>

function refusalOf({ type, message }: Refusal): HttpError {
  switch (type) {
    case 'too_large':
    case 'too_many':
    case 'too_slow':
      return new HttpError('payload_too_large', message)
    case 'busy':
      return new HttpError('unavailable', message)
    case 'not_text':
    case 'unknown_format':
      return invalidInput('The file cannot be read', [
        { field: 'text', code: 'bad_value', message },
      ])
  }
}

function entryReply({ line, key, ark, body, faults, notes }: CitationEntry) {
  return {
    line,
    key,
    ...(ark !== undefined && { ark }),
    work: body ?? null,
    faults,
    notes: notes.map(({ isLoss, ...note }) => ({ ...note, is_loss: isLoss })),
  }
}

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
