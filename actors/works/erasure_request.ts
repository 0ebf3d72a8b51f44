import { FaultList, type Invalid } from '#actors/values/fault_list.ts'
import { fieldsSchema, foldedText, readFields, shapeOf } from '#actors/values/field_table.ts'
import { type ErasureReason, erasureReasons } from '#actors/works/port.ts'

/** Why metadata is to be erased. */
export type ErasureRequest = { readonly reason: ErasureReason }

const erasureShape = shapeOf<ErasureRequest>({
  reason: {
    kind: foldedText({
      max: 50,
      fold: (text) => erasureReasons.find((reason) => reason === text),
      right: erasureReasons.join(' or '),
      values: erasureReasons,
    }),
    required: true,
    about: 'Why the metadata is erased; shown in the history of the work for ever.',
    example: 'legal',
  },
})

/** Describes the body of an erasure. */
export const erasureSchema = fieldsSchema(erasureShape)

/** Checks the JSON body of an erasure; all faults at once. */
export function checkErasure(
  body: unknown,
): { readonly type: 'ok'; readonly erasure: ErasureRequest } | Invalid {
  const faults = new FaultList()
  const record = readFields(erasureShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', erasure: record as ErasureRequest }
}
