import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { HttpError } from '#src/edge/errors.ts'
import { checkNewKey, keyHoursMax } from '#src/identity/keys/key_record.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import type { KeyInfo, KeyStore } from '#src/identity/keys/key_store.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { copyScript } from '#src/pages/kit/assets.ts'
import {
  checkbox,
  emptyForm,
  field,
  fieldList,
  form,
  type FormBody,
  formCard,
  type FormState,
  type PageFault,
  givenBack,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, type HtmlContent } from '#src/pages/kit/html.ts'
import { keys as words, permissions } from '#src/words/english.ts'
import { joined } from '#src/words/format.ts'
import type { Language } from '#src/words/language.ts'
import { type Text, textIn } from '#src/words/wording.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, type Pages, redirectDone } from '#src/pages/kit/pages.ts'
import {
  asLink,
  badge,
  buttonLink,
  card,
  emptyState,
  environmentOf,
  environmentSwitch,
  type Fact,
  facts,
  quietLink,
  secretBox,
  snippet,
  time,
} from '#src/pages/kit/parts.ts'

/** What a key of a scope can be tried with first: each changes nothing. */
const trials = [
  ['works:write', '/v1/works/validate'],
  ['mint', '/v1/works/validate'],
  ['works:read', '/v1/changes?limit=1'],
  ['search:read', '/v1/search/works?q=engine'],
  ['people:read', '/v1/user'],
] as const

const validated = `{ "work_title": "A trial", "work_type": "article", "authors": "Ada Lovelace",
    "work_url": "https://press.example/trial" }`

/** A key that is to be tried: its text, whose it is, and what it may do. */
type TriedKey = {
  readonly key: string
  readonly owner: Pick<Owner, 'type'>
  readonly scopes: readonly string[]
}

/** A command that tries a key and changes nothing; undefined if none is known for its scopes. */
function keyCommand(baseUrl: string, { key, owner, scopes }: TriedKey): string | undefined {
  const trial = trials.find(([scope]) => {
    // An account is that of a person.
    return scopes.includes(scope) && (scope !== 'people:read' || owner.type === 'person')
  })
  if (trial === undefined) return undefined
  const [scope, path] = trial
  const call = `curl -s '${baseUrl}${path}' \\\n  -H 'authorization: Bearer ${key}'`
  if (scope !== 'works:write' && scope !== 'mint') return call
  return `${call} \\\n  -H 'content-type: application/json' \\\n  -d '${validated}'`
}

const dayHours = 24
const daysDefault = 90
const daysMax = keyHoursMax / dayHours

/** What a key is called: by its owner, or else by its first characters. */
export function keyName({ label, shown }: Pick<KeyInfo, 'label' | 'shown'>): string {
  return label === '' ? shown : label
}

/** A scope that a key can be given, in plain words. */
export type KeyRight = { readonly scope: string; readonly label: Text; readonly hint?: Text }

/** Scopes in a list: each in plain words, or as it is called if it is not among the rights. */
export function scopeList(rights: readonly KeyRight[], scopes: readonly string[]): Text {
  const labels = scopes.map((name) => rights.find(({ scope }) => scope === name)?.label ?? name)
  return joined(labels, '; ')
}

/** Some rights for a common purpose; `name` is that of the key, too, unless it is given another. */
type KeyPreset = {
  readonly id: string
  readonly name: Text
  readonly scopes: readonly string[]
}

/** A form that nobody has filled in, but for what a preset ticks. */
function presetState(
  presets: readonly KeyPreset[],
  id: string | undefined,
  language: Language,
): FormState {
  const preset = presets.find((each) => each.id === id)
  if (preset === undefined) return emptyForm
  const ticked = preset.scopes.map((scope) => [scope, 'on'] as const)
  return { values: new Map([['label', textIn(language, preset.name)], ...ticked]), faults: [] }
}

/** Links that tick the boxes of the form; `path` is that of its page. */
function presetLinks(
  presets: readonly KeyPreset[],
  path: string,
  environment: EnvironmentName,
): Html {
  const links = presets.map(({ id, name }) => {
    const query = new URLSearchParams({ environment, preset: id })
    return quietLink(`${path}?${query}#field-label`, name)
  })
  return html`<div class="field"><p class="hint">${words.purposes}</p>
<div class="presets">${links}</div></div>`
}

function keyFields(
  {
    rights,
    nameHint,
    choices,
  }: { readonly rights: readonly KeyRight[]; readonly nameHint: Text; readonly choices?: Html },
  state: FormState,
): Html {
  const boxes = rights.map(({ scope, ...each }) => checkbox({ name: scope, ...each }, state))
  return html`${[
    choices,
    field({ name: 'label', label: words.name, hint: nameHint }, state),
    html`<fieldset><legend>${words.permissions}</legend>${boxes}</fieldset>`,
    fieldList(state, [
      {
        name: 'days',
        label: words.days,
        type: 'number',
        hint: words.daysHint({ days: daysDefault, max: daysMax }),
      },
      {
        name: 'ip_allow',
        label: words.addresses,
        type: 'textarea',
        hint: words.addressesHint,
      },
    ]),
  ]}`
}

/** The new key that a form asks for, without its owner. */
function readKeyForm(body: FormBody, rights: readonly KeyRight[]) {
  return {
    scopes: rights.filter(({ scope }) => body.has(scope)).map(({ scope }) => scope),
    label: textOf(body, 'label').trim(),
    ip_allow: textOf(body, 'ip_allow')
      .split(/[\s,]+/)
      .filter((address) => address !== ''),
    hours: Number(textOf(body, 'days').trim() || daysDefault) * dayHours,
  }
}

/**
 * A fault of a key, at the field of the form that it comes from. `notMixed` says which of the
 * rights exclude each other, which is all that can be wrong with some that were ticked.
 */
function asKeyFormFault(
  fault: FieldFault,
  rights: readonly KeyRight[],
  notMixed: Text | undefined,
): PageFault {
  const { field: name, code } = fault
  switch (name) {
    case 'hours':
      return { ...fault, field: 'days', text: words.daysFault({ max: daysMax }) }
    case 'scopes': {
      const text = code === 'required' ? words.permissionsFault : notMixed
      return { ...fault, field: rights[0]?.scope ?? name, ...(text && { text }) }
    }
    case 'label':
      return { ...fault, text: words.nameFault }
    case 'ip_allow':
      return { ...fault, text: words.addressesFault }
    default:
      return fault
  }
}

/** A key as it is shown; `base` is the path of its pages, if the visitor may manage it. */
function keyCard(
  key: KeyInfo,
  shown: {
    readonly nowMs: number
    readonly permissions: Text
    readonly csrf: string
    readonly base?: string
    /** Further facts, before those of every key. */
    readonly facts?: readonly Fact[]
  },
): Html {
  const { ip_allow: addresses, last_used: used } = key
  const ends = key.rotate_until ?? key.expires_at
  const isOver = key.state === 'revoked' || shown.nowMs >= Date.parse(ends)
  return html`<section class="card"><h2>${keyName(key)}</h2>
${stateBadge(key, isOver)}
${facts([
  [words.key, html`<code>${key.shown}…</code>`],
  ...(shown.facts ?? []),
  [words.permissions, shown.permissions],
  [words.addresses, addresses.length === 0 ? words.all : addresses.join(', ')],
  [words.created, time(key.created_at)],
  [permissions.expires, time(ends)],
  [
    permissions.lastUsed,
    used === null
      ? permissions.never
      : permissions.usedFrom({ time: time(used.at), network: used.network }),
  ],
])}
${isOver || shown.base === undefined ? '' : actions(key, shown.base, shown.csrf)}
</section>`
}

function stateBadge({ state }: KeyInfo, isOver: boolean): Html {
  if (isOver) return badge(state === 'revoked' ? words.revoked : words.expired)
  return state === 'rotating' ? badge(words.rotating, 'waiting') : badge(words.inUse, 'good')
}

function actions({ state }: KeyInfo, base: string, csrf: string): Html {
  const rotate = form({ action: `${base}/rotate`, csrf, submit: words.rotate, inline: true })
  return html`<div class="buttons">${state === 'active' ? rotate : ''}
${quietLink(`${base}/revoke`, words.revokeLink)}</div>`
}

/** A key that was made, with its text if that is shown now. */
type MadeKey = Pick<KeyInfo, 'scopes' | 'owner' | 'expires_at' | 'environment'> & {
  readonly key: string | undefined
  readonly baseUrl: string
  /** Until when the key that it replaces works. */
  readonly rotateUntil?: string
}

/** The text of a new key, shown this once, with a first command; `back` is the path of all keys. */
function madeKey(made: MadeKey, back: string): Html {
  const { key, expires_at, rotateUntil, baseUrl } = made
  if (key === undefined) {
    return html`<p>${words.shownOnce}</p>
<p>${buttonLink(back, words.allKeys)}</p>`
  }
  const until =
    rotateUntil === undefined ? '' : html`<p>${words.oldUntil({ time: time(rotateUntil) })}</p>`
  const command = keyCommand(baseUrl, { ...made, key })
  const trial = command === undefined ? '' : tryPart(command)
  const header = html`<code>Authorization: Bearer</code>`
  return html`${secretBox(words.key, key)}
<p>${words.validUntil({ time: time(expires_at), header })}</p>
${until}
${made.environment === 'sandbox' ? quickStart(baseUrl, key) : ''}
${trial}
${buttonLink(back, words.copied)}`
}

function quickStart(baseUrl: string, key: string): Html {
  const link = asLink(`${baseUrl}/docs/quick-start#register`)
  return html`<h2>${words.quickStart}</h2><p>${words.quickStartText({ link })}</p>
${snippet(words.quickStartLabel, `BASE_URL=${baseUrl}\nKEY=${key}`)}`
}

function tryPart(command: string): Html {
  return html`<h2>${words.tryTitle}</h2><p>${words.tryText}</p>
${snippet(words.tryLabel, command)}`
}

/** Asks whether a key is to be revoked; `back` is the path of all keys. */
export function revokeQuestion(key: KeyInfo, csrf: string, back: string): Html {
  return formCard({
    action: `${back}/${key.id}/revoke`,
    csrf,
    fields: html`<p>${words.revokeText}</p>`,
    submit: words.revoke,
    beside: html`<a href="${back}">${words.keep}</a>`,
    danger: true,
  })
}

/** Where pages of keys are, and what they work with. */
type KeyContext = {
  readonly pages: Pages
  readonly keys: KeyStore
  readonly nowMs: () => number
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
}

/** Whose keys they are, on a visit to their pages. */
type KeyVisit = {
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
type KeyPages = {
  /** The path of the route, such as `/organizations/:slug/keys`. */
  readonly route: string
  /** Whose keys a visit is to. HttpError if the visitor may not do that. */
  readonly enter: (visit: MemberVisit, action: 'read' | 'manage keys') => KeyVisit
  /** What is done before a key is made. */
  readonly prepare?: (visit: MemberVisit) => Promise<void>
  readonly rights: readonly KeyRight[]
  /** Some of the rights for a common purpose. */
  readonly presets: readonly KeyPreset[]
  /** The id of the one that is ticked at first: none by default. */
  readonly presetAtFirst?: string
  /** Which rights exclude each other, if some do. */
  readonly notMixed?: Text
  /** What the list is for, and what stands there while it is empty. */
  readonly lead: HtmlContent
  readonly emptyText: Text
  readonly nameHint: Text
  /** The environment whose keys these are; `both` where the pages have a switch. */
  readonly environment: EnvironmentName | 'both'
  /** Where the keys of the other one are, if not on the same page. */
  readonly sandboxPath?: string
  readonly livePath?: string
  /** What a key can do, in words, and further facts about it. */
  readonly permissionsOf: (key: KeyInfo) => Text
  readonly facts?: (key: KeyInfo) => readonly Fact[]
}

const flashes: Flashes = { revoked: words.isRevoked }

/** Adds the pages of the keys of a kind of owners: make, replace, revoke. */
export function addKeyPages(context: KeyContext, kind: KeyPages): void {
  const { keys, pages } = context
  const { route, enter } = kind
  pages.member.get(route, (visit) => {
    const preset = visit.query.get('preset') ?? kind.presetAtFirst
    const state = presetState(kind.presets, preset, readerLanguage(visit.request))
    const at = enter(visit, 'read')
    return listPage(context, kind, at, givenBack(pages.takeForm(visit), state))
  })

  pages.fresh.post(route, async (visit, body) => {
    await kind.prepare?.(visit)
    const at = enter(visit, 'manage keys')
    const environment = environmentAt(kind, body.get('environment'))
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
function environmentAt({ environment }: KeyPages, named: string | null | undefined) {
  return environment === 'both' ? environmentOf(named) : environment
}

function listPage(
  context: KeyContext,
  kind: KeyPages,
  at: KeyVisit,
  state: FormState,
): AccountPage {
  const named = state.values.get('environment') ?? at.visit.query.get('environment')
  const environment = environmentAt(kind, named)
  const keys = context.keys.list(at.owner).filter((key) => key.environment === environment)
  const cards = keys.toReversed().map((key) => cardOf(context, kind, at, key))
  const title = environment === 'live' ? words.createTitle : words.createSandboxTitle
  return at.show({
    title: words.title,
    flashes,
    state,
    lead: kind.lead,
    content: html`${switchOf(context, kind, at, environment)}
${cards.length === 0 ? emptyState(words.none, kind.emptyText) : cards}
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
  return form({ action, csrf: visit.csrf, fields, submit: words.create })
}

function cardOf(
  { pages, nowMs }: KeyContext,
  kind: KeyPages,
  { visit, path, mayManage }: KeyVisit,
  key: KeyInfo,
): Html {
  return keyCard(key, {
    nowMs: nowMs(),
    permissions: kind.permissionsOf(key),
    csrf: visit.csrf,
    facts: kind.facts?.(key) ?? [],
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
    title: key === undefined ? keyName(record) : words.newTitle,
    content: html`${madeKey(made, list)}
${key === undefined ? cardOf(context, kind, at, record) : ''}`,
    scripts: [copyScript],
  })
}

function revokePage(context: KeyContext, at: KeyVisit): AccountPage {
  const key = findKey(context, at)
  const back = context.pages.prefix + at.path
  return at.show({
    title: words.revokeTitle,
    lead: keyName(key),
    content: revokeQuestion(key, at.visit.csrf, back),
  })
}
