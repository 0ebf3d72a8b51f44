import { card, emptyState, type Fact } from '#src/web/kit/parts.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import { HttpError } from '#src/errors.ts'
import { checkNewKey } from '#src/identity/keys/key_check.ts'
import type { KeyStore, KeyInfo } from '#src/identity/keys/key_store.ts'
import type { AccountPage } from '#src/web/kit/account_frame.ts'
import type { FormBody } from '#src/web/kit/form_body.ts'
import { emptyForm, form, type FormState } from '#src/web/kit/form_field.ts'
import { html, type Html } from '#src/web/kit/html.ts'
import {
  asKeyFormFault,
  keyCard,
  keyFields,
  keyName,
  type KeyRight,
  madeKey,
  type MadeKey,
  readKeyForm,
  revokeQuestion,
} from '#src/web/kit/key_parts.ts'
import type { Flashes } from '#src/web/kit/page.ts'
import { type MemberVisit, type Pages, redirectDone } from '#src/web/kit/pages.ts'

/** Where pages of keys are, and what they work with. */
export type KeyContext = {
  readonly pages: Pages
  readonly keys: KeyStore
  readonly nowMs: () => number
}

/** Whose keys they are, on a visit to their pages. */
export type KeyVisit = {
  readonly visit: MemberVisit
  readonly owner: Owner
  /** The agent that makes and revokes keys. */
  readonly by: Agent
  readonly mayManage: boolean
  /** The path of the list, without the prefix. */
  readonly path: string
  /** The message for a key that the owner does not have. */
  readonly noSuchKey: string
  /** Puts the pages where they belong among those of the owner. */
  readonly show: (page: AccountPage) => AccountPage
}

/** What the pages of a kind of owners say, and what keys can be given there. */
export type KeyPages = {
  /** The path of the route, such as `/organizations/:slug/keys`. */
  readonly route: string
  /** Whose keys a visit is to. HttpError if the visitor may not do that. */
  readonly enter: (visit: MemberVisit, action: 'read' | 'manage keys') => KeyVisit
  readonly rights: readonly KeyRight[]
  /** Which rights exclude each other, if some do. */
  readonly notMixed?: string
  /** What the list is for, and what stands there while it is empty. */
  readonly lead: string
  readonly emptyText: string
  readonly nameHint: string
  readonly newTitle: string
  /** A choice in the form of the registry that a key is for, if there is one. */
  readonly environmentField?: (state: FormState) => Html
  readonly readEnvironment: (body: FormBody) => 'live' | 'sandbox'
  /** What a key may do, in words, and further facts about it. */
  readonly may: (key: KeyInfo) => string
  readonly facts?: (key: KeyInfo) => readonly Fact[]
}

const flashes: Flashes = { revoked: 'The key is revoked: it opens nothing any more.' }

/** Adds the pages of the keys of a kind of owners: make, replace, revoke. */
export function addKeyPages(context: KeyContext, kind: KeyPages): void {
  const { keys, pages } = context
  const { route, enter } = kind
  pages.member.get(route, (visit) => listPage(context, kind, enter(visit, 'read'), emptyForm))

  pages.member.post(route, async (visit, body) => {
    const at = enter(visit, 'manage keys')
    const environment = kind.readEnvironment(body)
    const checked = checkNewKey({
      owner: at.owner,
      environment,
      ...readKeyForm(body, kind.rights),
    })
    if (checked.type === 'invalid') {
      const { rights, notMixed } = kind
      const faults = checked.faults.map((fault) => asKeyFormFault(fault, rights, notMixed))
      return listPage(context, kind, at, { values: body, faults })
    }
    const { key, record } = await keys.create(checked.key, at.by)
    return newKeyPage(context, at, { title: kind.newTitle, key, expires_at: record.expires_at })
  })

  pages.member.post(`${route}/:id/rotate`, async (visit) => {
    const at = enter(visit, 'manage keys')
    const answer = await keys.rotate(findKey(context, at).id, at.by)
    if (answer.type !== 'rotated') {
      throw new HttpError('conflict', 'Only a key that is in use can be replaced by another one')
    }
    const { key, record, rotateUntil } = answer
    const { expires_at } = record
    const title = 'The key that replaces it'
    return newKeyPage(context, at, { title, key, expires_at, rotateUntil })
  })

  pages.member.get(`${route}/:id/revoke`, (visit) =>
    revokePage(context, enter(visit, 'manage keys')),
  )

  pages.member.post(`${route}/:id/revoke`, async (visit) => {
    const at = enter(visit, 'manage keys')
    await keys.revoke(findKey(context, at).id, at.by)
    return redirectDone(at.path, 'revoked')
  })
}

function findKey({ keys }: KeyContext, { visit, owner, noSuchKey }: KeyVisit): KeyInfo {
  const key = keys.list(owner).find(({ id }) => id === visit.parameters['id'])
  if (key !== undefined) return key
  throw new HttpError('not_found', noSuchKey)
}

function listPage(
  context: KeyContext,
  kind: KeyPages,
  at: KeyVisit,
  state: FormState,
): AccountPage {
  const keys = context.keys.list(at.owner).toReversed()
  const cards = keys.map((key) => cardOf(context, kind, at, key))
  return at.show({
    title: 'API keys',
    flashes,
    state,
    lead: kind.lead,
    content: html`${cards.length === 0 ? emptyState('No keys yet', kind.emptyText) : cards}
${at.mayManage ? card('Make a key', keyForm(context, kind, at, state)) : ''}`,
  })
}

function keyForm(
  { pages }: KeyContext,
  { rights, nameHint, environmentField }: KeyPages,
  { visit, path }: KeyVisit,
  state: FormState,
): Html {
  const choices = environmentField?.(state)
  const fields = keyFields({ rights, nameHint, ...(choices && { choices }) }, state)
  return form({ action: pages.prefix + path, csrf: visit.csrf, fields, submit: 'Make the key' })
}

function cardOf(
  { pages, nowMs }: KeyContext,
  { may, facts }: KeyPages,
  { visit, path, mayManage }: KeyVisit,
  key: KeyInfo,
): Html {
  return keyCard(key, {
    nowMs: nowMs(),
    may: may(key),
    csrf: visit.csrf,
    facts: facts?.(key) ?? [],
    ...(mayManage && { base: `${pages.prefix}${path}/${key.id}` }),
  })
}

function newKeyPage({ pages }: KeyContext, { path, show }: KeyVisit, made: MadeKey): AccountPage {
  return show({ title: made.title, content: madeKey(made, pages.prefix + path) })
}

function revokePage(context: KeyContext, at: KeyVisit): AccountPage {
  const key = findKey(context, at)
  const back = context.pages.prefix + at.path
  return at.show({
    title: 'Revoke this key?',
    lead: keyName(key),
    content: revokeQuestion(key, at.visit.csrf, back),
  })
}
