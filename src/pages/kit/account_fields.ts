import { visibilityOfAll } from '#actors/people/checks.ts'
import type { Profile, Visibility } from '#actors/people/port.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type {
  AddPasskeyAnswer,
  AskedPasskey,
  PasskeyRefusal,
} from '#src/identity/accounts/passkeys.ts'
import { passwordCharactersMin } from '#src/identity/accounts/password_hash.ts'
import type { CodeAnswer } from '#src/identity/accounts/second_factor.ts'
import {
  type Field,
  type FormBody,
  type FormState,
  hiddenField,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, type HtmlContent } from '#src/pages/kit/html.ts'

/** The field in which a person shows that the account is theirs. */
export const currentPassword: Field = {
  name: 'current_password',
  label: 'Current password',
  type: 'password',
  required: true,
  autocomplete: 'current-password',
}

/** The field of a password that is chosen. */
export const newPassword: Field = {
  name: 'new_password',
  label: 'New password',
  hint: `${passwordCharactersMin} characters or more; a sentence is easy to remember.`,
  type: 'password',
  required: true,
  autocomplete: 'new-password',
}

/** The field in which a person shows their second factor. */
export const secondFactorField: Field = {
  name: 'code',
  label: 'Code',
  hint: 'Six digits, or a recovery code such as 4tGh7q-Zk09Xa-pM2c8R.',
  required: true,
  autocomplete: 'one-time-code',
  maxLength: 40,
}

/** The field of who has no app: the second factor is a passkey. */
export const recoveryCodeField: Field = {
  ...secondFactorField,
  label: 'Recovery code',
  hint: 'Such as 4tGh7q-Zk09Xa-pM2c8R.',
  autocomplete: 'off',
}

/** What is wrong with a code that was not accepted. */
export function wrongCode(
  answer: Exclude<CodeAnswer, { type: 'accepted' }>,
  nowMs: number,
): FieldFault {
  if (answer.type === 'refused') {
    const message =
      'This code is not right, or was used already. Wait for the next one, and see that the ' +
      'clock of your device is right.'
    return { field: 'code', code: 'wrong', message }
  }
  const minutes = Math.max(1, Math.ceil((answer.untilMs - nowMs) / 60_000))
  const message =
    `Too many wrong codes were tried: no digits are taken for ${minutes} minutes. ` +
    'A recovery code is.'
  return { field: 'code', code: 'paused', message }
}

/** A form that a passkey answers. Its page has `passkeyScript`. */
type PasskeyForm = {
  /** Full path, prefix included. */
  readonly action: string
  readonly csrf: string
  /** Whether a passkey is made, or used. */
  readonly kind: 'create' | 'get'
  readonly asked: AskedPasskey
  readonly fields?: HtmlContent
  readonly submit: string
  /** Whether the browser offers passkeys in a field of the page that takes `webauthn`, too. */
  readonly isFilledIn?: boolean
}

/** Where faults of a form that a passkey answers are shown. */
const passkeyField = 'passkey'

/** The form: its button is shown where scripts run and the browser knows passkeys. */
export function passkeyForm(form: PasskeyForm): Html {
  const { action, csrf, kind, asked, fields, submit, isFilledIn } = form
  const autofill = isFilledIn === true ? ' data-passkey-autofill' : ''
  return html`<form class="form" id="field-${passkeyField}" method="post" action="${action}"
data-passkey="${kind}"${autofill} data-options="${JSON.stringify(asked.options)}">
${hiddenField('csrf', csrf)}
${hiddenField('challenge', asked.sealed)}
${hiddenField('credential', '')}
${fields}
<p class="fault" role="alert" data-passkey-outcome hidden></p>
<div class="buttons" data-passkey-buttons hidden>
<button class="button" type="submit">${submit}</button></div>
<noscript><p class="hint">Passkeys need JavaScript, which this browser does not run. Everything
else here works without it.</p></noscript>
</form>`
}

/** What the form has sent. */
export function passkeyAnswerOf(body: FormBody) {
  return { sealed: textOf(body, 'challenge'), credential: textOf(body, 'credential') }
}

type Reason = PasskeyRefusal | Extract<AddPasskeyAnswer, { type: 'refused' }>['reason']

const messages: Readonly<Record<Reason, string>> = {
  expired: 'That took too long, or came from another page: try again.',
  spent: 'This answer of a passkey was used already: try again.',
  wrong: 'This passkey is not known here, or its answer is not right.',
  counter:
    'This passkey has counted back, as a copy of it would. It is not taken: remove it, and add ' +
    'a new one.',
  known: 'This passkey is in use already.',
  too_many: 'There are as many passkeys as an account can have: remove one first.',
}

/** What is wrong with the answer of a passkey. */
export function passkeyFault(reason: Reason): FieldFault {
  return { field: passkeyField, code: reason, message: messages[reason] }
}

/** The fault of a passkey whose device did not make sure who it is. */
export const unverifiedPasskey: FieldFault = {
  field: passkeyField,
  code: 'not_verified',
  message:
    'This passkey has not asked for a PIN, a finger or a face, so that it is not enough alone: ' +
    'sign in with your password, and use it as the second step.',
}

/** The visibilities in plain words. */
export const visibilityWords = {
  public: 'Everybody',
  trusted: 'Applications I permit, and me',
  private: 'Only me',
} as const

const options = Object.entries(visibilityWords).map(([value, label]) => ({ value, label }))

/** A choice of who sees something. */
export function visibilityField(
  { name, label, hint }: Pick<Field, 'name' | 'label' | 'hint'>,
  state: FormState,
): Html {
  return selectField({ name, label, ...(hint !== undefined && { hint }), options }, state)
}

const ofAll = 'seen_by'

/** The choices of a profile as a whole; the first is preselected. */
const profileChoices = [
  { value: 'name', label: 'Everybody sees my name, and only I see the rest' },
  { value: 'public', label: 'Everybody sees my name and my profile' },
  { value: 'trusted', label: 'Applications that I permit, and I' },
  { value: 'private', label: 'Only I' },
] as const

/** A choice of who sees a profile as a whole: the name, until somebody says otherwise. */
export function profileVisibilityField(state: FormState): Html {
  const chosen = state.values.get(ofAll) ?? 'name'
  const values = new Map([...state.values, [ofAll, chosen]])
  const field = {
    name: ofAll,
    label: 'Who sees your profile',
    hint:
      'You can change this at any time, for each part of your profile. If you ask for an ' +
      'organization, claim a work or join an organization, those who decide see your name and ' +
      'your e-mail address in any case.',
    options: profileChoices,
  }
  return selectField(field, { ...state, values })
}

/** What was chosen of a profile as a whole; what is no choice is the narrowest. */
export function chosenVisibility(body: FormBody): Profile['visibility'] {
  const text = textOf(body, ofAll)
  if (text === 'name') {
    return { ...visibilityOfAll('private'), name: 'public', username: 'public' }
  }
  const isChoice = (value: string): value is Visibility => Object.hasOwn(visibilityWords, value)
  return visibilityOfAll(isChoice(text) ? text : 'private')
}
