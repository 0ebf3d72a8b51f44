import { arkCharactersMax, parseArk } from '#actors/values/ark.ts'
import { FaultList, type Invalid } from '#actors/values/fault_list.ts'
import {
  type Draft,
  fieldsSchema,
  flag,
  foldedText,
  paragraphsOf,
  readFields,
  shapeOf,
} from '#actors/values/field_table.ts'
import {
  type ErasureReason,
  erasureReasons,
  type WithdrawalReason,
  withdrawalReasons,
} from '#actors/works/port.ts'

/** Why a work is withdrawn, and which one to use instead: `ark:/naan/name`. */
type Withdrawal = {
  readonly reason: WithdrawalReason
  readonly note?: string
  readonly replaced_by?: string
  /** Whether the metadata is erased with it; then there is nothing but the reason, `legal`. */
  readonly erase_metadata?: boolean
}

const withdrawalShape = shapeOf<Withdrawal>({
  reason: {
    kind: foldedText({
      max: 50,
      fold: (text) => withdrawalReasons.find((reason) => reason === text),
      right: `one of ${withdrawalReasons.join(', ')}`,
      values: withdrawalReasons,
      title: 'WithdrawalReason',
    }),
    required: true,
    about: 'Why the work is withdrawn; shown on its tombstone for ever.',
    example: 'author_request',
  },
  note: {
    kind: paragraphsOf(2_000),
    about: 'What else readers should know; may have several lines.',
    example: 'Superseded by a corrected edition.',
    alsoCalled: ['comment', 'message'],
  },
  replaced_by: {
    kind: foldedText({
      max: arkCharactersMax,
      fold: foldArk,
      right: 'an ARK such as ark:/12345/x6np1wh8k',
    }),
    about: 'ARK of the work to use instead.',
    example: 'ark:/12345/x6np1wh8k',
    alsoCalled: ['replacement'],
  },
  erase_metadata: {
    kind: flag,
    about:
      'Erases the metadata of all versions for ever, hashes stay: for administrators, and the ' +
      'reason `legal` without a note or a replacement.',
    example: false,
  },
})

function foldArk(text: string): string | undefined {
  const ark = parseArk(text)
  return ark.type === 'ark' ? `ark:/${ark.ark}` : undefined
}

/** Describes the body of a withdrawal. */
export const withdrawalSchema = fieldsSchema(withdrawalShape, {
  title: 'Withdrawal',
  nullable: true,
})

/** Checks the JSON body of a withdrawal; all faults at once. */
export function checkWithdrawal(
  body: unknown,
): { readonly type: 'ok'; readonly withdrawal: Withdrawal } | Invalid {
  const faults = new FaultList()
  const record = readFields(withdrawalShape, body, '', faults)
  if (record?.['erase_metadata'] === true) checkErasing(record, faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', withdrawal: record as Withdrawal }
}

// An erasure leaves nothing of a withdrawal but its reason, so it takes nothing else.
function checkErasing(record: Draft, faults: FaultList): void {
  const { reason } = record
  if (reason !== undefined && !isErasureReason(reason)) {
    const message = `reason must be ${erasureReasons.join(' or ')} for metadata to be erased`
    faults.add('reason', 'bad_value', message)
  }
  for (const field of ['note', 'replaced_by']) {
    if (record[field] === undefined) continue
    faults.add(field, 'bad_value', `${field} cannot be given with erase_metadata`)
  }
}

/** Whether metadata can be erased for a reason. */
export function isErasureReason(reason: unknown): reason is ErasureReason {
  return erasureReasons.some((known) => known === reason)
}

/** Why metadata is to be erased. */
type ErasureRequest = { readonly reason: ErasureReason }

const erasureShape = shapeOf<ErasureRequest>({
  reason: {
    kind: foldedText({
      max: 50,
      fold: (text) => erasureReasons.find((reason) => reason === text),
      right: erasureReasons.join(' or '),
      values: erasureReasons,
      title: 'ErasureReason',
    }),
    required: true,
    about: 'Why the metadata is erased; shown in the history of the work for ever.',
    example: 'legal',
  },
})

/** Describes the body of an erasure. */
export const erasureSchema = fieldsSchema(erasureShape, { title: 'Erasure' })

/** Checks the JSON body of an erasure; all faults at once. */
export function checkErasure(
  body: unknown,
): { readonly type: 'ok'; readonly erasure: ErasureRequest } | Invalid {
  const faults = new FaultList()
  const record = readFields(erasureShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', erasure: record as ErasureRequest }
}
