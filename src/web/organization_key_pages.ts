import { html } from 'ghtml'

import type { FieldFault } from '#actors/field_fault.ts'
import { HttpError } from '#src/errors.ts'
import { checkNewKey } from '#src/identity/key_check.ts'
import { keyHoursMax } from '#src/identity/key_record.ts'
import type { ShownKey } from '#src/identity/key_store.ts'
import { done } from '#src/web/account_desk.ts'
import { flashOf, textOf } from '#src/web/entrance.ts'
import type { FormBody } from '#src/web/form_body.ts'
import {
  checkbox,
  emptyForm,
  faultSummary,
  field,
  form,
  type FormState,
  selectField,
} from '#src/web/form_field.ts'
import {
  mayDo,
  memberAgent,
  organizationPage,
  type OrganizationDesk,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/web/organization_desk.ts'
import type { Flash, Html, Page } from '#src/web/page.ts'
import {
  badge,
  buttonLink,
  card,
  emptyState,
  facts,
  quietLink,
  secretBox,
  time,
} from '#src/web/parts.ts'

const dayHours = 24
const daysDefault = 90

const flashes: Readonly<Record<string, Flash>> = {
  revoked: { kind: 'success', text: 'The key is revoked: it opens nothing any more.' },
}

/** What a key of an organization can be given, in plain words. */
const rights = [
  { scope: 'works:write', label: 'Register works, change them and withdraw them' },
  { scope: 'works:read', label: 'Read works and what changes' },
  { scope: 'receipts:read', label: 'Read receipts and proofs' },
  { scope: 'receipts:verify', label: 'Have receipts verified' },
  { scope: 'people:read', label: 'Read what people show to everybody' },
  { scope: 'people:write', label: 'Say which people are authors of its works' },
  { scope: 'search:read', label: 'Search' },
] as const

const environments = [
  { value: 'live', label: 'Live: what it registers stays for ever' },
  { value: 'sandbox', label: 'Sandbox: for trying things out' },
] as const

/** Adds the pages of an organization's keys: owners make, replace and revoke them. */
export function addOrganizationKeyPages(desk: OrganizationDesk): void {
  const { member } = desk.pages
  const path = '/organizations/:slug/keys'
  member.get(path, (visit) => keysPage(desk, visitOrganization(desk, visit, 'viewer'), emptyForm))
  member.post(path, async (visit, body) => {
    const at = visitOrganization(desk, visit, 'owner')
    const checked = checkNewKey(wishOf(at, body))
    if (checked.type === 'invalid') {
      return keysPage(desk, at, { values: body, faults: checked.faults.map(asFormFault) })
    }
    const { key, record } = await desk.keys.create(checked.key, memberAgent(at))
    return newKeyPage(desk, at, { title: 'The new key', key, expires_at: record.expires_at })
  })
  member.post(`${path}/:id/rotate`, async (visit) => {
    const at = visitOrganization(desk, visit, 'owner')
    const answer = await desk.keys.rotate(findKey(desk, at).id, memberAgent(at))
    if (answer.type !== 'rotated') {
      throw new HttpError('conflict', 'Only a key that is in use can be replaced by another one')
    }
    const { key, record, rotateUntil } = answer
    const { expires_at } = record
    return newKeyPage(desk, at, { title: 'The key that replaces it', key, expires_at, rotateUntil })
  })
  member.get(`${path}/:id/revoke`, (visit) =>
    revokePage(desk, visitOrganization(desk, visit, 'owner')),
  )
  member.post(`${path}/:id/revoke`, async (visit) => {
    const at = visitOrganization(desk, visit, 'owner')
    await desk.keys.revoke(findKey(desk, at).id, memberAgent(at))
    return done(pathIn(at, '/keys'), 'revoked')
  })
}

function ownerOf({ organization }: OrganizationVisit) {
  const { slug, name } = organization
  return { type: 'organization', id: slug, name } as const
}

function wishOf(visit: OrganizationVisit, body: FormBody) {
  const days = Number(textOf(body, 'days').trim() || daysDefault)
  return {
    owner: ownerOf(visit),
    environment: textOf(body, 'environment') === 'sandbox' ? 'sandbox' : 'live',
    scopes: rights.filter(({ scope }) => body.has(scope)).map(({ scope }) => scope),
    label: textOf(body, 'label').trim(),
    ip_allow: textOf(body, 'ip_allow')
      .split(/[\s,]+/)
      .filter((text) => text !== ''),
    hours: days * dayHours,
  } as const
}

function asFormFault(fault: FieldFault): FieldFault {
  const { field: name, code } = fault
  if (name === 'hours') {
    const message = `A key is valid for 1 to ${keyHoursMax / dayHours} days.`
    return { field: 'days', code, message }
  }
  if (name === 'scopes') return { field: rights[0].scope, code, message: 'Tick what it may do.' }
  return fault
}

function findKey({ keys }: OrganizationDesk, visit: OrganizationVisit): ShownKey {
  const key = keys.list(ownerOf(visit)).find(({ id }) => id === visit.parameters['id'])
  if (key !== undefined) return key
  throw new HttpError('not_found', `${visit.organization.name} has no such key`)
}

function keysPage(desk: OrganizationDesk, visit: OrganizationVisit, state: FormState): Page {
  const keys = desk.keys.list(ownerOf(visit)).toReversed()
  const flash = flashOf(visit, flashes)
  const isOwner = mayDo(visit, 'owner')
  const none = emptyState('No keys yet', 'Programs that register works for it need one.')
  return organizationPage(desk, visit, {
    section: '/keys',
    title: 'API keys',
    ...(flash !== undefined && { flash }),
    ...(state.faults.length > 0 && { status: 422 }),
    body: html`<p class="lead">For programs that act for the organization. Whoever has a key can do
what it may. Its owners make them.</p>
!${faultSummary(state)}
!${keys.length === 0 ? none : keys.map((key) => keyCard(desk, visit, key))}
!${isOwner ? card('Make a key', keyForm(desk, visit, state)) : ''}`,
  })
}

function keyForm({ pages }: OrganizationDesk, visit: OrganizationVisit, state: FormState): Html {
  const boxes = rights.map(({ scope, label }) =>
    checkbox({ name: scope, label, hint: scope }, state),
  )
  const fields = [
    field({ name: 'label', label: 'Name', hint: 'What the key is for.' }, state),
    selectField({ name: 'environment', label: 'Registry', options: environments }, state),
    html`<fieldset><legend>It may</legend>!${boxes}</fieldset>`,
    field(
      {
        name: 'days',
        label: 'Valid for (days)',
        type: 'number',
        hint: `${daysDefault} if you leave it empty; ${keyHoursMax / dayHours} at most.`,
      },
      state,
    ),
    field(
      {
        name: 'ip_allow',
        label: 'Only from these addresses',
        type: 'textarea',
        hint: 'One a line, such as 192.0.2.7 or 192.0.2.0/24. Empty: from everywhere.',
      },
      state,
    ),
  ].join('')
  const action = pages.prefix + pathIn(visit, '/keys')
  return form({ action, csrf: visit.csrf, fields, submit: 'Make the key' })
}

function keyCard(desk: OrganizationDesk, visit: OrganizationVisit, key: ShownKey): Html {
  const { id, label, shown, scopes, environment, ip_allow: addresses, last_used: used } = key
  const ends = key.rotate_until ?? key.expires_at
  const isOver = key.state === 'revoked' || desk.nowMs() >= Date.parse(ends)
  const base = `${desk.pages.prefix}${pathIn(visit, '/keys')}/${id}`
  const rotate = form({
    action: `${base}/rotate`,
    csrf: visit.csrf,
    fields: '',
    submit: 'Replace it by a new one',
    inline: true,
  })
  const actions = html`<div class="buttons">!${key.state === 'active' ? rotate : ''}
!${quietLink(`${base}/revoke`, 'Revoke…')}</div>`
  return html`<section class="card"><h2>${label || shown}</h2>
!${stateBadge(key, isOver)}
!${facts([
    ['Key', html`<code>${shown}…</code>`],
    ['Registry', html`${environment}`],
    ['May', html`${scopes.join(', ')}`],
    ['From', html`${addresses.length === 0 ? 'everywhere' : addresses.join(', ')}`],
    ['Made', time(key.created_at)],
    ['Ends', time(ends)],
    ['Last used', used === null ? 'never' : html`!${time(used.at)} from ${used.network}`],
  ])}
!${isOver || !mayDo(visit, 'owner') ? '' : actions}
</section>`
}

function stateBadge({ state }: ShownKey, isOver: boolean): Html {
  if (isOver) return badge(state === 'revoked' ? 'revoked' : 'expired')
  return state === 'rotating' ? badge('being replaced', 'waiting') : badge('in use', 'good')
}

function newKeyPage(
  desk: OrganizationDesk,
  visit: OrganizationVisit,
  made: {
    readonly title: string
    readonly key: string
    readonly expires_at: string
    readonly rotateUntil?: string
  },
): Page {
  const { title, key, expires_at, rotateUntil } = made
  const until =
    rotateUntil === undefined ? '' : html`<p>The old key works until !${time(rotateUntil)}.</p>`
  return organizationPage(desk, visit, {
    section: '/keys',
    title,
    body: html`!${secretBox('Key', key)}
<p>It is valid until !${time(expires_at)}. Send it as <code>Authorization: Bearer</code>.</p>
!${until}
!${buttonLink(desk.pages.prefix + pathIn(visit, '/keys'), 'I have copied it')}`,
  })
}

function revokePage(desk: OrganizationDesk, visit: OrganizationVisit): Page {
  const { id, label, shown } = findKey(desk, visit)
  const back = desk.pages.prefix + pathIn(visit, '/keys')
  return organizationPage(desk, visit, {
    section: '/keys',
    title: 'Revoke this key?',
    body: html`<p class="lead">${label || shown}</p>
<div class="card">!${form({
      action: `${back}/${id}/revoke`,
      csrf: visit.csrf,
      fields: '<p>Programs that use it are refused at once. A revoked key does not come back.</p>',
      submit: 'Revoke the key',
      beside: html`<a href="${back}">Keep it</a>`,
      danger: true,
    })}</div>`,
  })
}
