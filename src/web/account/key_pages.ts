import { html, type Html } from '#src/web/kit/html.ts'
import { may } from '#actors/values/authority.ts'
import { HttpError } from '#src/errors.ts'
import { checkNewKey } from '#src/identity/keys/key_check.ts'
import type { ShownKey } from '#src/identity/keys/key_store.ts'
import { type AccountContext, pageAgent } from '#src/web/account/context.ts'
import type { FormBody } from '#src/web/kit/form_body.ts'
import { emptyForm, faultSummary, form, type FormState } from '#src/web/kit/form_field.ts'
import {
  asKeyFormFault,
  keyCard,
  keyFields,
  keyFlashes,
  type KeyRight,
  type MadeKey,
  madeKey,
  readKeyForm,
  revokeQuestion,
} from '#src/web/account/key_parts.ts'
import type { Page } from '#src/web/kit/page.ts'
import { flashOf, type MemberVisit, redirectDone } from '#src/web/kit/pages.ts'
import { card, emptyState } from '#src/web/kit/parts.ts'

const path = '/account/keys'

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
] as const satisfies readonly KeyRight[]

const notMixed = 'A key that adds or changes works cannot read or change your account as well.'

/** Adds the pages of a person's keys: make, rotate, revoke. */
export function addKeyPages(context: AccountContext): void {
  const { member } = context.pages
  member.get(path, (visit) => keysPage(context, visit, emptyForm))

  member.post(path, async (visit, body) => {
    const checked = checkNewKey(newKeyOf(visit, body))
    if (checked.type === 'invalid') {
      const faults = checked.faults.map((fault) => asKeyFormFault(fault, rights, notMixed))
      return keysPage(context, visit, { values: body, faults })
    }
    const { key, record } = await context.keys.create(checked.key, pageAgent(visit.account.ppid))
    return newKeyPage(context, { title: 'Your new key', key, expires_at: record.expires_at })
  })

  member.post(`${path}/:id/rotate`, async (visit) => {
    const { id } = findKey(context, visit)
    const answer = await context.keys.rotate(id, pageAgent(visit.account.ppid))
    if (answer.type !== 'rotated') {
      throw new HttpError('conflict', 'Only a key that is in use can be replaced by another one')
    }
    const { key, record, rotateUntil } = answer
    const { expires_at } = record
    return newKeyPage(context, { title: 'The key that replaces it', key, expires_at, rotateUntil })
  })

  member.get(`${path}/:id/revoke`, (visit) => revokePage(context, visit))
  member.post(`${path}/:id/revoke`, async (visit) => {
    await context.keys.revoke(findKey(context, visit).id, pageAgent(visit.account.ppid))
    return redirectDone(path, 'revoked')
  })
}

function newKeyOf({ account }: MemberVisit, body: FormBody) {
  const { ppid } = account
  const owner = { type: 'person', id: ppid, name: ppid } as const
  return { owner, ...readKeyForm(body, rights) }
}

function findKey({ keys }: AccountContext, { account, parameters }: MemberVisit): ShownKey {
  const { ppid } = account
  const owned = keys.list({ type: 'person', id: ppid })
  const key = owned.find(({ id }) => id === parameters['id'])
  if (key !== undefined && may(pageAgent(ppid), 'person', 'manage keys', { ppid })) return key
  throw new HttpError('not_found', 'You have no such key')
}

function keysPage(context: AccountContext, visit: MemberVisit, state: FormState): Page {
  const keys = context.keys.list({ type: 'person', id: visit.account.ppid }).toReversed()
  const flash = flashOf(visit, keyFlashes)
  return {
    title: 'API keys',
    current: path,
    ...(flash !== undefined && { flash }),
    ...(state.faults.length > 0 && { status: 422 }),
    body: html`<h1>API keys</h1>
<p class="lead">For programs of your own. Whoever has a key can do what it may, so keep it like a
password.</p>
${faultSummary(state)}
${keys.length === 0 ? nothingYet() : keys.map((key) => cardOf(context, visit, key))}
${card('Make a key', keyForm(context, visit, state))}`,
  }
}

function nothingYet(): Html {
  return emptyState('No keys yet', 'You need one only if a program of yours writes for you.')
}

function keyForm({ pages }: AccountContext, { csrf }: MemberVisit, state: FormState): Html {
  const fields = keyFields({ rights, nameHint: 'What the key is for. Only you see it.' }, state)
  return form({ action: pages.prefix + path, csrf, fields, submit: 'Make the key' })
}

function cardOf({ pages, nowMs }: AccountContext, { csrf }: MemberVisit, key: ShownKey): Html {
  const words = key.scopes.map(
    (scope) => rights.find((right) => right.scope === scope)?.label ?? scope,
  )
  const base = `${pages.prefix}${path}/${key.id}`
  return keyCard(key, { nowMs: nowMs(), may: words.join('; '), csrf, base })
}

function newKeyPage({ pages }: AccountContext, made: MadeKey): Page {
  const { title } = made
  const body = html`<h1>${title}</h1>${madeKey(made, pages.prefix + path)}`
  return { title, current: path, body }
}

function revokePage(context: AccountContext, visit: MemberVisit): Page {
  const question = revokeQuestion(findKey(context, visit), visit.csrf, context.pages.prefix + path)
  const title = 'Revoke this key?'
  return { title, current: path, body: html`<h1>${title}</h1>${question}` }
}
