import { Type } from 'typebox'

import { component } from '#src/edge/reply_schemas.ts'
import { invalidInput } from '#src/errors.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** Fields of the bodies that ask for a verification, each with its form in words. */
const fields = {
  receipt_id: {
    pattern: /^rcpt_[0-9]{4}_[0-9]{2}_[0-9]{2}_[0-9a-z]{12}$/,
    right: 'of the form rcpt_<yyyy>_<mm>_<dd>_<12 characters>',
  },
  content_hash: {
    pattern: /^sha256:[0-9a-f]{64}$/,
    right: 'sha256: and 64 lower-case hex digits',
  },
} as const

type FieldName = keyof typeof fields

const receiptId = Type.String({ pattern: fields.receipt_id.pattern.source })
const contentHash = Type.String({ pattern: fields.content_hash.pattern.source })

/** Describes the body of a verification by receipt id, and of one by version. */
export const receiptVerificationSchema = component(
  'ReceiptVerification',
  { receipt_id: receiptId, content_hash: contentHash },
  { additionalProperties: false },
)
export const versionVerificationSchema = component(
  'VersionVerification',
  { content_hash: Type.Optional(contentHash) },
  { additionalProperties: false },
)

/**
 * Reads a body with the required and the optional fields given. Throws HttpError
 * `validation_failed` with all faults at once; no body counts as `{}`.
 */
export function readVerificationBody<R extends FieldName, O extends FieldName>(
  body: unknown,
  required: readonly R[],
  optional: readonly O[],
): Readonly<Record<R, string> & Partial<Record<O, string>>> {
  const value = body ?? {}
  const isObject = typeof value === 'object' && !Array.isArray(value)
  if (!isObject)
    throw invalidInput('The body is not as it should be', [
      { field: '', code: 'bad_type', message: 'The body must be an object' },
    ])
  const known: readonly string[] = [...required, ...optional]
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  const faults = [
    ...unknown.map((field) => ({
      field,
      code: 'unknown_field',
      message: `${field} is not a field`,
    })),
    ...known.flatMap((name) => fieldFaults(name as FieldName, value, required)),
  ]
  if (faults.length > 0) throw invalidInput('The body is not as it should be', faults)
  return value as Record<R, string> & Partial<Record<O, string>>
}

function fieldFaults(
  field: FieldName,
  value: object,
  required: readonly FieldName[],
): FieldFault[] {
  const given: unknown = (value as Record<string, unknown>)[field]
  if (given === undefined) {
    if (!required.includes(field)) return []
    return [{ field, code: 'required', message: `${field} is required` }]
  }
  const { pattern, right } = fields[field]
  if (typeof given === 'string' && pattern.test(given)) return []
  return [{ field, code: 'bad_value', message: `${field} must be ${right}` }]
}
