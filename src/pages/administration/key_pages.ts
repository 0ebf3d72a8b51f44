import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Owner } from '#actors/values/agent.ts'
import { HttpError } from '#src/errors.ts'
import { usableUntilMs } from '#src/identity/keys/key_record.ts'
import type { KeyInfo, KeyStore } from '#src/identity/keys/key_store.ts'
import { formatOwner } from '#src/identity/store/owner_text.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { keyName, revokeQuestion } from '#src/pages/kit/key_parts.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'
import { badge, emptyState, pagination, table, time } from '#src/pages/kit/parts.ts'
import { adminPath, administrationPage, demandAdmin } from '#src/pages/administration/frame.ts'
import { listFilter, textFilter } from '#src/pages/administration/list_filter.ts'
import { type OrganizationContext, organizationsPath } from '#src/pages/organization/context.ts'

const path = `${adminPath}/keys`
const keysOnPage = 50

/** How long before its end a key is spoken of. */
const keyEndsSoonMs = 30 * 86_400_000

const flashes: Flashes = { revoked: 'The key is revoked: it opens nothing any more.' }

const states = [
  ['', 'All'],
  ['use', 'In use'],
  ['soon', 'End within 30 days'],
  ['over', 'Revoked or expired'],
] as const

/** Adds the pages on which administrators find keys of anybody, and revoke them. */
export function addAdminKeyPages(context: OrganizationContext): void {
  const { member, fresh } = context.pages
  member.get(path, (visit) => {
    demandAdmin(visit)
    return keysPage(context, visit)
  })
  fresh.get(`${path}/:id/revoke`, (visit) => {
    demandAdmin(visit)
    const { key } = findKey(context, visit)
    return administrationPage(context, '/keys', {
      title: 'Revoke this key?',
      lead: `${keyName(key)}, of ${formatOwner(key.owner)}`,
      content: revokeQuestion(key, visit.csrf, context.pages.prefix + path),
    })
  })
  fresh.post(`${path}/:id/revoke`, async (visit) => {
    const { type, id, name } = demandAdmin(visit)
    const { key, keys } = findKey(context, visit)
    await keys.revoke(key.id, { type, id, name })
    return redirectDone(path, 'revoked')
  })
}

/** Keys that work and end soon, whosever they are. */
export async function endingKeys(context: OrganizationContext): Promise<readonly KeyInfo[]> {
  const keys = await allKeys(context)
  return keys.filter((key) => standsAs(key, 'soon', context.nowMs()))
}

type Found = { readonly key: KeyInfo; readonly keys: KeyStore }

async function allKeys({ realms }: OrganizationContext): Promise<readonly KeyInfo[]> {
  const { live, sandbox } = realms
  return [...(await live.keys.listAll()), ...(await sandbox.keys.listAll())]
}

function findKey({ realms }: OrganizationContext, { parameters }: MemberVisit): Found {
  for (const { keys } of [realms.live, realms.sandbox]) {
    const key = keys.find(parameters['id'] ?? '')
    if (key !== undefined) return { key, keys }
  }
  throw new HttpError('not_found', 'There is no such key')
}

function standsAs(key: KeyInfo, state: string, nowMs: number): boolean {
  const endMs = usableUntilMs(key)
  const isOver = key.state === 'revoked' || nowMs >= endMs
  switch (state) {
    case 'use':
      return !isOver
    case 'over':
      return isOver
    case 'soon':
      return !isOver && key.state === 'active' && endMs - nowMs < keyEndsSoonMs
    default:
      return true
  }
}

async function keysPage(context: OrganizationContext, visit: MemberVisit): Promise<AccountPage> {
  const { pages, nowMs } = context
  const { query } = visit
  const asked = (query.get('q') ?? '').trim().slice(0, 200)
  const owner = (query.get('owner') ?? '').trim().slice(0, 100)
  const state = states.find(([value]) => value === query.get('state'))?.[0] ?? ''
  const words = asked.toLowerCase()
  const isMeant = (key: KeyInfo) =>
    (owner === '' || formatOwner(key.owner) === owner) &&
    [key.id, key.shown, key.label, formatOwner(key.owner), key.owner.name].some((text) =>
      text.toLowerCase().includes(words),
    )
  const keys = (await allKeys(context))
    .filter((key) => isMeant(key) && standsAs(key, state, nowMs()))
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const after = query.get('after') ?? ''
  const begin = keys.findIndex(({ id }) => id === after) + 1
  const shown = keys.slice(begin, begin + keysOnPage)
  const next = begin + keysOnPage < keys.length ? shown.at(-1)?.id : undefined
  const base = pages.prefix + path
  const kept = new URLSearchParams({
    ...(asked !== '' && { q: asked }),
    ...(owner !== '' && { owner }),
    ...(state !== '' && { state }),
  })
  const links = pagination({ path: base, parameter: 'after', next, isFirst: begin === 0, kept })
  return administrationPage(context, '/keys', {
    title: 'Keys',
    flashes,
    lead: 'Keys of everybody, in both registries, the newest first. Their text is shown to nobody.',
    content: html`${listFilter(base, 'Keys', [
      textFilter('q', 'Name, beginning or owner', asked),
      textFilter('owner', 'Exactly of', owner, 'org:press'),
      { name: 'state', label: 'State', value: state, options: states },
    ])}
${shown.length === 0 ? noneFound() : keyTable(context, shown)}
${links}`,
  })
}

function noneFound(): Html {
  return emptyState('No such key', 'Look for fewer words, or for all states.')
}

function keyTable(context: OrganizationContext, keys: readonly KeyInfo[]): Html {
  const { pages, nowMs } = context
  const columns = [
    {
      heading: 'Key',
      isRowHeading: true,
      cell: (key: KeyInfo) => html`${keyName(key)} <code>${key.shown}…</code>`,
    },
    {
      heading: 'Of',
      cell: ({ owner, environment }: KeyInfo) =>
        html`${ownerLink(context, owner, environment)} <span class="aside">${environment}</span>`,
    },
    { heading: 'May', cell: ({ scopes }: KeyInfo) => scopes.join(', ') },
    {
      heading: 'State',
      cell: (key: KeyInfo) => html`${stateCell(key, nowMs())}
<span class="aside">${key.last_used === null ? 'never used' : html`used ${time(key.last_used.at)}`}
</span>`,
    },
    {
      heading: 'Change',
      cell: (key: KeyInfo) =>
        standsAs(key, 'use', nowMs())
          ? html`<a href="${pages.prefix}${path}/${key.id}/revoke"
aria-label="Revoke ${keyName(key)}…">Revoke…</a>`
          : nothing,
    },
  ]
  return html`<div class="admin-table">${table('Keys', columns, keys)}</div>`
}

function stateCell(key: KeyInfo, nowMs: number): Html {
  if (key.state === 'revoked') return badge('revoked')
  const ends = time(key.rotate_until ?? key.expires_at)
  if (standsAs(key, 'over', nowMs)) return html`${badge('expired')} ${ends}`
  if (key.state === 'rotating') return html`${badge('being replaced', 'waiting')} until ${ends}`
  return html`${badge('in use', 'good')} until ${ends}`
}

/**
 * Who has a key or an application, with a link to where administrators see more of them. The people
 * of the sandbox have no page here.
 */
export function ownerLink(
  { pages }: OrganizationContext,
  { type, id }: Omit<Owner, 'name'>,
  environment: EnvironmentName,
): Html {
  if (type === 'operator') return html`the operator`
  if (type === 'person' && environment === 'sandbox') return html`<code>${id}</code>`
  const list = type === 'organization' ? organizationsPath : `${adminPath}/accounts`
  return html`<a href="${pages.prefix}${list}/${id}">${id}</a>`
}
