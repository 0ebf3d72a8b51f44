import { type HistoryKind, historyKinds } from '#actors/catalogue/owner_lists.ts'
import { type Actor, isDoneBy } from '#actors/values/agent.ts'
import type { AuditEntry } from '#src/identity/store/audit.ts'
import { periodFault, startOfDay } from '#src/pages/organization/day_span.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'

/** What is told of keys, applications and invitations, from their audit list. */
const auditKinds = ['access', 'use'] as const

export type AuditKind = (typeof auditKinds)[number]

/** What is asked of a history; an empty text asks for nothing. */
export type HistoryFilter = {
  readonly kind: '' | HistoryKind | AuditKind
  /** By whom, as an address has it: `person:p-…`, `key:…`, `application:…`. */
  readonly by: string
  /** The first and the last day, `YYYY-MM-DD` of UTC. */
  readonly from: string
  readonly until: string
}

const names = ['kind', 'by', 'from', 'until'] as const

/** The kinds in words; what is listed unless one is chosen is all but the uses of keys. */
const kindChoices: readonly (readonly [HistoryKind | AuditKind, string])[] = [
  ['registration', 'Registrations and imports'],
  ['version', 'New versions'],
  ['withdrawal', 'Withdrawals'],
  ['claim', 'Claims of authors'],
  ['organization', 'Members and description'],
  ['access', 'Keys, applications and invitations'],
  ['use', 'Uses of keys'],
]

const actorForm = /^(?<type>person|key|application):(?<id>[\w.-]{1,100})$/

/** Reads a filter from the query of an address; `fault` says what of it cannot be asked. */
export function readHistoryFilter(query: URLSearchParams): {
  readonly filter: HistoryFilter
  readonly fault?: string
} {
  const given = (name: string) => (query.get(name) ?? '').trim()
  const [from, until] = [given('from'), given('until')]
  const filter: HistoryFilter = {
    kind: kindChoices.find(([kind]) => kind === given('kind'))?.[0] ?? '',
    by: actorForm.test(given('by')) ? given('by') : '',
    from: Number.isNaN(startOfDay(from)) ? '' : from,
    until: Number.isNaN(startOfDay(until)) ? '' : until,
  }
  const fault = periodFault({ from, until })
  return fault === undefined ? { filter } : { filter, fault }
}

/** What of the filter is set, as it stands in an address. */
export function historyQuery(filter: HistoryFilter): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of names) if (filter[name] !== '') query.set(name, filter[name])
  return query
}

/** The kinds of the journal that a filter asks for. */
export function journalKinds({ kind }: HistoryFilter): readonly HistoryKind[] {
  return historyKinds.filter((each) => kind === '' || kind === each)
}

/** Whether a filter asks for an entry of the audit list. */
export function isAuditWanted({ kind, by }: HistoryFilter, entry: AuditEntry): boolean {
  const isUse = entry.action === 'used' || entry.action === 'refused'
  if (kind === '' ? isUse : kind !== (isUse ? 'use' : 'access')) return false
  const actor = actorOf(by)
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

/** Whether a filter may ask for anything of the audit list at all. */
export function isAuditAsked({ kind }: HistoryFilter): boolean {
  return kind === '' || auditKinds.some((each) => each === kind)
}

/** Whom a filter asks for; undefined for anybody. */
export function actorOf(by: string): Actor | undefined {
  const { type, id } = actorForm.exec(by)?.groups ?? {}
  return type === undefined || id === undefined ? undefined : { type: type as Actor['type'], id }
}

/** Somebody by whom things were done, as a filter offers them. */
export type ActorChoice = { readonly value: string; readonly name: string; readonly group: string }

/** The form of the filter. */
export function historyForm(
  action: string,
  filter: HistoryFilter,
  actors: readonly ActorChoice[],
): Html {
  const isSet = historyQuery(filter).size > 0
  const option = (value: string, text: string, chosen: string) =>
    html`<option value="${value}"${value === chosen ? ' selected' : ''}>${text}</option>`
  const groups = [...new Set(actors.map(({ group }) => group))].map(
    (label) =>
      html`<optgroup label="${label}">${actors
        .filter(({ group }) => group === label)
        .map(({ value, name }) => option(value, name, filter.by))}</optgroup>`,
  )
  const day = (name: 'from' | 'until', label: string) =>
    html`<div class="field"><label for="filter-${name}">${label}</label><input type="date"
id="filter-${name}" name="${name}" value="${filter[name]}"></div>`
  const clear = isSet ? html`<a href="${action}">Show the whole history</a>` : nothing
  return html`<form class="filter" method="get" action="${action}" role="search"
aria-label="History of the organization"><div class="filter-fields">
<div class="field"><label for="filter-kind">What</label><select id="filter-kind" name="kind">
${option('', 'Everything but uses of keys', filter.kind)}
${kindChoices.map(([kind, text]) => option(kind, text, filter.kind))}</select></div>
<div class="field"><label for="filter-by">By</label><select id="filter-by" name="by">
${option('', 'Anybody', filter.by)}${groups}</select></div>
${day('from', 'From')}${day('until', 'Until')}
<button class="button button-quiet" type="submit">Show</button></div>
${clear}</form>`
}
