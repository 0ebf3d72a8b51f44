import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'

type JsonObject = Readonly<Record<string, unknown>>

/** What a record is changed by, and how it is read where it has been read. */
export type SentBack = {
  /** The body of an update. */
  readonly update: TObject
  /**
   * Members of the record, none of the update's, that change while the record does not: a client
   * that has read them sends back what they were then.
   */
  readonly moving?: Readonly<Record<string, TSchema>>
  /** The record as the caller reads it. */
  readonly read: () => JsonObject | Promise<JsonObject>
}

/**
 * The record that an update is about, as JSON says it, if the body has members that the update does
 * not describe: clients read a record, change it, and send the whole of it back. A member that
 * moves is in it as the body says, if it can ever have been so. Undefined if the body has none but
 * the update's; then the record is not read.
 */
export async function recordSentBack(
  body: unknown,
  { update, moving = {}, read }: SentBack,
): Promise<JsonObject | undefined> {
  if (typeof body !== 'object' || body === null) return undefined
  if (Object.keys(body).every((name) => Object.hasOwn(update.properties, name))) return undefined
  const record = JSON.parse(JSON.stringify(await read())) as JsonObject
  return { ...record, ...movedMembers(body as JsonObject, moving) }
}

function movedMembers(body: JsonObject, moving: Readonly<Record<string, TSchema>>): JsonObject {
  return Object.fromEntries(
    Object.entries(moving)
      .filter(([name, schema]) => Object.hasOwn(body, name) && Value.Check(schema, body[name]))
      .map(([name]) => [name, body[name]]),
  )
}
