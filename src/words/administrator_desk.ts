// Words of the desk of administrators, in the languages of desks alone.
import { messages } from '#src/words/message.ts'

/** The frame of the desk of administrators, and its start page. */
export const administration = messages('administration', {
  // The start page: how many of each there are.
  requests: 'Requests for organizations',
  unverified: 'Unverified applications',
  unanswered: 'Reports from readers without an answer',
  endingKeys: 'Keys that expire within 30 days',
  orMore: '{$count :integer} or more',
  health: 'Health',
  noAction: 'No action needed',
  works: 'The registry reads and writes.',
  isWrong: 'This check failed.',
  doctor: 'Run {#code}arklog doctor{/code} on the machine. It says what to do about each.',
  // Stands for a value that is not there, and for an entry in a table.
  none: 'none',
  owner: 'Owner',
  operator: 'the operator',
})

/** Accounts of people, and what administrators can do to them. */
export const adminAccounts = messages('adminAccounts', {
  endSessions: 'Sign out everywhere',
  endSessionsEffect: 'We sign this person out in every browser. Keys and permissions keep working.',
  endSessionsDone: 'The person is signed out everywhere.',
  endSecondStep: 'Turn off second step',
  endSecondStepEffect:
    'For people who lost their devices and recovery codes. We remove their app and passkeys, sign out every browser, and tell them by mail. Then their password alone signs them in. Make sure that this person asked for it.',
  endSecondStepDone: 'The second step is off, and we told the person.',
  mailReset: 'Send reset link',
  mailResetEffect:
    'We mail a link to the address of the account. With it the person can choose a new password within an hour.',
  mailResetDone: 'We sent the link.',
  makeReset: 'Create reset link',
  makeResetEffect:
    'You see a link once. With it the person can choose a new password within an hour. Anybody with the link can sign in to the account: make sure that this person asked for it, and give it to nobody else.',
  makeResetDone: 'The link is created. We show it only now.',
  changeAddress: 'Change e-mail address',
  changeAddressEffect:
    'For people who no longer get the mails of their address. We sign out every browser, tell the old address, and send a link for a new password to the new one. Keys and permissions of the account end when the person chooses the password.',
  changeAddressDone: 'The address is changed, and we sent the link to it.',
  proof: 'How the person proved who they are',
  proofHint:
    'Such as: I called back the number on the page of the institute. The person sees this, too.',
  proofNeeded: 'Say how the person proved who they are.',
  makeAdmin: 'Make administrator',
  makeAdminEffect:
    'This person can then do everything that you can, to every account and organization.',
  makeAdminDone: 'The person is an administrator now.',
  verifyFirst: 'The person must verify their e-mail address first.',
  secondStepFirst:
    'The person must set up a second step of the sign-in first, on the page Security.',
  endAdmin: 'Remove administrator rights',
  endAdminEffect: 'The person keeps the account, and is no longer an administrator from now on.',
  endAdminDone: 'The person is no longer an administrator.',
  remove: 'Permanently delete account',
  removeEffect:
    'We erase the account and all personal data now: profile, items, keys and permissions. You cannot undo this. Works that the person registered stay, with their proofs.',
  removeDone: 'The account and all personal data are deleted.',
  // `step` is one of the buttons above, `name` a person.
  stepTitle: '{$step}: {$name}',
  ppid: 'Identifier of the account',
  ppidHint: 'Type {$ppid} to confirm that you mean this account.',
  ppidWrong: 'This is not the identifier of the account.',
  back: 'Back to the account',
  // The list of accounts.
  noneFound: 'No account found',
  noneFoundText: 'No name and no address has “{$typed}”.',
  invite: 'Invite a person',
  inviteText: 'An invitation is a link. One person can create an account with it.',
  inviteSubmit: 'Create invitation',
  searchLabel: 'Part of a name or address, or a username, identifier or ORCID iD',
  table: 'Accounts, by identifier',
  person: 'Person',
  rights: 'Rights',
  administrator: 'administrator',
  // One account.
  resetLink: 'Link for a new password',
  signsInWith: 'Signs in with',
  accountAt: 'an account at {$issuer}',
  passkeys: `.input {$count :integer} .match $count
    one {{1 passkey}}
    * {{{$count} passkeys}}`,
  noRights: 'none beyond their own',
  itsKeys: 'Keys of this account',
  itsAudit: 'Audit log of this account',
  own: 'This is your own account. You change it on the page {#link}Security{/link}. Only another administrator can remove your rights.',
  // A new account for a person who lost theirs.
  lostTitle: 'Give {$name} an account',
  lostLead:
    'We have the profile and the works of this person, but no account, as after you restored an older backup.',
  lostText:
    'You see a link once. With it the person can choose a password within an hour. Anybody with the link can act as {$ppid} from then on: make sure that this person asked for it.',
  lostHint: 'For the new account. The person verifies it after the sign-in.',
  lostSubmit: 'Create account',
  lostFault: 'This is not an e-mail address, or an account has it already.',
})

/** Applications of everybody: programs to which people sign in with their account here. */
export const adminApplications = messages('adminApplications', {
  verifiedDone: 'The application is verified. People no longer see a warning.',
  endedDone: 'The application is ended, and so are all permissions that people gave it.',
  unverified: 'Not verified',
  verified: 'Verified',
  ended: 'Ended',
  lead: 'People can sign in to these programs with their account here. The list has live and sandbox applications.',
  filter: 'Name, client ID or owner',
  none: 'No applications found',
  noneText: 'Organizations register applications on their own pages.',
  environment: 'Environment',
  registered: 'Registered',
  asPerson: 'the person who permits it',
  people: 'People who permit it',
  verify: 'Verify application',
  rollSecret: 'Roll secret',
  edit: 'Edit…',
  end: 'End…',
  all: 'All applications',
  secret: 'Client secret',
  endTitle: 'End this application?',
  endText: 'All permissions that people gave it end now. You cannot undo this.',
  endSubmit: 'End application',
  keep: 'Keep application',
})

/** The audit log, and the page of what happened at a time. */
export const adminAudit = messages('adminAudit', {
  lead: 'What administrators, owners and people changed: accounts, organizations, keys, applications, works of others and the registry itself. Times are UTC. Newest first.',
  export: 'Export:',
  jsonLines: 'JSON lines',
  none: 'No entry matches',
  noneText: 'Choose another time, or remove a filter.',
  noneSoFar: 'No entry matches so far',
  noneSoFarText: 'The search continues on the next page.',
  by: 'By',
  action: 'Action',
  // `event` is what happened, `code` the name that the export has for it.
  actionAndCode: '{$event} ({$code})',
  subject: 'Subject',
  subjectExample: 'ARK, person, org:press',
  from: 'From',
  until: 'Until',
  // What happened at a time.
  timeHeading: 'What happened at a time',
  timeLead: 'Choose a day and two times. All times are UTC. The last minute is included.',
  time: 'Time',
  day: 'Day',
  timeFault:
    'Enter a day such as 2026-11-28, and two times of that day such as 15:00 and 15:59. The second must not be before the first.',
  alarms: 'Alarms',
  errors: 'Errors and warnings',
  refusals: 'Refused requests',
  noChanges: 'None.',
  allChanges: 'All changes in the audit log',
  timeHint:
    'This machine keeps alarms, errors and refused requests for 30 days. It keeps at most 200 of a kind in a minute, and only counts the others. You see networks, not addresses.',
  // When an alarm began and ended; `what` is one of the warnings.
  alarmBegan: 'Began: {$what}',
  alarmEnded: 'Ended: {$what}',
  notKept: 'not kept',
  entriesLive: 'Entries of the live log',
  entriesSandbox: 'Entries of the sandbox log',
  entryRange: '{$count :integer}: {$first} to {$last}',
  request: 'Request',
  notShown: '{$count :integer} more are not shown: choose a shorter time.',
})

/** API keys of everybody. */
export const adminKeys = messages('adminKeys', {
  lead: 'Keys of everybody, live and sandbox. Newest first. Nobody can see the secret of a key here.',
  inUse: 'In use',
  endsSoon: 'Expire within 30 days',
  isOver: 'Revoked or expired',
  // `key` is the name of a key, `owner` is such as `org:press`.
  keyOf: '{$key}, of {$owner}',
  filter: 'Name, beginning or owner',
  exactOwner: 'Exact owner',
  none: 'No keys found',
  noneText: 'Use fewer words, or show all states.',
  revokeOf: 'Revoke {$key}…',
  neverUsed: 'never used',
  usedAt: 'used {$time}',
  until: 'until {$time}',
})

/** The mails that were sent, and addresses that get no mails. */
export const adminMails = messages('adminMails', {
  lifted: 'We send mails to this address again.',
  stopped: 'We no longer send mails to this address.',
  taken: 'sent',
  refused: 'bounced',
  given_up: 'not sent',
  lead: 'Mails of the last 30 days, newest first, 5,000 at most. “Sent” means that our mail server accepted the mail.',
  off: 'No mail server is configured ({#code}SMTP_URL{/code}, {#code}MAIL_FROM{/code}), so we send nothing.',
  none: 'No mails',
  noneText: 'You see the mails of the last 30 days here.',
  to: 'To',
  subject: 'Subject',
  outcome: 'Outcome',
  noNews: 'Addresses without mails',
  noNewsText:
    'The mail server of an address refused a mail permanently, or an administrator stopped the mails. One day after a refusal we again send links that somebody asks for, such as one for a new password. If the mail server accepts one, we send all mails there again. Where an administrator stopped the mails, we send nothing.',
  address: 'Address',
  byServer: 'refused by the mail server',
  lift: 'Send mails to {$address} again',
  stopTitle: 'Stop mails to an address',
  stopHint: 'For a mail that came back later as undeliverable.',
  reasonHint: 'Such as: mailbox full.',
  stop: 'Stop mails',
  addressFault: 'Enter one e-mail address, such as name@example.org.',
  reasonFault: 'Say why you stop the mails.',
})

/** Organizations: requests for them, the list of all, their owners. */
export const adminOrganizations = messages('adminOrganizations', {
  approved: 'The organization is added, and the person is its owner.',
  declined: 'The request is declined.',
  none: 'No requests',
  noneText: 'You see requests for new organizations here.',
  addTitle: 'Add an organization',
  shortName: 'Short name',
  requestedBy: 'Requested by',
  approve: 'Approve request',
  reasonLabel: 'Reason for declining {$slug}',
  reasonHint: 'The person sees it.',
  decline: 'Decline request',
  filter: 'Name or short name',
  noMatch: 'No organization has this in its name.',
  noMatchSoFar: 'No organization so far has this in its name.',
  edit: 'Edit',
  editOf: 'Edit {$name}',
  nameOwner: 'Name owner',
  nameOwnerOf: 'Name owner of {$name}',
  ownerLead: 'For an organization that lost its owners. We tell all owners by mail.',
  ownerLabel: 'E-mail address or identifier of the new owner',
  ownerHint: 'The person must have an account with a verified address.',
  addLead:
    'It is added to live and sandbox at once. It has no members yet: you add them on the next page.',
  slugHint:
    'For addresses and keys. Nobody can change it later. 2 to 63 lower-case letters and digits, with single hyphens between them, such as brown-university.',
  add: 'Add organization',
  taken: 'There already is an organization {$slug}.',
})

/** How the registry does: series of numbers over time, each with its heading. */
export const operations = messages('operations', {
  lead: 'From the metrics at {#code}ADMIN_PORT{/code}, of this machine only.',
  hint: 'We take a sample every half minute. A day shows means of ten minutes. Lines break where the registry did not run. Prometheus can keep older history: {#link}see how{/link}.',
  run: 'Run {$command}.',
  more: 'More about this',
  time: 'Time',
  hour: 'Last hour',
  day: 'Last day',
  // What a drawing says to those who do not see it.
  drawing: '{$title} from {$from} to {$to}: at most {$most}, now {$now}',
  asTable: '{$title} as a table',
  fromUtc: 'From (UTC)',
  mean: 'Mean',
  unknown: 'not known',
  // Headings, and what is drawn below each.
  writing: 'Writing',
  commits: 'Commits',
  commit_time: 'Time of a commit',
  log_growth: 'New entries of the log',
  pool: 'Waiting proposals',
  actors: 'Records in memory',
  answering: 'Answering',
  requests: 'Requests',
  request_time: 'Time of a request',
  refused: 'Refused as wrong (4xx)',
  limited: 'Refused as too many (429)',
  failed: 'Failed (5xx)',
  following: 'Following',
  checks_due: 'Due content checks',
  webhooks_waiting: 'Waiting webhook messages',
  mail_waiting: 'Waiting mails',
  index_lag: 'Events missing in the search index',
  witness_lag: 'Entries without cosignatures, all witnesses',
  machine: 'The machine',
  processor: 'Processor, of one core',
  delay: 'Delay of the main thread (p99)',
  memory: 'Memory',
  disk_free: 'Free on the disk',
  threads: 'Answering threads',
  nodes: 'Nodes of the cluster',
})

/** What needs an operator: what was found, and what to do (`…Action`). */
export const warnings = messages('warnings', {
  damage: 'Rows of the store are damaged.',
  damageAction: 'Keep the disk as it is: a backup or a mirror has the rows.',
  diskLow: 'The disk is nearly full. Below its reserve the registry writes nothing.',
  diskFull: 'The disk is full, and the registry writes nothing.',
  diskLowAction: 'Make room, or give the data directory a larger disk.',
  diskFullAction: 'Make room, or give the data directory a larger disk.',
  clock: 'The clock of this machine is wrong, so the registry writes nothing that has a time.',
  clockAction: 'Set the clock, and let NTP keep it right. The command says what is wrong.',
  logAhead: 'The newest entry of the log is ahead of the clock, so new entries get its time.',
  logAheadAction: 'The command says until when. An operator accepted this.',
  identities: 'A write of accounts or keys failed, so nobody can sign in or change keys.',
  identitiesAction: 'Make room if the disk is full, then restart the registry.',
  stuck: 'Proposals wait, and the registry commits nothing.',
  stuckAction: 'Check the disk and the log of the process.',
  failing: 'More than 1 in 100 replies are errors of the server.',
  failingAction: 'The log of the process has each with its request id.',
  slow: 'The thread that runs the registry lacks processor time.',
  slowAction: 'Give the machine more cores, or move other work away.',
  checksLate: 'Content checks are late.',
  checksLateAction: 'Allow more fetches at a time (FETCH_CONCURRENCY_MAX).',
  indexLate: 'Search does not have the newest works yet.',
  indexLateAction: 'It catches up by itself. If it does not, rebuild the index.',
  mapLeaf: 'The log has a map leaf that does not follow from its entries.',
  mapLeafAction:
    'Keep everything as it is. The audit says which leaf, and monitors will report it.',
  witness:
    'A witness says that the log is not what it was, and proves nothing. We no longer ask it.',
  witnessAction: 'Ask its operator. If you restored an older copy of the data, stop the registry.',
  webhooks: 'Webhook endpoints refuse their messages.',
  webhooksAction: 'Their owners see why on their pages. We try messages again for three days.',
  cannotLead: 'This node cannot lead the cluster.',
  cannotLeadAction: 'The page Cluster says why.',
})

/** The nodes of a cluster, and the streams between them. */
export const cluster = messages('cluster', {
  lead: 'This page comes from {$node}, and shows what that node knows.',
  leader: 'Leader',
  noLeaderNow: 'none at the moment',
  thisNode: 'This node',
  isLeader: 'leader',
  isFollower: 'follower',
  nodeAndRole: '{$node}: {$role}',
  contact: 'Contact with the other nodes',
  lost: 'lost',
  eventsHere: 'Events here',
  entriesHere: 'Log entries here',
  lostContact: 'This node lost contact with the others: check its network.',
  noLeader:
    'No node leads, so nothing is written. Run {#code}arklog cluster status{/code} at each node to see why.',
  cannotLead: 'This node cannot lead. {$reason}',
  nodes: 'Nodes',
  node: 'Node',
  ownNode: '{$node} (this node)',
  role: 'Role',
  eventsThere: 'Events there',
  behind: 'Behind',
  nodesHint:
    'Each node reports about once a second. A node that is down has no line: run {#code}arklog cluster status{/code} there.',
  streams: 'Streams',
  stream: 'Stream',
  newest: 'Newest message',
  processed: 'Processed here',
  kept: 'Stored',
  messages: `.input {$count :integer} .match $count
    one {{1 message, {$size}}}
    * {{{$count} messages, {$size}}}`,
  servers: 'NATS servers',
  streamsHint: 'We asked the NATS servers within the last twenty seconds.',
  unknown: 'not known yet',
  noStreamLeader: 'no leader',
  leads: '{$server} leads',
  // `leader` is one of the two texts above.
  followers: '{$leader}, {$count :integer} follow',
  late: '{$leader}, {$others}',
  behindOrGone: 'behind or gone: {$servers}',
})

/** The takedown of a work by the operator of the registry. */
export const takedowns = messages('takedowns', {
  taken: 'The work is taken down. Its page says that the operator of this registry did it.',
  again: 'The work is registered again. The page of its old ARK links to the new one.',
  previewTitle: 'Check before taking down',
  previewLead: 'We sign a takedown and write it into the public log. Nobody can undo it.',
  title: 'Title',
  note: 'Note to readers and the owner',
  eraseNote: 'Note to the owner',
  readersSee: 'Readers see',
  withdrawnByOperator: 'Withdrawn by the operator of this registry',
  submit: 'Take down permanently',
  back: 'Go back and edit',
  heading: 'Take down a work',
  lead: 'Find the work first. After a takedown its page says permanently that the work was withdrawn, and why.',
  filter: 'ARK, DOI or address of the page of the work',
  another: 'Find another work',
  registered: 'Registered',
  isRegistered: 'registered',
  withheld: 'Withheld',
  since: 'since {$time}',
  reasonHint: 'Readers see it.',
  noteHint: 'Such as the court and the number of the case.',
  published:
    'The page of the work, its history, feeds and the signed statement say that the operator of this registry did it. We do not publish your name.',
  review: 'Review takedown',
  withholdTitle: 'Withhold it for now',
  withhold:
    'Nobody can undo a takedown. While a case is open, you can {#link}withhold the work{/link} from its readers instead, and show it again later.',
  againTitle: 'Register it again',
  againText:
    'Nobody can undo a withdrawal. If it was a mistake, register the work again for its owner: with the same metadata, under a new ARK. The page of the old ARK then links to the new one. We tell the owner by mail.',
  againSubmit: 'Register again',
  eraseTitle: 'Erase metadata',
  eraseLink:
    'When the law demands that title, authors and addresses disappear, too, {#link}erase the metadata{/link} permanently.',
  erased:
    'We erased the metadata, and we tell the owner by mail. We also remove it from the files of the store, which can take some minutes.',
  eraseHeading: 'Erase the metadata of a work',
  eraseLead:
    'We erase the metadata of all versions, wherever the registry keeps it. Nobody can undo it.',
  goes: 'What we erase',
  versions: 'Versions',
  otherFields: 'All other fields',
  goesWithdrawn:
    'The work is not withdrawn yet. We withdraw it first, in the name of the operator of this registry, with the same reason.',
  staysTitle: 'What stays',
  stays:
    'The ARK, the dates and the reason, and hashes, receipts and proofs, which still verify. The page of the work says that its metadata was erased.',
  elsewhere:
    'Backups, copies of others and harvested records keep what they have. Removing it there is up to you.',
  eraseNoteHint: 'The owner and the audit log see it, readers do not. Write no personal data here.',
  eraseArk: 'ARK of the work',
  eraseArkHint: 'Type {$ark} to confirm that you mean this work.',
  eraseArkWrong: 'This is not the ARK of the work.',
  isErased: 'The metadata of this work was erased on {$time}.',
  eraseSubmit: 'Erase permanently',
})

/** Suspensions of organizations, accounts and applications; works are withheld. */
export const suspensions = messages('suspensions', {
  suspended: 'Suspended from now on, on every node. We told everybody concerned.',
  resumed: 'The suspension has ended.',
  kind_organization: 'Organization, by its short name',
  kind_account: 'Account, by its identifier or e-mail address',
  kind_application: 'Application, by its client ID',
  kind_work: 'Work, by its ARK or DOI: withhold it from readers',
  none: 'Nothing is suspended',
  noneText: 'You see suspensions and their reasons here.',
  what: 'What',
  which: 'Which',
  reasonHint: 'One line. People see it whenever we refuse them.',
  hint: 'From the next request on we refuse keys, tokens, webhooks, forms and sign-ins. Works stay readable, and webhooks get their events later. We withhold the page and the content of a suspended work, and readers see the reason.',
  suspend: 'Suspend',
  table: 'Suspensions, newest first',
  resume: 'End suspension of {$id}',
  subject: `.input {$kind :string} .match $kind
    organization {{organization {$link}}}
    account {{account {$link}}}
    application {{application {$link}}}
    * {{work {$link}}}`,
})

/** Claims that are contested, on which administrators decide. */
export const disputes = messages('disputes', {
  none: 'No contested claims',
  noneText: 'When a person or a publisher contests a decision on a claim, you decide here.',
})
