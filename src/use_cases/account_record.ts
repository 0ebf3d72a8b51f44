import type { Claim, Claims } from '#actors/people/claims/port.ts'
import type { People, WriteByOther } from '#actors/people/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { isDoneBy, type Owner, type OwnerRef } from '#actors/values/agent.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { ReadNotices } from '#src/identity/accounts/read_notices.ts'
import type { WorkReports } from '#src/identity/accounts/work_reports.ts'
import { type AuditEntry, type AuditLog, isNews } from '#src/identity/store/audit.ts'
import type { OAuth } from '#src/identity/oauth/oauth.ts'
import type { AccountService, Realm } from '#src/use_cases/registry_edge.ts'
import type { Account } from '#src/identity/accounts/account.ts'

/** Where something is held of people. */
type ExportSources = Pick<
  AccountService,
  'accounts' | 'sessions' | 'secondFactors' | 'reports' | 'savedSearches'
> &
  Pick<Realm, 'keys'> &
  Pick<OAuth, 'applications' | 'grants' | 'audit'> & {
    readonly environment: ServedEnvironment
    readonly nowMs: () => number
  }

const pageMax = 1_000

/** Everything that is held of a person, as JSON; of what is secret, only that it is there. */
export async function collectExport(
  sources: ExportSources,
  ppid: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { environment, accounts, sessions, keys, applications, grants, audit, nowMs } = sources
  const secondFactor = sources.secondFactors.find(ppid)
  const { people, claims, organizations } = environment
  const owner = { type: 'person', id: ppid } as const
  const held = await people.export(ppid)
  return {
    exported_at: formatTimestamp(nowMs()),
    ppid,
    account: exportAccount(accounts, ppid),
    profile: held?.person.profile,
    affiliations: held?.person.items.filter(({ kind }) => kind === 'affiliation'),
    education: held?.person.items.filter(({ kind }) => kind === 'education'),
    claims: allClaims(claims, ppid),
    organizations: await organizations.organizationsOf(ppid),
    writes: held?.writes,
    events: held?.events,
    sessions: sessions.list(ppid),
    sign_ins: sessions.history.read(ppid),
    second_factor: secondFactor && {
      totp_since: secondFactor.totpSince,
      passkeys: secondFactor.passkeys,
      recovery_codes_left: secondFactor.recoveryCodesLeft,
    },
    saved_searches: sources.savedSearches.list(ppid),
    keys: keys.list(owner),
    applications: await applications.list({ owner }),
    permissions: grants.list(ppid),
    audit: await allEntries(audit, owner),
    reports: await allReports(sources.reports, owner),
  }
}

function exportAccount(accounts: Accounts, ppid: string) {
  const account = accounts.find(ppid)
  if (account === undefined) return undefined
  const { password, ...shown } = account
  return { ...shown, has_password: password !== null }
}

function allClaims(claims: Claims, ppid: string): Claim[] {
  const all: Claim[] = []
  let page = claims.ofPerson(ppid, { limit: pageMax })
  for (;;) {
    all.push(...page.claims)
    if (page.next === null) return all
    page = claims.ofPerson(ppid, { cursor: page.next, limit: pageMax })
  }
}

async function allEntries(
  audit: AuditLog,
  owner: { readonly type: 'person'; readonly id: string },
): Promise<AuditEntry[]> {
  const all: AuditEntry[] = []
  for (;;) {
    const cursor = all.at(-1)?.seq ?? 0
    const page = await audit.read(owner, { cursor, limit: pageMax })
    all.push(...page)
    if (page.length < pageMax) return all
  }
}

/** What readers reported of the works of a person, and the answers, but for where these went. */
async function allReports(reports: WorkReports, owner: OwnerRef) {
  const all = await reports.newest(owner)
  return all.map(({ ark, because, answer, atMs }) => {
    return { at: formatTimestamp(atMs), ark, because, ...(answer && { answer }) }
  })
}

/** Notices of one person that are shown: the newest ones. Where they come from has all. */
export const noticesMax = 50

const countedMax = 10

/** Entries of an audit list that are looked at for one notice, since uses of keys are none. */
const entriesPerNotice = 4

/** Something that a person is told: what others wrote, or what happened to account and keys. */
export type Notice = { readonly at: string; readonly isUnread: boolean } & (
  | { readonly type: 'write'; readonly write: WriteByOther }
  | { readonly type: 'audit'; readonly entry: AuditEntry; readonly organization?: string }
)

type NoticeSources = {
  readonly people: Pick<People, 'writes'>
  readonly audit: AuditLog
  readonly readNotices: ReadNotices
  /** Owners are told what happens to their organizations, too. */
  readonly organizations: Pick<ServedEnvironment['organizations'], 'organizationsOf'>
}

/** The notices of a person, newest first, so many at most. */
export async function readNoticesOf(
  sources: NoticeSources,
  ppid: string,
  countMax = noticesMax,
): Promise<readonly Notice[]> {
  const { people, audit, readNotices } = sources
  const owner = { type: 'person', id: ppid } as const
  const [writes, entries, news] = await Promise.all([
    people.writes({ ppid, limit: countMax }),
    audit.read(owner, { order: 'newest', limit: countMax * entriesPerNotice }),
    newsOfOrganizations(sources, ppid, countMax),
  ])
  const until = readNotices.readUntil(ppid)
  const told = [
    ...writes.map((write) => ({ type: 'write', at: write.at, write }) as const),
    ...entries
      .filter(({ action }) => action !== 'used')
      .map((entry) => ({ type: 'audit', at: entry.at, entry }) as const),
    ...news,
  ]
  return told
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, countMax)
    .map((notice) => ({ ...notice, isUnread: notice.at > until }))
}

/** Organizations of one owner whose news are among the notices. */
const organizationsMax = 20

/** What an owner is told of their organizations, and did not do themselves. */
async function newsOfOrganizations(
  { audit, organizations }: NoticeSources,
  ppid: string,
  countMax: number,
) {
  const doer = { type: 'person', id: ppid } as const
  const owned = (await organizations.organizationsOf(ppid)).filter(({ role }) => role === 'owner')
  const lists = owned.slice(0, organizationsMax).map(async ({ slug }) => {
    const owner = { type: 'organization', id: slug } as const
    const limit = countMax * entriesPerNotice
    const entries = await audit.read(owner, { order: 'newest', limit })
    return entries
      .filter((entry) => isNews(entry) && !(entry.by && isDoneBy(entry.by, doer)))
      .map((entry) => ({ type: 'audit', at: entry.at, entry, organization: slug }) as const)
  })
  return (await Promise.all(lists)).flat()
}

/** How many notices wait to be read: `10+` for ten or more, empty for none. */
export async function unreadText(sources: NoticeSources, ppid: string): Promise<string> {
  const newest = await readNoticesOf(sources, ppid, countedMax)
  const count = newest.filter(({ isUnread }) => isUnread).length
  if (count === 0) return ''
  return count < countedMax ? `${count}` : `${countedMax}+`
}

/** An address that works once. */
export type OneTimeUrl = { readonly url: string; readonly expires_at: string }

/** The address at which a person chooses a new password, once. */
export async function resetUrl(
  { accounts, authUrl }: AccountService,
  ppid: string,
  by: Owner,
): Promise<OneTimeUrl> {
  const { token, expires_at } = await accounts.byLink.issueReset(ppid, by)
  return { url: `${authUrl}/reset/${token}`, expires_at }
}

/** The address at which somebody can make an account, once. */
export async function invitationUrl({ links, authUrl }: AccountService): Promise<OneTimeUrl> {
  const { token, expires_at } = await links.issue({ kind: 'invite' })
  return { url: `${authUrl}/sign-up?invite=${token}`, expires_at }
}

/**
 * Ends the second step of the sign-in of a person who has lost device and recovery codes: they are
 * signed out everywhere, and told of it. False if the account has no second step.
 */
export async function endSecondStep(
  { secondFactors, sessions, mail }: AccountService,
  account: Account,
  by: Owner,
): Promise<boolean> {
  if (!(await secondFactors.end(account.ppid, by))) return false
  await sessions.endAll(account.ppid)
  mail.sendSecondFactorChanged(account, 'off')
  return true
}
