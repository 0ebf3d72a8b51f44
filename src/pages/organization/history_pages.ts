import type { OrganizationChange } from '#actors/people/organizations/events.ts'
import {
  type HistoryEntry,
  type HistoryKind,
  historyKinds,
  type HistoryPage,
  type OwnerLists,
  type RegistrationEntry,
} from '#actors/registry/catalogue/owner_lists.ts'
import { type Agent, isDoneBy, type Owner, parseActor } from '#actors/values/agent.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import type { AuditEntry, AuditLog } from '#src/identity/store/audit.ts'
import { subjectAndEvent } from '#src/pages/account/audit_list.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type Html, html, nothing } from '#src/pages/kit/html.ts'
import { keyName } from '#src/pages/kit/key_pages.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import {
  emptyState,
  type FilterOption,
  filterQuery,
  listFilter,
  pagination,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { plainTitle } from '#src/pages/kit/words.ts'
import { bulkPath, bulkTitle, undoPath } from '#src/pages/organization/bulk_change_pages.ts'
import {
  hrefIn,
  mayDo,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
  pathIn,
  publicName,
} from '#src/pages/organization/context.ts'
import { changes, organizations, search } from '#src/words/english.ts'
import { inEnglish, joined, list } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import { history as words, withdrawals } from '#src/words/publisher_desk.ts'
import { nameFields } from '#src/discovery/feeds/field_names.ts'
import { english } from '#src/words/language.ts'
import { type Text, textIn, type Wording } from '#src/words/wording.ts'

/** A work that a line names. Its title is null once it was erased. */
type LineWork = { readonly ark: string; readonly title: string | null }

/** Who did something, and how a filter asks for all that they did, if it can. */
type LineActor = { readonly name: Text; readonly filter?: string }

type HistoryLine = {
  readonly at: string
  /** When the first of several things happened, if that was another time. */
  readonly since?: string
  readonly kind: HistoryEntry['kind'] | 'access'
  readonly what: Text
  /** Where more of it stands. */
  readonly href?: string
  /** What else there is to say of it. */
  readonly detail?: Text
  /** The works that it happened to, as far as they are named; `worksCount` is how many they are. */
  readonly works: readonly LineWork[]
  readonly worksCount: number
  readonly by?: LineActor
}

const titleCharactersMax = 120

function lineOf(visit: OrganizationVisit, { type, entry }: TimelineEntry): HistoryLine {
  return type === 'audit' ? auditLine(visit, entry) : journalLine(visit, entry)
}

function journalLine(visit: OrganizationVisit, entry: HistoryEntry): HistoryLine {
  const { kind, at } = entry
  const told = { at, kind, by: actorOf(visit, entry.by), works: [], worksCount: 0 }
  switch (entry.kind) {
    case 'registration':
      return { ...told, ...registrationWords(entry), ...namedWorks(visit, entry.works) }
    case 'version': {
      const { ark, version, changed_fields: fields, note } = entry
      const changed = fields.length === 0 ? undefined : nameFields(fields)
      const parts = [note, changed && words.changedFields({ fields: changed })]
      const what = words.newVersion({ version })
      return { ...told, what, detail: partsText(parts), ...namedWorks(visit, [ark]) }
    }
    case 'withdrawal': {
      const { ark, end, reason } = entry
      const detail = words.because({ reason: withdrawals[reason] })
      return { ...told, what: words[end], detail, ...namedWorks(visit, [ark]) }
    }
    case 'claim': {
      const { ark, ppid, step, status } = entry
      const name = publicName(visit.context, ppid, visit.account.ppid)
      const detail = words.status({ status: words[`state_${status}`] })
      return { ...told, what: words[step]({ name }), detail, ...namedWorks(visit, [ark]) }
    }
    case 'organization':
      return { ...told, ...changeLine(visit, entry.change) }
  }
}

/** What the fields of an organization are called. */
const organizationFields = {
  name: organizations.name,
  aliases: organizations.otherNames,
  ror: search.ror,
  country: search.country,
  url: organizations.homePage,
} as const

/** What there is to say beside an event, in one line. */
function partsText(parts: readonly (Text | undefined)[]): Text {
  const said = parts.flatMap((part) => (part === undefined || part === '' ? [] : [part]))
  return joined(said, ' · ')
}

function registrationWords({
  count,
  since,
  at,
  batch,
  by,
  goesOn,
  began,
}: RegistrationEntry): Pick<HistoryLine, 'what' | 'detail' | 'since' | 'worksCount'> {
  const isImport = batch !== undefined && by.via !== 'api_key'
  const isPart = goesOn === true || began === true
  if (count === 1 && batch === undefined && !isPart)
    return { what: words.registered, worksCount: 1 }
  return {
    what: isImport ? words.imported({ count }) : words.registeredMany({ count }),
    ...(isPart && { detail: partWords(goesOn === true, began === true) }),
    worksCount: count,
    ...(since !== at && { since }),
  }
}

/** Where the other works of the same import are, which pages count one by one. */
function partWords(goesOn: boolean, began: boolean): Text {
  if (!goesOn) return words.before
  return began ? words.around : words.after
}

function namedWorks(
  { context: { environments }, organization }: OrganizationVisit,
  arks: readonly string[],
): Pick<HistoryLine, 'works'> {
  const owner = { type: 'organization', id: organization.slug } as const
  const works = arks.map((ark): LineWork => {
    const title = environments.live.holdings.work(owner, ark)?.work_title ?? null
    return { ark: `ark:/${ark}`, title: title && plainTitle(title, titleCharactersMax) }
  })
  return { works }
}

function changeLine(
  visit: OrganizationVisit,
  { type, ppid, role, parent, changed_fields: fields = [] }: OrganizationChange,
): Pick<HistoryLine, 'what' | 'detail'> {
  if (ppid === undefined) {
    const named = fields.map((each) => termOf(organizationFields, each) ?? inEnglish(each))
    return { what: words[type], detail: parent ?? list(named, 'unit') }
  }
  const name = publicName(visit.context, ppid, visit.account.ppid)
  const detail = list([name, ...(role === undefined ? [] : [organizations[role]])], 'unit')
  return { what: words[type], detail }
}

function auditLine(visit: OrganizationVisit, entry: AuditEntry): HistoryLine {
  const { at, by, network, role, bulk_change_id: bulk } = entry
  const what =
    bulk === undefined
      ? subjectAndEvent(subjectOf(visit, entry), entry)
      : bulkTitle(visit, bulk, entry)
  const detail = [
    role && words.asRole({ role: termOf(organizations, role) ?? role }),
    network && words.fromNetwork({ network }),
  ]
  const actor = by === undefined ? undefined : actorOf(visit, by)
  return {
    at,
    kind: bulk === undefined ? 'access' : 'version',
    what,
    ...(bulk !== undefined && { href: hrefIn(visit, `${bulkPath}/${bulk}`) }),
    detail: partsText(detail),
    works: [],
    worksCount: 0,
    ...(actor !== undefined && { by: actor }),
  }
}

function subjectOf(
  visit: OrganizationVisit,
  { key_id, client_id, invitation_id }: AuditEntry,
): Text {
  if (invitation_id !== undefined) return changes.subjectInvitation
  if (key_id !== undefined) return changes.subjectKey({ name: nameOfKey(visit, key_id) })
  // Whatever else is told is done to the organization.
  if (client_id === undefined) return visit.organization.name
  return words.application({ name: visit.context.applications.find(client_id)?.name ?? client_id })
}

function nameOfKey(visit: OrganizationVisit, id: string): string {
  const owner = { type: 'organization', id: visit.organization.slug } as const
  const key = visit.context.keys.list(owner).find((each) => each.id === id)
  return key === undefined ? id : keyName(key)
}

/** Who did something, as members of the organization call them. */
function actorOf(visit: OrganizationVisit, by: Owner | Agent): LineActor {
  const agent: Partial<Agent> & Owner = by
  const { key_id, client_id, member, via } = agent
  if (key_id !== undefined && by.type === 'operator') {
    return { name: words.operator, filter: `key:${key_id}` }
  }
  if (key_id !== undefined) {
    return { name: words.key({ name: nameOfKey(visit, key_id) }), filter: `key:${key_id}` }
  }
  if (client_id !== undefined) {
    const name = visit.context.applications.find(client_id)?.name ?? client_id
    return { name: words.application({ name }), filter: `application:${client_id}` }
  }
  const ppid = member ?? (by.type === 'person' ? by.id : undefined)
  if (ppid !== undefined) {
    const name = publicName(visit.context, ppid, visit.account.ppid)
    const shown = 'admin' in by && by.admin ? words.asAdministrator({ name }) : name
    return { name: shown, filter: `person:${ppid}` }
  }
  if (via === 'service') return { name: words.theRegistry }
  return { name: by.type === 'organization' ? words.command : words.operator }
}

const section = '/history'
const entriesOnPage = 50

/** Characters of a timestamp up to its minute. */
const minuteCharacters = 16

/** Lines of a file, and parts of the history that are looked at for one. */
const fileLinesMax = 2_000
const fileReadsMax = 10

/** Adds the page of what happened to an organization and its works, for its owners. */
export function addOrganizationHistoryPages(context: OrganizationContext): void {
  const { member } = organizationRoutes(context, 'read history')
  const limit = { limit: 'search_page' } as const
  member.get(section, historyPage, limit)
  member.get(`${section}/csv`, sendCsv, limit)
}

function readPart(
  { context, organization: { slug } }: OrganizationVisit,
  filter: HistoryFilter,
  place: TimelinePlace,
  limit: number,
): Promise<Timeline> {
  const { environments, audit } = context
  const source = { holdings: environments.live.holdings, audit, slug }
  return readTimeline(source, filter, place, limit)
}

async function historyPage(visit: OrganizationVisit): Promise<AccountPage> {
  const base = hrefIn(visit, section)
  const { filter, fault } = readHistoryFilter(visit.query)
  const before = visit.query.get('before')
  const content =
    fault === undefined
      ? timelinePart(
          visit,
          filter,
          await readPart(visit, filter, readPlace(before ?? ''), entriesOnPage),
        )
      : html`<p class="fault" role="alert">${fault}</p>`
  return organizationPage(visit, {
    section,
    title: words.heading,
    lead: words.lead,
    content: html`${historyForm(base, filter, await actorChoices(visit, filter))}
${filter.by !== '' && mayDo(visit, 'undo many changes') ? undoLink(visit, filter) : nothing}
${content}`,
  })
}

function undoLink(visit: OrganizationVisit, { by }: HistoryFilter): Html {
  const href = `${hrefIn(visit, undoPath)}?${new URLSearchParams({ by })}`
  return html`<p class="buttons">${quietLink(href, words.undo)}</p>`
}

function timelinePart(
  visit: OrganizationVisit,
  filter: HistoryFilter,
  { entries, next }: Timeline,
): Html {
  const base = hrefIn(visit, section)
  const query = filterQuery(filter)
  const isFirst = !visit.query.has('before')
  const lines = entries.map((entry) => lineOf(visit, entry))
  const csv = query.size === 0 ? `${base}/csv` : `${base}/csv?${query}`
  const link = (text: Wording) => html`<a href="${csv}" download>${text}</a>`
  const file =
    lines.length === 0
      ? nothing
      : html`<p class="aside">${words.asCsv({ link, count: fileLinesMax })}</p>`
  const shown =
    lines.length === 0
      ? noLines(next !== null, query.size > 0)
      : lineTable(visit.context, base, filter, lines)
  const following = next === null ? null : placeText(next)
  return html`${shown}
${pagination({ path: base, parameter: 'before', next: following, isFirst, kept: query })}${file}`
}

function noLines(hasMore: boolean, isFiltered: boolean): Html {
  if (hasMore) return emptyState(words.noneYet, words.noneYetText)
  return isFiltered
    ? emptyState(words.noMatch, words.noMatchText)
    : emptyState(words.none, words.noneText)
}

function lineTable(
  context: OrganizationContext,
  base: string,
  filter: HistoryFilter,
  lines: readonly HistoryLine[],
): Html {
  const shown = table(words.newestFirst, lines, [
    [words.when, whenCell],
    [words.what, whatCell],
    [words.work, (line) => workCell(context, line)],
    [words.by, ({ by }) => byCell(base, filter, by)],
  ])
  return html`<div class="history-table">${shown}</div>`
}

function whatCell({ what, href, detail = '' }: HistoryLine): Html {
  const text = href === undefined ? html`${what}` : html`<a href="${href}">${what}</a>`
  return html`${text}${isSaid(detail) ? html` <span class="aside">${detail}</span>` : nothing}`
}

/** Whether a text has any words. */
function isSaid(text: Text): boolean {
  return textIn(english, text) !== ''
}

function whenCell({ at, since = at }: HistoryLine): Html {
  const isOneMinute = since.slice(0, minuteCharacters) === at.slice(0, minuteCharacters)
  return isOneMinute
    ? time(at)
    : html`${time(at)} <span class="aside">${words.since({ time: time(since) })}</span>`
}

function workCell({ baseUrl }: OrganizationContext, { works, worksCount }: HistoryLine): Html {
  const links = works.map(({ ark, title }) => {
    const shown = title ?? words.erasedWork({ ark: html`<code>${ark}</code>` })
    return html`<a href="${baseUrl}/${ark}">${shown}</a>`
  })
  const [first, ...others] = links
  if (first === undefined) return nothing
  if (others.length === 0) return first
  const count = Math.max(worksCount, links.length)
  const unnamed = count - links.length
  const rest = unnamed === 0 ? nothing : html`<li>${words.more({ count: unnamed })}</li>`
  const more = words.more({ count: count - 1 })
  return html`${first}<details class="fold"><summary>${more}</summary>
<ul>${others.map((link) => html`<li>${link}</li>`)}${rest}</ul></details>`
}

function byCell(base: string, filter: HistoryFilter, by: HistoryLine['by']): Html {
  if (by === undefined) return nothing
  if (by.filter === undefined || by.filter === filter.by) return html`${by.name}`
  const query = filterQuery({ ...filter, by: by.filter })
  return html`<a href="${base}?${query.toString()}">${by.name}</a>`
}

/** Members, keys and applications of the organization, and the actor that the filter asks for. */
export async function actorChoices(
  visit: OrganizationVisit,
  { by }: Pick<HistoryFilter, 'by'>,
): Promise<readonly FilterOption[]> {
  const { slug } = visit.organization
  const { ppid: own } = visit.account
  const members = visit.members.map(({ ppid }): FilterOption => {
    return [`person:${ppid}`, publicName(visit.context, ppid, own), words.members]
  })
  const keys = visit.context.keys.list({ type: 'organization', id: slug }).map((key) => {
    return [`key:${key.id}`, keyName(key), words.keys] as const
  })
  const registered = await visit.context.applications.list({ organization: slug })
  const applications = registered.map((each) => {
    return [`application:${each.client_id}`, each.name, words.applications] as const
  })
  const known = [...members, ...keys, ...applications]
  if (by === '' || known.some(([value]) => value === by)) return known
  const id = by.slice(by.indexOf(':') + 1)
  const name = by.startsWith('person:') ? publicName(visit.context, id, own) : id
  return [...known, [by, name, words.others]]
}

/** Sends what a filter finds as CSV, within bounds; its last line says where the rest is. */
async function sendCsv(visit: OrganizationVisit): Promise<PageReply> {
  const { filter } = readHistoryFilter(visit.query)
  const rows = [csvRow(['time', 'since', 'kind', 'what', 'detail', 'works', 'ark', 'title', 'by'])]
  let place: TimelinePlace | null = readPlace(visit.query.get('before') ?? '')
  for (let reads = 0; place !== null && reads < fileReadsMax; reads += 1) {
    const left: number = fileLinesMax + 1 - rows.length
    if (left === 0) break
    const part: Timeline = await readPart(visit, filter, place, left)
    rows.push(...part.entries.map((entry) => csvLine(lineOf(visit, entry))))
    place = part.next
  }
  if (place !== null) {
    const query = filterQuery(filter)
    query.set('before', placeText(place))
    const rest = `${visit.context.service.authUrl}${pathIn(visit, section)}/csv?${query}`
    rows.push(csvRow([`# The file ends here. The rest: ${rest}`, ...Array<string>(8).fill('')]))
  }
  const name = `${visit.organization.slug}-history.csv`
  await visit.reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    // By this mark programs for tables know that it is UTF-8.
    .send(`\uFEFF${rows.join('')}`)
  return { sent: true }
}

/** A text as the file has it. */
function inWords(text: Text = ''): string {
  return textIn(english, text)
}

function csvLine({ at, since, kind, what, detail, works, worksCount, by }: HistoryLine): string {
  const [work] = works
  const count = worksCount === 0 ? works.length : worksCount
  const named = [count === 0 ? '' : `${count}`, work?.ark, work?.title ?? '']
  return csvRow([at, since, kind, inWords(what), inWords(detail), ...named, inWords(by?.name)])
}

const dayMs = 86_400_000

/** The first and the last day of a period, `YYYY-MM-DD` of UTC; an empty text is open. */
type DaySpan = { readonly from: string; readonly until: string }

/** The first moment of a day, in milliseconds since 1970; NaN for a text that is no day. */
function startOfDay(day: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  // A day that no month has is read as one of the next month.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) === day ? ms : Number.NaN
}

/** What is wrong with a period, in a sentence; undefined if it can be asked for. */
function periodFault({ from, until }: DaySpan): Text | undefined {
  const wrong = [from, until].find((day) => day !== '' && Number.isNaN(startOfDay(day)))
  if (wrong !== undefined) return words.noDay({ typed: wrong.slice(0, 40) })
  const isBackwards = from !== '' && until !== '' && startOfDay(until) < startOfDay(from)
  return isBackwards ? words.backwards : undefined
}

/** The times of a period in milliseconds since 1970; `untilMs` is the first after it. */
function periodOf({ from, until }: DaySpan): {
  readonly fromMs?: number
  readonly untilMs?: number
} {
  return {
    ...(from !== '' && { fromMs: startOfDay(from) }),
    ...(until !== '' && { untilMs: startOfDay(until) + dayMs }),
  }
}

/** An entry of a history: of the journal, or of the audit list of keys and applications. */
type TimelineEntry =
  | { readonly type: 'journal'; readonly at: string; readonly entry: HistoryEntry }
  | { readonly type: 'audit'; readonly at: string; readonly entry: AuditEntry }

/** Where a page begins in both: what it has came before. Undefined: at the newest. */
export type TimelinePlace = {
  readonly journal?: number | undefined
  readonly audit?: number | undefined
}

/** A part of the audit list that was looked at; `next` as in a `HistoryPage`. */
export type AuditPage = {
  readonly entries: readonly AuditEntry[]
  readonly next: { readonly before: number; readonly reachedAt: string } | null
}

/** Nothing of a list comes before its beginning. */
const beginning = 0

/**
 * Puts two parts of a history into one, newest first, `limit` entries at most. Each part may go on
 * after what was looked at of it: what is older than that waits for a later page, since something
 * newer may still be found. `next` is null if nothing follows.
 */
export function mergeHistories(
  { journal, audit }: { readonly journal: HistoryPage; readonly audit: AuditPage },
  place: TimelinePlace,
  limit: number,
): { readonly entries: readonly TimelineEntry[]; readonly next: TimelinePlace | null } {
  const ofJournal = journal.entries.map(
    (entry) => ({ type: 'journal', at: entry.at, entry }) as const,
  )
  const ofAudit = audit.entries.map((entry) => ({ type: 'audit', at: entry.at, entry }) as const)
  const entries: TimelineEntry[] = []
  let [fromJournal, fromAudit] = [0, 0]
  while (entries.length < limit) {
    const [one, other] = [ofJournal[fromJournal], ofAudit[fromAudit]]
    const isJournal = one !== undefined && (other === undefined || one.at >= other.at)
    const newest = isJournal ? one : other
    const beside = isJournal ? audit.next : journal.next
    if (newest === undefined) break
    const isBesideDone = isJournal ? other === undefined : one === undefined
    if (isBesideDone && beside !== null && newest.at < beside.reachedAt) break
    entries.push(newest)
    if (isJournal) fromJournal += 1
    else fromAudit += 1
  }
  const lastOfJournal = ofJournal[fromJournal - 1]?.entry.position ?? place.journal
  const lastOfAudit = ofAudit[fromAudit - 1]?.entry.seq ?? place.audit
  const isJournalRead = fromJournal === ofJournal.length
  const isAuditRead = fromAudit === ofAudit.length
  const next = {
    journal: isJournalRead ? (journal.next?.before ?? beginning) : lastOfJournal,
    audit: isAuditRead ? (audit.next?.before ?? beginning) : lastOfAudit,
  }
  const isOver = next.journal === beginning && next.audit === beginning
  return { entries, next: isOver ? null : next }
}

const placeForm = /^(?<journal>\d{1,15})?\.(?<audit>\d{1,15})?$/

/** A place as an address has it: `1234.56`. */
export function placeText({ journal, audit }: TimelinePlace): string {
  return `${journal ?? ''}.${audit ?? ''}`
}

/** The inverse of `placeText`; a text that is none is the newest place. */
export function readPlace(text: string): TimelinePlace {
  const { journal, audit } = placeForm.exec(text)?.groups ?? {}
  return {
    ...(journal !== undefined && { journal: Number(journal) }),
    ...(audit !== undefined && { audit: Number(audit) }),
  }
}

/** What is told of keys, applications and invitations, from their audit list. */
const auditKinds = ['access', 'use'] as const

type AuditKind = (typeof auditKinds)[number]

/** What is asked of a history; an empty text asks for nothing. */
type HistoryFilter = {
  readonly kind: '' | HistoryKind | AuditKind
  /** By whom, as an address has it: `person:p-…`, `key:…`, `application:…`. */
  readonly by: string
  /** The first and the last day, `YYYY-MM-DD` of UTC. */
  readonly from: string
  readonly until: string
}

/** The kinds in words; what is listed unless one is chosen is all but the uses of keys. */
const kindChoices: readonly (readonly [HistoryKind | AuditKind, Text])[] = [
  ['registration', words.registration],
  ['version', words.version],
  ['withdrawal', words.withdrawal],
  ['claim', words.claim],
  ['organization', words.organization],
  ['access', words.access],
  ['use', words.use],
]

/** Reads a filter from the query of an address; `fault` says what of it cannot be asked. */
function readHistoryFilter(query: URLSearchParams): {
  readonly filter: HistoryFilter
  readonly fault?: Text
} {
  const given = (name: string) => (query.get(name) ?? '').trim()
  const [from, until] = [given('from'), given('until')]
  const filter: HistoryFilter = {
    kind: kindChoices.find(([kind]) => kind === given('kind'))?.[0] ?? '',
    by: parseActor(given('by')) === undefined ? '' : given('by'),
    from: Number.isNaN(startOfDay(from)) ? '' : from,
    until: Number.isNaN(startOfDay(until)) ? '' : until,
  }
  const fault = periodFault({ from, until })
  return fault === undefined ? { filter } : { filter, fault }
}

function journalKinds({ kind }: HistoryFilter): readonly HistoryKind[] {
  return historyKinds.filter((each) => kind === '' || kind === each)
}

function isAuditWanted({ kind, by }: HistoryFilter, entry: AuditEntry): boolean {
  // The journal has changes of members, too.
  if (entry.action.startsWith('member_') && entry.action !== 'member_invited') return false
  const isUse = entry.action === 'used' || entry.action === 'refused'
  if (kind === '' ? isUse : kind !== kindOf(entry)) return false
  const actor = parseActor(by)
  switch (actor?.type) {
    case undefined:
      return true
    case 'key':
      return isUse && entry.key_id === actor.id
    case 'person':
      return entry.by !== undefined && isDoneBy(entry.by, actor)
    case 'application':
      return isUse && entry.client_id === actor.id
  }
}

/** What an entry is listed as: a bulk change has made versions. */
function kindOf({ action }: AuditEntry): HistoryFilter['kind'] {
  if (action === 'works_changed' || action === 'works_undone') return 'version'
  return action === 'used' || action === 'refused' ? 'use' : 'access'
}

/** Whether a filter may ask for anything of the audit list at all. */
function isAuditAsked({ kind }: HistoryFilter): boolean {
  return kind === '' || kind === 'version' || auditKinds.some((each) => each === kind)
}

/** The form of the filter; `actors` are those by whom things were done. */
function historyForm(
  action: string,
  { kind, by, from, until }: HistoryFilter,
  actors: readonly FilterOption[],
): Html {
  return listFilter(
    action,
    words.filter,
    [
      {
        name: 'kind',
        label: words.what,
        value: kind,
        options: [['', words.everything], ...kindChoices],
      },
      { name: 'by', label: words.by, value: by, options: [['', words.anybody], ...actors] },
      { name: 'from', label: words.from, value: from, type: 'date' },
      { name: 'until', label: words.until, value: until, type: 'date' },
    ],
    words.showAll,
  )
}

const auditRowsMax = 1_000

const nothingAsked = { entries: [], next: null } as const

type HistorySource = {
  readonly holdings: Pick<OwnerLists, 'history'>
  readonly audit: AuditLog
  readonly slug: string
}

/** A page of the history of an organization, newest first; `next` is where the next one begins. */
type Timeline = {
  readonly entries: readonly TimelineEntry[]
  readonly next: TimelinePlace | null
}

/** Reads a page of it, of `limit` entries at most. */
async function readTimeline(
  source: HistorySource,
  filter: HistoryFilter,
  place: TimelinePlace,
  limit: number,
): Promise<Timeline> {
  const [journal, audit] = await Promise.all([
    readJournal(source, filter, place, limit),
    readAudit(source, filter, place, limit),
  ])
  return mergeHistories({ journal, audit }, place, limit)
}

async function readJournal(
  { holdings, slug }: HistorySource,
  filter: HistoryFilter,
  { journal: before }: TimelinePlace,
  limit: number,
): Promise<HistoryPage> {
  const kinds = journalKinds(filter)
  if (kinds.length === 0) return nothingAsked
  const by = parseActor(filter.by)
  return holdings.history(
    { type: 'organization', id: slug },
    {
      kinds,
      limit,
      ...periodOf(filter),
      ...(by !== undefined && { by }),
      ...(before !== undefined && { before }),
    },
  )
}

async function readAudit(
  { audit, slug }: HistorySource,
  filter: HistoryFilter,
  { audit: before }: TimelinePlace,
  limit: number,
): Promise<AuditPage> {
  if (!isAuditAsked(filter)) return nothingAsked
  const owner = { type: 'organization', id: slug } as const
  const { fromMs, untilMs } = periodOf(filter)
  const end = untilMs === undefined ? undefined : await audit.firstFrom(owner, untilMs)
  const cursor = end === undefined || (before !== undefined && before < end) ? before : end
  const page = {
    order: 'newest',
    limit: auditRowsMax,
    ...(cursor !== undefined && { cursor }),
  } as const
  const rows = await audit.read(owner, page)
  const entries: AuditEntry[] = []
  let next: AuditPage['next'] = null
  for (const entry of rows) {
    if (fromMs !== undefined && Date.parse(entry.at) < fromMs) return { entries, next: null }
    const isWanted = isAuditWanted(filter, entry)
    if (isWanted && entries.length === limit) return { entries, next }
    if (isWanted) entries.push(entry)
    next = { before: entry.seq, reachedAt: entry.at }
  }
  return { entries, next: rows.length < auditRowsMax ? null : next }
}
