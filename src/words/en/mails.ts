import { messages } from '#src/words/message.ts'

/** Mails to the owners of accounts. `registry` is its address; a link follows on a line of its own. */
export const mails = messages('mails', {
  hello: 'Hello,',
  verifySubject: 'Confirm your e-mail address',
  verifyText:
    'You (or someone using your address) created an account at {$registry}. If it was you, confirm the address by opening this page within two days:',
  verifyElse: 'If it was not you, you need to do nothing: the address stays unconfirmed.',
  resetSubject: 'Choose a new password',
  resetText:
    'Somebody asked for a new password for your account at {$registry}. If it was you, choose one on this page within one hour. It works once:',
  resetElse: 'If it was not you, you need to do nothing: your password stays as it is.',
  unlockSubject: 'Too many passwords were tried for your account',
  unlockText:
    'Somebody tried too many passwords for your account at {$registry}. For a while we refuse all passwords, except in browsers in which you have signed in before. To sign in with another browser, open this page in it within one hour. It works once:',
  unlockElse: 'Your password stays as it is. If it is easy to guess, choose another one.',
  passwordSubject: 'Your password was changed',
  passwordText:
    'The password of your account at {$registry} was changed, and other browsers were signed out. If it was not you, choose a new one at once:',
  passwordByLink:
    'Your account at {$registry} has a new password, and every browser was signed out.',
  passwordEnded:
    'This address had not been confirmed. So we also ended the keys of the account, its ' +
    'permissions and the accounts elsewhere that signed it in. See here what acts for you from ' +
    'now on:',
  passwordLeft:
    'Keys, permissions and accounts elsewhere still act for it. If somebody else could have ' +
    'had the account, end what is not yours on this page:',
  addressSubject: 'Your e-mail address was changed',
  addressText:
    'Your account at {$registry} has another e-mail address now. If it was not you, tell the operator of the registry: this address no longer opens the account.',
  secondOn: 'The second step of your sign-in is on',
  secondOff: 'The second step of your sign-in is off',
  secondOnText:
    'From now on your account at {$registry} asks for a code of an app after the password.',
  secondOffText: 'Your account at {$registry} no longer asks for a code after the password.',
  lookAtOnce: 'If you do not expect this, choose a new password and look at this page at once:',
  passkeyAdded: 'A passkey was added',
  passkeyRemoved: 'A passkey was removed',
  passkeyAddedText: 'The passkey “{$name}” was added to your account at {$registry}.',
  passkeyRemovedText: 'The passkey “{$name}” was removed from your account at {$registry}.',
  recoverySubject: 'A recovery code was used',
  recoveryText: `.input {$left :integer} .match $left
    one {{Somebody signed in to your account at {$registry} with its password and a recovery code. 1 code is left. If it was not you, choose a new password at once. Create new codes here:}}
    * {{Somebody signed in to your account at {$registry} with its password and a recovery code. {$left} codes are left. If it was not you, choose a new password at once. Create new codes here:}}`,
  invitationSubject: 'You are invited to {$organization}',
  // `role` is one of the catalogue, such as `editor`.
  invitationText:
    '{$by} invites you to {$organization} at {$registry}. Your role: {$role}. Accept or decline on this page within one week. You sign in there, or create an account:',
  invitationElse: 'If this is not for you, you need to do nothing.',
  writeSubject: '{$by} wrote to your profile',
  // `what` is one of the texts below, such as “Registered a work for you”.
  writeText: '{$by} made this change at {$registry}, as you have permitted: {$what}.',
  writeSee: 'See what was written, undo it, or end the permission here:',
  ProfileUpdated: 'your profile was changed',
  ItemAdded: 'an affiliation or education was added',
  ItemChanged: 'an affiliation or education was changed',
  ItemRemoved: 'an affiliation or education was removed',
  WorkRegistered: 'a work was registered for you',
  WorkVersioned: 'a work of yours was changed',
  WorkWithdrawn: 'a work of yours was withdrawn',
  ClaimMade: 'a work was attached to you',
  ClaimChanged: 'a claim to a work of yours was changed',
  // `name` says what: `organization press`, `account p…`, `application …`.
  suspendedSubject: 'Suspended: {$name}',
  suspendedText: 'An administrator has suspended this at {$registry}: {$name}. The reason:',
  suspendedElse:
    'Until it ends, we refuse keys, tokens, webhooks, forms and sign-ins. Works stay readable. Questions: {$contact}',
  resumedSubject: 'No longer suspended: {$name}',
  resumedText:
    'The suspension at {$registry} has ended: {$name}. Everything works as before. Webhooks now get the events that they missed.',
  withheldSubject: 'The {$name} is withheld',
  withheldText:
    'The operator of the registry at {$registry} withholds the {$name} for now. Readers see the reason as well:',
  withheldElse:
    'We do not show its page, its content and its citations. Nothing is withdrawn. Questions: {$contact}',
  shownSubject: 'The {$name} is shown again',
  shownText: 'The operator of the registry at {$registry} no longer withholds the {$name}.',
  ownerSubject: '{$organization} has a new owner',
  ownerText:
    'The operator of the registry at {$registry} has named an owner of {$organization}. See the owners here:',
  role_owner: 'owner',
  role_editor: 'editor',
  role_viewer: 'viewer',
})
