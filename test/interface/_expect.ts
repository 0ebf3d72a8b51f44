import { isDeepStrictEqual } from 'node:util'

import type { Reply } from '#test/interface/_request.ts'

/** What a row says is not so; the message tells what was found. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
}

const shownCharactersMax = 400

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}

/** Something is so. */
export function holds(condition: boolean, what: string, found?: unknown): asserts condition {
  if (condition) return
  throw new Mismatch(found === undefined ? `not so: ${what}` : `not so: ${what}: ${show(found)}`)
}

/** Two values are the same, member by member. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new Mismatch(`${what} is ${show(actual)}, not ${show(expected)}`)
}

/** A text has a form. */
export function matches(actual: unknown, form: RegExp, what: string): void {
  if (typeof actual === 'string' && form.test(actual)) return
  throw new Mismatch(`${what} is ${show(actual)}, not of the form ${form.source}`)
}

/** A reply has a status; gives the reply. */
export function answered(reply: Reply, ...statuses: readonly number[]): Reply {
  if (statuses.includes(reply.status)) return reply
  const expected = statuses.join(' or ')
  throw new Mismatch(
    `${reply.asked} is answered with ${reply.status}, not ${expected}: ${show(reply.text)}`,
  )
}

/** A reply is a refusal with a status and a code, as a JSON object; gives the reply. */
export function refused(reply: Reply, status: number, code: string): Reply {
  answered(reply, status)
  same(reply.body.error, code, `the error of ${reply.asked}`)
  matches(reply.body.message, /\S/, `the message of ${reply.asked}`)
  return reply
}

/** Forms of members that many records have. */
export const forms = {
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/,
  hash: /^sha256:[0-9a-f]{64}$/,
  hex32: /^[0-9a-f]{64}$/,
  hex64: /^[0-9a-f]{128}$/,
  receiptId: /^rcpt_\d{4}_\d{2}_\d{2}_[0-9a-z]+$/,
  ark: /^ark:\/[0-9bcdfghjkmnpqrstvwxz]+\/[0-9a-z]+$/,
} as const
