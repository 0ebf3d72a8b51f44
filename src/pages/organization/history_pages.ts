import type { HistoryEntry, RegistrationEntry } from '#actors/registry/catalogue/owner_lists.ts'
import type { OrganizationChange } from '#actors/people/organizations/events.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import type { AuditEntry } from '#src/identity/store/audit.ts'
import { subjectAndEvent } from '#src/pages/account/audit_list.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { keyName } from '#src/pages/kit/key_pages.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import {
  emptyState,
  type FilterOption,
  filterQuery,
  pagination,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { formatNumber, plainTitle, plural } from '#src/pages/kit/words.ts'
import { bulkPath, bulkWords, undoPath } from '#src/pages/organization/bulk_change_pages.ts'
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
import {
  type HistoryFilter,
  historyForm,
  placeText,
  readHistoryFilter,
  readPlace,
  readTimeline,
  type Timeline,
  type TimelineEntry,
  type TimelinePlace,
} from '#src/pages/organization/history_source.ts'
import { changes } from '#src/words/english.ts'
import { english } from '#src/words/language.ts'
import { type Text, textIn } from '#src/words/wording.ts'

/** A work that a line names. Its title is null once it was erased. */
type LineWork = { readonly ark: string; readonly title: string | null }

/** Who did something, and how a filter asks for all that they did, if it can. */
type LineActor = { readonly name: string; readonly filter?: string }

type HistoryLine = {
  readonly at: string
  /** When the first of several things happened, if that was another time. */
  readonly since?: string
  readonly kind: HistoryEntry['kind'] | 'access'
  readonly what: Text
  /** Where more of it stands. */
  readonly href?: string
  /** What else there is to say of it. */
  readonly detail?: string
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
      const changed = fields.length === 0 ? '' : `Changed: ${fields.map(plainWords).join(', ')}`
      const detail = [note, changed].filter(Boolean).join(' · ')
      return { ...told, what: `Version ${version}`, detail, ...namedWorks(visit, [ark]) }
    }
    case 'withdrawal': {
      const { ark, end, reason } = entry
      const detail = `Because: ${plainWords(reason)}`
      return { ...told, what: endWords[end], detail, ...namedWorks(visit, [ark]) }
    }
    case 'claim': {
      const { ark, ppid, step, status } = entry
      const name = publicName(visit.context, ppid, visit.account.ppid)
      const what = `${claimWords[step]} ${name}`
      return {
        ...told,
        what,
        detail: `The claim is ${status}`,
        ...namedWorks(visit, [ark]),
      }
    }
    case 'organization':
      return { ...told, ...changeLine(visit, entry.change) }
  }
}

const endWords = {
  withdrawn: 'Withdrawn',
  erased: 'Metadata erased',
  lost: 'Metadata lost',
} as const

const claimWords = {
  make: 'Claimed for',
  confirm: 'Claim confirmed of',
  reject: 'Claim refused of',
  contest: 'Claim contested of',
  withdraw: 'Claim withdrawn of',
  disclaim: 'Said to be no work of',
  review: 'Claim confirmed by ORCID iD of',
} as const

function plainWords(name: string): string {
  return name.replaceAll('_', ' ')
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
  const works = plural(count, 'work')
  const verb = batch !== undefined && by.via !== 'api_key' ? 'Import of' : 'Registration of'
  const isPart = goesOn === true || began === true
  if (count === 1 && batch === undefined && !isPart) return { what: 'Registered', worksCount: 1 }
  return {
    what: `${verb} ${works}`,
    ...(isPart && { detail: partWords(goesOn === true, began === true) }),
    worksCount: count,
    ...(since !== at && { since }),
  }
}

/** Where the other works of the same import are, which pages count one by one. */
function partWords(goesOn: boolean, began: boolean): string {
  if (!goesOn) return 'and those on the page before'
  return began ? 'and those on the pages around' : 'and more on the next page'
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

const changeWords = {
  OrganizationCreated: 'The organization was entered',
  OrganizationUpdated: 'The description was changed',
  MemberAdded: 'New member',
  MemberRoleChanged: 'Another role for a member',
  MemberRemoved: 'Member removed',
  ParentInvited: 'Invited to be part of another organization',
  ParentInvitationEnded: 'An invitation to be part of another organization ended',
  ParentChanged: 'Joined or left an organization above it',
} as const

function changeLine(
  visit: OrganizationVisit,
  { type, ppid, role, parent, changed_fields: fields = [] }: OrganizationChange,
): Pick<HistoryLine, 'what' | 'detail'> {
  const name = ppid === undefined ? '' : publicName(visit.context, ppid, visit.account.ppid)
  const detail =
    ppid === undefined
      ? (parent ?? fields.map(plainWords).join(', '))
      : `${name}${role === undefined ? '' : `, ${role}`}`
  return { what: changeWords[type], ...(detail !== '' && { detail }) }
}

function auditLine(visit: OrganizationVisit, entry: AuditEntry): HistoryLine {
  const { at, by, network, role, bulk_change_id: bulk } = entry
  const what =
    bulk === undefined
      ? subjectAndEvent(subjectOf(visit, entry), entry)
      : bulkWords(entry.changed ?? '', entry.works_count ?? 0, entry.action === 'works_undone')
  const detail = [
    role === undefined ? '' : `As ${role}`,
    network === undefined ? '' : `From ${network}`,
  ]
  const actor = by === undefined ? undefined : actorOf(visit, by)
  return {
    at,
    kind: bulk === undefined ? 'access' : 'version',
    what,
    ...(bulk !== undefined && { href: hrefIn(visit, `${bulkPath}/${bulk}`) }),
    detail: detail.filter(Boolean).join(' · '),
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
  return `Application ${visit.context.applications.find(client_id ?? '')?.name ?? client_id}`
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
    return { name: 'The operator', filter: `key:${key_id}` }
  }
  if (key_id !== undefined) {
    return { name: `Key ${nameOfKey(visit, key_id)}`, filter: `key:${key_id}` }
  }
  if (client_id !== undefined) {
    const name = visit.context.applications.find(client_id)?.name ?? client_id
    return { name: `Application ${name}`, filter: `application:${client_id}` }
  }
  const ppid = member ?? (by.type === 'person' ? by.id : undefined)
  if (ppid !== undefined) {
    const name = publicName(visit.context, ppid, visit.account.ppid)
    const shown = 'admin' in by && by.admin ? `${name}, as an administrator` : name
    return { name: shown, filter: `person:${ppid}` }
  }
  if (via === 'service') return { name: 'The registry' }
  return { name: by.type === 'organization' ? 'A command, for the organization' : 'The operator' }
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
    title: 'History',
    lead: 'Who did what: works, claims, members, keys. Only owners see it. Days are of UTC.',
    content: html`${historyForm(base, filter, await actorChoices(visit, filter))}
${filter.by !== '' && mayDo(visit, 'undo many changes') ? undoLink(visit, filter) : nothing}
${content}`,
  })
}

function undoLink(visit: OrganizationVisit, { by }: HistoryFilter): Html {
  const href = `${hrefIn(visit, undoPath)}?${new URLSearchParams({ by })}`
  return html`<p class="buttons">${quietLink(href, 'Undo all that they did to works…')}</p>`
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
  const linesMax = formatNumber(fileLinesMax)
  const file =
    lines.length === 0
      ? nothing
      : html`<p class="aside"><a href="${csv}" download>As CSV</a>, with ${linesMax}
entries at most.</p>`
  const list =
    lines.length === 0
      ? noLines(next !== null, query.size > 0)
      : lineTable(visit.context, base, filter, lines)
  const following = next === null ? null : placeText(next)
  return html`${list}
${pagination({ path: base, parameter: 'before', next: following, isFirst, kept: query })}${file}`
}

function noLines(hasMore: boolean, isFiltered: boolean): Html {
  if (hasMore) {
    const text = 'Of what happened last, nothing is like that. The next page goes on from here.'
    return emptyState('Nothing found yet', text)
  }
  return isFiltered
    ? emptyState('Nothing like that', 'Choose another period, or take back a filter.')
    : emptyState('Nothing yet', 'What members and keys do stands here.')
}

function lineTable(
  context: OrganizationContext,
  base: string,
  filter: HistoryFilter,
  lines: readonly HistoryLine[],
): Html {
  const list = table('The newest first', lines, {
    When: whenCell,
    What: whatCell,
    Work: (line) => workCell(context, line),
    By: ({ by }) => byCell(base, filter, by),
  })
  return html`<div class="history-table">${list}</div>`
}

function whatCell({ what, href, detail = '' }: HistoryLine): Html {
  const text = href === undefined ? html`${what}` : html`<a href="${href}">${what}</a>`
  return html`${text}${detail === '' ? nothing : html` <span class="aside">${detail}</span>`}`
}

function whenCell({ at, since = at }: HistoryLine): Html {
  const isOneMinute = since.slice(0, minuteCharacters) === at.slice(0, minuteCharacters)
  return isOneMinute
    ? time(at)
    : html`${time(at)} <span class="aside">since
${time(since)}</span>`
}

function workCell({ baseUrl }: OrganizationContext, { works, worksCount }: HistoryLine): Html {
  const links = works.map(
    ({ ark, title }) =>
      html`<a href="${baseUrl}/${ark}">${title ?? html`<code>${ark}</code>, erased`}</a>`,
  )
  const [first, ...others] = links
  if (first === undefined) return nothing
  if (others.length === 0) return first
  const count = Math.max(worksCount, links.length)
  const unnamed = count - links.length
  const rest = unnamed === 0 ? nothing : html`<li>and ${plural(unnamed, 'more work')}</li>`
  const more = plural(count - 1, 'more work')
  return html`${first}<details class="fold"><summary>and ${more}</summary>
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
    return [`person:${ppid}`, publicName(visit.context, ppid, own), 'Members']
  })
  const keys = visit.context.keys.list({ type: 'organization', id: slug }).map((key) => {
    return [`key:${key.id}`, keyName(key), 'Keys'] as const
  })
  const registered = await visit.context.applications.list({ organization: slug })
  const applications = registered.map((each) => {
    return [`application:${each.client_id}`, each.name, 'Applications'] as const
  })
  const known = [...members, ...keys, ...applications]
  if (by === '' || known.some(([value]) => value === by)) return known
  const id = by.slice(by.indexOf(':') + 1)
  const name = by.startsWith('person:') ? publicName(visit.context, id, own) : id
  return [...known, [by, name, 'Others']]
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

function csvLine({ at, since, kind, what, detail, works, worksCount, by }: HistoryLine): string {
  const [work] = works
  const count = worksCount === 0 ? works.length : worksCount
  const named = [count === 0 ? '' : `${count}`, work?.ark, work?.title ?? '']
  return csvRow([at, since, kind, textIn(english, what), detail, ...named, by?.name])
}
