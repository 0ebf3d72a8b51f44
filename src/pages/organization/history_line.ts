import type { HistoryEntry, RegistrationEntry } from '#actors/catalogue/owner_lists.ts'
import type { OrganizationChange } from '#actors/organizations/events.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import type { AuditEntry } from '#src/identity/store/audit.ts'
import { happening } from '#src/pages/account/audit_list.ts'
import { keyName } from '#src/pages/kit/key_parts.ts'
import { plainTitle } from '#src/pages/kit/plain_title.ts'
import { plural } from '#src/pages/kit/words.ts'
import {
  type OrganizationContext,
  type OrganizationVisit,
  publicName,
} from '#src/pages/organization/context.ts'
import type { TimelineEntry } from '#src/pages/organization/history_timeline.ts'

/** A work that a line names. Its title is null once it was erased. */
export type LineWork = { readonly ark: string; readonly title: string | null }

/** Who did something, and how a filter asks for all that they did, if it can. */
export type LineActor = { readonly name: string; readonly filter?: string }

/** An entry of a history in words. */
export type HistoryLine = {
  readonly at: string
  /** When the first of several things happened, if that was another time. */
  readonly since?: string
  readonly kind: HistoryEntry['kind'] | 'access'
  readonly what: string
  /** What else there is to say of it. */
  readonly detail?: string
  /** The works that it happened to, as far as they are named; `worksCount` is how many they are. */
  readonly works: readonly LineWork[]
  readonly worksCount: number
  readonly by?: LineActor
}

const titleCharactersMax = 120

/** Writes an entry in words, as a member reads it. */
export function lineOf(
  context: OrganizationContext,
  visit: OrganizationVisit,
  { type, entry }: TimelineEntry,
): HistoryLine {
  return type === 'audit' ? auditLine(context, visit, entry) : journalLine(context, visit, entry)
}

function journalLine(
  context: OrganizationContext,
  visit: OrganizationVisit,
  entry: HistoryEntry,
): HistoryLine {
  const { kind, at } = entry
  const told = { at, kind, by: actorOf(context, visit, entry.by), works: [], worksCount: 0 }
  switch (entry.kind) {
    case 'registration':
      return { ...told, ...registrationWords(entry), ...namedWorks(context, visit, entry.works) }
    case 'version': {
      const { ark, version, changed_fields: fields, note } = entry
      const changed = fields.length === 0 ? '' : `Changed: ${fields.map(plainWords).join(', ')}`
      const detail = [note, changed].filter(Boolean).join(' · ')
      return { ...told, what: `Version ${version}`, detail, ...namedWorks(context, visit, [ark]) }
    }
    case 'withdrawal': {
      const { ark, end, reason } = entry
      const detail = `Because: ${plainWords(reason)}`
      return { ...told, what: endWords[end], detail, ...namedWorks(context, visit, [ark]) }
    }
    case 'claim': {
      const { ark, ppid, step, status } = entry
      const name = publicName(context, ppid, visit.account.ppid)
      const what = `${claimWords[step]} ${name}`
      return {
        ...told,
        what,
        detail: `The claim is ${status}`,
        ...namedWorks(context, visit, [ark]),
      }
    }
    case 'organization':
      return { ...told, ...changeLine(context, visit, entry.change) }
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
  { environments }: OrganizationContext,
  { organization }: OrganizationVisit,
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
} as const

function changeLine(
  context: OrganizationContext,
  visit: OrganizationVisit,
  { type, ppid, role, changed_fields: fields = [] }: OrganizationChange,
): Pick<HistoryLine, 'what' | 'detail'> {
  const name = ppid === undefined ? '' : publicName(context, ppid, visit.account.ppid)
  const detail =
    ppid === undefined
      ? fields.map(plainWords).join(', ')
      : `${name}${role === undefined ? '' : `, ${role}`}`
  return { what: changeWords[type], ...(detail !== '' && { detail }) }
}

function auditLine(
  context: OrganizationContext,
  visit: OrganizationVisit,
  entry: AuditEntry,
): HistoryLine {
  const { at, by, network, role } = entry
  const what = `${subjectOf(context, visit, entry)} ${happening(entry)}`
  const detail = [
    role === undefined ? '' : `As ${role}`,
    network === undefined ? '' : `From ${network}`,
  ]
  const actor = by === undefined ? undefined : actorOf(context, visit, by)
  return {
    at,
    kind: 'access',
    what,
    detail: detail.filter(Boolean).join(' · '),
    works: [],
    worksCount: 0,
    ...(actor !== undefined && { by: actor }),
  }
}

function subjectOf(
  context: OrganizationContext,
  visit: OrganizationVisit,
  { key_id, client_id, invitation_id }: AuditEntry,
): string {
  if (invitation_id !== undefined) return 'Invitation'
  if (key_id !== undefined) return `Key ${nameOfKey(context, visit, key_id)}`
  return `Application ${context.applications.find(client_id ?? '')?.name ?? client_id}`
}

function nameOfKey(context: OrganizationContext, visit: OrganizationVisit, id: string): string {
  const owner = { type: 'organization', id: visit.organization.slug } as const
  const key = context.keys.list(owner).find((each) => each.id === id)
  return key === undefined ? id : keyName(key)
}

/** Who did something, as members of the organization call them. */
function actorOf(
  context: OrganizationContext,
  visit: OrganizationVisit,
  by: Owner | Agent,
): LineActor {
  const agent: Partial<Agent> & Owner = by
  const { key_id, client_id, member, via } = agent
  if (key_id !== undefined && by.type === 'operator') {
    return { name: 'The operator', filter: `key:${key_id}` }
  }
  if (key_id !== undefined) {
    return { name: `Key ${nameOfKey(context, visit, key_id)}`, filter: `key:${key_id}` }
  }
  if (client_id !== undefined) {
    const name = context.applications.find(client_id)?.name ?? client_id
    return { name: `Application ${name}`, filter: `application:${client_id}` }
  }
  const ppid = member ?? (by.type === 'person' ? by.id : undefined)
  if (ppid !== undefined) {
    const name = publicName(context, ppid, visit.account.ppid)
    const shown = 'admin' in by && by.admin ? `${name}, as an administrator` : name
    return { name: shown, filter: `person:${ppid}` }
  }
  if (via === 'service') return { name: 'The registry' }
  return { name: by.type === 'organization' ? 'A command, for the organization' : 'The operator' }
}
