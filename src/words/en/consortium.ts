import { messages } from '#src/words/message.ts'

/**
 * Organizations above organizations: a consortium is the one above, and its members are those
 * below. `{$lead}` is the name of the organization above, `{$name}` that of the one below it.
 */
export const consortium = messages('consortium', {
  heading: 'Consortium',
  lead: 'An organization can be part of another one, such as a consortium, a university or a group of publishers.',

  // The organization above this one.
  aboveHeading: 'Part of',
  partOf: '{$name} is part of {$lead}.',
  whatLeadsDo:
    'Owners of {$lead} see your works, figures, keys and members. They can create and revoke your keys. The history names them. They cannot register or change works on these pages, and they cannot change your members.',
  keysStay: 'Keys that they created still work after you leave. Revoke those that you do not want.',
  leave: 'Leave {$lead}',
  notPart: 'This organization is not part of another one.',
  invitedBy: '{$lead} invites you to be part of it.',
  accept: 'Accept',
  decline: 'Decline',

  // The organizations below this one.
  belowHeading: 'Organizations below',
  total: `.input {$count :integer} .match $count
    one {{1 organization below. Together with it: works {$works :integer}.}}
    * {{{$count} organizations below. Together with them: works {$works :integer}.}}`,
  noneBelow: 'No organizations below',
  noneBelowText: 'Invite an organization, and its owners are asked by mail.',
  organization: 'Organization',
  level: 'Part of',
  works: 'Works',
  members: 'Members',
  keys: 'Keys',
  linksFollowed: 'Links followed this month',
  openKeys: 'Keys of {$name}',
  number: '{$count :integer}',
  invitedHeading: 'Invited, not answered yet',
  withdrawOf: 'Cancel the invitation of {$name}',
  end: 'End',
  endOf: 'End the membership of {$name}',

  inviteHeading: 'Invite an organization',
  invite: 'Invite organization',
  shortName: 'Short name of the organization',
  shortNameHint: 'As its page shows it, such as brown-university.',
  inviteHint:
    'Its owners get a mail and decide. You can see its figures, keys and members only after they accept.',
  setHeading: 'Set the organization above',
  set: 'Set',
  setHint:
    'As an administrator you need no invitation. Owners of both organizations are told by mail.',

  invited: 'The organization is invited. Its owners decide.',
  joined: 'The organization is part of the other one now.',
  left: 'The organization is no longer part of the other one.',
  declined: 'The invitation is declined.',

  // For an owner of the organization above, on every page of the one below.
  visit:
    'You see {$name} as an owner of {$lead}, which it is part of. You can create and revoke its keys. Its history names you.',

  // Mails: subject, what happened, and what to do before a link.
  invitedSubject: '{$lead} invites {$name}',
  invitedText:
    '{$doer} asks {$name} to be part of {$lead}. If you accept, owners of {$lead} see your works, figures, keys and members, and can create and revoke your keys.',
  invitedDo: 'Accept or decline here',
  endedSubject: '{$name} is not part of {$lead}',
  endedText: 'The invitation of {$name} to be part of {$lead} has ended. {$doer} ended it.',
  joinedSubject: '{$name} is part of {$lead} now',
  joinedText:
    '{$name} is part of {$lead} now. {$doer} did this. Owners of {$lead} see its works, figures, keys and members, and can create and revoke its keys.',
  leftSubject: '{$name} is no longer part of {$lead}',
  leftText:
    '{$name} is no longer part of {$lead}. {$doer} did this. Keys that owners of {$lead} created for it still work until somebody revokes them.',
  seeHere: 'See more here',
})
