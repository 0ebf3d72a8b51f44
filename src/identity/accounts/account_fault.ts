import type { FieldFault } from '#actors/values/fault_list.ts'

// What can be wrong with what is asked of an account, but for its password's rules.

export const wrongPassword: FieldFault = {
  field: 'current_password',
  code: 'wrong',
  message: 'This is not your current password.',
}

export const noEmail: FieldFault = {
  field: 'email',
  code: 'bad_value',
  message: 'Write one e-mail address, such as ada@example.org.',
}

export const emailTaken: FieldFault = {
  field: 'email',
  code: 'taken',
  message: 'There is an account with this e-mail address: sign in, or reset its password.',
}

export const linkTaken: FieldFault = {
  field: 'link',
  code: 'taken',
  message: 'This account elsewhere signs another person in already.',
}

export const usernameTaken: FieldFault = {
  field: 'username',
  code: 'taken',
  message: 'Somebody else has this username: choose another one.',
}

export const invitationSpent: FieldFault = {
  field: 'invitation',
  code: 'spent',
  message: 'This invitation was used or has expired: ask for another one.',
}

export const setupOver: FieldFault = {
  field: 'setup',
  code: 'spent',
  message: 'This registry has an administrator already.',
}
