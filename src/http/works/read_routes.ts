import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'

import {
  citationBytesMax,
  citationEntriesMax,
  type CitationEntry,
  readCitationFile,
} from '#src/discovery/citation_files/citation_file.ts'
import { columnTargets } from '#src/discovery/citation_files/csv_columns.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { component, fieldFaultSchema, nullable, wordOf } from '#src/edge/reply_schemas.ts'
import { createLongBodyTurns } from '#src/edge/turns.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

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
