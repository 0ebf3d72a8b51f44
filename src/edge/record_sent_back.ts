import { isDeepStrictEqual } from 'node:util'
import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'

import type { Edition, FieldEdit, PreconditionFailed } from '#actors/values/entity_tag.ts'
import { HttpError } from '#src/edge/errors.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** What a record is changed by, and how it is read where it has been read. */
export type SentRecord = {
  /** The body of an update. */
  readonly update: TObject
  /** Members of the record, none of the update's, that are others after each edit. */
  readonly edition: Readonly<Record<string, TSchema>>
  /**
   * Members of the record, none of the update's, that change while the record does not: a client
   * that has read them sends back what they were then.
   */
  readonly moving?: Readonly<Record<string, TSchema>>
  /** Members that change with the edition, or with the lists that are read with the record. */
  readonly edited?: readonly string[]
  /** The record as the caller reads it. */
  readonly read: () => JsonObject | Promise<JsonObject>
}

/**
 * `record` is what the members of a body are held against that nobody changes; `seen` what the body
 * says of the edition that it was made of, for the rules to judge when the change is put in order.
 */
export type SentBack = { readonly record?: JsonObject; readonly seen?: Edition }

/**
 * The record that an update is about, as JSON says it, if the body has members that the update does
 * not describe: clients read a record, change it, and send the whole of it back. What is another
 * now is in it as the body says, if it can ever have been so. Nothing if the body has none but the
 * update's; then the record is not read.
 */
export async function recordSentBack(
  body: unknown,
  { update, edition, moving = {}, edited = [], read }: SentRecord,
): Promise<SentBack> {
  if (typeof body !== 'object' || body === null) return {}
  if (Object.keys(body).every((name) => Object.hasOwn(update.properties, name))) return {}
  const sent = body as JsonObject
  const record = JSON.parse(JSON.stringify(await read())) as JsonObject
  const seen = wellFormed(sent, edition)
  const isOther = Object.keys(seen).some((name) => !isDeepStrictEqual(seen[name], record[name]))
  const former = isOther ? membersOf(sent, edited) : {}
  return { record: { ...record, ...wellFormed(sent, moving), ...former, ...seen }, seen }
}

function wellFormed(sent: JsonObject, schemas: Readonly<Record<string, TSchema>>): JsonObject {
  const fitting = Object.entries(schemas).filter(([name, schema]) => {
    return Object.hasOwn(sent, name) && Value.Check(schema, sent[name])
  })
  return membersOf(
    sent,
    fitting.map(([name]) => name),
  )
}

function membersOf(sent: JsonObject, names: readonly string[]): JsonObject {
  const present = names.filter((name) => Object.hasOwn(sent, name))
  return Object.fromEntries(present.map((name) => [name, sent[name]]))
}

const whatToDo = 'read it again, make your change in what you read, and send that'

/** The refusal of a change of what was edited since the client read it: `subject`, "The work". */
export function editedSince(
  subject: string,
  { etag, changes = [] }: PreconditionFailed,
): HttpError {
  const details = changes.map((change) => ({
    field: change.field,
    code: change.version === undefined ? 'differs' : 'changed_since',
    message: tellEdit(change),
  }))
  const tagged = etag === undefined ? '' : `; it has the entity tag ${etag} now`
  const told = details.length === 0 ? '' : ` (${details.map(({ message }) => message).join('; ')})`
  const message = `${subject} is not as you read it${tagged}${told}: ${whatToDo}`
  return new HttpError('precondition_failed', message, {
    ...(details.length > 0 && { details }),
    ...(etag !== undefined && { etag }),
  })
}

function tellEdit({ field, version, at }: FieldEdit): string {
  return version === undefined
    ? `${field} differs from what you sent, in a record of ${at}`
    : `version ${version} changed ${field} at ${at}`
}
