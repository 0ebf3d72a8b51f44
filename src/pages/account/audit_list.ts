import { parseDecimal } from '#log/tlog/encoding.ts'
import type { Owner } from '#actors/values/agent.ts'
import type { AuditAction, AuditEntry } from '#src/identity/store/audit.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { keyName } from '#src/pages/kit/key_pages.ts'
import { pagination, table, time } from '#src/pages/kit/parts.ts'
import { routesIn } from '#src/pages/kit/pages.ts'

/** What happened to the subject of an entry, in words that follow its name. */
export const auditWords: Readonly<Record<AuditAction, string>> = {
  created: 'was made',
  rotated: 'was replaced by a new one',
  revoked: 'was taken back',
  refused: 'was refused',
  used: 'was used',
  granted: 'was permitted',
  changed: 'was permitted something else',
  registered: 'was registered',
  approved: 'was approved',
  secret_rotated: 'was given a new secret',
  made_admin: 'became an administrator’s',
  admin_ended: 'is no administrator’s any more',
  sessions_ended: 'was signed out everywhere',
  reset_link_made: 'was given a link for a new password',
  password_changed: 'was given another password',
  address_changed: 'was given another e-mail address',
  second_factor_set: 'asks for a code of an app when you sign in',
  second_factor_ended: 'asks for no code any more',
  recovery_codes_made: 'was given new recovery codes',
  recovery_code_used: 'was signed in to with a recovery code',
  passkey_added: 'was given a passkey',
  passkey_removed: 'lost a passkey that was removed',
  passkey_refused: 'refused a passkey that seems to be copied',
  member_invited: 'was sent',
  invitation_sent_again: 'was sent again',
  invitation_revoked: 'was taken back',
  invitation_accepted: 'was accepted',
  invitation_declined: 'was declined',
  works_changed: 'was carried out',
  works_undone: 'was carried out and undid what somebody did',
  suspended: 'was suspended',
  resumed: 'goes on after a suspension',
  owner_named: 'was given an owner by the operator',
  work_taken_down: 'was taken down by the operator of this registry',
  claim_waiting: 'has a claim of authorship that waits for an answer',
  claim_confirmed: 'has a claim of authorship that was confirmed',
  claim_rejected: 'has a claim of authorship that was declined',
  claim_contested: 'has a claim of authorship that is contested',
  consortium_invited: 'invites this organization to be part of it',
  consortium_invitation_ended: 'no longer invites this organization',
  consortium_joined: 'has this organization below it now',
  consortium_left: 'no longer has this organization below it',
  consortium_declined: 'is no longer invited',
  consortium_grew: 'is part of this organization now',
  consortium_shrank: 'is no longer part of this organization',
  key_ending: 'ends soon',
  content_failing: 'has works with content that changed or is not confirmed',
  week_ended: 'got its summary of the week',
  organization_requested: 'was asked for',
  organization_added: 'was added',
  organization_changed: 'was changed',
  organization_approved: 'was approved',
  organization_declined: 'was declined',
  organization_administered: 'was changed by an administrator',
  member_added: 'got a member',
  member_role_changed: 'has a member with another role',
  member_removed: 'lost a member',
  webhook_changed: 'got or lost a webhook, or has a changed one, by an administrator',
  works_imported: 'got works by an import',
  work_erased: 'was erased',
  content_queued: 'was put in the queue of checks',
  claim_decided: 'has a claim that an administrator decided',
  news_stopped: 'sends no more news to an address',
  news_allowed: 'lets news go again to an address',
  account_invited: 'got an invitation for a new account',
  account_given: 'was given to a person who had lost theirs',
  account_removed: 'was deleted by an administrator',
  reset_link_sent: 'was sent a link for a new password',
  receipt_key_rotated: 'has a new receipt key',
  token_key_rotated: 'took a step to a new key of ID tokens',
  clock_accepted: 'goes on with the clock as it is',
  indexes_remade: 'makes its search indexes anew',
  node_invited: 'has an invitation for a node',
  node_removed: 'lost a node',
  admin_code_made: 'gave a one-time code for an administrative call',
  called: 'was called with a one-time code',
}

const reasons: Readonly<Record<NonNullable<AuditEntry['reason']>, string>> = {
  wrong_secret: 'only its beginning was right',
  revoked: 'it was revoked before',
  rotated_out: 'its time after the replacement was over',
  expired: 'its time was over',
  ip_denied: 'it may not be used from there',
  token_reused: 'somebody sent a code or token a second time',
  by_application: 'the application gave it back',
  application_revoked: 'the application was ended',
  account_deleted: 'the account was deleted',
}

/** A part of an audit list, for the person whom it is about. */
export function auditTable(
  context: AccountContext,
  entries: readonly AuditEntry[],
  ppid: string,
): Html {
  if (entries.length === 0) return html`<p>Nothing yet.</p>`
  return table(
    'What happened to keys, permissions and the account',
    entries,
    {
      When: ({ at }) => time(at),
      What: (entry) => subject(context, entry),
      Happened: (entry) => happening(entry),
      'By or from': (entry) => origin(entry, ppid),
    },
    'What',
  )
}

/** What happened, and by whom or from where, each in a line. */
export function auditHappening(context: AccountContext, entry: AuditEntry, ppid: string) {
  return {
    what: `${subject(context, entry)} ${happening(entry)}`,
    by: origin(entry, ppid),
  }
}

/** Whose list it is in, where an entry names nothing else. */
const ownersWords = {
  person: 'Account',
  organization: 'Organization',
  operator: 'Registry',
} as const

/** What an entry is about: a key, an application, or the account or organization whose it is. */
export function subject(
  { keys, applications }: Pick<AccountContext, 'keys' | 'applications'>,
  { key_id, client_id, invitation_id, bulk_change_id, ark, slug, ...entry }: AuditEntry,
  owner: Owner['type'] = 'person',
): string {
  if (invitation_id !== undefined) return 'Invitation'
  if (bulk_change_id !== undefined) return 'Bulk change of works'
  if (key_id !== undefined) {
    const key = keys.find(key_id)
    return `Key ${key === undefined ? key_id : keyName(key)}`
  }
  if (ark !== undefined) return `Work ark:/${ark}`
  if (slug !== undefined) return `Organization ${slug}`
  if (entry.action.startsWith('account_')) return `Account ${entry.ppid ?? ''}`.trim()
  if (client_id === undefined) return ownersWords[owner]
  return applications.find(client_id)?.name ?? client_id
}

/** What happened to the subject of an entry, in words that follow its name. */
export function happening({ action, reason, because }: AuditEntry): string {
  const why = reason === undefined ? because : reasons[reason]
  return why === undefined ? auditWords[action] : `${auditWords[action]}: ${why}`
}

function origin({ by, network }: AuditEntry, ppid: string): string {
  if (network !== undefined) return network
  if (by === undefined) return '–'
  const { type, id, name } = by
  if (type !== 'person') return name
  return id === ppid ? 'you' : 'an administrator'
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
      title: 'Keys and permissions: what happened',
      current: '/account/security',
      wide: true,
      lead: 'Every change, and at most one use an hour. Newest first.',
      content: html`${auditTable(context, entries, account.ppid)}
${pagination({ path: context.pages.prefix + path, parameter: 'before', next: last?.seq })}`,
    }
  })
}
