import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import { HttpError } from '#src/errors.ts'
import { checkNewKey } from '#src/identity/keys/key_record.ts'
import type { KeyStore, KeyInfo } from '#src/identity/keys/key_store.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { copyScript } from '#src/pages/kit/assets.ts'
import { environmentIn, environmentSwitch } from '#src/pages/kit/environment_switch.ts'
import { form, type FormState, hiddenField } from '#src/pages/kit/form_field.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import { html, type Html, type HtmlContent } from '#src/pages/kit/html.ts'
import {
  asKeyFormFault,
  keyCard,
  type KeyPreset,
  presetLinks,
  presetState,
  keyFields,
  keyName,
  type KeyRight,
  madeKey,
  type MadeKey,
  readKeyForm,
  revokeQuestion,
} from '#src/pages/kit/key_parts.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { card, emptyState, type Fact } from '#src/pages/kit/parts.ts'
import { type MemberVisit, type Pages, redirectDone } from '#src/pages/kit/pages.ts'

/** Where pages of keys are, and what they work with. */
export type KeyContext = {
  readonly pages: Pages
  readonly keys: KeyStore
  readonly nowMs: () => number
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
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
  /** What is done before a key is made. */
  readonly prepare?: (visit: MemberVisit) => Promise<void>
  readonly rights: readonly KeyRight[]
  /** Some of the rights for a common purpose. */
  readonly presets: readonly KeyPreset[]
  /** The id of the one that is ticked before another one is chosen; none unless told. */
  readonly presetAtFirst?: string
  /** Which rights exclude each other, if some do. */
  readonly notMixed?: string
  /** What the list is for, and what stands there while it is empty. */
  readonly lead: HtmlContent
  readonly emptyText: string
  readonly nameHint: string
  readonly newTitle: string
  /** The environment whose keys these are; `both` where the pages have a switch. */
  readonly environment: EnvironmentName | 'both'
  /** Where the keys of the other one are, if not on the same page. */
  readonly sandboxPath?: string
  readonly livePath?: string
  /** What a key may do, in words, and further facts about it. */
  readonly may: (key: KeyInfo) => string
  readonly facts?: (key: KeyInfo) => readonly Fact[]
}

const flashes: Flashes = { revoked: 'The key is revoked: it opens nothing any more.' }

/** Adds the pages of the keys of a kind of owners: make, replace, revoke. */
export function addKeyPages(context: KeyContext, kind: KeyPages): void {
  const { keys, pages } = context
  const { route, enter } = kind
  pages.member.get(route, (visit) => {
    const preset = visit.query.get('preset') ?? kind.presetAtFirst
    const state = presetState(kind.presets, preset)
    const at = enter(visit, 'read')
    return listPage(context, kind, at, givenBack(pages.takeForm(visit), state))
  })

  pages.fresh.post(route, async (visit, body) => {
    await kind.prepare?.(visit)
    const at = enter(visit, 'manage keys')
    const environment = environmentOf(kind, new URLSearchParams([...body]))
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
    return pages.redirectWithSecret(visit, `${at.path}/${record.id}`, key)
  })

  pages.member.get(`${route}/:id`, (visit) => keyPage(context, kind, enter(visit, 'manage keys')))

  pages.fresh.post(`${route}/:id/rotate`, async (visit) => {
    const at = enter(visit, 'manage keys')
    const answer = await keys.rotate(findKey(context, at).id, at.by)
    if (answer.type !== 'rotated') {
      throw new HttpError('conflict', 'Only a key that is in use can be replaced by another one')
    }
    const { key, record } = answer
    return pages.redirectWithSecret(visit, `${at.path}/${record.id}`, key)
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

/** The environment that a query or a form names, where there are two. */
function environmentOf({ environment }: KeyPages, named: URLSearchParams): EnvironmentName {
  return environment === 'both' ? environmentIn(named, 'live') : environment
}

function listPage(
  context: KeyContext,
  kind: KeyPages,
  at: KeyVisit,
  state: FormState,
): AccountPage {
  const sent = state.values.get('environment')
  const named = sent === undefined ? at.visit.query : new URLSearchParams({ environment: sent })
  const environment = environmentOf(kind, named)
  const keys = context.keys.list(at.owner).filter((key) => key.environment === environment)
  const cards = keys.toReversed().map((key) => cardOf(context, kind, at, key))
  const title = environment === 'live' ? 'Make a key' : 'Make a key of the sandbox'
  return at.show({
    title: 'API keys',
    flashes,
    state,
    lead: kind.lead,
    content: html`${switchOf(context, kind, at, environment)}
${cards.length === 0 ? emptyState('No keys yet', kind.emptyText) : cards}
${at.mayManage ? card(title, keyForm(context, kind, at, { state, environment })) : ''}`,
  })
}

function switchOf(
  { pages: { prefix } }: KeyContext,
  kind: KeyPages,
  { path }: KeyVisit,
  environment: EnvironmentName,
): Html | string {
  const { environment: served, livePath = path } = kind
  if (served === 'both') {
    const live = prefix + path
    return environmentSwitch({ live, sandbox: `${live}?environment=sandbox` }, environment)
  }
  const sandboxPath = kind.sandboxPath ?? (livePath === path ? undefined : path)
  if (sandboxPath === undefined) return ''
  return environmentSwitch({ live: prefix + livePath, sandbox: prefix + sandboxPath }, environment)
}

function keyForm(
  { pages }: KeyContext,
  { rights, presets, nameHint }: KeyPages,
  { visit, path }: KeyVisit,
  { state, environment }: { readonly state: FormState; readonly environment: EnvironmentName },
): Html {
  const action = pages.prefix + path
  const choices = html`${presetLinks(presets, action, environment)}
${hiddenField('environment', environment)}`
  const fields = html`${keyFields({ rights, nameHint, choices }, state)}`
  return form({ action, csrf: visit.csrf, fields, submit: 'Make the key' })
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

/** The page of one key, to which its making leads: the text of it is there once. */
function keyPage(context: KeyContext, kind: KeyPages, at: KeyVisit): AccountPage {
  const { pages, keys, baseUrl } = context
  const record = findKey(context, at)
  const key = pages.takeSecret(at.visit, `${at.path}/${record.id}`)
  const replaced = keys.list(at.owner).find(({ id }) => id === record.replaces)
  const made: MadeKey = {
    ...record,
    key,
    baseUrl,
    ...(replaced?.rotate_until && { rotateUntil: replaced.rotate_until }),
  }
  const isSandbox = record.environment === 'sandbox' && kind.environment === 'both'
  const list = pages.prefix + at.path + (isSandbox ? '?environment=sandbox' : '')
  return at.show({
    title: key === undefined ? keyName(record) : kind.newTitle,
    content: html`${madeKey(made, list)}
${key === undefined ? cardOf(context, kind, at, record) : ''}`,
    scripts: [copyScript],
  })
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
