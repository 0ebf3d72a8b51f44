import type { FastifyInstance, FastifyRequest } from 'fastify'
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
import { nameCursor, pageMembers, pagesOf } from '#src/edge/list_page.ts'
import { flagParameter, readQuery } from '#src/edge/query_string.ts'
import { sendPage, sendPlain } from '#src/edge/rendered_reply.ts'
import {
  checkedByRules,
  component,
  conditionalRead,
  fieldFaultSchema,
  nullable,
  time,
  wordOf,
} from '#src/edge/reply_schemas.ts'
import { createLongBodyTurns } from '#src/edge/turns.ts'
import {
  agentType,
  arkIdentifier,
  contentFacts,
  fixityCheck,
  fixityStatus,
  linksSchema,
  version,
  shownWorkOfPath,
  type WorkRoute,
  workStatus,
} from '#src/http/kit/works.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { existingWork, workNotFound } from '#src/use_cases/work_lookup.ts'
import { checkedFilesMax } from '#actors/works/file_fixity.ts'
import { fileKinds } from '#actors/works/files.ts'
import { workLinks } from '#actors/registry/catalogue/representation.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { newWorkSchema } from '#actors/works/request_checks.ts'
import { assert } from '#log/tlog/errors.ts'
import { type Access, demandRight, knownCaller, markSandbox } from '#src/edge/admission.ts'
import { environmentOf } from '#src/edge/caller.ts'
import { ifMatch, isOnlyNew } from '#src/edge/conditional.ts'
import { readIdempotencyKey } from '#src/edge/keyed_writes.ts'
import { decodeDoi } from '#src/edge/request_path.ts'
import { sendMade } from '#src/http/works/work_change_routes.ts'
import { createdReply, createdWorkSchema, workChangeSchema } from '#src/http/works/work_routes.ts'
import { namedWithDoiMax, putWork, readNamedDoi } from '#src/use_cases/work_by_doi.ts'

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
  ...pageMembers(Type.String()),
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

type RelatedEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'suspensions'>

/** Tells what works relate to, in both directions, below both prefixes. */
export function registerRelatedRoutes(server: FastifyInstance, edge: RelatedEdge): void {
  registerRoutes(server, edge, 'works', [listingRelated])
}

const listingRelated: Route<RelatedEdge, WorkRoute['Params']> = {
  method: 'GET',
  path: '/works/:ark/related',
  demands: { type: 'public', limit: 'public_read', keyLimit: 'works_read' },
  parameters,
  operationId: 'listRelated',
  publicOperationId: 'listPublicRelated',
  ...conditionalRead,
  summary: 'Lists what a work relates to, and what relates to it.',
  description:
    'First what its newest version says, in the order of its record, then other works with ' +
    'its DOI, then works that say they relate to it, the newest statement first. They are ' +
    'found where they name it by its ARK, its DOI or an address that has one of ' +
    'both. A work ' +
    'that was withdrawn stays in the list, until its metadata is erased.',
  response: { 200: relatedPageSchema },
  async handle(edge, request, reply) {
    const query = readQuery(request, parameters)
    const side = query.direction
    const page = { ...pages.of(query), ...(side && { side }) }
    const named = shownWorkOfPath(edge, request, reply)
    const found = await named.environment.catalogue.related(named.ark, page)
    return sendPage(request, reply, existingWork(named, found), edge.baseUrl)
  },
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

type FileEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'suspensions'>

/** Tells what is known of each file of a work, below both prefixes. */
export function registerFileRoutes(server: FastifyInstance, edge: FileEdge): void {
  registerRoutes(server, edge, 'works', [readingFiles])
}

const readingFiles: Route<FileEdge, WorkRoute['Params']> = {
  method: 'GET',
  path: '/works/:ark/files',
  demands: { type: 'public', limit: 'public_read', keyLimit: 'works_read' },
  operationId: 'getWorkFiles',
  summary: 'Whether each file of a work still is what it was.',
  description:
    'The content and each file beside it are read and hashed by themselves, again and again. ' +
    'The receipt is of the content alone.',
  response: { 200: filesSchema },
  handle(edge, request, reply) {
    const { environment, ark } = shownWorkOfPath(edge, request, reply)
    const state = environment.catalogue.state(ark)
    if (state === undefined) throw workNotFound(environment, ark)
    return { ark: state.identifier, version: state.version, files: environment.fixity.files(ark) }
  },
}

const doiWorksSchema = component('WorksWithDoi', {
  existing_doi: Type.String({ examples: ['10.5555/12345678'] }),
  works: Type.Array(
    component('WorkWithDoi', {
      ark_identifier: arkIdentifier,
      version,
      status: workStatus,
      created_at: time,
      updated_at: time,
      registrant: component('WorkRegistrant', { type: agentType, id: Type.String() }),
      links: linksSchema,
    }),
    {
      minItems: 1,
      description: `The newest first, ${namedWithDoiMax} at most; those that were withdrawn last.`,
    },
  ),
})

type DoiEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>
type DoiRequest = FastifyRequest<{ Params: { doi: string } }>

const putParameters = {
  allow_duplicate: flagParameter(
    'Register a work of your own although another registrant has one with this DOI, or yours ' +
      'was withdrawn.',
  ),
}

/** Registers, replaces and finds works by their DOIs, below both prefixes. */
export function registerDoiRoutes(server: FastifyInstance, edge: DoiEdge): void {
  for (const prefix of pathPrefixes) registerPut(server, edge, prefix)
  registerRoutes(server, edge, 'works', [finding])
}

function registerPut(server: FastifyInstance, edge: DoiEdge, prefix: PathPrefix): void {
  const access: Access = { type: 'key', prefix, right: 'mint works', limit: 'works_create' }
  const options = {
    ...edge.admit(access, putParameters),
    ...checkedByRules,
    schema: {
      operationId: 'putWorkByDoi',
      requestHeaders: ['Idempotency-Key', 'If-Match', 'If-None-Match'] as const,
      replyHeaders: ['Location', 'ETag', 'Idempotent-Replayed'] as const,
      tags: ['works'],
      summary: 'Registers the work with a DOI, or replaces yours that has it.',
      description:
        'The body is the whole work: what it leaves out, the work no longer has. `existing_doi` ' +
        'may be left out. With `If-None-Match: *` a work is only registered, with `If-Match` ' +
        'only one that is as you read it is replaced (412). If several works of yours have the ' +
        'DOI, the answer is 409 `several_works` with their ARKs in `works`; if another ' +
        'registrant has it, 409 `duplicate_work`, and if yours was withdrawn, 410, unless ' +
        '`allow_duplicate=true`. Nobody else’s work is ever changed. The slash of the DOI may ' +
        'be plain or encoded.',
      body: newWorkSchema,
      response: { 200: workChangeSchema, 201: createdWorkSchema },
    },
  }
  server.put(`${prefix}/works/by-doi/:doi`, options, async (request: DoiRequest, reply) => {
    const { allow_duplicate: allowDuplicate = false } = readQuery(request, putParameters)
    const caller = knownCaller(request)
    const environment = edge.environments[caller.environment]
    const tags = ifMatch(request)
    const idempotencyKey = readIdempotencyKey(request)
    const answer = await putWork(
      { environment, baseUrl: edge.baseUrl },
      {
        doi: readNamedDoi(decodeDoi(request.params.doi)),
        body: request.body,
        by: caller.agent,
        allowDuplicate,
        dryRun: false,
        conditions: { isNew: isOnlyNew(request), ...(tags !== undefined && { ifMatch: tags }) },
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        kind: caller.kind,
        demandChange: () => demandRight(caller, 'update works', prefix),
      },
    )
    if (answer.type === 'created') {
      return sendPlain(request, reply, createdReply(answer, edge.baseUrl))
    }
    assert(answer.type === 'changed', 'what is no dry run registers or changes')
    const { made, ...told } = answer
    assert(made.type !== 'valid', 'what is no dry run changes the work')
    return sendMade(reply, edge, { ...told, made })
  })
}

const finding: Route<DoiEdge, { readonly doi: string }> = {
  method: 'GET',
  path: '/works/by-doi/:doi',
  demands: { type: 'reading', right: 'read works', limit: 'works_read' },
  operationId: 'findWorksByDoi',
  publicOperationId: 'findPublicWorksByDoi',
  summary: 'Finds the works with a DOI.',
  response: { 200: doiWorksSchema },
  handle(edge, request, reply) {
    const environment = environmentOf(edge.environments, request.caller)
    if (environment.name === 'sandbox') markSandbox(reply)
    const existing_doi = readNamedDoi(decodeDoi(request.params.doi))
    const works = [...worksWith(environment, existing_doi, edge.baseUrl)]
    if (works.length > 0) return { existing_doi, works }
    throw new HttpError('not_found', `No work here has the DOI ${existing_doi}`)
  },
}

function* worksWith({ catalogue }: ServedEnvironment, doi: string, baseUrl: string) {
  const live = catalogue.withDoi({ doi, standing: 'live' }, namedWithDoiMax)
  const room = namedWithDoiMax - live.length
  const withdrawn = catalogue.withDoi({ doi, standing: 'withdrawn' }, room)
  for (const ark of [...live, ...withdrawn]) {
    const state = catalogue.state(ark)
    if (state === undefined) continue
    const { identifier: ark_identifier, status, created_at, updated_at, owner } = state
    const { type, id } = owner
    const links = workLinks(baseUrl, ark_identifier, state.version)
    const { version: number } = state
    const about = { ark_identifier, version: number, status, created_at, updated_at }
    yield { ...about, registrant: { type, id }, links }
  }
}
