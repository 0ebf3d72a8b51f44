import type { People, WriteByOther } from '#actors/people/port.ts'
import type { ReadNotices } from '#src/identity/accounts/read_notices.ts'
import type { AuditEntry, AuditLog } from '#src/identity/store/audit.ts'

/** Notices of one person that are shown: the newest ones. Where they come from has all. */
export const noticesMax = 50

/** Notices that are counted for the header, at most. */
const countedMax = 10

/** Entries of an audit list that are looked at for one notice, since uses of keys are none. */
const entriesPerNotice = 4

/** Something that a person is told: what others wrote, or what happened to account and keys. */
export type Notice = { readonly at: string; readonly isUnread: boolean } & (
  | { readonly type: 'write'; readonly write: WriteByOther }
  | { readonly type: 'audit'; readonly entry: AuditEntry }
)

/** Where notices come from. */
export type NoticeSources = {
  readonly people: Pick<People, 'writes'>
  readonly audit: AuditLog
  readonly readNotices: ReadNotices
}

/** The notices of a person, newest first, so many at most. */
export async function readNoticesOf(
  { people, audit, readNotices }: NoticeSources,
  ppid: string,
  countMax = noticesMax,
): Promise<readonly Notice[]> {
  const owner = { type: 'person', id: ppid } as const
  const [writes, entries] = await Promise.all([
    people.writes({ ppid, limit: countMax }),
    audit.read(owner, { order: 'newest', limit: countMax * entriesPerNotice }),
  ])
  const until = readNotices.readUntil(ppid)
  const told = [
    ...writes.map((write) => ({ type: 'write', at: write.at, write }) as const),
    ...entries
      .filter(({ action }) => action !== 'used')
      .map((entry) => ({ type: 'audit', at: entry.at, entry }) as const),
  ]
  return told
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, countMax)
    .map((notice) => ({ ...notice, isUnread: notice.at > until }))
}

/** How many notices wait to be read: `10+` for ten or more, empty for none. */
export async function unreadText(sources: NoticeSources, ppid: string): Promise<string> {
  const newest = await readNoticesOf(sources, ppid, countedMax)
  const count = newest.filter(({ isUnread }) => isUnread).length
  if (count === 0) return ''
  return count < countedMax ? `${count}` : `${countedMax}+`
}
