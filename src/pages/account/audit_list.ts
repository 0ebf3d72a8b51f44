import { parseDecimal } from '#log/tlog/encoding.ts'
import type { Owner } from '#actors/values/agent.ts'
import type { AuditAction, AuditEntry } from '#src/identity/store/audit.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { keyName } from '#src/pages/kit/key_pages.ts'
import { pagination, table, time } from '#src/pages/kit/parts.ts'
import { routesIn } from '#src/pages/kit/pages.ts'
import { audit as words, changes } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

/** What happened to the subject of an entry, by its action. */
export const auditWords: Readonly<Record<AuditAction, Text>> = words

/** A part of an audit list, for the person whom it is about. */
export function auditTable(
  context: AccountContext,
  entries: readonly AuditEntry[],
  ppid: string,
): Html {
  if (entries.length === 0) return html`<p>${changes.nothingYet}</p>`
  return table(
    changes.auditTable,
    entries,
    [
      [changes.when, ({ at }) => time(at)],
      [changes.what, (entry) => subject(context, entry)],
      [changes.happened, (entry) => happening(entry)],
      [changes.byOrFrom, (entry) => origin(entry, ppid)],
    ],
    changes.what,
  )
}

/** What happened, and by whom or from where, each in a line. */
export function auditHappening(context: AccountContext, entry: AuditEntry, ppid: string) {
  return { what: subjectAndEvent(subject(context, entry), entry), by: origin(entry, ppid) }
}

/** What an entry is about, and what happened to it, in one line. */
export function subjectAndEvent(about: Text, entry: AuditEntry): Text {
  return changes.subjectAndEvent({ subject: about, event: happening(entry) })
}

/** Whose list it is in, where an entry names nothing else. */
const ownersWords = {
  person: changes.ofPerson,
  organization: changes.ofOrganizationItself,
  operator: changes.ofOperator,
} as const

/** What an entry is about: a key, an application, or the account or organization whose it is. */
export function subject(
  { keys, applications }: Pick<AccountContext, 'keys' | 'applications'>,
  { key_id, client_id, invitation_id, bulk_change_id, ark, slug, ...entry }: AuditEntry,
  owner: Owner['type'] = 'person',
): Text {
  if (invitation_id !== undefined) return changes.subjectInvitation
  if (bulk_change_id !== undefined) return changes.subjectBulk
  if (key_id !== undefined) {
    const key = keys.find(key_id)
    return changes.subjectKey({ name: key === undefined ? key_id : keyName(key) })
  }
  if (ark !== undefined) return changes.subjectWork({ name: `ark:/${ark}` })
  if (slug !== undefined) return changes.subjectOrganization({ name: slug })
  if (entry.action.startsWith('account_') && entry.ppid !== undefined) {
    return changes.subjectAccount({ name: entry.ppid })
  }
  if (client_id === undefined) return ownersWords[owner]
  return applications.find(client_id)?.name ?? client_id
}

/** What happened to the subject of an entry, and why. */
function happening({ action, reason, because }: AuditEntry): Text {
  const event = auditWords[action]
  const why = reason === undefined ? because : words[`reason_${reason}`]
  return why === undefined ? event : changes.because({ event, why })
}

function origin({ by, network }: AuditEntry, ppid: string): Text {
  if (network !== undefined) return network
  if (by === undefined) return '–'
  const { type, id, name } = by
  if (type !== 'person') return name
  return id === ppid ? changes.you : changes.anAdministrator
}

const path = '/account/audit'
const entriesOnPage = 50

/** Adds the page of everything that happened to a person's keys and permissions. */
export function addAuditPages(context: AccountContext): void {
  routesIn(context).member.get(path, async ({ account, query }) => {
    const before = parseDecimal(query.get('before') ?? '')
    const owner = { type: 'person', id: account.ppid } as const
    const entries = await context.audit.read(owner, {
      order: 'newest',
      limit: entriesOnPage,
      ...(before !== undefined && { cursor: before }),
    })
    const last = entries.length < entriesOnPage ? undefined : entries.at(-1)
    return {
      title: changes.auditTitle,
      current: '/account/security',
      wide: true,
      lead: changes.auditLead,
      content: html`${auditTable(context, entries, account.ppid)}
${pagination({ path: context.pages.prefix + path, parameter: 'before', next: last?.seq })}`,
    }
  })
}
