import { passwordCharactersMin } from '#src/identity/accounts/password_hash.ts'
import type { Field } from '#src/pages/kit/form_field.ts'

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
