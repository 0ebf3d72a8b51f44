import { type Static, Type } from 'typebox'

import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { isDoneBy, parseActor } from '#actors/values/agent.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { WorkState } from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { withdrawalReasons } from '#actors/works/port.ts'
import { checkWithdrawal } from '#actors/works/request_checks.ts'
import { assert } from '#log/tlog/errors.ts'
import { component, wordOf } from '#src/edge/reply_schemas.ts'
import { readWorkAgain, type WorkAgain } from '#src/use_cases/work_again.ts'

const sinceForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z?)?$/

/** Takes back what one actor did to works of an organization since a time. */
export const bulkUndoSchema = component(
  'BulkUndo',
  {
    by: Type.String({
      minLength: 1,
      maxLength: 120,
      examples: ['key:019a2b3c4d5e'],
      description: 'Who did it: `key:` and its id, `person:` and a ppid, or `application:`.',
    }),
    since: Type.String({
      minLength: 1,
      maxLength: 24,
      examples: ['2026-11-28T15:00'],
      description: 'A day or a time of UTC; what was done at that time is undone too.',
    }),
    reason: wordOf('WithdrawalReason', withdrawalReasons),
    note: Type.Optional(Type.String({ minLength: 1 })),
  },
  {
    additionalProperties: false,
    description:
      'Works that it registered since then are withdrawn, with this reason and note; other works ' +
      'get back the metadata that they had before. Works that it withdrew are registered again, ' +
      'under a new ARK, unless their metadata was erased. Works that somebody else changed later ' +
      'are left out.',
  },
)

export type BulkUndo = Static<typeof bulkUndoSchema>

/** An undo with its time as it is stored, and what is wrong with it. */
export function readUndo({ by, since, reason, note }: BulkUndo): {
  readonly undo: BulkUndo
  readonly faults: readonly FieldFault[]
} {
  const sinceMs = sinceForm.test(since) ? Date.parse(completed(since)) : Number.NaN
  const checked = checkWithdrawal({ reason, ...(note !== undefined && { note }) })
  const faults: FieldFault[] = checked.type === 'invalid' ? [...checked.faults] : []
  if (parseActor(by) === undefined) {
    const message = 'Write key:ID, person:PPID or application:ID'
    faults.push({ field: 'by', code: 'bad_value', message })
  }
  if (Number.isNaN(sinceMs)) {
    const message = `“${since}” is not a time: write 2026-11-28 or 2026-11-28T15:00, in UTC`
    faults.push({ field: 'since', code: 'bad_value', message })
  }
  const isNoted = checked.type === 'ok' && checked.withdrawal.note !== undefined
  const undo = {
    by,
    since: Number.isNaN(sinceMs) ? since : formatTimestamp(sinceMs),
    reason,
    ...(isNoted && { note: checked.withdrawal.note }),
  }
  return { undo, faults }
}

function completed(since: string): string {
  if (since.length === '2026-11-28'.length) return `${since}T00:00Z`
  return since.endsWith('Z') ? since : `${since}Z`
}

/** What an undo means, as `all that key abc did since 2026-11-28 15:00 UTC`. */
export function describeUndo({ by, since }: BulkUndo): string {
  const time = `${since.slice(0, 16).replace('T', ' ')} UTC`
  return `all that ${by.replace(':', ' ')} did since ${time}`
}

/** Versions of one work that an undo looks at. */
const versionsMax = 1_000

/**
 * What becomes of a work: it gets back the metadata of a version, is withdrawn, or is registered
 * again. `untouched`: the actor did nothing to it since then. The others are refusals of a bulk
 * change.
 */
export type Undone =
  | { readonly type: 'restored'; readonly metadata: Metadata }
  | { readonly type: 'withdrawal' }
  | WorkAgain
  | { readonly type: 'untouched' }
  | { readonly type: 'withdrawn' }
  | { readonly type: 'changed_by_others' }
  | { readonly type: 'invalid'; readonly message: string }

/** What an undo makes of a work, by who wrote its versions. */
export async function undoneWork(
  environment: Pick<ServedEnvironment, 'catalogue' | 'naan'>,
  { by, since }: BulkUndo,
  state: WorkState,
): Promise<Undone> {
  const { catalogue } = environment
  const { ark, status } = state
  const actor = parseActor(by)
  assert(actor !== undefined, 'an undo that is kept names an actor')
  let oldest: number | undefined
  let isWithdrawnByActor = false
  // Whether somebody else wrote a version after the oldest one of the actor.
  let isOverwritten = false
  let others = 0
  let looked = 0
  for (const step of catalogue.writers(ark)) {
    if (step.at < since) break
    if (looked === versionsMax) {
      return { type: 'invalid', message: `It has more than ${versionsMax} versions since then` }
    }
    looked += 1
    const isOwn = isDoneBy(step.by, actor)
    if (step.type === 'withdrawal') isWithdrawnByActor = isOwn
    else if (isOwn) [oldest, isOverwritten] = [step.version, others > 0]
    else others += 1
  }
  if (oldest === undefined && !isWithdrawnByActor) return { type: 'untouched' }
  // What it registered itself is withdrawn, as it would be by the undo.
  if (status === 'withdrawn' && (!isWithdrawnByActor || oldest === 1)) return { type: 'withdrawn' }
  if (isOverwritten) return { type: 'changed_by_others' }
  if (status === 'withdrawn') {
    return readWorkAgain(environment, state, oldest === undefined ? state.version : oldest - 1)
  }
  assert(oldest !== undefined, 'a work that stands was not withdrawn')
  if (oldest === 1) return { type: 'withdrawal' }
  const before = catalogue.metadataText(ark, oldest - 1)
  assert(before !== undefined, 'a work that stands has the metadata of its versions')
  return { type: 'restored', metadata: JSON.parse(before) as Metadata }
}
