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
  // No reason that can be chosen: nobody withdrew the work.
  data_lost: 'Its metadata was lost',
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
  editors: 'editors',
  translators: 'translators',
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

/** Applications of an organization: its list, the form of one, and its page. */
export const ownApplications = messages('ownApplications', {
  heading: 'Applications',
  lead: 'People can sign in to these programs with their account here. The programs can write for people who permit it.',
  none: 'No applications yet',
  noneText: 'With an application, people can permit the organization to write to their profiles.',
  newHeading: 'Register an application',
  newSandbox: 'Register an application of the sandbox',
  register: 'Register application',
  open: 'Settings, secret and use…',
  // States.
  unverified: 'not verified',
  approved: 'verified',
  revoked: 'ended',
  warned: 'People see a warning until an administrator has verified it.',
  warnedAgain:
    'If you change its name, home page or redirect URIs, or let it ask for more, people see a warning again until an administrator has verified it.',
  // The form.
  name: 'Name',
  nameHint: 'People see it when the application asks them.',
  kind: 'Where it runs',
  confidential: 'On a server, which keeps a secret',
  public: 'In a browser or on a device, without a secret',
  redirectUris: 'Redirect URIs',
  redirectHint: 'One per line, exactly as the program sends it, such as https://example.org/back.',
  logoutUris: 'Redirect URIs after sign-out',
  logoutHint: 'One per line. If you leave it empty, we use the ones above.',
  scopes: 'Permissions that it can ask for',
  homepage: 'Home page',
  contact: 'E-mail address for questions',
  changeHeading: 'Change the application',
  save: 'Save application',
  // Facts.
  clientId: 'Client ID',
  secret: 'Secret',
  hasSecret: 'it has one',
  noSecret: 'none: it must use PKCE',
  registered: 'Registered',
  clientSecret: 'Client secret',
  all: 'All applications',
  // The variables of the tutorial.
  tryIt: 'Try it',
  tryText: 'The {#link}tutorial{/link} continues from these lines:',
  variables: 'Variables of the tutorial',
  // Its use.
  useHeading: 'Permissions and tokens',
  people: 'People who permit it',
  recent: 'Permissions used in 30 days',
  lastUsed: 'Last used',
  never: 'never',
  permitted: 'What they permit',
  permittedTo: '{$meaning}: {$count}',
  andMore: '{$count} and more',
  roll: 'Roll secret',
  rollHint: 'The old secret works for one more day.',
  endAll: 'End all permissions',
  endAllText:
    'This ends all permissions and tokens at once. The application stays and can ask people again.',
  webhooksText:
    'A webhook tells the application at once when data that people permit it to read changes, and when a permission ends.',
  webhooks: 'Webhooks of the application…',
  // Ending it.
  endLink: 'End…',
  endHeading: 'End this application?',
  endText: 'All permissions that people gave it end at once. You cannot undo this.',
  end: 'End application',
  keep: 'Keep application',
  // Done.
  isEnded: 'The application is ended, and so are all permissions that people gave it.',
  isChanged: 'The application is changed.',
  allEnded: 'All permissions are ended. No token of the application is valid any more.',
})

/** What happened to an organization and its works. */
export const history = messages('history', {
  heading: 'History',
  lead: 'Who did what: works, claims, members, keys. Only owners see it. Days are in UTC.',
  filter: 'History of the organization',
  showAll: 'Show the whole history',
  asCsv: '{#link}As CSV{/link}, with {$count :integer} entries at most.',
  undo: 'Undo all that they did to works…',
  newestFirst: 'Newest first',
  // Columns and fields of the filter.
  when: 'When',
  what: 'What',
  work: 'Work',
  by: 'By',
  from: 'From',
  until: 'Until',
  everything: 'Everything except uses of keys',
  anybody: 'Anybody',
  // Groups of those who did something.
  members: 'Members',
  keys: 'Keys',
  applications: 'Applications',
  others: 'Others',
  // Kinds of entries.
  registration: 'Registrations and imports',
  version: 'New versions',
  withdrawal: 'Withdrawals',
  claim: 'Claims of authors',
  organization: 'Members and description',
  access: 'Keys, applications and invitations',
  use: 'Uses of keys',
  // Nothing to show.
  noneYet: 'Nothing found yet',
  noneYetText: 'The latest entries do not match. The next page continues from here.',
  noMatch: 'Nothing matches',
  noMatchText: 'Choose another period, or remove a filter.',
  none: 'Nothing yet',
  noneText: 'Here you see what members and keys do.',
  noDay: '“{$typed}” is not a day. Write it as 2026-03-31.',
  backwards: 'The period ends before it begins.',
  // What happened to works.
  registered: 'Registered',
  registeredMany: `.input {$count :integer} .match $count
    one {{Registration of 1 work}}
    * {{Registration of {$count} works}}`,
  imported: `.input {$count :integer} .match $count
    one {{Import of 1 work}}
    * {{Import of {$count} works}}`,
  before: 'and those on the page before',
  around: 'and those on the pages before and after',
  after: 'and more on the next page',
  newVersion: 'Version {$version}',
  changedFields: 'Changed: {$fields}',
  withdrawn: 'Withdrawn',
  erased: 'Metadata erased',
  lost: 'Metadata lost',
  because: 'Reason: {$reason}',
  since: 'since {$time}',
  erasedWork: '{$ark}, erased',
  more: `.input {$count :integer} .match $count
    one {{and 1 more work}}
    * {{and {$count} more works}}`,
  // What happened to claims. `name` is a person, `status` one of the last five.
  make: 'Claim for {$name}',
  confirm: 'Claim of {$name} confirmed',
  reject: 'Claim of {$name} declined',
  contest: 'Claim of {$name} contested',
  withdraw: 'Claim of {$name} withdrawn',
  disclaim: '{$name} says that they did not write it',
  review: 'Claim of {$name} confirmed by ORCID iD',
  status: 'The claim is {$status}',
  state_pending: 'waiting',
  state_verified: 'verified',
  state_disputed: 'contested',
  state_rejected: 'declined',
  state_withdrawn: 'withdrawn',
  // What happened to the organization and its members.
  OrganizationCreated: 'Organization added',
  OrganizationUpdated: 'Description changed',
  MemberAdded: 'New member',
  MemberRoleChanged: 'Role of a member changed',
  MemberRemoved: 'Member removed',
  ParentInvited: 'Invited to be part of another organization',
  ParentInvitationEnded: 'An invitation to be part of another organization ended',
  ParentChanged: 'Joined or left an organization above it',
  asRole: 'As {$role}',
  fromNetwork: 'From {$network}',
  // Who did it.
  key: 'Key {$name}',
  application: 'Application {$name}',
  asAdministrator: '{$name}, as an administrator',
  operator: 'The operator',
  theRegistry: 'The registry',
  command: 'A command, for the organization',
})

/** Bulk changes of works: the form, the preview, and how far one is. */
export const bulkChanges = messages('bulkChanges', {
  heading: 'Change many works',
  lead: 'Choose works and what changes in all of them. You see every difference before anything changes. Each work gets a new version with its own receipt.',
  undoHint:
    'Was a key stolen, or an account misused? {#link}Undo many changes{/link} since a certain time.',
  another: 'Another change',
  back: 'Back to the change',
  // Which works.
  which: 'Which works',
  whichHint: 'Without any condition, we choose all works of the organization.',
  any: 'Any',
  q: 'Words of the work',
  qHint: 'As in the search of works.',
  publisher: 'Publisher',
  publisherHint: 'The whole name.',
  container: 'Journal or book',
  containerHint: 'The whole title.',
  license: 'License',
  suchAs: 'Such as {$example}',
  address: 'Address begins with',
  year: 'Published in',
  yearHint: 'A year, or years: 2019-2024.',
  registered_from: 'Registered from',
  registered_to: 'Registered until',
  type: 'Type',
  language: 'Language',
  orList: 'Or a list of works',
  works: 'ARKs or DOIs, one per line',
  file: 'Or a file of them',
  fileHint: 'One per line, or CSV with a column ark. At most {$count :integer} works.',
  // What changes.
  changes: 'What changes',
  newLicense: 'New license',
  newLicenseHint: 'Such as CC-BY-4.0, or its address.',
  newPublisher: 'New publisher',
  newContainer: 'New title of the journal or book',
  addressFrom: 'Replace this beginning of addresses',
  addressFromHint: 'Such as http://old.example.org/. Other addresses stay.',
  addressTo: 'With this one',
  authorFrom: 'Replace the name of this author',
  authorTo: 'With this name',
  authorToHint: 'Family name first: Lovelace, Ada. ORCID iD and affiliation stay.',
  newType: 'New type',
  newLanguage: 'New language',
  keep: 'Do not change',
  remove: 'Remove a field',
  removeNothing: 'Remove nothing',
  container_title: 'Title of the journal or book',
  publisher_name: 'Publisher',
  work_type: 'Type',
  work_url: 'Beginning of addresses',
  author: 'Author',
  reread: 'All values',
  // Faults.
  notBoth: 'Choose a file or write a list, not both.',
  notConditions: 'Enter conditions or a list of works, not both.',
  tooMany: 'A list can have {$most :integer} works at most, not {$count :integer}.',
  half: 'Enter both: what to replace, and what to replace it with.',
  searchFailed: 'Search failed. Try again.',
  // The list of bulk changes.
  list: 'Bulk changes, newest first',
  when: 'When',
  what: 'What',
  worksColumn: 'Works',
  state: 'State',
  draft: 'previewed',
  running: 'running',
  stopping: 'stopping',
  done: 'done',
  stopped: 'stopped',
  // Titles. `what` is such as: license and publisher.
  changeQuestion: `.input {$count :integer} .match $count
    one {{Change 1 work?}}
    * {{Change {$count} works?}}`,
  undoQuestion: `.input {$count :integer} .match $count
    one {{Undo changes to 1 work?}}
    * {{Undo changes to {$count} works?}}`,
  change: `.input {$count :integer} .match $count
    one {{Change 1 work}}
    * {{Change {$count} works}}`,
  undo: `.input {$count :integer} .match $count
    one {{Undo changes to 1 work}}
    * {{Undo changes to {$count} works}}`,
  changing: `.input {$count :integer} .match $count
    one {{Changing {$what} of 1 work}}
    * {{Changing {$what} of {$count} works}}`,
  undoing: 'Undoing {$what}',
  changed: `.input {$count :integer} .match $count
    one {{Changed {$what} of 1 work}}
    * {{Changed {$what} of {$count} works}}`,
  undid: `.input {$count :integer} .match $count
    one {{Undid {$what}: 1 work}}
    * {{Undid {$what}: {$count} works}}`,
  // `by` is a person, a key or an application, `since` a time.
  allBy: 'all changes since {$since} ({$by})',
  // In the middle of a sentence.
  authorName: 'name of an author',
  rereadValues: 'values that we now read in another way',
  // The preview and the state.
  previewLead:
    'Nothing has changed yet. Removed words are struck through, new words are underlined.',
  wouldHappen: 'What would happen',
  progress: 'Progress',
  none: 'No work would change',
  noneText: 'Choose other works.',
  chosen: 'Chosen',
  chosenUndo: 'All works that were registered, changed or withdrawn since then',
  chosenAll: 'All works of the organization',
  chosenList: `.input {$count :integer} .match $count
    one {{A list of 1 work}}
    * {{A list of {$count} works}}`,
  condition: '{$label}: “{$text}”',
  count: `.input {$count :integer} .match $count
    one {{1 work}}
    * {{{$count} works}}`,
  countCut: '{$count :integer} works. The list has the first of them.',
  ready: 'To change',
  toWithdraw: '{$count :integer} to withdraw',
  toRegister: '{$count :integer} to register again',
  left: 'Left out',
  more: 'More works',
  moreText: 'We change {$count :integer} works at a time. Start again with the rest.',
  changedFact: 'Changed',
  changedCount: '{$changed :integer}, and {$others :integer} not changed',
  doneOf: '{$done :integer} of {$count :integer} works',
  refresh: 'Refresh',
  stop: 'Stop',
  startHint:
    'If somebody changes a work before we come to it, we leave it out and list it. We keep the preview for a day.',
  finalHint: 'A withdrawal is signed and written into the public log. Nobody can undo it.',
  // What changes, in lines.
  undoLine: 'Undo {$what}',
  undoText:
    'We withdraw works that were registered then, and register withdrawn works again. Other works get back their metadata from before.',
  reason: 'Reason: {$reason}',
  line: '{$label}: {$value}',
  replaced: '{$label}: {$from} → {$to}',
  removed: 'removed',
  readNow: 'as we read them now',
  // What becomes of a work, and why it is left out.
  isWithdrawn: 'is withdrawn',
  isRegistered: 'is registered again with a new ARK',
  not_found: 'There is no such work.',
  not_yours: 'Another owner registered it.',
  withdrawn: 'It was withdrawn.',
  forbidden: 'The organization cannot change it.',
  unchanged: 'Nothing in it would change.',
  invalid: 'It would not be valid.',
  changed_since: 'It was changed after the preview.',
  changed_by_others: 'Somebody else changed it afterwards. Check it yourself.',
  registered_again: 'It is already registered again.',
  outcomes: 'Works, and what became of each',
  work: 'Work',
  outcome: 'Result',
  waiting: 'Waiting',
  notReached: 'Not changed: stopped before',
  again: 'Registered again: {$work}',
  wasWithdrawn: 'Withdrawn',
  wasChanged: 'Changed: version {$version}',
  notChanged: 'Not changed. {$reason}',
  leftHeading: 'Works that we left out',
  leftTable: 'Works, and why we left out each',
  why: 'Reason',
})
