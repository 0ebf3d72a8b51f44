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
  type PageFault,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, type HtmlContent } from '#src/pages/kit/html.ts'
import { credentials, profile } from '#src/words/english.ts'
import { jsonOf } from '#src/words/format.ts'
import { english } from '#src/words/language.ts'
import { termOf } from '#src/words/message.ts'
import type { Text, TextWording } from '#src/words/wording.ts'

/** The field in which a person shows that the account is theirs. */
export const currentPassword: Field = {
  name: 'current_password',
  label: credentials.currentPassword,
  type: 'password',
  required: true,
  autocomplete: 'current-password',
}

/** The field of a password that is chosen. */
export const newPassword: Field = {
  name: 'new_password',
  label: credentials.newPassword,
  hint: credentials.passwordHint({ min: passwordCharactersMin }),
  type: 'password',
  required: true,
  autocomplete: 'new-password',
}

/** The field in which a person shows their second factor. */
export const secondFactorField: Field = {
  name: 'code',
  label: credentials.code,
  hint: credentials.codeHint({ example: '4tGh7q-Zk09Xa-pM2c8R' }),
  required: true,
  autocomplete: 'one-time-code',
  maxLength: 40,
}

/** The field of who has no app: the second factor is a passkey. */
export const recoveryCodeField: Field = {
  ...secondFactorField,
  label: credentials.recoveryCode,
  hint: credentials.recoveryCodeHint({ example: '4tGh7q-Zk09Xa-pM2c8R' }),
  autocomplete: 'off',
}

/** What is wrong with a code that was not accepted. */
export function wrongCode(
  answer: Exclude<CodeAnswer, { type: 'accepted' }>,
  nowMs: number,
): PageFault {
  if (answer.type === 'refused') return faultOf('code', 'wrong', credentials.wrongCode)
  const minutes = Math.max(1, Math.ceil((answer.untilMs - nowMs) / 60_000))
  return faultOf('code', 'paused', credentials.codesPaused({ minutes }))
}

/** What is wrong with a field, as a page says it. */
export function faultOf(field: string, code: string, text: TextWording): PageFault {
  return { field, code, text, message: text.text(english) }
}

/** A fault of an account in the words of a page: what programs may leave out, a form must have. */
export function asPersonFault(fault: FieldFault): PageFault {
  const { field, code } = fault
  if (field === 'name' && code === 'empty') return faultOf(field, code, credentials.writeName)
  if (field === 'current_password') return { ...fault, text: credentials.wrongPassword }
  const name = field === 'new_password' ? 'password' : field
  const text = termOf(credentials, `${name}_${code}`)
  return text === undefined ? fault : { ...fault, text }
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
  readonly submit: Text
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
data-passkey="${kind}"${autofill} data-refusals="${refusals}"
data-options="${JSON.stringify(asked.options)}">
${hiddenField('csrf', csrf)}
${hiddenField('challenge', asked.sealed)}
${hiddenField('credential', '')}
${fields}
<p class="fault" role="alert" data-passkey-outcome hidden></p>
<div class="buttons" data-passkey-buttons hidden>
<button class="button" type="submit">${submit}</button></div>
<noscript><p class="hint">${credentials.noScript}</p></noscript>
</form>`
}

/** What is said of refusals of browsers, by the name of the error (WebAuthn). */
const refusals = jsonOf({
  NotAllowedError: credentials.notChosen,
  InvalidStateError: credentials.alreadyHeld,
  SecurityError: credentials.notAtAddress,
  NotSupportedError: credentials.notSupported,
  unknown: credentials.noPasskeys,
  other: credentials.notUsable,
})

/** What the form has sent. */
export function passkeyAnswerOf(body: FormBody) {
  return { sealed: textOf(body, 'challenge'), credential: textOf(body, 'credential') }
}

type Reason = PasskeyRefusal | Extract<AddPasskeyAnswer, { type: 'refused' }>['reason']

/** What is wrong with the answer of a passkey. */
export function passkeyFault(reason: Reason): PageFault {
  return faultOf(passkeyField, reason, credentials[`passkey_${reason}`])
}

/** The fault of a passkey whose device did not make sure who it is. */
export const unverifiedPasskey = faultOf(
  passkeyField,
  'not_verified',
  credentials.passkeyUnverified,
)

/** The visibilities in plain words. */
export const visibilityWords = {
  public: profile.public,
  trusted: profile.trusted,
  private: profile.private,
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
  { value: 'name', label: credentials.seenName },
  { value: 'public', label: credentials.seenAll },
  { value: 'trusted', label: credentials.seenTrusted },
  { value: 'private', label: credentials.seenPrivate },
] as const

/** A choice of who sees a profile as a whole: the name, until somebody says otherwise. */
export function profileVisibilityField(state: FormState): Html {
  const chosen = state.values.get(ofAll) ?? 'name'
  const values = new Map([...state.values, [ofAll, chosen]])
  const field = {
    name: ofAll,
    label: credentials.seenBy,
    hint: credentials.seenByHint,
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
