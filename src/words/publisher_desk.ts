// Words of the desk of publishers: of their pages, those that are in the languages of desks alone.
import { messages } from '#src/words/message.ts'

/** The page of people who say that they wrote works of an organization. */
export const organizationClaims = messages('organizationClaims', {
  heading: 'Claims of authorship',
  confirmed: 'You confirmed: the person counts as an author.',
  rejected: 'You declined: the person does not count as an author.',
  none: 'No claims to answer',
  noneText: 'When people say that they wrote works of this organization, you answer here.',
})

/** The page that undoes what a member, a key or an application did since a time. */
export const undoing = messages('undoing', {
  heading: 'Undo many changes',
  lead: 'For a stolen key or a misused account: first revoke the key or end the membership. Then undo here what it did to works. You see every work before anything changes.',
  by: 'Done by',
  since: 'Since',
  sinceHint: 'A day or a time in UTC, such as 2026-11-28T15:00.',
  reasonHint: 'Readers of withdrawn works see it.',
  whatHappens:
    'We withdraw works that were registered since then, permanently. We register withdrawn works again: they get a new ARK, and the page of the old ARK names it. Other works get a new version with their metadata from before. We leave out works that somebody else changed afterwards, and list them.',
  preview: 'Preview changes',
  other: 'Change works in another way',
})

/** The reasons for a withdrawal, by their codes, and what a form asks beside them. */
export const withdrawals = messages('withdrawals', {
  reason: 'Reason',
  choose: 'Choose one',
  author_request: 'The authors asked for it',
  retraction: 'Retraction: do not rely on its findings',
  duplicate: 'It is registered twice',
  copyright: 'Copyright',
  fraud: 'Fraud or misconduct',
  court_order: 'Court order',
  rights_of_others: 'Rights of others',
  personal_data: 'Personal data',
  legal: 'Another legal reason',
  test: 'It was a test',
  other: 'Another reason (explain in the note)',
  note: 'Note to readers',
})

/** Members of an organization and invitations to it. `name` is a person, `organization` an organization. */
export const members = messages('members', {
  heading: 'Members',
  // Roles: a name, and what it allows. The names alone are in `organizations`.
  asViewer: 'Viewer: sees what members see',
  asEditor: 'Editor: registers works and describes the organization',
  asOwner: 'Owner: can do everything, also keys, applications and members',
  // The list.
  table: 'Members, oldest first',
  none: 'No members yet',
  noneText: 'An administrator of the registry can add the first one.',
  person: 'Person',
  you: ' (you)',
  role: 'Role',
  roleOf: 'Role of {$name}',
  change: 'Change role',
  leaveColumn: 'Leave or remove',
  leaveLink: 'Leave…',
  removeLink: 'Remove…',
  removeOf: 'Remove {$name}…',
  // Adds a person who has an account.
  addAtOnce: 'Add somebody by username, without an invitation',
  addHeading: 'Add a member',
  username: 'Username or identifier',
  usernameHint: 'As their profile shows it, such as ada, or p followed by letters and digits.',
  add: 'Add member',
  // Done.
  added: 'The person is a member now.',
  organizationAdded: 'The organization is added. Add its first owner here.',
  changed: 'The role is changed.',
  removed: 'The person is no longer a member.',
  invited: 'We sent the invitation. You see it below until it is answered.',
  canceled: 'The invitation is canceled. Its link is no longer valid.',
  // Refused.
  noPerson: 'There is nobody with this username or identifier.',
  alreadyMember: 'The person is already a member. Change the role below.',
  notMember: 'The person is no longer a member.',
  lastOwner: 'An organization must keep an owner. Make somebody else an owner first.',
  tooMany: 'The organization has as many members as it can have.',
  onlyOwners: 'Only owners can change the members of an organization.',
  // Leaving, and removing somebody.
  leaveHeading: 'Leave {$organization}?',
  removeHeading: 'Remove {$name}?',
  youLose: 'You can no longer see its pages or register works for it. An owner can add you again.',
  theyLose: '{$name} can no longer see its pages or register works for it. You can add them again.',
  othersStay: 'Keys and applications of the organization keep working.',
  leave: 'Leave organization',
  remove: 'Remove member',
  cancel: 'Cancel',
  notYet: 'Not possible yet',
  youAreLast:
    'You are the only owner, and an organization must keep an owner. First {#link}make another member an owner{/link}.',
  youAreAlone:
    'You are the only owner, and an organization must keep an owner. First {#link}add another owner{/link}.',
  theyAreLast:
    'This person is the only owner, and an organization must keep an owner. First {#link}make another member an owner{/link}.',
  theyAreAlone:
    'This person is the only owner, and an organization must keep an owner. First {#link}add another owner{/link}.',
  closing:
    'If you no longer need the organization, ask an administrator of the registry. Its works and their receipts stay.',
  // Invitations that owners send.
  inviteHeading: 'Invite somebody by mail',
  email: 'E-mail address',
  inviteHint:
    'They get a link to accept or decline within a week. They see your name and your e-mail address.',
  linkHint: 'This registry sends no mail. We show you a link once: give it to them.',
  invite: 'Send invitation',
  invitations: 'Invitations waiting for an answer',
  invitationTable: 'Invitations',
  address: 'Address',
  invitedBy: 'Invited by',
  sent: 'Sent',
  validUntil: 'Valid until',
  changeColumn: 'Actions',
  again: 'Send again',
  revoke: 'Cancel invitation',
  link: 'Link of the invitation',
  emailNeeded: 'Enter an address such as name@example.org.',
  waits_already: 'This address already has an invitation. Send it again, or cancel it first.',
  too_many: 'Too many invitations are waiting for an answer. Cancel one, or wait for an answer.',
  too_often: 'We sent a message to this address a moment ago, or many today. Try again later.',
  not_found: 'This invitation is no longer open.',
})

/** The page behind the link of an invitation to an organization. */
export const invitations = messages('invitations', {
  heading: 'You are invited to {$organization}',
  yourRole: 'Your role',
  seen: 'If you accept, all members of {$organization} see your name and your e-mail address.',
  signUp: 'Create an account to accept',
  signIn: 'Sign in to accept',
  over: 'This invitation is no longer valid',
  overText:
    'It was answered, canceled or sent again, or it is older than a week. Ask the person who invited you for a new one.',
  declined: 'You declined the invitation',
  declinedText: 'Nothing else happened. The link is no longer valid.',
  memberAlready: 'You are already a member. An owner can change your role.',
  notAllowed: 'The person who invited you can no longer do so. Ask another owner.',
})

/** The import of works from a file: sending it, its preview, and what became of its entries. */
export const imports = messages('imports', {
  heading: 'Import works from a file',
  lead: 'Send a file that your reference manager exports, or a table. A row with the ARK of a work changes that work. Before anything is registered, you see every entry as it will be registered, and all errors. {#template}Template for a table{/template}',
  file: 'A file of BibTeX, RIS, CSV, XML or JSON',
  fileHint:
    'In UTF-8, with {$count :integer} entries at most. XML of DataCite, Crossref, JATS or MODS; CSL-JSON, schema.org, or what Crossref and DataCite show for a DOI.',
  text: 'Or paste its text here',
  read: 'Read file',
  back: 'Back to the works',
  notBoth: 'Choose a file or paste its text, not both.',
  // The preview. `ready`, `changed` and `all` are numbers of works and entries.
  preview: 'Check before registering',
  canRegister: `.input {$all :integer} .match $all
    one {{You can register {$ready :integer} of 1 entry.}}
    * {{You can register {$ready :integer} of {$all} entries.}}`,
  canChange: `.input {$changed :integer} .match $changed
    one {{You can change 1 work.}}
    * {{You can change {$changed} works.}}`,
  othersFail:
    'The others have errors, which we show below. Correct them in the file, and import it again.',
  // How many remarks there are about the file, by kind; `remarks` is a list of the four below.
  remarks: 'Our notes on the file: {$remarks}.',
  left_out: '{$count :integer} left out',
  not_read: '{$count :integer} not read',
  repeated: '{$count :integer} repeated',
  taken_as: '{$count :integer} read in another meaning',
  entries: 'Entries of the file',
  sendOther: 'Import another file',
  // What the columns of a table hold.
  columns: 'What the columns hold',
  columnsUnread: `.input {$count :integer} .match $count
    one {{What the columns hold: we read nothing from 1 column}}
    * {{What the columns hold: we read nothing from {$count} columns}}`,
  nothing: 'nothing',
  column: 'Column {$number}',
  perhaps: 'Is it “{$field}”?',
  readAgain: 'Read again with these columns',
  first_page: 'first page',
  last_page: 'last page',
  orcids: 'ORCID iDs',
  affiliations: 'affiliations',
  rors: 'ROR IDs',
  funder: 'funder',
  award: 'award',
  // Registering what was read.
  registerHeading: 'Register these works',
  anyway: `.input {$count :integer} .match $count
    one {{Register the entry that looks like a duplicate, too}}
    * {{Register the {$count} entries that look like duplicates, too}}`,
  register: `.input {$ready :integer} .match $ready
    0 {{Register works}}
    one {{Register 1 work}}
    * {{Register {$ready} works}}`,
  change: `.input {$changed :integer} .match $changed
    one {{Change 1 work}}
    * {{Change {$changed} works}}`,
  registerAndChange: 'Register {$ready :integer} and change {$changed :integer} works',
  // Done.
  done: 'Import finished',
  registeredCount: `.input {$count :integer} .match $count
    one {{1 work is registered.}}
    * {{{$count} works are registered.}}`,
  changedCount: `.input {$count :integer} .match $count
    one {{1 work is changed.}}
    * {{{$count} works are changed.}}`,
  leftCount: `.input {$count :integer} .match $count
    one {{1 entry is not registered: the table says why.}}
    * {{{$count} entries are not registered: the table says why.}}`,
  results: 'What became of the entries',
  toWorks: 'Go to the works',
  more: 'Import more',
  // The table of entries.
  entry: 'Entry',
  work: 'Work',
  outcome: 'Result',
  line: '{$key}, line {$line}',
  remarkLine: '{$remark} (line {$line})',
  noTitle: 'No title',
  registered: 'registered',
  ready: 'ready to register',
  duplicate: 'looks like a duplicate',
  same: 'no changes',
  version: 'version {$version}',
  notRegistered: 'not registered',
  wasNotRegistered: 'It was not registered.',
})
