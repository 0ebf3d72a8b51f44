import {
  badge,
  buttonLink,
  type Fact,
  facts,
  quietLink,
  secretBox,
  time,
} from '#src/pages/kit/parts.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { keyCommand } from '#src/pages/kit/key_example.ts'
import { snippet } from '#src/pages/kit/snippet.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { keyHoursMax } from '#src/identity/keys/key_record.ts'
import type { KeyInfo } from '#src/identity/keys/key_store.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import {
  checkbox,
  emptyForm,
  field,
  fieldList,
  form,
  formCard,
  type FormState,
} from '#src/pages/kit/form_field.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

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
export type KeyPreset = {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
}

/** A form that nobody has filled in, but for what a preset ticks. */
export function presetState(presets: readonly KeyPreset[], id: string | undefined): FormState {
  const preset = presets.find((each) => each.id === id)
  if (preset === undefined) return emptyForm
  const ticked = preset.scopes.map((scope) => [scope, 'on'] as const)
  return { values: new Map([['label', preset.name], ...ticked]), faults: [] }
}

/** Links that tick the boxes of the form; `path` is that of its page. */
export function presetLinks(
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

/** The fields of a new key; `choices` stand before them. */
export function keyFields(
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
export function readKeyForm(body: FormBody, rights: readonly KeyRight[]) {
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
export function asKeyFormFault(
  fault: FieldFault,
  rights: readonly KeyRight[],
  notMixed = '',
): FieldFault {
  const { field: name, code } = fault
  if (name === 'hours') {
    return { field: 'days', code, message: `A key is valid for 1 to ${daysMax} days.` }
  }
  if (name !== 'scopes') return fault
  const message = code === 'required' ? 'Tick what the key may do.' : notMixed || fault.message
  return { field: rights[0]?.scope ?? name, code, message }
}

/** A key as it is shown; `base` is the path of its pages, if the visitor may manage it. */
export function keyCard(
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
export type MadeKey = Pick<KeyInfo, 'scopes' | 'owner' | 'expires_at' | 'environment'> & {
  readonly key: string | undefined
  readonly baseUrl: string
  /** Until when the key that it replaces works. */
  readonly rotateUntil?: string
}

/** The text of a new key, shown this once, with a first command; `back` is the path of all keys. */
export function madeKey(made: MadeKey, back: string): Html {
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
