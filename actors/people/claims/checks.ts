import { arkCharactersMax, parseArkReference } from '#actors/values/ark.ts'
import { FaultList, type Invalid } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  type FieldShape,
  fieldsSchema,
  foldedText,
  mutable,
  paragraphsOf,
  readFields,
  shapeOf,
} from '#actors/values/field_table.ts'
import { Type } from 'typebox'
import type { ClaimStep } from '#actors/people/events.ts'

/** What a claim says; the ARK is `naan/name`. */
export type CheckedClaim = {
  readonly ark_identifier: string
  readonly author_position?: number
  readonly message?: string
}

const wordsMax = 1_000

/** Authors that a work can have: as many as fit its `authors`. */
const positionMax = 100_000

const position: FieldKind<number> = {
  read(value, path, faults) {
    if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= positionMax) {
      return Number(value)
    }
    faults.add(path, 'bad_value', `${path} must be a whole number from 1 to ${positionMax}`)
    return undefined
  },
  schema: (notes) => Type.Integer({ minimum: 1, maximum: positionMax, ...mutable(notes) }),
}

function claimShape(naan: string) {
  return shapeOf<CheckedClaim>({
    ark_identifier: {
      kind: foldedText({
        max: arkCharactersMax,
        fold: (text) => foldArk(text, naan),
        right: 'the ARK of a work, such as ark:/12345/x6np1wh8k',
      }),
      required: true,
      about: 'The work that is claimed, in any spelling of its ARK.',
      example: 'ark:/12345/x6np1wh8k',
      alsoCalled: ['ark', 'svc_id'],
    },
    author_position: {
      kind: position,
      about: 'Place among the authors of the work, from 1.',
      example: 2,
      alsoCalled: ['position'],
    },
    message: {
      kind: paragraphsOf(wordsMax),
      about: 'What the other side should know; only the two sides read it.',
      example: 'My name was spelled Lovelance.',
      alsoCalled: ['note', 'comment'],
    },
  })
}

function foldArk(text: string, naan: string): string | undefined {
  const parsed = parseArkReference(text, naan)
  if (parsed.type === 'malformed') return undefined
  const { ark, components, variants, inflection } = parsed
  return components === '' && variants === '' && inflection === undefined ? ark : undefined
}

const reasonShape = shapeOf<{ readonly reason: string }>({
  reason: {
    kind: paragraphsOf(wordsMax),
    required: true,
    about: 'Why the claim is contested; the two sides and administrators read it.',
    example: 'The author of this name is somebody else.',
    alsoCalled: ['message', 'note'],
  },
})

/** Describes the body of a claim. */
export const newClaimSchema = fieldsSchema(claimShape(''), {
  title: 'NewClaim',
  description: 'That a person is an author of a work.',
  nullable: true,
})

/** Checks the JSON body of a claim; all faults at once. */
export function checkClaim(
  body: unknown,
  naan: string,
): { readonly type: 'ok'; readonly claim: CheckedClaim } | Invalid {
  const faults = new FaultList()
  const record = readFields(claimShape(naan), body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', claim: record as CheckedClaim }
}

const confirmShape = shapeOf<{ readonly confirm_mismatch?: string }>({
  confirm_mismatch: {
    kind: paragraphsOf(wordsMax),
    about: 'Why a claim is right that does not match its work.',
    example: 'She has married since, and was Ada Byron then.',
  },
})

const emptyShape = shapeOf<object>({})

const stepShapes: Readonly<Record<ClaimStep, FieldShape>> = {
  confirm: confirmShape,
  reject: emptyShape,
  contest: reasonShape,
  withdraw: emptyShape,
  disclaim: emptyShape,
}

type StepWords = { readonly reason?: string; readonly confirmMismatch?: string }

/**
 * Checks the JSON body of a step: a contest has a reason, to confirm may have why that is right,
 * and the others have nothing.
 */
export function checkStep(
  step: ClaimStep,
  body: unknown,
): ({ readonly type: 'ok' } & StepWords) | Invalid {
  const faults = new FaultList()
  const record = readFields(stepShapes[step], body ?? {}, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const { confirm_mismatch: confirmMismatch, ...words } = (record ?? {}) as StepWords & {
    readonly confirm_mismatch?: string
  }
  return { type: 'ok', ...words, ...(confirmMismatch !== undefined && { confirmMismatch }) }
}
