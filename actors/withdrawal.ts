import { arkCharactersMax, parseArk } from '#actors/ark.ts'
import { FaultList } from '#actors/fault_list.ts'
import type { Invalid } from '#actors/metadata.ts'
import { foldedText, paragraphsOf } from '#actors/field_kind.ts'
import { readRecord, recordSchema, shapeOf } from '#actors/record.ts'
import { type WithdrawalReason, withdrawalReasons } from '#actors/works.ts'

/** Why a work is withdrawn, and which one to use instead: `ark:/naan/name`. */
export type Withdrawal = {
  readonly reason: WithdrawalReason
  readonly note?: string
  readonly replaced_by?: string
}

const withdrawalShape = shapeOf<Withdrawal>({
  reason: {
    kind: foldedText({
      max: 50,
      fold: (text) => withdrawalReasons.find((reason) => reason === text),
      right: `one of ${withdrawalReasons.join(', ')}`,
      values: withdrawalReasons,
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
})

function foldArk(text: string): string | undefined {
  const ark = parseArk(text)
  return ark.type === 'ark' ? `ark:/${ark.ark}` : undefined
}

/** Describes the body of a withdrawal. */
export const withdrawalSchema = recordSchema(withdrawalShape, { nullable: true })

/** Checks the JSON body of a withdrawal; all faults at once. */
export function checkWithdrawal(
  body: unknown,
): { readonly type: 'ok'; readonly withdrawal: Withdrawal } | Invalid {
  const faults = new FaultList()
  const record = readRecord(withdrawalShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', withdrawal: record as Withdrawal }
}
