import type { FieldFault } from '#actors/values/fault_list.ts'
import type { CodeAnswer } from '#src/identity/accounts/second_factor.ts'
import type { Field } from '#src/pages/kit/form_field.ts'

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
