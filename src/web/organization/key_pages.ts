import { html, type Html } from '#src/web/kit/html.ts'
import { HttpError } from '#src/errors.ts'
import { checkNewKey } from '#src/identity/keys/key_check.ts'
import type { ShownKey } from '#src/identity/keys/key_store.ts'
import { flashOf, redirectDone } from '#src/web/kit/pages.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import {
  emptyForm,
  faultSummary,
  form,
  type FormState,
  selectField,
} from '#src/web/kit/form_field.ts'
import {
  asKeyFormFault,
  keyCard,
  keyFields,
  keyFlashes,
  type MadeKey,
  madeKey,
  readKeyForm,
  revokeQuestion,
} from '#src/web/account/key_parts.ts'
import {
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/web/organization/context.ts'
import type { Page } from '#src/web/kit/page.ts'
import { card, emptyState } from '#src/web/kit/parts.ts'

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
export function addOrganizationKeyPages(context: OrganizationContext): void {
  const { member } = context.pages
  const path = '/organizations/:slug/keys'
  member.get(path, (visit) =>
    keysPage(context, visitOrganization(context, visit, 'read'), emptyForm),
  )
  member.post(path, async (visit, body) => {
    const at = visitOrganization(context, visit, 'manage keys')
    const checked = checkNewKey(newKeyOf(at, body))
    if (checked.type === 'invalid') {
      const faults = checked.faults.map((fault) => asKeyFormFault(fault, rights))
      return keysPage(context, at, { values: body, faults })
    }
    const { key, record } = await context.keys.create(checked.key, memberAgent(at))
    return newKeyPage(context, at, { title: 'The new key', key, expires_at: record.expires_at })
  })
  member.post(`${path}/:id/rotate`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage keys')
    const answer = await context.keys.rotate(findKey(context, at).id, memberAgent(at))
    if (answer.type !== 'rotated') {
      throw new HttpError('conflict', 'Only a key that is in use can be replaced by another one')
    }
    const { key, record, rotateUntil } = answer
    const { expires_at } = record
    return newKeyPage(context, at, {
      title: 'The key that replaces it',
      key,
      expires_at,
      rotateUntil,
    })
  })
  member.get(`${path}/:id/revoke`, (visit) =>
    revokePage(context, visitOrganization(context, visit, 'manage keys')),
  )
  member.post(`${path}/:id/revoke`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage keys')
    await context.keys.revoke(findKey(context, at).id, memberAgent(at))
    return redirectDone(pathIn(at, '/keys'), 'revoked')
  })
}

function ownerOf({ organization }: OrganizationVisit) {
  const { slug, name } = organization
  return { type: 'organization', id: slug, name } as const
}

function newKeyOf(visit: OrganizationVisit, body: FormBody) {
  const environment = textOf(body, 'environment') === 'sandbox' ? 'sandbox' : 'live'
  return { owner: ownerOf(visit), environment, ...readKeyForm(body, rights) } as const
}

function findKey({ keys }: OrganizationContext, visit: OrganizationVisit): ShownKey {
  const key = keys.list(ownerOf(visit)).find(({ id }) => id === visit.parameters['id'])
  if (key !== undefined) return key
  throw new HttpError('not_found', `${visit.organization.name} has no such key`)
}

function keysPage(context: OrganizationContext, visit: OrganizationVisit, state: FormState): Page {
  const keys = context.keys.list(ownerOf(visit)).toReversed()
  const flash = flashOf(visit, keyFlashes)
  const isOwner = mayDo(visit, 'manage keys')
  const none = emptyState('No keys yet', 'Programs that register works for it need one.')
  return organizationPage(context, visit, {
    section: '/keys',
    title: 'API keys',
    ...(flash !== undefined && { flash }),
    ...(state.faults.length > 0 && { status: 422 }),
    body: html`<p class="lead">For programs that act for the organization. Whoever has a key can do
what it may. Its owners make them.</p>
${faultSummary(state)}
${keys.length === 0 ? none : keys.map((key) => cardOf(context, visit, key))}
${isOwner ? card('Make a key', keyForm(context, visit, state)) : ''}`,
  })
}

function keyForm({ pages }: OrganizationContext, visit: OrganizationVisit, state: FormState): Html {
  const described = rights.map((right) => ({ ...right, hint: right.scope }))
  const choices = selectField(
    { name: 'environment', label: 'Registry', options: environments },
    state,
  )
  const fields = keyFields({ rights: described, nameHint: 'What the key is for.', choices }, state)
  const action = pages.prefix + pathIn(visit, '/keys')
  return form({ action, csrf: visit.csrf, fields, submit: 'Make the key' })
}

function cardOf(context: OrganizationContext, visit: OrganizationVisit, key: ShownKey): Html {
  const base = `${context.pages.prefix}${pathIn(visit, '/keys')}/${key.id}`
  return keyCard(key, {
    nowMs: context.nowMs(),
    may: key.scopes.join(', '),
    csrf: visit.csrf,
    facts: [['Registry', html`${key.environment}`]],
    ...(mayDo(visit, 'manage keys') && { base }),
  })
}

function newKeyPage(context: OrganizationContext, visit: OrganizationVisit, made: MadeKey): Page {
  const body = madeKey(made, context.pages.prefix + pathIn(visit, '/keys'))
  return organizationPage(context, visit, { section: '/keys', title: made.title, body })
}

function revokePage(context: OrganizationContext, visit: OrganizationVisit): Page {
  const back = context.pages.prefix + pathIn(visit, '/keys')
  return organizationPage(context, visit, {
    section: '/keys',
    title: 'Revoke this key?',
    body: revokeQuestion(findKey(context, visit), visit.csrf, back),
  })
}
