import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { HttpError } from '#src/edge/errors.ts'
import { checkNewKey, keyHoursMax } from '#src/identity/keys/key_record.ts'
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
  givenBack,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, type HtmlContent } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, type Pages, redirectDone } from '#src/pages/kit/pages.ts'
import {
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
export type KeyRight = { readonly scope: string; readonly label: string; readonly hint?: string }

/** Some rights for a common purpose; `name` is that of the key, too, unless it is given another. */
type KeyPreset = {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
}

/** A form that nobody has filled in, but for what a preset ticks. */
function presetState(presets: readonly KeyPreset[], id: string | undefined): FormState {
  const preset = presets.find((each) => each.id === id)
  if (preset === undefined) return emptyForm
  const ticked = preset.scopes.map((scope) => [scope, 'on'] as const)
  return { values: new Map([['label', preset.name], ...ticked]), faults: [] }
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
  return html`<div class="field"><p class="hint">Start from what the key is for:</p>
<div class="presets">${links}</div></div>`
}

function keyFields(
  {
    rights,
    nameHint,
    choices,
  }: { readonly rights: readonly KeyRight[]; readonly nameHint: string; readonly choices?: Html },
  state: FormState,
): Html {
  const boxes = rights.map(({ scope, ...each }) => checkbox({ name: scope, ...each }, state))
  return html`${[
    choices,
    field({ name: 'label', label: 'Name', hint: nameHint }, state),
    html`<fieldset><legend>It may</legend>${boxes}</fieldset>`,
    fieldList(state, [
      {
        name: 'days',
        label: 'Valid for (days)',
        type: 'number',
        hint: `${daysDefault} if you leave it empty; ${daysMax} at most.`,
      },
      {
        name: 'ip_allow',
        label: 'Only from these addresses',
        type: 'textarea',
        hint: 'One a line, such as 192.0.2.7 or 192.0.2.0/24. Empty: from everywhere.',
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
function asKeyFormFault(fault: FieldFault, rights: readonly KeyRight[], notMixed = ''): FieldFault {
  const { field: name, code } = fault
  if (name === 'hours') {
    return { field: 'days', code, message: `A key is valid for 1 to ${daysMax} days.` }
  }
  if (name !== 'scopes') return fault
  const message = code === 'required' ? 'Tick what the key may do.' : notMixed || fault.message
  return { field: rights[0]?.scope ?? name, code, message }
}

/** A key as it is shown; `base` is the path of its pages, if the visitor may manage it. */
function keyCard(
  key: KeyInfo,
  shown: {
    readonly nowMs: number
    readonly may: string
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
  ['Key', html`<code>${key.shown}…</code>`],
  ...(shown.facts ?? []),
  ['May', shown.may],
  ['From', addresses.length === 0 ? 'everywhere' : addresses.join(', ')],
  ['Made', time(key.created_at)],
  ['Ends', time(ends)],
  ['Last used', used === null ? 'never' : html`${time(used.at)} from ${used.network}`],
])}
${isOver || shown.base === undefined ? '' : actions(key, shown.base, shown.csrf)}
</section>`
}

function stateBadge({ state }: KeyInfo, isOver: boolean): Html {
  if (isOver) return badge(state === 'revoked' ? 'revoked' : 'expired')
  return state === 'rotating' ? badge('being replaced', 'waiting') : badge('in use', 'good')
}

function actions({ state }: KeyInfo, base: string, csrf: string): Html {
  const submit = 'Replace it by a new one'
  const rotate = form({ action: `${base}/rotate`, csrf, submit, inline: true })
  return html`<div class="buttons">${state === 'active' ? rotate : ''}
${quietLink(`${base}/revoke`, 'Revoke…')}</div>`
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
    return html`<p>The text of a key is shown once, right after it was made. Who has not copied it
replaces the key by a new one.</p>
<p>${buttonLink(back, 'All keys')}</p>`
  }
  const until =
    rotateUntil === undefined ? '' : html`<p>The old key works until ${time(rotateUntil)}.</p>`
  const command = keyCommand(baseUrl, { ...made, key })
  const trial = command === undefined ? '' : tryPart(command)
  return html`${secretBox('Key', key)}
<p>It is valid until ${time(expires_at)}. Send it as <code>Authorization: Bearer</code>.</p>
${until}
${made.environment === 'sandbox' ? quickStart(baseUrl, key) : ''}
${trial}
${buttonLink(back, 'I have copied it')}`
}

function quickStart(baseUrl: string, key: string): Html {
  return html`<h2>Quick start</h2><p>The <a href="${baseUrl}/docs/quick-start#register">quick
start</a> goes on from these two lines:</p>
${snippet('Variables of the quick start', `BASE_URL=${baseUrl}\nKEY=${key}`)}`
}

function tryPart(command: string): Html {
  return html`<h2>Try it</h2><p>This changes nothing:</p>
${snippet('A command with the key', command)}`
}

/** Asks whether a key is to be revoked; `back` is the path of all keys. */
export function revokeQuestion(key: KeyInfo, csrf: string, back: string): Html {
  return formCard({
    action: `${back}/${key.id}/revoke`,
    csrf,
    fields: html`<p>Programs that use it are refused at once. A revoked key does not come
back.</p>`,
    submit: 'Revoke the key',
    beside: html`<a href="${back}">Keep it</a>`,
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
  kind: KeyPages,
  { visit, path, mayManage }: KeyVisit,
  key: KeyInfo,
): Html {
  return keyCard(key, {
    nowMs: nowMs(),
    may: kind.may(key),
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
