import type { TObject } from 'typebox'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * The record that an update is about, as JSON says it, if the body has members that `update` does
 * not describe: clients read a record, change it, and send the whole of it back. Undefined if it
 * has none; then `read`, which gives the record as the caller reads it, is not asked.
 */
export async function recordSentBack(
  body: unknown,
  { properties }: TObject,
  read: () => JsonObject | Promise<JsonObject>,
): Promise<JsonObject | undefined> {
  if (typeof body !== 'object' || body === null) return undefined
  if (Object.keys(body).every((name) => Object.hasOwn(properties, name))) return undefined
  return JSON.parse(JSON.stringify(await read())) as JsonObject
}
