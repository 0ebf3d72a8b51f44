import { messages } from '#src/words/message.ts'

/** Sign-in, sign-up, new passwords, and confirmation: who somebody is. */
export const credentials = messages('credentials', {
  // Fields of forms.
  email: 'E-mail address',
  newEmail: 'New e-mail address',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  // `min` is a number.
  passwordHint: '{$min} characters or more; a sentence is easy to remember.',
  code: 'Code',
  codeHint: 'Six digits, or a recovery code such as {$example}.',
  recoveryCode: 'Recovery code',
  recoveryCodeHint: 'Such as {$example}.',
  name: 'Name',
  nameHint: 'As your works show it.',
  username: 'Username',
  usernameHint: 'A short name of your own: lower-case letters, digits and hyphens.',
  emailHint: 'You sign in with it. Nobody else sees it unless you let them.',
  newEmailHint: 'You sign in with it from then on.',
  seenBy: 'Who sees your profile',
  seenByHint:
    'You can change this at any time, for each part of your profile. If you ask for an ' +
    'organization, claim a work or join an organization, those who decide see your name and ' +
    'your e-mail address in any case.',
  seenName: 'Everybody sees my name, and only I see the rest',
  seenAll: 'Everybody sees my name and my profile',
  seenTrusted: 'Only I and the applications that I permit',
  seenPrivate: 'Only I',

  // Passkeys: the browser or a key shows who somebody is, without a password.
  noScript:
    'Passkeys need JavaScript, and this browser does not run it. Everything else here works ' +
    'without it.',
  notChosen: 'No passkey was chosen, or it took too long. You can try again.',
  alreadyHeld: 'This device or key holds a passkey of this account already.',
  notAtAddress: 'This browser takes no passkeys at this address.',
  notSupported: 'This device or key cannot make such a passkey.',
  notUsable: 'The passkey could not be used. You can try again.',
  noPasskeys: 'This browser knows no passkeys.',

  // What is wrong with what was typed, or shown.
  wrongCode:
    'This code is wrong, or was used already. Wait for the next one, and check the clock of ' +
    'your device.',
  codesPaused: `.input {$minutes :integer} .match $minutes
    one {{Too many wrong codes were tried. Digits are refused for 1 minute; a recovery code still works.}}
    * {{Too many wrong codes were tried. Digits are refused for {$minutes} minutes; a recovery code still works.}}`,
  passkey_expired: 'That took too long, or came from another page. Try again.',
  passkey_spent: 'This answer of a passkey was used already. Try again.',
  passkey_wrong: 'We do not know this passkey, or its answer is wrong.',
  passkey_counter:
    'This passkey counts backwards, as a copy of it would. We refuse it: remove it, and add a ' +
    'new one.',
  passkey_known: 'This passkey is in use already.',
  passkey_too_many: 'Your account has as many passkeys as it can have. Remove one first.',
  passkeyUnverified:
    'This passkey did not ask for a PIN, a finger or a face, so it is not enough alone. Sign ' +
    'in with your password, and use it as the second step.',
  writeName: 'Write your name.',
  writeEmail: 'Write your e-mail address.',
  writePassword: 'Write your password.',
  wrongPair: 'This e-mail address and password do not belong together.',
  wrongPassword: 'This is not your current password.',
  email_bad_value: 'Write one e-mail address, such as ada@example.org.',
  email_taken: 'There is an account with this e-mail address: sign in, or reset its password.',
  username_taken: 'Somebody else has this username: choose another one.',
  invitation_spent: 'This invitation was used or has expired: ask for another one.',
  password_too_short: 'Choose a longer password.',
  password_too_long: 'Choose a shorter password.',
  password_too_common: 'Many people use this password, so it is tried first: choose another one.',
  password_not_secret: 'Choose a password that is not your name, username or e-mail address.',

  // The page of the sign-in.
  title: 'Sign in',
  forgotten: 'Forgotten your password?',
  withPasskeyTitle: 'Or with a passkey',
  withPasskey: 'Sign in with a passkey',
  withOtherTitle: 'Or with another account',
  // `name` is of a service, such as ORCID.
  withOther: 'Sign in with {$name}',
  noAccount: 'No account yet? {#link}Create an account{/link}.',
  askedAgain:
    'The application asks you to sign in again. Until you do, you stay signed in as {$who}.',
  testPeople:
    'Only test people sign in here. {#code}POST /v1/people{/code} with a key {#code}svc_test_…{/code} makes one, and returns their address and password.',
  signedOut: 'You are signed out.',
  expired: 'You were signed out meanwhile. Sign in and send it again.',
  kept:
    'You were signed out meanwhile. Sign in: what you typed is kept for ten minutes, except ' +
    'passwords and codes.',
  codeExpired: 'That took too long. Sign in again.',
  passwordChanged: 'Your password is changed. Sign in with it.',
  unlocked: 'You can sign in with this browser now.',
  emailConfirmed: 'Your e-mail address is confirmed.',
  accountErased: 'Your account and the personal data in it are erased.',
  lockedTitle: 'Too many passwords were tried',
  lockedText: `.input {$minutes :integer} .match $minutes
    one {{For 1 minute we refuse all passwords for this account, except in a browser in which you have signed in to it before.}}
    * {{For {$minutes} minutes we refuse all passwords for this account, except in a browser in which you have signed in to it before.}}`,
  lockedLink: 'Or use the link that we have sent to the address of the account, if there is one.',
  lockedAsk: 'Or ask the operator of this registry for a link to choose a new password.',
  unlockTitle: 'Sign in although others have tried',
  unlockText:
    'We count the passwords that you try for {$who} in this browser apart from those that others try.',
  unlock: 'Go on with this browser',
  expiredLink: 'This link was used already, or its time is over: ask for a new one',

  // The second step of the sign-in, after the password.
  codeTitle: 'Your code',
  codeLead: 'One more step for {$who}: the six digits that your authenticator app shows now.',
  secondTitle: 'Your second step',
  secondLead: 'One more step for {$who}: your passkey, or a code.',
  withYourPasskey: 'With your passkey',
  usePasskey: 'Use your passkey',
  withCode: 'With a code',
  anotherAccount: 'Sign in with another account',
  withoutDevice: 'Without your device',
  withoutDeviceText:
    'Type one of your recovery codes; each works once. If you have none left, the operator of ' +
    'this registry can end the second step after making sure that it is you.',

  // The page on which somebody who is signed in shows again who they are.
  confirmTitle: 'Confirm your password',
  confirmLead:
    'This needs a sign-in within the last ten minutes, so nobody else can do it in a browser ' +
    'that you left open.',
  confirmSubmit: 'Confirm',
  confirmKept:
    'Nothing has changed yet. After this you go on where you were. What you typed is kept for ' +
    'ten minutes, except passwords and codes.',
  confirmForm: 'Nothing has changed yet. Send the form again after this.',
  unsentNothing: 'Nothing to send',
  unsentNothingText:
    'We keep what you typed for ten minutes and show it once. Open the page again, and fill ' +
    'the form in.',
  unsentTitle: 'Send the form now',
  unsentLead: 'You were signed out before you sent this form, so nothing has changed.',
  unsentHint: 'We do not keep passwords and codes. The form asks for them again.',
  unsentSubmit: 'Send form',

  // The page of the sign-up, and of the first administrator.
  signUpTitle: 'Create an account',
  signUpLead:
    'For researchers: claim your works, see all changes to your profile, and choose who can ' +
    'make them.',
  signUp: 'Create account',
  haveOne: 'Have an account already? {#link}Sign in{/link}.',
  byInvitation:
    'You need an invitation to create an account here: open the link that you were sent.',
  closed: 'You cannot create an account here. Ask the operator of this registry for one.',
  setupTitle: 'Set up this registry',
  setupLead: 'This creates the first administrator. The link works once.',
  setup: 'Create administrator',

  // New passwords and new addresses.
  resetTitle: 'Choose a new password',
  resetAsk: 'We send a link to the address of your account. It works once, for one hour.',
  resetSend: 'Send me a link',
  sentTitle: 'Look at your mail',
  sentText:
    'If there is an account with this address, we have sent it a link. The mail can take some ' +
    'minutes. Look in your spam folder as well.',
  noMail: 'This registry sends no mail. Ask its operator for a link to choose a new password.',
  resetLead: 'This signs out all browsers that are signed in.',
  resetEnds:
    'The address of this account was never confirmed, so somebody else could have created it. ' +
    'The new password also ends its keys, permissions, secrets of applications and accounts ' +
    'elsewhere.',
  resetSubmit: 'Change password',
  verifyTitle: 'Confirm your e-mail address',
  verifyLead: 'Is {$email} your address?',
  verifySubmit: 'Confirm this address',
  emailTitle: 'Change the e-mail address',
  emailNow: 'Your address is {$email} now.',
  emailNone: 'Your account has no e-mail address.',
  emailLeave: 'Keep the old address',
  emailSubmit: 'Change address',

  // The sign-in with an account of another service, such as ORCID, by its name.
  goingTo: 'Going to {$name}',
  goOn: 'If nothing happens, {#link}continue{/link}.',
  notSignedIn: 'Not signed in',
  tryAgain: 'Try {$name} again',
  otherwise: 'Sign in another way',
  elsewhereExpired: 'This sign-in has expired.',
  elsewhereRefused: '{$name} has not signed you in.',
  elsewhereOut: 'You were signed out meanwhile.',
  elsewhereTaken: 'That account signs in somebody else here already.',
  elsewhereNone: 'No account here belongs to that one, and you cannot create one.',
  elsewhereFailed: 'We could not create an account.',
})
