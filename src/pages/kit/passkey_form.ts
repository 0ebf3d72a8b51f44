import type { FieldFault } from '#actors/values/fault_list.ts'
import type {
  AddPasskeyAnswer,
  AskedPasskey,
  PasskeyRefusal,
} from '#src/identity/accounts/passkeys.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { hiddenField } from '#src/pages/kit/form_field.ts'
import { html, type Html, type HtmlContent } from '#src/pages/kit/html.ts'

/** A form that a passkey answers. Its page has `passkeyScript`. */
export type PasskeyForm = {
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
