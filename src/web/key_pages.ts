import { html } from 'ghtml'

import { HttpError } from '#src/errors.ts'
import { checkNewKey } from '#src/identity/key_check.ts'
import { keyHoursMax } from '#src/identity/key_record.ts'
import type { ShownKey } from '#src/identity/key_store.ts'
import { type AccountDesk, done, keyName, onPages } from '#src/web/account_desk.ts'
import { flashOf, textOf } from '#src/web/entrance.ts'
import type { FormBody } from '#src/web/form_body.ts'
import {
  checkbox,
  emptyForm,
  faultSummary,
  field,
  form,
  type FormState,
} from '#src/web/form_field.ts'
import type { Flash, Html, Page } from '#src/web/page.ts'
import type { MemberVisit } from '#src/web/pages.ts'
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

const path = '/account/keys'
const dayHours = 24
const daysDefault = 90

const flashes: Readonly<Record<string, Flash>> = {
  revoked: { kind: 'success', text: 'The key is revoked: it opens nothing any more.' },
}

/** What a key of a person can be given, in plain words; rights of the two groups are not mixed. */
const rights = [
  {
    scope: 'mint',
    label: 'Add works, affiliations and education',
    hint: 'For a program that registers your works without asking you each time.',
  },
  { scope: 'update', label: 'Change what you have added yourself or by a key' },
  {
    scope: 'people:read',
    label: 'Read your whole account',
    hint: 'Your profile, what others wrote, and the export. Not together with the two above.',
  },
  {
    scope: 'people:write',
    label: 'Change your profile, claims and lists, and undo what others wrote',
    hint: 'Not together with the first two.',
  },
] as const

/** Adds the pages of a person's keys: make, rotate, revoke. */
export function addKeyPages(desk: AccountDesk): void {
  const { member } = desk.pages
  member.get(path, (visit) => keysPage(desk, visit, emptyForm))

  member.post(path, async (visit, body) => {
    const wish = wishOf(visit, body)
    const checked = checkNewKey(wish)
    if (checked.type === 'invalid') {
      const faults = checked.faults.map(asFormFault)
      return keysPage(desk, visit, { values: body, faults })
    }
    const { key, record } = await desk.keys.create(checked.key, onPages(visit.account.ppid))
    return newKeyPage(desk, { title: 'Your new key', key, expires_at: record.expires_at })
  })

  member.post(`${path}/:id/rotate`, async (visit) => {
    const { id } = findKey(desk, visit)
    const answer = await desk.keys.rotate(id, onPages(visit.account.ppid))
    if (answer.type !== 'rotated') {
      throw new HttpError('conflict', 'Only a key that is in use can be replaced by another one')
    }
    const { key, record, rotateUntil } = answer
    const { expires_at } = record
    return newKeyPage(desk, { title: 'The key that replaces it', key, expires_at, rotateUntil })
  })

  member.get(`${path}/:id/revoke`, (visit) => revokePage(desk, visit))
  member.post(`${path}/:id/revoke`, async (visit) => {
    await desk.keys.revoke(findKey(desk, visit).id, onPages(visit.account.ppid))
    return done(path, 'revoked')
  })
}

function wishOf({ account }: MemberVisit, body: FormBody) {
  const { ppid } = account
  const days = daysOf(textOf(body, 'days').trim())
  return {
    owner: { type: 'person', id: ppid, name: ppid } as const,
    scopes: rights.filter(({ scope }) => body.has(scope)).map(({ scope }) => scope),
    label: textOf(body, 'label').trim(),
    ip_allow: textOf(body, 'ip_allow')
      .split(/[\s,]+/)
      .filter(Boolean),
    hours: days * dayHours,
  }
}

function daysOf(text: string): number {
  return text === '' ? daysDefault : Number(text)
}

/** A fault of a key, at the field of the form that it comes from. */
function asFormFault({
  field: name,
  code,
  message,
}: {
  field: string
  code: string
  message: string
}) {
  if (name === 'hours') {
    const max = keyHoursMax / dayHours
    return { field: 'days', code, message: `A key is valid for 1 to ${max} days.` }
  }
  if (name === 'scopes' && code === 'required') {
    return { field: 'mint', code, message: 'Tick what the key may do.' }
  }
  if (name === 'scopes') {
    const right = 'A key that adds or changes works cannot read or change your account as well.'
    return { field: 'mint', code, message: right }
  }
  return { field: name, code, message }
}

function findKey({ keys }: AccountDesk, { account, parameters }: MemberVisit): ShownKey {
  const owned = keys.list({ type: 'person', id: account.ppid })
  const key = owned.find(({ id }) => id === parameters['id'])
  if (key !== undefined) return key
  throw new HttpError('not_found', 'You have no such key')
}

function keysPage(desk: AccountDesk, visit: MemberVisit, state: FormState): Page {
  const keys = desk.keys.list({ type: 'person', id: visit.account.ppid }).toReversed()
  const flash = flashOf(visit, flashes)
  return {
    title: 'API keys',
    current: path,
    ...(flash !== undefined && { flash }),
    ...(state.faults.length > 0 && { status: 422 }),
    body: html`<h1>API keys</h1>
<p class="lead">For programs of your own. Whoever has a key can do what it may, so keep it like a
password.</p>
!${faultSummary(state)}
!${keys.length === 0 ? nothingYet() : keys.map((key) => keyCard(desk, visit, key, desk.nowMs()))}
!${card('Make a key', keyForm(desk, visit, state))}`,
  }
}

function nothingYet(): Html {
  return emptyState('No keys yet', 'You need one only if a program of yours writes for you.')
}

function keyForm({ pages }: AccountDesk, { csrf }: MemberVisit, state: FormState): Html {
  const boxes = rights.map(({ scope, ...each }) => checkbox({ name: scope, ...each }, state))
  const fields = [
    field({ name: 'label', label: 'Name', hint: 'What the key is for. Only you see it.' }, state),
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
  return form({ action: pages.prefix + path, csrf, fields, submit: 'Make the key' })
}

function keyCard(
  { pages }: AccountDesk,
  { csrf }: MemberVisit,
  key: ShownKey,
  nowMs: number,
): Html {
  const { id, shown, scopes, ip_allow: addresses, last_used: used } = key
  const state = keyState(key, nowMs)
  const words = scopes.map((scope) => rights.find((right) => right.scope === scope)?.label ?? scope)
  const base = `${pages.prefix}${path}/${id}`
  const rotate = form({
    action: `${base}/rotate`,
    csrf,
    fields: '',
    submit: 'Replace it by a new one',
    inline: true,
  })
  const actions = html`<div class="buttons">!${key.state === 'active' ? rotate : ''}
!${quietLink(`${base}/revoke`, 'Revoke…')}</div>`
  const isOver = state === 'revoked' || state === 'expired'
  return html`<section class="card"><h2>${keyName(key)}</h2>
!${badge(state, isOver ? 'plain' : state === 'in use' ? 'good' : 'waiting')}
!${facts([
    ['Key', html`<code>${shown}…</code>`],
    ['May', html`${words.join('; ')}`],
    ['From', html`${addresses.length === 0 ? 'everywhere' : addresses.join(', ')}`],
    ['Made', time(key.created_at)],
    ['Ends', time(key.rotate_until ?? key.expires_at)],
    ['Last used', used === null ? 'never' : html`!${time(used.at)} from ${used.network}`],
  ])}
!${isOver ? '' : actions}
</section>`
}

function keyState({ state, expires_at, rotate_until }: ShownKey, nowMs: number): string {
  if (state === 'revoked') return 'revoked'
  if (nowMs >= Date.parse(rotate_until ?? expires_at)) return 'expired'
  return state === 'rotating' ? 'being replaced' : 'in use'
}

function newKeyPage(
  { pages }: AccountDesk,
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
  return {
    title,
    current: path,
    body: html`<h1>${title}</h1>
!${secretBox('Key', key)}
<p>It is valid until !${time(expires_at)}. Send it as <code>Authorization: Bearer</code>.</p>
!${until}
!${buttonLink(pages.prefix + path, 'I have copied it')}`,
  }
}

function revokePage(desk: AccountDesk, visit: MemberVisit): Page {
  const key = findKey(desk, visit)
  const { prefix } = desk.pages
  return {
    title: 'Revoke this key?',
    current: path,
    body: html`<h1>Revoke this key?</h1><p class="lead">${keyName(key)}</p>
<div class="card">!${form({
      action: `${prefix}${path}/${key.id}/revoke`,
      csrf: visit.csrf,
      fields: '<p>Programs that use it are refused at once. A revoked key does not come back.</p>',
      submit: 'Revoke the key',
      beside: html`<a href="${prefix}${path}">Keep it</a>`,
      danger: true,
    })}</div>`,
  }
}
