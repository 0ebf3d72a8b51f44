import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Owner } from '#actors/values/agent.ts'
import { HttpError } from '#src/edge/errors.ts'
import { usableUntilMs } from '#src/identity/keys/key_record.ts'
import type { KeyInfo, KeyStore } from '#src/identity/keys/key_store.ts'
import { formatOwner } from '#src/identity/store/owner_text.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { keyName, revokeQuestion } from '#src/pages/kit/key_pages.ts'
import { adminKeys as words, administration } from '#src/words/administrator_desk.ts'
import { claims, frame, keys as keyWords, standing } from '#src/words/english.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'
import {
  badge,
  emptyState,
  environmentNames,
  filterQuery,
  listAfter,
  listFilter,
  pagination,
  table,
  textFilter,
  time,
} from '#src/pages/kit/parts.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import { type OrganizationContext, organizationsPath } from '#src/pages/organization/context.ts'

const path = `${adminPath}/keys`
const keysOnPage = 50

/** How long before its end a key is spoken of. */
const keyEndsSoonMs = 30 * 86_400_000

const flashes: Flashes = { revoked: keyWords.isRevoked }

const states = [
  ['', standing.all],
  ['use', words.inUse],
  ['soon', words.endsSoon],
  ['over', words.isOver],
] as const

/** Adds the pages on which administrators find keys of anybody, and revoke them. */
export function addAdminKeyPages(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(path, keysPage)
  fresh.get(`${path}/:id/revoke`, (visit) => {
    const { key } = findKey(visit)
    return administrationPage(context, '/keys', {
      title: keyWords.revokeTitle,
      lead: words.keyOf({ key: keyName(key), owner: formatOwner(key.owner) }),
      content: revokeQuestion(key, visit.csrf, context.pages.prefix + path),
    })
  })
  fresh.post(`${path}/:id/revoke`, async (visit) => {
    const { type, id, name } = visit.by
    const { key, keys } = findKey(visit)
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

function findKey({ context, parameters }: AdminVisit): Found {
  for (const { keys } of [context.realms.live, context.realms.sandbox]) {
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

async function keysPage(visit: AdminVisit): Promise<AccountPage> {
  const { pages, nowMs } = visit.context
  const { query } = visit
  const asked = (query.get('q') ?? '').trim().slice(0, 200)
  const owner = (query.get('owner') ?? '').trim().slice(0, 100)
  const state = states.find(([value]) => value === query.get('state'))?.[0] ?? ''
  const sought = asked.toLowerCase()
  const isMeant = (key: KeyInfo) =>
    (owner === '' || formatOwner(key.owner) === owner) &&
    [key.id, key.shown, key.label, formatOwner(key.owner), key.owner.name].some((text) =>
      text.toLowerCase().includes(sought),
    )
  const keys = (await allKeys(visit.context))
    .filter((key) => isMeant(key) && standsAs(key, state, nowMs()))
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const place = { after: query.get('after') ?? '', max: keysOnPage, idOf: ({ id }: KeyInfo) => id }
  const { shown, ...rest } = listAfter(keys, place)
  const base = pages.prefix + path
  const kept = filterQuery({ q: asked, owner, state })
  return administrationPage(visit.context, '/keys', {
    title: frame.apiKeys,
    flashes,
    lead: words.lead,
    content: html`${listFilter(base, frame.apiKeys, [
      textFilter('q', words.filter, asked),
      textFilter('owner', words.exactOwner, owner, 'org:press'),
      { name: 'state', label: claims.status, value: state, options: states },
    ])}
${shown.length === 0 ? noneFound() : keyTable(visit.context, shown)}
${pagination({ path: base, parameter: 'after', ...rest, kept })}`,
  })
}

function noneFound(): Html {
  return emptyState(words.none, words.noneText)
}

function keyTable(context: OrganizationContext, keys: readonly KeyInfo[]): Html {
  const { pages, nowMs } = context
  const use = ({ last_used: last }: KeyInfo) =>
    last === null ? words.neverUsed : words.usedAt({ time: time(last.at) })
  const revokeLink = (key: KeyInfo) =>
    html`<a href="${pages.prefix}${path}/${key.id}/revoke"
aria-label="${words.revokeOf({ key: keyName(key) })}">${keyWords.revokeLink}</a>`
  const list = table(frame.apiKeys, keys, [
    [keyWords.key, (key) => html`${keyName(key)} <code>${key.shown}…</code>`],
    [
      administration.owner,
      ({ owner, environment }) => html`${ownerLink(context, owner, environment)}
<span class="aside">${environmentNames[environment]}</span>`,
    ],
    [keyWords.permissions, ({ scopes }) => html`<code>${scopes.join(', ')}</code>`],
    [
      claims.status,
      (key) => html`${stateCell(key, nowMs())} <span class="aside">${use(key)}</span>`,
    ],
    [claims.change, (key) => (standsAs(key, 'use', nowMs()) ? revokeLink(key) : nothing)],
  ])
  return html`<div class="admin-table">${list}</div>`
}

function stateCell(key: KeyInfo, nowMs: number): Html {
  if (key.state === 'revoked') return badge(keyWords.revoked)
  const ends = time(key.rotate_until ?? key.expires_at)
  if (standsAs(key, 'over', nowMs)) return html`${badge(keyWords.expired)} ${ends}`
  const isRotating = key.state === 'rotating'
  const state = isRotating ? badge(keyWords.rotating, 'waiting') : badge(keyWords.inUse, 'good')
  return html`${state} ${words.until({ time: ends })}`
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
  if (type === 'operator') return html`${administration.operator}`
  if (type === 'person' && environment === 'sandbox') return html`<code>${id}</code>`
  const list = type === 'organization' ? organizationsPath : `${adminPath}/accounts`
  return html`<a href="${pages.prefix}${list}/${id}">${id}</a>`
}
