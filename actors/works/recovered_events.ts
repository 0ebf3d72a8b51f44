import { readEvent, type ReadRow } from '#actors/journal/rows.ts'
import type {
  Statement,
  TombstoneStatement,
  WorkStatement,
} from '#actors/works/receipts/statement.ts'
import type { Agent } from '#actors/values/agent.ts'
import { formatArk } from '#actors/values/ark.ts'
import {
  type FixityChecked,
  streamArk,
  type SupersededChecked,
  type WorkEvent,
  type WorkRegistered,
  type WorkState,
  type WorkVersioned,
} from '#actors/works/events.ts'
import { type WithdrawalReason, withdrawalReasons } from '#actors/works/port.ts'
import { readVersionRow } from '#actors/works/record.ts'

/** A statement about a work, of which the log has the entry. */
export type StatementAboutWork = WorkStatement | TombstoneStatement

/**
 * The registry, which writes down what its log says. It owns the works of which nothing else is
 * known: nobody can tell any more who registered them.
 */
export const recoverer: Agent = {
  type: 'operator',
  id: 'operator',
  name: 'Operator',
  via: 'service',
}

/** Content whose check is lost is looked at again after so long. */
const recheckMs = 24 * 3_600_000

/**
 * The events that a statement was made with, as far as it tells: what it leaves out is null. The
 * statement is of the last of them, and the others follow from it. `state` is the work before it,
 * whose stream is `stream`; `read` reads rows as they stand then. Undefined if it cannot follow.
 */
export function recoverEvents(
  statement: StatementAboutWork,
  { stream, state, read }: { stream: string; state: WorkState | undefined; read: ReadRow },
): readonly WorkEvent[] | undefined {
  if (state?.status === 'withdrawn') return undefined
  switch (statement.statement) {
    case 'registered':
      return recoverVersion(statement, stream, state)
    case 'content':
      return state && recoverCheck(statement, state, read)
    case 'tombstoned':
      return state && recoverWithdrawal(statement, state)
  }
}

/** Whether a statement is about a work, and not about the log itself. */
export function isAboutWork(statement: Statement): statement is StatementAboutWork {
  return statement.statement !== 'key_rotated'
}

function recoverVersion(
  statement: WorkStatement,
  stream: string,
  state: WorkState | undefined,
): readonly (WorkRegistered | WorkVersioned)[] | undefined {
  const { version, receipt_id, metadata_hash, content_hash } = statement
  if (version !== (state?.version ?? 0) + 1) return undefined
  const facts = { receipt_id, metadata_hash, content_hash }
  const common = { schema: 1, by: recoverer } as const
  if (state !== undefined) {
    const what = { kind: 'versioned', version, changed_fields: [] } as const
    const data = { ...what, ...facts, fixity_status: 'pending', metadata: null } as const
    return [{ type: 'WorkVersioned', ...common, data }]
  }
  const [naan = '', name = ''] = streamArk(stream).split('/')
  const dated = statement.ark === formatArk(naan, name) ? {} : ({ dated: true } as const)
  return [{ type: 'WorkRegistered', ...common, data: { ...facts, ...dated, metadata: null } }]
}

function recoverWithdrawal(
  { version, reason }: TombstoneStatement,
  state: WorkState,
): readonly WorkEvent[] | undefined {
  if (version !== state.version || !isWithdrawalReason(reason)) return undefined
  return [{ type: 'WorkWithdrawn', schema: 1, by: recoverer, data: { reason } }]
}

function isWithdrawalReason(reason: string): reason is WithdrawalReason {
  return (withdrawalReasons as readonly string[]).includes(reason)
}

/** What is left of a check: what it found is known by its hash alone. */
const lostCheck = {
  method: 'remote_fetch',
  final_url: null,
  http_status: null,
  bytes: null,
  media_type: null,
  sha512: null,
} as const

function recoverCheck(
  statement: WorkStatement,
  state: WorkState,
  read: ReadRow,
): readonly WorkEvent[] | undefined {
  const { version, timestamp, receipt_id } = statement
  if (version !== state.version) return recoverSuperseded(statement, state, read)
  const check: FixityChecked = {
    type: 'FixityChecked',
    schema: 1,
    by: recoverer,
    data: {
      version,
      since: state.checked?.since ?? version,
      receipt_id,
      from: state.fixity_status,
      ...verified(statement),
      next_check_at: new Date(Date.parse(timestamp) + recheckMs).toISOString(),
    },
  }
  return [check]
}

function verified({ content_hash, metadata_hash }: WorkStatement) {
  const hash = content_hash ?? ''
  const sha256 = hash.slice(hash.indexOf(':') + 1)
  const found = { ...lostCheck, sha256, reason: null, message: null }
  return { status: 'verified', ...found, content: { content_hash: hash, metadata_hash } } as const
}

// Superseded versions are checked from the newest on: those before the stated one had no content.
function recoverSuperseded(
  statement: WorkStatement,
  state: WorkState,
  read: ReadRow,
): readonly SupersededChecked[] | undefined {
  const checks: SupersededChecked[] = []
  let version = state.unsettled?.version ?? null
  while (version !== null) {
    const { position, waiting = null } = readVersionRow(state.ark, version, read)
    const isStated = version === statement.version
    const { receipt_id } = readEvent(position, read).data as { readonly receipt_id: string }
    const found = isStated ? verified(statement) : unread
    const data = { version, receipt_id, ...found, waiting }
    checks.push({ type: 'SupersededChecked', schema: 1, by: recoverer, data })
    if (isStated) return checks
    version = waiting
  }
  return undefined
}

const unread = {
  ...lostCheck,
  status: 'unreachable',
  sha256: null,
  reason: 'check_lost',
  message: 'what its check found is lost',
} as const
