import { formatOwner, type Owner } from '#actors/values/agent.ts'
import type { AuditLog, OwnedAuditEntry } from '#src/identity/store/audit.ts'
import { parseOwner } from '#src/identity/store/owner_text.ts'
import type { AccountService } from '#src/use_cases/registry_edge.ts'

/** What is asked of the audit list; an empty text asks for nothing. */
export type AuditFilter = {
  /** Who did it: an e-mail address, a ppid, `operator`, or `org:press`. */
  readonly actor: string
  /** A word of `AuditAction`, such as `suspended`. */
  readonly action: string
  /** What it was done to: whose list it is in, or a part of an ARK, a ppid, a slug or an id. */
  readonly subject: string
  /** The beginning of the network from which it was done, such as `192.0.2`. */
  readonly address: string
  /** From and until when, UTC: `2026-11-28` or `2026-11-28T15:00`, that day or minute included. */
  readonly from: string
  readonly until: string
}

export const auditFilterNames = [
  'actor',
  'action',
  'subject',
  'address',
  'from',
  'until',
] as const satisfies readonly (keyof AuditFilter)[]

/** Entries that match, newest first; `next` is where to go on, undefined at the end. */
export type AuditResults = {
  readonly entries: readonly OwnedAuditEntry[]
  readonly next: string | undefined
}

/** Entries that one search looks at: a filter may want few of them. */
const lookedAtMax = 5_000
const rowsAtATime = 500

const minuteMs = 60_000
const dayMs = 86_400_000
const timeForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?$/

/** What is wrong with the times of a filter, as a sentence; undefined if nothing is. */
export function auditFilterFault({ from, until }: AuditFilter): string | undefined {
  const wrong = [from, until].find((text) => text !== '' && startOf(text) === undefined)
  if (wrong !== undefined) {
    return `“${wrong}” is not a time: write 2026-11-28 or 2026-11-28T15:00, in UTC.`
  }
  const [first, last] = [startOf(from), startOf(until)]
  if (first === undefined || last === undefined || first <= last) return undefined
  return 'The time until which you look is before the one from which you look.'
}

function startOf(text: string): number | undefined {
  if (!timeForm.test(text)) return undefined
  const time = Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? '' : 'T00:00'}Z`)
  return Number.isNaN(time) ? undefined : time
}

/**
 * Searches what administrators, owners and people did, newest first. It looks at 5,000 entries at
 * most, so that a page may have few or none and still a `next`.
 */
export async function searchAudit(
  { audit, service }: { readonly audit: AuditLog; readonly service: AccountService },
  filter: AuditFilter,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<AuditResults> {
  const isWanted = matcher(service, filter)
  const fromMs = startOf(filter.from) ?? 0
  const until = startOf(filter.until)
  const untilMs = until === undefined ? undefined : until + spanOf(filter.until)
  const entries: OwnedAuditEntry[] = []
  let next = before
  for (let looked = 0; looked < lookedAtMax; looked += rowsAtATime) {
    const rows = await audit.readAll({
      limit: rowsAtATime,
      ...(next !== undefined && { before: next }),
      ...(untilMs !== undefined && { untilMs }),
    })
    for (const row of rows) {
      if (Date.parse(row.entry.at) < fromMs) return { entries, next: undefined }
      if (isWanted(row)) {
        if (entries.length === limit) return { entries, next }
        entries.push(row)
      }
      next = row.place
    }
    if (rows.length < rowsAtATime) return { entries, next: undefined }
  }
  return { entries, next }
}

function spanOf(text: string): number {
  return text.length > 10 ? minuteMs : dayMs
}

function matcher(
  service: AccountService,
  { actor, action, subject, address }: AuditFilter,
): (row: OwnedAuditEntry) => boolean {
  const by = actor === '' ? undefined : actorOf(service, actor)
  const about = subject === '' ? undefined : subjectsOf(service, subject)
  return ({ owner, entry }) => {
    if (action !== '' && entry.action !== action) return false
    if (by !== undefined && (entry.by === undefined || formatOwner(entry.by) !== by)) return false
    if (address !== '' && entry.network?.startsWith(address) !== true) return false
    if (about === undefined) return true
    const { ark = '', slug = '', ppid = '', client_id = '', key_id = '' } = entry
    const names = [formatOwner(owner), owner.id, ark, `ark:/${ark}`, slug, ppid, client_id, key_id]
    return names.some((name) => name !== '' && about.some((wanted) => name.includes(wanted)))
  }
}

/** `person:p8j5…`, `organization:press`, `operator:operator`, or what nobody is called. */
function actorOf(service: AccountService, text: string): string {
  const named: Pick<Owner, 'type' | 'id'> = parseOwner(text) ?? {
    type: 'person',
    id: ppidOf(service, text) ?? text,
  }
  return formatOwner(named)
}

function subjectsOf(service: AccountService, text: string): readonly string[] {
  const named = parseOwner(text)
  if (named !== undefined) return [formatOwner(named)]
  return [ppidOf(service, text) ?? text.replace(/^ark:\/?/, '')]
}

function ppidOf({ accounts }: AccountService, text: string): string | undefined {
  return text.includes('@') ? accounts.findByEmail(text)?.ppid : accounts.find(text)?.ppid
}

/** An entry as programs read it; `place` names it, and where a page goes on. */
export function auditLine({ owner, entry, place }: OwnedAuditEntry) {
  const { at, action, by, because, reason, network, ark, slug, ppid } = entry
  const { key_id, client_id, invitation_id, bulk_change_id, role, works_count, scopes } = entry
  return {
    id: place,
    at,
    action,
    by: by === undefined ? null : { type: by.type, id: by.id },
    owner: { type: owner.type, id: owner.id },
    because: because ?? reason ?? null,
    address: network ?? null,
    ark: ark === undefined ? null : `ark:/${ark}`,
    organization: slug ?? null,
    ppid: ppid ?? null,
    key_id: key_id ?? null,
    client_id: client_id ?? null,
    invitation_id: invitation_id ?? null,
    bulk_change_id: bulk_change_id ?? null,
    role: role ?? null,
    works_count: works_count ?? null,
    scopes: scopes ?? null,
  }
}
