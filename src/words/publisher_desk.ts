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
    one {{1 work was registered.}}
    * {{{$count} works were registered.}}`,
  changedCount: `.input {$count :integer} .match $count
    one {{1 work was changed.}}
    * {{{$count} works were changed.}}`,
  leftCount: `.input {$count :integer} .match $count
    one {{1 entry was not registered: the table says why.}}
    * {{{$count} entries were not registered: the table says why.}}`,
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

/** The list of an organization’s works: its filter, what can be done with selected works, and files of them. */
export const worksList = messages('worksList', {
  recheck: 'We check the contents again, one after another, as their hosts allow.',
  nothing: 'Select the works first, then choose again.',
  select: 'Select',
  selectOf: 'Select {$title}',
  title: 'Title',
  registered: 'Registered',
  version: 'version {$version}',
  change: 'Change',
  edit: 'Edit',
  editOf: 'Edit {$title}',
  newVersion: 'New version',
  newVersionOf: 'New version of {$title}',
  withdraw: 'Withdraw',
  withdrawOf: 'Withdraw {$title}',
  changeMany: 'Change many works',
  searchFailed: 'Search failed',
  failed: 'We could not search these works',
  showAll: 'Show all works',
  // How many works a filter finds, and what the list lacks.
  count: `.input {$count :integer} .match $count
    one {{1 work.}}
    * {{{$count} works.}}`,
  moreThan: `.input {$count :integer} .match $count
    one {{More than 1 work.}}
    * {{More than {$count} works.}}`,
  withdrawnFirst: 'Withdrawn works, the last withdrawn first.',
  withdrawnHint: 'We search the titles and ARKs of withdrawn works.',
  foundHint: 'This list has no withdrawn works. New works appear in it after a moment.',
  noMatch: 'No works match',
  noMatchText: 'Use fewer words, or remove a filter. To see withdrawn works, filter by state.',
  none: 'No works yet',
  noneText:
    'Here you see the works that the organization registers, and the state of their content.',
  // What can be done with the works that are selected.
  selected: 'With selected:',
  selectAll: 'Select all {$count :integer} on this page',
  selectNone: 'Select none',
  recheckSelected: 'Check content again',
  exportAll: 'All works as {$format}',
  exportFound: 'All results as {$format}',
  exportLimits:
    'Exports stop at {$works :integer} works, {$size} or {$minutes :integer} minutes. The last line then links to the rest.',
  // The filter.
  filterLabel: 'Works of the organization',
  searchLabel: 'Title, DOI or ARK',
  search: 'Search',
  filterAndSort: 'Filter and sort',
  filtersSet: 'Filter and sort ({$count :integer} set)',
  everyType: 'All types',
  state: 'State',
  all: 'All',
  content: 'Content',
  verified: 'As registered',
  pending: 'Not checked yet',
  contentChanged: 'Changed',
  unreachable: 'Could not be read',
  stateRegistered: 'Registered',
  stateWithdrawn: 'Withdrawn',
  registeredIn: 'Registered in',
  order: 'Sort by',
  bestMatch: 'Best match',
  newest: 'Newest first',
  oldest: 'Oldest first',
  updated: 'Last changed first',
  published: 'Last published first',
  byTitle: 'Title',
  apply: 'Apply',
  noMonth: '“{$typed}” is not a year or month. Enter one such as 2026 or 2026-03.',
})

/** Webhooks of an organization. Kinds of events have the codes of the API, with a low line in place of the point. */
export const webhooks = messages('webhooks', {
  heading: 'Webhooks',
  headingOf: 'Webhooks of {$application}',
  lead: 'Endpoints that receive signed events about the works of {$organization}, or about what people permit its applications to read. {#guide}How to verify them{/guide}.',
  leadOf: 'Endpoints that receive events about what people permit {$application} to read.',
  none: 'No webhooks yet',
  noneText:
    'A webhook sends events to your program at once, so that it does not have to ask again and again.',
  work_created: 'Work registered',
  work_updated: 'Metadata changed',
  work_version_added: 'Version added',
  work_withdrawn: 'Work withdrawn',
  work_fixity_changed: 'Result of a content check changed',
  affiliation_added: 'Affiliation added',
  profile_updated: 'Profile changed by its person',
  claim_requested: 'Authorship claimed',
  claim_verified: 'Claim verified',
  permission_revoked: 'Permission of a person ended',
  log_checkpoint: 'New checkpoint of the log (at most one per minute)',
  // The form.
  create: 'Create webhook',
  createSandbox: 'Create a webhook of the sandbox',
  createHeading: 'Create a webhook',
  url: 'Endpoint URL',
  urlHint: 'We send events here: an https address that the internet can reach.',
  name: 'Name',
  nameHint: 'What it is for, in one line.',
  events: 'Send these events',
  eventsNeeded: 'Select at least one event.',
  // One webhook.
  webhook: 'Webhook',
  active: 'active',
  paused: 'paused',
  failed: 'failed',
  application: 'Application',
  eventKinds: 'Kinds of events',
  failure: 'Reason of the failure',
  failedTries: 'Failed attempts in a row',
  open: 'Deliveries and settings…',
  state: 'State',
  registry: 'Registry',
  deliveredTo: 'Delivered up to change',
  held: 'Refused, waiting for a retry',
  heldCount: `.input {$count :integer} .match $count
    one {{1 event}}
    * {{{$count} events}}`,
  nextTry: 'Next attempt',
  publicKey: 'Public key',
  created: 'Created',
  pause: 'Pause webhook',
  resume: 'Resume webhook',
  tryNow: 'Retry now',
  ping: 'Send ping',
  roll: 'Roll secret',
  rollHint: 'A new secret signs at once. The old one also signs for one more day.',
  secret: 'Secret of the webhook',
  allWebhooks: 'All webhooks',
  removeLink: 'Remove webhook…',
  // Deliveries.
  deliveries: 'Deliveries',
  noDeliveries: 'We have sent nothing yet. Send a ping to try it.',
  deliveriesTable: 'We keep the newest 200 deliveries for one week.',
  event: 'Event',
  when: 'When',
  result: 'Result',
  took: 'Duration',
  details: 'Details',
  milliseconds: '{$count :integer} ms',
  delivered: 'delivered, {$status}',
  notReached: 'not reached',
  refused: 'refused, {$status}',
  requestAndAnswer: 'Request and response {$number}',
  body: 'Body of delivery {$number}',
  answer: 'Response to delivery {$number}',
  again: 'Send again',
  // Sends former events again.
  replayHeading: 'Send past events again',
  after: 'After change',
  afterHint: 'Its seq in the feed of changes. Use 0 for the beginning.',
  until: 'Up to change',
  untilHint: 'If you leave it empty, the webhook continues from there.',
  replay: 'Send events again',
  changeHeading: 'Change the webhook',
  save: 'Save webhook',
  // Done.
  removed: 'The webhook is removed, with its secret and its deliveries.',
  changed: 'The webhook is changed.',
  pinged: 'We are sending a ping. In a moment you see its result among the deliveries.',
  isPaused: 'The webhook is paused. We send nothing until you resume it.',
  isResumed: 'The webhook continues where it stopped.',
  replayed: 'We are sending the events again.',
  // Removal.
  removeHeading: 'Remove this webhook?',
  removeText:
    'We send nothing more to {$url}, not even events that are waiting. We permanently delete its secret and its deliveries. To stop it for a while, pause it.',
  remove: 'Remove webhook',
  keep: 'Keep webhook',
})

/** Works whose content changed or is not confirmed, by host and cause. */
export const contentChecks = messages('contentChecks', {
  recheckOne: 'We check the content again as soon as its host allows.',
  recheckMany: 'We check the contents again, one after another, as their host allows.',
  heading: 'Content to look at',
  // `works` and `causes` are numbers.
  bound:
    'We looked at the first {$works :integer} works that fail, and show the {$causes :integer} most frequent causes.',
  none: 'Nothing to do',
  noneText:
    'Here you see works with content that changed or is not confirmed, by host and cause, with what to do. Not confirmed: we cannot fetch it, or it differs each time.',
  changed: 'Content has changed',
  unreachable: 'Content is not confirmed now, but was confirmed before',
  never_read: 'Content was never confirmed',
  changedAdvice:
    'If somebody changed the file by mistake, restore the former one. If it is a new version, register it as a new version: the former receipt stays valid.',
  unreachableAdvice:
    'Make the address return the file again, or change the address of the work to where the file is now.',
  never_readAdvice:
    'Make the address return the file, or change the address of the work to that of the file. Link to the file itself, not to its landing page.',
  host: 'Host',
  unknownHost: 'unknown',
  cause: 'Cause',
  unknownCause: 'unknown',
  works: 'Works',
  again: 'Check again',
  againNext: 'Check the next {$count :integer} again',
  allCauses: 'All causes',
  noneHere: 'No works fail for this cause now',
  noneHereText: 'We checked them again, or they were changed.',
  noneOfThese: 'None of these works fails for this cause',
  noneOfTheseText: 'We looked at {$count :integer} works that fail. Continue with the next ones.',
  table: 'Works with this cause',
  work: 'Work',
  address: 'Address',
  noAddress: 'none',
  lastChecked: 'Last checked',
  never: 'never',
})
