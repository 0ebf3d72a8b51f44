import { Type } from 'typebox'

import { FaultList } from '#actors/values/fault_list.ts'
import { type FieldKind, fieldsSchema, readFields, shapeOf } from '#actors/values/field_table.ts'
import { invalidInput } from '#src/errors.ts'
import { newWorkSchema } from '#actors/works/request_checks.ts'

/** Works in one bulk request, at most. */
const bulkWorksMax = 1_000

/** Works that are looked at one by one afterwards: here they are only counted. */
const works: FieldKind<readonly unknown[]> = {
  read(value, path, faults) {
    if (!Array.isArray(value)) {
      faults.addWrongType(path, 'an array', value)
    } else if (value.length === 0 || value.length > bulkWorksMax) {
      faults.add(path, 'bad_length', `${path} must have 1 to ${bulkWorksMax} works`)
    } else {
      return value as unknown[]
    }
    return undefined
  },
  schema: ({ description = '' }) =>
    Type.Array(newWorkSchema, { description, minItems: 1, maxItems: bulkWorksMax }),
}

const bulkShape = shapeOf<{ works: readonly unknown[] }>({
  works: { kind: works, required: true, about: 'The works to register.', example: [] },
})

/** Describes the body of a bulk registration. */
export const bulkSchema = fieldsSchema(bulkShape, { title: 'NewWorks' })

/** The works of a bulk body, each unchecked. Throws HttpError `validation_failed`. */
export function readBulk(body: unknown): readonly unknown[] {
  const faults = new FaultList()
  const record = readFields(bulkShape, body, '', faults)
  if (faults.count === 0) return record?.['works'] as readonly unknown[]
  throw invalidInput('The body must be {"works": […]}', faults.faults)
}
