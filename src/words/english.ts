import { messages } from '#src/words/message.ts'

/** The pages of an account: settings, security and what acts for its person. */
export const account = messages('account', {
  languageTitle: 'Language',
  languageHint: 'For pages and mails.',
  languageSubmit: 'Save language',
  languageSaved: 'Your language is saved.',
  // Who wrote or did something, in a list. `name`, `key` and `application` are names.
  theOperator: 'The operator of this registry',
  through: '{$name}, through {$application}',
  anotherPerson: 'Another person ({$id})',
  you: 'You',
  youByKey: 'You, with your key {$key}',
})

/** What happened to a key, an account or an organization, by the code of the action. Each follows its subject and a colon: `Key cron: revoked`. */
export const audit = messages('audit', {
  created: 'created',
  rotated: 'replaced by a new one',
  revoked: 'revoked',
  refused: 'refused',
  used: 'used',
  granted: 'permitted',
  changed: 'permissions changed',
  registered: 'registered',
  approved: 'approved',
  secret_rotated: 'new secret',
  made_admin: 'became an administrator',
  admin_ended: 'no longer an administrator',
  sessions_ended: 'signed out everywhere',
  reset_link_made: 'link for a new password created',
  password_changed: 'password changed',
  address_changed: 'e-mail address changed',
  second_factor_set: 'authenticator app turned on',
  second_factor_ended: 'authenticator app turned off',
  recovery_codes_made: 'new recovery codes created',
  recovery_code_used: 'signed in with a recovery code',
  passkey_added: 'passkey added',
  passkey_removed: 'passkey removed',
  passkey_refused: 'refused a passkey that seems to be copied',
  member_invited: 'sent',
  invitation_sent_again: 'sent again',
  invitation_revoked: 'canceled',
  invitation_accepted: 'accepted',
  invitation_declined: 'declined',
  works_changed: 'carried out',
  suspended: 'suspended',
  resumed: 'suspension ended',
  owner_named: 'owner named by the operator',
  work_taken_down: 'taken down by the operator of this registry',
  work_registered_again: 'registered again by the operator of this registry',
  work_reported: 'problem reported by a reader',
  report_answered: 'report of a reader answered',
  claim_waiting: 'a claim of authorship waits for an answer',
  claim_confirmed: 'a claim of authorship was confirmed',
  claim_rejected: 'a claim of authorship was declined',
  claim_contested: 'a claim of authorship is contested',
  consortium_invited: 'invites this organization to be part of it',
  consortium_invitation_ended: 'no longer invites this organization',
  consortium_joined: 'this organization is part of it now',
  consortium_left: 'this organization is no longer part of it',
  consortium_declined: 'no longer invited',
  consortium_grew: 'part of this organization now',
  consortium_shrank: 'no longer part of this organization',
  key_ending: 'expires soon',
  content_failing: 'works with content that changed or is not confirmed',
  week_ended: 'summary of the week sent',
  searches_found: 'new works in saved searches',
  organization_requested: 'requested',
  organization_added: 'added',
  organization_changed: 'changed',
  organization_approved: 'approved',
  organization_declined: 'request declined',
  organization_administered: 'changed by an administrator',
  member_added: 'member added',
  member_role_changed: 'role of a member changed',
  member_removed: 'member removed',
  webhook_changed: 'webhook changed by an administrator',
  works_imported: 'works imported',
  work_erased: 'metadata erased',
  content_queued: 'content check requested',
  claim_decided: 'claim decided by an administrator',
  news_stopped: 'news mails to an address stopped',
  news_allowed: 'news mails to an address allowed again',
  account_invited: 'invitation for a new account created',
  account_given: 'given back to a person who had lost it',
  account_removed: 'deleted by an administrator',
  reset_link_sent: 'link for a new password sent',
  receipt_key_rotated: 'receipt key rotated',
  token_key_rotated: 'key of ID tokens rotated one step',
  clock_accepted: 'clock accepted as it is',
  indexes_remade: 'search indexes rebuilt',
  node_invited: 'invitation for a node created',
  node_removed: 'node removed',
  admin_code_made: 'one-time code for an administrative call created',
  called: 'called with a one-time code',
  // Why something was refused or ended, in parentheses after it.
  reason_wrong_secret: 'only its beginning was right',
  reason_revoked: 'it was revoked before',
  reason_rotated_out: 'its time after the replacement was over',
  reason_expired: 'it had expired',
  reason_ip_denied: 'its use from this network is not allowed',
  reason_token_reused: 'somebody sent a code or token a second time',
  reason_by_application: 'the application gave it back',
  reason_application_revoked: 'the application was ended',
  reason_account_deleted: 'the account was deleted',
  works_undone: 'undid what somebody did',
})

/** What others did for a person, and what happened to their account and keys: lists and notices. */
export const changes = messages('changes', {
  title: 'Changes others made to your profile',
  lead: 'What other people, applications and your keys wrote for you: the values before and after, and how to undo it.',
  undone: 'The change is undone. Your history still shows it.',
  undoneBefore: 'This change was undone before.',
  none: 'No changes yet',
  noneText:
    'When a publisher, your institution or a program that you permit adds or changes something, you see it here.',
  undo: 'Undo',
  undoneMark: 'undone',
  // Who wrote, and when; then what was written, a link.
  writerAndTime: '{$writer}, {$time}',
  writerTimeAndWhat: '{$writer}, {$time}: {$what}',
  workVersion: '{$work}, version {$version}',
  theEntry: 'the entry',
  // What happened, by the type of the event.
  ProfileUpdated: 'Your profile was changed',
  WorkRegistered: 'A work was registered for you',
  WorkVersioned: 'A work of yours was changed',
  WorkWithdrawn: 'A work of yours was withdrawn',
  WorkErased: 'The metadata of a work of yours was erased',
  ClaimMade: 'A work was attached to you',
  ClaimChanged: 'A claim to a work of yours was changed',
  affiliationAdded: 'An affiliation was added',
  affiliationChanged: 'An affiliation was changed',
  affiliationRemoved: 'An affiliation was removed',
  affiliationMarked: 'An affiliation was marked',
  educationAdded: 'An education entry was added',
  educationChanged: 'An education entry was changed',
  educationRemoved: 'An education entry was removed',
  educationMarked: 'An education entry was marked',
  somethingChanged: 'Something changed',
  // A table of values.
  whatChanged: 'What changed',
  field: 'Field',
  before: 'Before',
  after: 'After',
  noValue: 'nothing',
  // Notices.
  allRead: 'All notices are marked as read.',
  markAllRead: 'Mark all as read',
  newNotices: `.input {$count :integer} .match $count
    0 {{No new notices.}}
    one {{1 new notice.}}
    * {{{$count} new notices.}}`,
  noticesLead:
    'Changes others made for you, decisions on claims, and what happened to your account, keys and permissions. We show the newest {$count :integer}.',
  noNotices: 'No notices yet',
  noNoticesText:
    'When somebody writes for you, or something happens to your account, you see it here.',
  allChanges: 'All changes others made',
  allAudit: 'Audit log of account and keys',
  newestFirst: 'Newest first',
  what: 'What',
  byOrFrom: 'By or from',
  when: 'When',
  newMark: 'new',
  // `name` is an organization, `what` what happened there.
  ofOrganization: '{$name}: {$what}',
  // The list of what happened to keys, permissions and the account.
  auditTitle: 'Audit log of your account and keys',
  auditLead: 'Every change, and at most one use per hour. Newest first.',
  nothingYet: 'Nothing yet.',
  auditTable: 'What happened to keys, permissions and the account',
  happened: 'Event',
  // What it is about, and what happened: `Key cron: revoked`.
  subjectAndEvent: '{$subject}: {$event}',
  because: '{$event} ({$why})',
  subjectInvitation: 'Invitation',
  subjectBulk: 'Bulk change of works',
  subjectKey: 'Key {$name}',
  subjectWork: 'Work {$name}',
  subjectOrganization: 'Organization {$name}',
  subjectAccount: 'Account {$name}',
  ofPerson: 'Account',
  ofOrganizationItself: 'Organization',
  ofOperator: 'Registry',
  you: 'you',
  anAdministrator: 'an administrator',
})

/** What a check of a receipt or of the log says, on pages and in scripts: the name of a step (`name_`), and what was found. */
export const checks = messages('checks', {
  done: 'Right',
  failed: 'Wrong',
  not_checked: 'Not checked',
  // `Right: The signature`.
  statusAndName: '{$status}: {$name}',
  // Unfolds technical facts, which are in English.
  details: 'Technical details',
  name_form: 'The form of the receipt',
  name_receipt_key: 'The key',
  name_signature: 'The signature',
  name_entry: 'The entry',
  name_leaf_hash: 'The hash of the entry',
  name_inclusion: 'The place in the log',
  name_tree_head: 'The size of the log',
  name_checkpoint: 'The log’s own signature',
  name_witnesses: 'The signatures of witnesses',
  name_time: 'The time',
  name_content_hash: 'Your copy of the content',
  name_metadata_hash: 'The metadata',
  name_fixity_status: 'The state of the content',
  name_keys: 'The keys',
  name_policy: 'The policy of witnesses',
  name_newest: 'The newest checkpoint',
  name_map_proof: 'The newest version',
  name_words: 'The words above',
  name_statement: 'The signature of the statement',
  name_path: 'The path to the root',
  name_older: 'The older checkpoint',
  name_head: 'The checkpoint',
  name_consistency: 'That one continues the other',
  name_kept: 'Since your last visit',
  name_check: 'The check',
  name_receipt: 'The receipt',
  name_log: 'The log',
  form_done: 'The receipt has the right form.',
  form_failed: 'This does not have the form of a receipt or an evidence file.',
  receipt_key_done: 'The key is in the list of keys, and it was valid at that time.',
  signature_done: 'The key signed exactly this statement.',
  signature_failed: 'The signature does not belong to this statement and this key.',
  signature_not_checked:
    'We could not check the signature: the key is unknown, or this program cannot check Ed25519 signatures.',
  entry_done: 'The statement and its signature are the entry in the log.',
  entry_failed: 'The entry is too long.',
  leaf_hash_done: 'We computed the hash of the entry from its bytes.',
  inclusion_done: 'The proof connects this entry with the root of the log.',
  inclusion_failed: 'The proof does not connect this entry with the root of the log.',
  tree_head_done: 'The size and the root are those of the signed checkpoint.',
  tree_head_failed: 'The size or the root differs from the signed checkpoint.',
  checkpoint_done: 'The log signed this size and this root.',
  witnesses_done: 'Enough witnesses signed this checkpoint too.',
  witnesses_not_checked:
    'No witnesses were asked for, or too few have signed yet. They sign within seconds: try again.',
  time_done: 'Witnesses prove when this statement was made.',
  time_failed: 'The times contradict each other.',
  time_not_checked: 'Only the registry says when this statement was made. No witnesses confirm it.',
  content_hash_done: 'Your copy is exactly the content that the receipt names.',
  content_hash_failed: 'Your copy is not the content that the receipt names.',
  content_hash_not_checked:
    'You added no copy of the content, or the receipt names no content yet.',
  metadata_hash_done: 'The metadata is exactly what was registered.',
  metadata_hash_failed: 'The metadata is not what was registered.',
  metadata_hash_not_checked: 'There is no metadata to compare.',
  fixity_status_not_checked:
    'The registry said this when you downloaded the receipt. Nobody signed it.',
  keys_failed: 'The keys cannot be used.',
  policy_failed: 'The policy of witnesses cannot be used.',
  newest_done: 'The log continued from this checkpoint to a newer one.',
  newest_failed: 'The log does not continue from this checkpoint.',
  newest_not_checked: 'The file has no newer checkpoint.',
  map_proof_done: 'The map of the log proves which version is the newest.',
  map_proof_failed: 'The proof of the newest version is wrong.',
  map_proof_not_checked: 'The file has no proof of the newest version.',
  words_done: 'The page shows what the entry says.',
  words_failed: 'The page does not show what the entry says.',
  words_not_checked: 'The page shows nothing of the entry.',
  statement_done: 'The published key signed exactly this statement.',
  statement_failed: 'The published key did not sign this statement.',
  path_done: 'The path connects these bytes with the root in the checkpoint.',
  path_failed: 'The path does not connect these bytes with the root in the checkpoint.',
  older_done: 'The log signed the older checkpoint.',
  older_failed: 'The log did not sign the older checkpoint.',
  consistency_done: 'All entries of the older log are in the newer one, unchanged.',
  consistency_failed: 'The newer log does not continue the older one.',
  kept_done: 'The log continues the checkpoint that your browser kept.',
  kept_failed:
    'The log does not continue the checkpoint that your browser kept. Save both: together they prove it.',
  // For a step that has no text of its own.
  other_not_checked: 'We could not check this here.',
  other_failed: 'This is wrong.',
  // Why a step failed, by the code of its error: says more than the text of the step.
  why_unknown_key: 'The key is not in the list of keys. A key inside a receipt proves nothing.',
  why_key_not_in_use: 'The key was not valid at that time.',
  why_other_log: 'The file is from another log, and its key is not trusted.',
  why_broken_key_chain: 'The keys in the file do not follow from the trusted keys.',
  why_malformed_note: 'The checkpoint is not a signed note.',
  why_malformed_checkpoint: 'The signed note is not a checkpoint.',
  why_wrong_signature: 'A signature on this checkpoint is wrong.',
  why_unverified_note: 'The log did not sign this checkpoint.',
  why_quorum_missed: 'Too few witnesses signed this checkpoint.',
  why_other_checkpoint: 'The receipt has another checkpoint than the statement names.',
  httpsOnly: 'Browsers check signatures only on https pages.',
  // Verdicts.
  notProven: 'Not proven: something here is wrong. Do not rely on it.',
  otherContent:
    'Your file is not the content of this version. Nothing else is wrong with the receipt.',
  notAll: 'Not proven yet: not everything could be checked here.',
  provenRegistered:
    'Proven, in your browser: this version was registered on {$at}. It is entry {$entry} in the log of size {$size}.',
  provenContent:
    'Proven, in your browser: this version was registered on {$day} (as the registry says), and its content was confirmed on {$at}. It is entry {$entry} in the log of size {$size}.',
  provenWithdrawn:
    'Proven, in your browser: this version was registered on {$day} (as the registry says), and the work was withdrawn on {$at}. It is entry {$entry} in the log of size {$size}.',
  metadataNotCompared: 'Its metadata was not compared.',
  fileIsContent: 'Your file is exactly the content that it names.',
  provenByPublished: 'Proven, in your browser, with the keys that this registry publishes.',
  fitsTogether:
    'Everything fits together, with the keys in the file. Compare these with keys that you saved before.',
  // `version` is a link with an ARK and a version.
  about: 'The receipt is about {$version}.',
  arkVersion: '{$ark}, version {$version}',
  nothingYet: 'There is nothing to check yet.',
  tooLarge: '{$name} is too large to read here.',
  noWork: 'No work here is registered with the file {$name}. Its hash is {$hash}.',
  oneWork: '{$name} is the file of a registered work, as this registry says.',
  moreWorks: '{$name} is the file of {$count} registered versions, as this registry says.',
  addReceipt: 'If you have a receipt, add it too.',
  yourFile: 'Your file',
  // What the registry says of a version that has this file as its content. Each of these is one sentence.
  foundVersion: 'Version {$version}.',
  foundOn: 'Registered on {$day}.',
  foundNewest: 'This is the newest version.',
  foundNewer: 'Version {$newest} is the newest.',
  foundWithdrawn: 'Withdrawn on {$day}.',
  found_retraction: 'The work was retracted.',
  found_partial_retraction: 'A part of the work was retracted.',
  found_removal: 'The content of the work was removed.',
  found_withdrawal: 'The publisher withdrew the work.',
  found_expression_of_concern: 'There are concerns about the work.',
  found_correction: 'The work was corrected.',
  // A drawing of the proof.
  drawing: 'Entry {$entry} is connected with the root of {$size} entries by {$count} hashes',
  drawnEntry: 'entry {$entry}',
  drawnRoot: 'root of {$size} entries',
  // Who the witnesses are that the check asked for.
  source_none: 'The log of this file has no witnesses.',
  source_given: 'The witnesses are those of your policy.',
  source_key_file: 'The witnesses are those of the key file.',
  source_file: 'The file itself names the witnesses. They can be invented.',
  sandboxFile: 'The file is from the sandbox, which is for trying things out.',
  // Verdicts of a check of the log. `proven` is one of the sentences of the log pages.
  logProven: 'Proven, in your browser. {$proven}',
  logNotProven:
    'Not proven: something here is wrong. Do not rely on this page. Save a copy, and show it to the operator of this registry and to its witnesses.',
  logNotAll: 'We could not check everything here. What we checked is right.',
})

/** The works that a person claims, and how they find and claim them. */
export const claims = messages('claims', {
  title: 'My works',
  lead: 'Works that name you as an author, and who says so.',
  find: 'Find my works',
  claimByArk: 'Claim a work by its ARK',
  none: 'No works yet',
  noneText:
    'You see works here when you claim them, or when a publisher that you permit registers them for you.',
  table: 'Works that name me as an author',
  // Names of columns and facts.
  work: 'Work',
  status: 'Status',
  saidBy: 'Who says so',
  since: 'Since',
  toDo: 'To do',
  place: 'Place among the authors',
  message: 'Message',
  contestReason: 'Why it is contested',
  answer: 'Answer',
  change: 'Change',
  whatYouCanDo: 'What you can do',
  // How a claim stands, in a badge.
  notMine: 'not mine',
  verified: 'counts as mine',
  verifiedByAdmin: 'counts as mine, by an administrator',
  waitsForYou: 'waiting for you',
  waitsForPublisher: 'waiting for the publisher',
  disputed: 'contested',
  declined: 'declined',
  declinedByAdmin: 'declined by an administrator',
  withdrawn: 'withdrawn',
  // What was just done.
  doneClaimed: 'You claimed the work. It counts as yours once its publisher agrees.',
  doneFound: 'You claimed the work. You see its status below.',
  doneSeveral: 'You claimed the works. You see the status of each below.',
  doneVerified: 'The work counts as yours.',
  doneAgreed: 'You agreed: the work counts as yours.',
  doneExists: 'You claimed this work before.',
  doneDeclined: 'You declined: the work does not count as yours.',
  doneContested: 'You contested it. An administrator will decide.',
  doneWithdrawn: 'You withdrew your claim.',
  doneConfirmedOther: 'You agreed: the person counts as an author.',
  doneDeclinedOther: 'You declined: the person does not count as an author.',
  doneDisclaimed: 'You said that the work is not yours. Nobody can claim it for you any more.',
  // The forms of a claim. Each is a button.
  yesIAm: 'Yes, I am an author',
  noIAmNot: 'No, I am not an author',
  whatIsWrong: 'What is wrong',
  contest: 'Contest it',
  withdraw: 'Withdraw claim',
  notMineLink: 'This work is not mine…',
  notMineTitle: 'Not your work?',
  notMineText:
    'We remove it from your works, and nobody can attach it to you again. You cannot undo this here.',
  notMineSubmit: 'This work is not mine',
  leave: 'Cancel',
  // Claims of others on works that the person has registered.
  asked: 'You are asked',
  askedText: 'These people say that they are authors of works that you registered.',
  // The form of one work.
  isYours: 'Is this your work?',
  authors: 'Authors',
  yourAccount: 'Your account',
  whatFollows: 'What follows',
  claim: 'Claim this work',
  // `names` are names of authors.
  namesAndMore: '{$names} and {$count :integer} more',
  withOrcid: '{$name}, signed in with the ORCID iD {$orcid}',
  nameHidden: '{#link}Your profile{/link} does not show your name, so nobody can compare it.',
  atOnce: 'It counts as yours at once, because it names the ORCID iD that you signed in with.',
  onceAgreed: 'It counts as yours once {$publisher} agrees.',
  onceAgreedUnplaced:
    'It counts as yours once {$publisher} agrees. No author has your name: say below which author you are, and why.',
  // Stands for `publisher` where its name is not known.
  itsPublisher: 'its publisher',
  placeOfMany: 'Your place among the {$count :integer} authors',
  placeHint: '1 is {$first}.',
  placeHintLikely: '1 is {$first}, {$place} is {$name}.',
  chooseName: 'Choose your name',
  youAre: 'You are',
  messageTo: 'Message to the publisher',
  messageToAll: 'Message to the publishers',
  messageHint: 'The publisher decides on your claim, and sees your name and your e-mail address.',
  // What is wrong with a claim.
  noWork: 'There is no work with this ARK.',
  workGone: 'This work was withdrawn.',
  blocked: 'You said before that this work is not yours.',
  rejected: 'This claim was declined. Contest it, and an administrator will decide.',
  tooMany: 'You have as many claims as a person can have.',
  placeNeeded: 'Choose which author you are.',
  chooseWorks: 'Select the works that are yours.',
  // The form that takes an ARK.
  arkTitle: 'Claim a work',
  arkLead: 'Or {#link}find your works{/link} by your name, your ORCID iD or a DOI.',
  ark: 'ARK of the work',
  arkHint: 'Such as {$example}. You find it on the page of the work.',
  goOn: 'Continue',
  // The search for one’s works.
  findLead:
    'Search by your name as works have it, your ORCID iD, or a DOI. Select your works and claim them in one step.',
  notSearched: 'We could not search',
  searchFailed: 'Search has failed.',
  searchOff: 'Search is not available right now.',
  foundBy: `.input {$count :integer} .match $count
    one {{1 work found by “{$typed}”.}}
    * {{{$count} works found by “{$typed}”.}}`,
  foundByOrcid: `.input {$count :integer} .match $count
    one {{1 work found by “{$typed}” or your ORCID iD {$orcid}.}}
    * {{{$count} works found by “{$typed}” or your ORCID iD {$orcid}.}}`,
  knowArk: 'You know the ARK of a work? {#link}Claim it by its ARK{/link}.',
  searchLabel: 'Name, ORCID iD or DOI',
  search: 'Search',
  nothingFound: 'No works found',
  nothingFoundText:
    'Try your family name alone, another spelling, words of a title, or the DOI of the work.',
  claimSelected: 'Claim selected works',
  claimAll: 'Claim all {$count :integer} works',
  moreWorks: 'More works',
  yourClaim: 'Your claim',
  namesOrcid: 'names your ORCID iD: counts at once',
  registeredBy: 'registered by {$name}',
})

/** The page that compares two versions of a work. */
export const comparison = messages('comparison', {
  title: 'Versions {$from} and {$to}',
  of: 'of {$title}',
  same: 'The metadata is the same in both versions.',
  marks: 'Removed text is struck through, added text is underlined.',
  unchanged: `.input {$count :integer} .match $count
    one {{1 other field did not change.}}
    * {{{$count} other fields did not change.}}`,
  changed: 'What changed',
  others: 'Other versions',
  older: 'Older version',
  newer: 'Newer version, up to {$newest}',
  // In place of a difference. Both versions are pages of their own.
  tooLong: 'These texts are too long to compare here. Both versions show them in full.',
})

/** The question of an application to act for a person, and the pages of the identity provider. */
export const consent = messages('consent', {
  title: 'Permit {$name}?',
  lead: 'This application asks to act for you. Clear the boxes you do not want to allow.',
  who: 'Who asks',
  canRead: 'It can read',
  canWrite: 'It can write',
  hint: 'You can end these permissions at any time, on the page Applications.',
  permit: 'Permit',
  deny: 'Do not permit',
  before: 'What you have permitted before',
  goingTitle: 'Going back',
  goingHeading: 'Going back to the application',
  notVerified: 'Not verified',
  notVerifiedText: 'We have not checked who runs this application.',
  notVerifiedAdvice: 'Permit something only if you came from there yourself and know who runs it.',
  application: 'Application',
  belongsTo: 'Belongs to',
  person: 'a person',
  thisRegistry: 'this registry',
  backTo: 'Sends you back to',
  deviceApp: 'an app on this device ({$protocol})',
  computerProgram: 'a program on this computer',
  shownAs: 'What it writes is shown as written by',
  you: 'you',
  homePage: 'Home page',
  contact: 'Contact',

  // What a permission lets an application do; each stands by itself in a list.
  openid: 'Know which person you are here, by your identifier',
  profile: 'See your name, username, picture and ORCID iD',
  email: 'See your e-mail address and whether it is verified',
  worksRead: 'List and view your registered works',
  authorRead: 'See which works you claim, and whether the claims are verified',
  affiliationsRead: 'See your affiliations and education',
  receiptsRead: 'See the receipts of your works',
  offline: 'Keep doing this while you are away',
  worksWrite: 'Add works to your profile and change those it has added',
  worksDelete: 'Withdraw works that it has added to your profile, permanently',
  affiliationsWrite: 'Add affiliations and education, and change what it has added',
  authorWrite: 'Change your profile, and claim works as yours',

  // What went wrong, and signing out.
  expired:
    'This request has expired, or was answered: go back to the application, and begin again there',
  failedTitle: 'This did not work',
  beginAgain: 'Go back to the application, and begin again there.',
  invalid_client: 'We do not know this application, or it was withdrawn.',
  invalid_redirect_uri: 'The application asked us to send you to an address that is not its own.',
  server_error: 'This is our fault. We have logged it.',
  temporarily_unavailable: 'Try again in a moment.',
  forOperator: 'For the operator of the application:',
  signOutTitle: 'Sign out?',
  signOutLead: 'An application asks us to sign you out here.',
  stay: 'Stay signed in',
  signedOutTitle: 'You are signed out',
  signedOutLead: 'You can close this page.',
})

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
  noneBelowText: 'Invite an organization. We ask its owners by mail.',
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
    'As an administrator you need no invitation. We tell the owners of both organizations by mail.',

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
  noPasskeys: 'This browser does not support passkeys.',

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
    'We count the passwords tried for {$who} in this browser separately from those tried elsewhere.',
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

/** The page of all works as files, with what they hold and how somebody proves that they are complete. */
export const data = messages('data', {
  title: 'All works as files',
  // For search engines.
  description:
    'All works of this registry as files. You can prove with its log that they are complete.',
  lead: 'Every day the registry writes all works into files. You can prove that nothing is missing, added or changed.',
  none: 'We have not written any files yet.',
  more: 'More files',
  retractions: '{#link}All retractions{/link} as a table (CSV)',
  statistics: '{#link}Statistics{/link} of all works, as CSV and JSON',
  // `formats` is a list of names.
  anySearch: '{#link}Any search{/link} as {$formats}',
  oai: '{#link}OAI-PMH{/link} for changes since a day',
  made: 'Written',
  works: 'Works',
  withdrawn: 'Withdrawn works',
  entries: 'Entries of the log',
  manifest: 'Manifest',
  files: 'Files',
  tables: 'Tables',
  file: 'File',
  holds: 'Content',
  bytes: 'Bytes',
  rows: 'Rows',
  holdsWorks: 'Works, one per line',
  holdsLog: 'The entries of the log that prove it',
  // `month` is written as 2026-01.
  holdsMonth: 'Works changed in {$month}',
  table_works: 'One work per row',
  table_authors: 'One author of a work per row',
  table_funding: 'One grant of a work per row',
  table_relations: 'One related identifier of a work per row',
  table_events: 'One statement of the log per row',
  prove: 'Prove that it is complete',
  proveText:
    'Save the keys of the registry once. Then save the manifest and its files into one folder:',
  commands: 'Commands that prove the files',
})

/** The frame of the pages of an organization: names of its pages, and what stands on all of them. */
export const desk = messages('desk', {
  start: 'Start',
  content: 'Content',
  claims: 'Claims',
  webhooks: 'Webhooks',
  members: 'Members',
  history: 'History',
  // `reason` is a sentence in English without its full stop.
  suspended:
    '{#strong}Suspended.{/strong} {$reason}. Works stay readable. We refuse keys, webhooks and forms until an administrator of this registry ends the suspension.',
  asAdministrator:
    'You are not a member of {$name}. You do this as an administrator, and the history of the work shows it as done by the operator of this registry.',
})

/** The pages in place of one that cannot be shown. Keys of titles are codes of the API. */
export const errors = messages('errors', {
  not_found: 'Page not found',
  not_acceptable: 'This format is not available',
  forbidden: 'You cannot do this',
  suspended: 'Suspended',
  gone: 'This is no longer valid',
  conflict: 'This conflicts with the current state',
  rate_limit_exceeded: 'Too many attempts',
  withheld: 'This work is withheld',
  payload_too_large: 'This is too large',
  unavailable: 'The registry is busy',
  timeout: 'This took too long',
  clock_wrong: 'Changes are not possible right now',
  internal_error: 'Something went wrong',
  record_damaged: 'This record cannot be read',
  other: 'We could not understand this request',

  // What each of them means, and what to do, where the API’s own message is not for readers.
  nothingHere: 'There is nothing at this address. Check the address for typing mistakes.',
  tryLater: 'Please try again in a moment.',
  failed: 'This is our fault, and we have logged it. Please try again later.',
  noChanges:
    'The clock of the registry is wrong, so nothing can be changed. You can still read everything.',

  // After too many attempts.
  waitSeconds: `.input {$seconds :integer} .match $seconds
    one {{Try again in {$seconds} second.}}
    * {{Try again in {$seconds} seconds.}}`,
  waitMinutes: `.input {$minutes :integer} .match $minutes
    one {{Try again in {$minutes} minute.}}
    * {{Try again in {$minutes} minutes.}}`,
  report:
    'If this keeps happening, contact the operator of this registry. Quote error {$status} and request {$request}.',
  goTo: 'Go to {$ark}',
  searchInstead: 'Search the registry instead',
})

/** The page “How it works”. Codes, commands and addresses are not translated: they are given as values. */
export const explained = messages('explained', {
  title: 'How it works, and how to check it',
  // For search engines.
  description: 'What a receipt proves, what it does not, and how anybody can check one.',
  lead: 'A registry that only says “this was registered in May” asks you to believe it. This one gives you what you need to check it. A change of its records would show.',
  onThisPage: 'On this page',
  receipt: 'What a receipt is',
  log: 'What the log adds',
  proven: 'What is proven, and what is not',
  check: 'Check a record',
  byHand: 'Check it without our program',
  newest: 'Check that it is the newest',
  witnesses: 'Who else has signed, and when',
  keys: 'Which keys to trust',
  monitors: 'Watch the log',

  receiptText:
    'When a work is registered, and when it gets a new version, the registry makes a statement about it and signs it with Ed25519. The statement and its signature are the receipt:',
  receiptExample: 'A receipt',
  receiptHashes:
    'We hash the metadata in the form in which we serve it (RFC 8785), so you can compare what you download with what was signed. We also fetch and hash the content, and read it again from time to time. The page of a work says what we found.',
  logText:
    'A signature alone could be made at any time, for any date. So every receipt is also an entry of an append-only log, a Merkle tree as in Certificate Transparency (RFC 6962). The entry is on disk and under a signed root before the publisher gets an answer.',
  logProofs:
    'The root hash stands for all entries and their order. With a few hashes, which come with the receipt, anybody can compute the root from one entry: that is its {#em}inclusion proof{/em}. With as few, anybody can prove that an older root is the beginning of a newer one: a {#em}consistency proof{/em}. If somebody changed, moved or removed an entry, neither would work any more.',

  // A table: what somebody wants to know of a work, and whether a receipt proves it.
  table: 'What a checked receipt tells you',
  that: 'That …',
  isProven: 'Is it proven?',
  metadata: 'Exactly this metadata was registered',
  metadataProven: 'Proven by the metadata hash',
  file: 'This file is the one that was registered',
  fileProven: 'Proven, once we have hashed the content',
  later: 'It was not registered later than newer entries',
  laterProven: 'Proven by its place in the log',
  unchanged: 'Nothing was changed, moved or removed since',
  unchangedProven: 'Proven against any root that you have kept',
  time: 'It was registered at exactly this time',
  timeProven: 'The clock of the registry says so, in the order of the log',
  between: 'It was registered between two times',
  betweenProven: 'Proven, if witnesses have signed before and after',
  same: 'All readers see the same log',
  sameProven: 'Only if somebody compares: see monitors',
  names: 'The names are those of the authors',
  namesProven: 'Not proven: the publisher says so',
  right: 'What the work says is right',
  rightProven: 'Not proven, and never will be',
  noNames:
    'Receipts have hashes and identifiers, but no names. If a work is withdrawn, or its metadata is erased by law, its receipts stay as they were.',

  // `button` is the name of a button.
  inBrowser:
    '{#strong}In the browser.{/strong} The page of each work has the button “{$button}”. The check runs on your device. You can add your own copy of the content.',
  onMachine:
    '{#strong}On your computer.{/strong} Save the keys and a receipt once. Then you need no network:',
  saveCommands: 'Commands that save the keys and a receipt, and check it',
  fromSource: 'In a copy of the source code, {$program} is {$command}.',
  checkSteps:
    'The answer names each step. It also says what was {#em}not{/em} checked, such as the content if you gave no file. Add {$option} or a file to check those too.',

  byHandText:
    'A check by the program that you want to check is half a check. The formats are public, and other tools work as well. These commands are for {$receipt} and {$keys} from above. Each one ends with an error if something is wrong. First the signature of the receipt, with jq and openssl. Its key is the saved one that was in use at that time:',
  signatureCommands: 'Commands that check the signature of a receipt',
  checkpointText:
    'Then the signature of the log under the root of its tree. It comes with the receipt as a signed note ({$link}):',
  checkpointCommands: 'Commands that check the signature of the checkpoint',
  inclusionText:
    'Last, that the receipt is an entry of the tree with this signed root, with the Python of your system:',
  inclusionProgram: 'A Python program that checks the inclusion proof',

  // A map of all ARKs and their newest versions (a sparse Merkle tree), not one of places.
  newestText:
    'A receipt proves that a version was registered. It does not prove that there is no newer one. For that, the log has a map of all ARKs, and after new statements an entry with the root of the map. Such an entry is the last one of each checkpoint that the witnesses sign. When you check a receipt on the page of a work, the page says what the map says. On your computer, with the policy of the witnesses that you trust:',
  newestCommand: 'The command that checks whether a receipt is of the newest version',
  mapAsk: 'Without our program, ask for the proof, and check the signature of the log under it:',
  mapCommands: 'Commands that ask for a proof of the map, and check the checkpoint in it',
  mapWay:
    'Then follow the path from the ARK to the root of the map, and from there to the signed root:',
  mapProgram: 'A Python program that checks the proof of the map',
  mapHint:
    'If a log has no map, the registry answers 404. {$command} says who else has signed this checkpoint, and when. {#link}The map{/link} has all formats.',

  witnessText:
    'A witness is a program that somebody else runs. It signs a root only if a proof shows that it continues the last one that it signed. If you see the signatures of enough witnesses, you see what everybody sees.',
  noWitnesses:
    '{#strong}This log has no witnesses at present.{/strong} For the time of a statement, you have only the word of the registry.',
  // `names` is a list of names, `address` a link.
  theWitnesses:
    '{#strong}The witnesses of this log are {$names}.{/strong} A root counts as witnessed when these have signed it: {$quorum}. {$address} has what each of them signed last.',
  // `member`, `before` and `after` are names in files.
  witnessTimes:
    'Each signature has a time, by the clock of its witness. So nobody has to believe the clock of this registry: a statement names the newest root that the witnesses had signed ({$member}), with their signatures. Nobody could know these signatures before they were made. The statement is younger than these, and older than the first signatures over a root that covers it. These commands check them with the files from above. They print when each witness signed before the statement ({$before}) and after it ({$after}).',
  witnessCommands: 'Commands that check the signatures of witnesses',
  witnessHint:
    'The keys are those of the {$policy} in {$file}: compare them with what the witnesses publish. The commands skip keys of ML-DSA-44, which need OpenSSL 3.5. {$command} checks those.',

  keysText:
    'A key inside a receipt proves nothing: anybody who forges one can forge the other. Save {#link}the published keys{/link} on your first visit, and compare them with what others have saved. From then on, check against your copy.',
  rotations:
    'When we replace a key, the old key signs the new one, and the log has an entry about it. So your copy leads to the newer keys by itself: {$command} follows the rotations that you give it with {$option}. These are a newer list, or the address of the registry. It believes only what the old key and the log prove.',
  keysApart:
    'The key of receipts and the key of the log are different ones, so neither alone is enough to make a record.',

  monitorText:
    'The log could still show different trees to different readers, as long as they never compare. A monitor compares: it keeps the newest root that it has seen, and demands a proof that every later one continues it. If there is none, it keeps the evidence. Anybody can run one. The more there are, the less anybody has to trust this registry:',
  monitorCommand: 'The command that runs a monitor',
  // `link`, `checkpoint` and `tiles` are addresses.
  monitorTiles:
    'The log is served as static tiles ({$link}), so any monitor or witness of such logs can follow it too. All of it is open at {$checkpoint} and {$tiles}, without a key. People look at it on {#pages}its own pages{/pages}. There, your browser keeps the checkpoint that it has checked, and the next check proves that the log has only grown since.',
})

/** Feeds of works, of what happens to a work, and of the log, in readers of feeds. */
export const feeds = messages('feeds', {
  // Titles of feeds. `registry`, `organization` and `origin` are names.
  works: 'Works of {$registry}',
  retractions: 'Retractions of {$registry}',
  found: 'Works found in {$registry}',
  foundFor: '“{$query}” in {$registry}',
  organization: 'Works registered by {$organization}',
  checkpoints: 'Checkpoints of the log {$origin}',
  checkpoint: 'Checkpoint of size {$size}',
  // What happened to a work. `day` is a date.
  registered: 'Registered on {$day}.',
  // `fields` is a list such as `title, abstract and DOI`.
  versioned: 'Version {$number} was registered on {$day}: changed {$fields}.',
  withdrawn: 'Withdrawn on {$day}. The ARK leads to a page that says so.',
  erased: 'The metadata was erased on {$day}. Hashes and receipts remain.',
  lost: 'The metadata was found lost on {$day}. Hashes and receipts remain.',
  checked: 'We checked the content of version {$number} on {$day}.',
})

/** The fields of a work, in the middle of a sentence, by their names in the API. */
export const fields = messages('fields', {
  work_title: 'title',
  work_type: 'type',
  authors: 'authors',
  author_details: 'details of authors',
  description: 'abstract',
  work_url: 'address of the content',
  existing_doi: 'DOI',
  keywords: 'keywords',
  language: 'language',
  license: 'license',
  published_date: 'publication date',
  publisher_name: 'publisher',
  container_title: 'container title',
  volume: 'volume',
  issue: 'issue',
  pages: 'pages',
  related_identifiers: 'related identifiers',
  funding: 'funding',
  content_hash: 'declared hash of the content',
  work_title_language: 'language of the title',
  titles: 'other titles',
  descriptions: 'other texts',
  resource_type: 'kind of work',
  resource_version: 'version of the content',
  resource_version_note: 'changes in this version of the content',
  variables: 'what was measured',
  geo_locations: 'places',
  external_id: 'publisher’s own identifier',
  alternate_identifiers: 'other identifiers',
  publisher_id: 'identifier of the publisher',
  publisher_language: 'language of the publisher’s name',
  publisher_place: 'place of the publisher',
  issn: 'ISSN',
  isbn: 'ISBN',
  series_issn: 'ISSN of the series',
  group_title: 'preprint group',
  update_notices: 'retractions and corrections',
  content_domain: 'sites that show corrections',
  assertions: 'statements of the publisher',
})

/** Drawings: how often works are used, and how a receipt leads to the root of the log. */
export const figures = messages('figures', {
  // Headings of the figure of uses.
  workUsed: 'How often this work is used',
  theseWorksUsed: 'How often these works are used',
  allWorksUsed: 'How often works are used',
  // A use is a resolved ARK or a read page. Months are written as 2026-01.
  notUsed: 'Not resolved or read from {$from} to {$to}. Robots are not counted.',
  used: `.input {$count :integer} .match $count
    one {{Resolved or read {#strong}{$count}{/strong} time from {$from} to {$to}. The last month is not over yet. Robots are not counted.}}
    * {{Resolved or read {#strong}{$count}{/strong} times from {$from} to {$to}. The last month is not over yet. Robots are not counted.}}`,
  uses: 'Uses',
  asCsv: 'As CSV',
  table: 'All counts as a table',
  howCounted: 'How we count',
  byMonth: 'Uses by month',
  month: 'Month',
  // The last month of a table.
  soFar: '{$month}, so far',
  resolved: 'Resolved',
  pageRead: 'Page read',
  verified: 'Verified',
  harvested: 'Harvested',
  // What a screen reader says of a bar chart. `what` is such as `Uses`.
  bars: '{$what} from {$from} to {$to}. Highest: {$most} in {$when}.',
  bar: '{$label}: {$count :integer}',

  tree: 'A tree of hashes. Starting from one receipt, three neighbouring hashes lead to the root hash, which the log signs.',
  rootLabel: 'root hash, signed by the log',
  receiptLabel: 'a receipt',
  computed: 'computed from the receipt',
  proof: 'the proof, which comes with the receipt',
  notNeeded: 'not needed',
})

/** What is around every page: header, menu, footer, forms, lists. */
export const frame = messages('frame', {
  // The first link of every page, for who uses the keyboard or a screen reader.
  skip: 'Skip to content',
  // Before the title of a page whose form has faults, in the browser’s tab.
  errorTitle: 'Error: {$title}',
  about: 'A registry of scholarly works that proves what was registered, and when.',

  // The navigation of the header.
  registry: 'Registry',
  search: 'Search',
  howItWorks: 'How it works',
  api: 'API',
  signIn: 'Sign in',
  signOut: 'Sign out',
  createAccount: 'Create an account',
  searchRegistry: 'Search the registry',
  searchExample: 'Title, author, ARK or DOI',

  // The footer. `Keys` are the public signing keys, `Log` is the transparency log.
  verify: 'Verify',
  publishers: 'Publishers',
  people: 'People',
  log: 'Log',
  keys: 'Keys',
  policy: 'Policy',
  contact: 'Contact',
  privacy: 'Privacy',
  // A page of the operator that says who is responsible.
  imprint: 'Legal notice',
  // Names the program that runs the registry, in the footer.
  software: 'Software: {$name}',
  status: 'Status',
  feed: 'Feed',
  data: 'Data',
  // Names the buttons that change the language; each shows a language in its own words.
  language: 'Language',

  // The navigation of an account, and the menu of who is signed in.
  account: 'Account',
  profile: 'Profile',
  works: 'Works',
  changes: 'Changes',
  applications: 'Applications',
  apiKeys: 'Keys',
  security: 'Security',
  organizations: 'Organizations',
  allOrganizations: 'All organizations',
  administration: 'Administration',
  notices: 'Notices',
  // A number of notices, such as `3` or `99+`.
  newNotices: 'Notices ({$unread} new)',
  // Stands after a number, for screen readers: `3 new`.
  newWord: ' new',
  sandbox:
    '{#strong}Sandbox.{/strong} Only test people sign in here. Nothing you do here changes the registry.',

  // Pages of a list.
  pages: 'Pages',
  firstPage: 'First page',
  nextPage: 'Next page',
  more: '{$count :integer} more',

  // Two environments: the registry itself, and one for trying things out.
  environment: 'Live or sandbox',
  live: 'Live',
  sandboxName: 'Sandbox',
  inSandbox: '{$title} (sandbox)',

  show: 'Show',
  showAll: 'Show all',
  copy: 'Copy',
  secretHint: 'We show this only once. Copy it to a safe place now.',

  // Forms.
  optional: '(optional)',
  faults: `.input {$count :integer} .match $count
    one {{Please fix 1 field:}}
    * {{Please fix {$count} fields:}}`,
  givenBack: 'Nothing has changed yet. Your entries are still in the form: send it again.',
})

/** The first page. */
export const home = messages('home', {
  title: 'A registry of scholarly works that anybody can check',
  // For search engines.
  description:
    'A registry of scholarly works: permanent identifiers, every version kept, and a signed, ' +
    'append-only log. Anybody can check what was registered, and when.',
  heading: 'Scholarly works, registered so that anybody can check',
  lead: '{$registry} gives each work a permanent identifier, keeps every version, and proves what was registered and when. Don’t trust us: check.',

  // Names of three figures.
  works: 'works registered',
  // The registry counts to a limit: there are more.
  over: 'over {$count}',
  statements: 'signed entries in the log',
  newest: 'latest statement',

  why: 'Why you can believe the records',
  registered: 'Registered',
  registeredText:
    'A publisher registers a work. The work gets an ARK, which never names anything else. ' +
    'Each change makes a new version. The old versions stay.',
  signed: 'Signed',
  signedText:
    'Each version gets a receipt: the SHA-256 hashes of its metadata and its content, and the ' +
    'time, signed with Ed25519.',
  logged: 'Logged',
  loggedText:
    'The receipt goes into an append-only log before we answer. One root hash covers the whole ' +
    'log: nobody can change or remove an entry without changing the root hash.',
  root: `.input {$count :integer} .match $count
    one {{Root hash of the log with {$count} entry:}}
    * {{Root hash of the log with {$count} entries:}}`,
  growth:
    'Your receipt and a few hashes lead to the root hash that the log has signed. If you have kept ' +
    'an older root hash, you can prove that the log has only grown since then. Monitors do this ' +
    'all the time.',
  seeLog: 'See the log',
  proves: 'What this proves, and what it does not',

  check: 'Check one yourself',
  checkText:
    'The page of every work has a button that checks its receipt in your browser. On your own ' +
    'computer, three commands do the same. The last one needs no network. You need no API key and ' +
    'no account:',
  // Names a block of commands for screen readers, and what they print.
  commands: 'Commands that check a receipt',
  output: 'Output',
  byHand:
    'Would you rather not run our program? {#link}Do the same with openssl and a few lines of Python.{/link}',

  latest: 'Latest works',
  allWorks: 'All works',
  noWorks: 'No works yet',
  noWorksText:
    'This registry is new. Register the first work with the API key that the first start printed:',
  firstCommand: 'The command that registers a work',

  entrances: 'Where to go next',
  publishers: 'Publishers',
  publishersText:
    'Register works, new versions and corrections through the API, or import BibTeX and RIS.',
  yourOrganization: 'Your organization',
  researchers: 'Researchers',
  researchersText:
    'Your own profile: you decide who can write to it, and you can undo what they wrote.',
  createAccount: 'Create an account',
  harvesters: 'Harvesters',
  harvestersText: 'All metadata through OAI-PMH 2.0 and as feeds, without an API key.',
  feed: 'Feed of works',
  sitemap: 'Sitemap',
  verifiers: 'Verifiers',
  verifiersText: 'The whole log as tiles, with its checkpoints and keys. Open to everybody.',
  log: 'The log',
  checkpoint: 'Checkpoint',
  monitor: 'Run a monitor',
  newWorks: 'New works',
})

/** The pages of API keys: of a person, of an organization, and of the sandbox. */
export const keys = messages('keys', {
  title: 'API keys',
  lead: 'For your own programs. Anybody with the key can use its permissions: keep it secret, like a password.',
  none: 'No keys yet',
  noneText: 'You need a key only if one of your programs writes for you.',
  sandboxLead:
    'For trying out programs. A test person stands for you, and nothing that such a key writes is in the live registry. The {#start}quick start{/start} uses such a key. To act for an organization, create a key on the page Keys of {#organizations}the organization{/organizations}.',
  noneSandbox: 'Create a key with one click. It has all permissions that you can try.',
  organizationLead:
    'For programs that act for the organization. Anybody with the key can use its permissions. Only owners can create keys.',
  noneOrganization: 'Programs that register works for the organization need a key.',
  // What a key can do; each stands beside its box, or in a list.
  mint: 'Add works, affiliations and education',
  mintHint: 'For a program that registers your works without asking you each time.',
  update: 'Change what you added yourself or with a key',
  accountRead: 'Read your whole account',
  accountReadHint: 'Your profile, what others wrote, and the export.',
  accountWrite: 'Change your profile, claims and lists, and undo what others wrote',
  accountWriteHint: 'Not together with the first two.',
  notMixed: 'A key that adds or changes works cannot change your profile as well.',
  worksWrite: 'Register works, change them and withdraw them',
  worksRead: 'Read works and their changes',
  receiptsRead: 'Read receipts and proofs',
  receiptsVerify: 'Ask the registry to verify receipts',
  peopleRead: 'Read public profiles',
  peopleWrite: 'Say which people are authors of its works',
  searchRead: 'Search',
  // Some permissions for a common purpose. The name of the key is the same at first.
  purposes: 'Start from a common purpose:',
  depositOnly: 'Deposit only',
  depositAndCorrect: 'Deposit and correct',
  readAccount: 'Read my account',
  harvest: 'Harvest',
  readAndSearch: 'Read and search',
  tryAll: 'Try everything',
  // The form of a new key.
  createTitle: 'Create a key',
  createSandboxTitle: 'Create a sandbox key',
  create: 'Create key',
  name: 'Name',
  nameHint: 'What the key is for. Only you see it.',
  nameHintOrganization: 'What the key is for.',
  permissions: 'Permissions',
  days: 'Valid for (days)',
  daysHint: '{$days :integer} if you leave it empty, {$max :integer} at most.',
  addresses: 'Allowed IP addresses',
  addressesHint:
    'One per line, such as 192.0.2.7 or 192.0.2.0/24. If you leave it empty, all are allowed.',
  daysFault: 'A key is valid for 1 to {$max :integer} days.',
  permissionsFault: 'Select at least one permission.',
  addressesFault: 'Enter IP addresses or networks, such as 192.0.2.0/24.',
  nameFault: 'This name is too long.',
  // A key in the list. `all` are addresses.
  key: 'Key',
  all: 'all',
  created: 'Created',
  createdBy: 'Created by',
  revoked: 'revoked',
  expired: 'expired',
  rotating: 'being replaced',
  inUse: 'in use',
  rotate: 'Rotate key',
  revokeLink: 'Revoke…',
  // A new key, which is shown once.
  newTitle: 'Your new key',
  shownOnce:
    'We show a key only once, right after it is created. If you did not copy it, rotate the key.',
  allKeys: 'All keys',
  oldUntil: 'The old key works until {$time}.',
  validUntil: 'The key is valid until {$time}. Send it as {$header}.',
  quickStart: 'Quick start',
  quickStartText: 'Continue the {#link}quick start{/link} with these two lines:',
  quickStartLabel: 'Variables of the quick start',
  tryTitle: 'Try it',
  tryText: 'This changes nothing:',
  tryLabel: 'A command with the key',
  copied: 'I have copied it',
  // Ends a key.
  revokeTitle: 'Revoke this key?',
  revokeText: 'We refuse programs that use this key at once. You cannot undo this.',
  revoke: 'Revoke key',
  keep: 'Keep key',
  isRevoked: 'The key is revoked. Nobody can use it any more.',
})

/** Words of a whole record, each after what it is of; codes of ours, of DataCite and of Crossref. */
export const kinds = messages('kinds', {
  role_contact_person: 'contact person',
  role_data_collector: 'data collector',
  role_data_curator: 'data curator',
  role_data_manager: 'data manager',
  role_distributor: 'distributor',
  role_editor: 'editor',
  role_hosting_institution: 'hosting institution',
  role_producer: 'producer',
  role_project_leader: 'project leader',
  role_project_manager: 'project manager',
  role_project_member: 'project member',
  role_registration_agency: 'registration agency',
  role_registration_authority: 'registration authority',
  role_related_person: 'related person',
  role_researcher: 'researcher',
  role_research_group: 'research group',
  role_rights_holder: 'rights holder',
  role_sponsor: 'sponsor',
  role_supervisor: 'supervisor',
  role_translator: 'translator',
  role_work_package_leader: 'work package leader',
  role_chair: 'chair',
  role_reviewer: 'reviewer',
  role_review_assistant: 'review assistant',
  role_statistics_reviewer: 'statistics reviewer',
  role_external_reviewer: 'external reviewer',
  role_reader: 'reader',
  role_corresponding_author: 'corresponding author',
  role_other: 'other',

  title_subtitle: 'subtitle',
  title_translated: 'translated',
  title_alternative: 'alternative',
  title_original: 'original',
  title_original_subtitle: 'original subtitle',
  title_short: 'short',
  title_other: 'other',

  // Headings of texts.
  text_abstract: 'Abstract',
  text_methods: 'Methods',
  text_series_information: 'Series information',
  text_table_of_contents: 'Table of contents',
  text_technical_info: 'Technical info',
  text_plain_language: 'Plain language summary',
  text_other: 'Other text',

  // Each stands before a date.
  date_accepted: 'Accepted',
  date_approved: 'Approved',
  date_available: 'Available',
  date_collected: 'Collected',
  date_copyrighted: 'Copyrighted',
  date_coverage: 'Coverage',
  date_created: 'Created',
  date_issued: 'Issued',
  date_online: 'Online',
  date_posted: 'Posted',
  date_print: 'Print',
  date_received: 'Received',
  date_submitted: 'Submitted',
  date_updated: 'Updated',
  date_valid: 'Valid',
  date_withdrawn: 'Withdrawn',
  date_other: 'Other',

  file_content: 'content',
  file_supplement: 'supplement',
  file_text_mining: 'text mining',
  file_similarity_checking: 'similarity checking',
  file_syndication: 'syndication',
  file_landing_page: 'landing page',
  file_other: 'other',

  // What a license is for.
  use_version_of_record: 'for the version of record',
  use_accepted_manuscript: 'for the accepted manuscript',
  use_submitted_manuscript: 'for the submitted manuscript',
  use_text_mining: 'for text mining',
  use_article_sharing: 'for sharing the article',
  use_other: 'for another use',

  // Which stage of an article a file is.
  stage_version_of_record: 'version of record',
  stage_accepted_manuscript: 'accepted manuscript',
  stage_submitted_manuscript: 'submitted manuscript',

  access_open: 'open',
  access_embargoed: 'embargoed',
  access_restricted: 'restricted',
  access_metadata_only: 'metadata only',
})

/** The page of a work at its ARK, and its tombstone. */
export const landing = messages('landing', {
  // Above the title: `Article · 12 Mar 2021 · Version 3`.
  version: 'Version {$number}',
  // Before the title of the page in the browser’s tab: `Withdrawn: On looms`.
  marked: '{$mark}: {$title}',
  changesFeed: 'Changes to this work',

  citeAs: 'Cite as',
  // Beside the ARK, which is the same for all versions.
  toNewest: 'Always leads to the latest version. {#link}Link to this version{/link}',
  thisIsMine: 'I am an author of this work',
  checkedAgo: 'checked {$ago}',
  receipt: 'Receipt',
  registeredOn: 'registered on {$time}',
  openContent: 'Open the content',
  openPage: 'Open the publisher’s page',
  elsewhere: 'at {$host}, outside this registry',
  abstract: 'Abstract',
  noAbstract: 'This work has no abstract.',
  // Below a text with formulas, behind a click.
  formulaSources: 'Source of the formulas',

  sandbox:
    '{#strong}Sandbox: do not cite.{/strong} This record is a test. Its ARK is not permanent.',
  older:
    '{#strong}A newer version exists.{/strong} This is version {$number}. {#link}See version {$newest}, the latest{/link}.',

  withdrawnTitle: 'Withdrawn',
  lost: 'Metadata lost',
  erased: 'Metadata erased',
  // `why` is a reason such as `because of fraud`.
  withdrawnOn: '{#strong}This work was withdrawn{/strong} on {$time}, {$why}.',
  withdrawnBy: '{#strong}This work was withdrawn{/strong} on {$time} by {$who}, {$why}.',
  instead: 'Use this work instead: {$link}.',
  erasedOn:
    'We erased its metadata on {$time}. The hashes remain, and still prove what was registered.',
  remains:
    'Its ARK never names another work. Its receipts remain valid. We no longer link to its content.',

  // Citations.
  cite: 'Cite this work',
  citationStyle: 'Citation style',
  copyCitation: 'Copy citation',
  plainText: 'As plain text',
  forManagers: 'For reference managers',
  otherStyle: 'Another style',
  styleByName: 'Another style, by its name in {#link}the list{/link}',
  forPrograms: 'For programs',
  badge: 'Badge',
  linkSet: 'Link set',
  atomFeed: 'Atom feed',
  oaiRecord: 'OAI-PMH record',

  // Who made a change. `id` is the name of a person’s page.
  researcher: 'a researcher, {#link}{$id}{/link}',
  registryItself: 'this registry, automatically',
  operator: 'the operator of this registry',

  // Authors. Each mark stands in a box after a name.
  moreAuthors: `.input {$count :integer} .match $count
    one {{1 more author}}
    * {{{$count} more authors}}`,
  unnamedAuthors: `.input {$count :integer} .match $count
    one {{The JSON record names 1 more author.}}
    * {{The JSON record names {$count} more authors.}}`,
  somebody: 'Somebody with a profile here',
  // `mark` is one of the marks below, `name` the name of a person.
  unplaced: '{$name}: {$mark}, but we do not know which of the authors this is.',
  byAdmin: 'confirmed by an administrator',
  byOrcid: 'signed in with ORCID',
  byThem: 'registered by this person',
  byBoth: 'confirmed by the publisher and the person',
  byPublisher: 'named by the publisher, with the person’s permission',
  orcid: 'ORCID iD {$id}',
  orcidSaid: 'ORCID iD {$id}, not confirmed by its owner',

  // Versions and changes.
  versions: 'Versions',
  newerVersions: `.input {$count :integer} .match $count
    one {{1 newer version: {#link}the latest{/link}}}
    * {{{$count} newer versions, up to {#link}the latest{/link}}}`,
  olderVersions: `.input {$count :integer} .match $count
    one {{1 older version: {#link}version {$number}{/link}}}
    * {{{$count} older versions, down from {#link}version {$number}{/link}}}`,
  earlierVersions: `.input {$count :integer} .match $count
    one {{1 earlier version}}
    * {{{$count} earlier versions}}`,
  thisPage: 'this page',
  compare: 'Compare',
  compareWith: 'Compare version {$number} with the previous version',
  firstVersion: 'Registered.',
  // `fields` is a list such as `title, abstract and DOI`.
  newVersion: 'New version: changed {$fields}.',
  changed: 'Changed {$fields}.',

  history: 'Who changed what',
  registeredBy: 'Registered on {$time} by {$who}. The history keeps every change.',
  earlierChanges: `.input {$count :integer} .match $count
    one {{1 earlier change}}
    * {{{$count} earlier changes}}`,
  historyJson: 'The history as JSON',
  wholeHistoryJson: 'The whole history as JSON',
  // A line of the history: when, what, by whom.
  event: '{$time} {$what}, by {$who}',
  eventRegistered: 'Registered',
  eventVersion: 'Version {$number}: changed {$fields}',
  eventWithdrawn: 'Withdrawn',
  eventErased: 'Metadata erased',
  eventLost: 'Metadata found lost',
  // What a check of the content has found.
  eventVerified: 'Content found as registered',
  eventFailed: 'Content found changed',
  eventUnreachable: 'Content not confirmed',
  eventVerifiedOf: 'Content of version {$number} found as registered',
  eventFailedOf: 'Content of version {$number} found changed',
  eventUnreachableOf: 'Content of version {$number} not confirmed',

  // Whether the content is still the same.
  fixity: 'Content check',
  checkedElsewhere: 'Checks continue {#link}with the latest version{/link}.',
  neverRead: 'We do not check the content of withdrawn works. We never read it.',
  lastRead: 'We do not check the content of withdrawn works. Last read {$ago}.',
  queued: 'We have not read the content yet. It is in the queue.',
  queuedDeclared:
    'We have not read the content yet. It is in the queue. Until then, its hash is only what the publisher declared.',
  unchanged: 'Last seen unchanged {$ago}.',
  // The same, after several checks in a row.
  unchangedInARow: `.input {$count :integer} .match $count
    one {{Last seen unchanged {$ago}, in 1 check.}}
    * {{Last seen unchanged {$ago}, in {$count} checks in a row.}}`,
  isChanged: 'The content is not what was registered. Last checked {$ago}.',
  // `reason` is a sentence of the checker, in English.
  notConfirmed:
    'We could not confirm the content: {$reason}. Last tried {$ago}. This does not mean that it has changed.',
  noContent: 'there was none',
  isLandingPage:
    'The address leads to a landing page, not to a file, so there is no content to compare. The publisher can provide the address of the file itself. Last tried {$ago}.',
  changedNotice:
    '{#strong}The content has changed.{/strong} What we read is not what was registered. {#link}Compare the hashes{/link} before you rely on it.',
  changedNoticeOn:
    '{#strong}The content has changed.{/strong} What we read on {$time} is not what was registered. {#link}Compare the hashes{/link} before you rely on it.',
  declaredHash: 'Declared hash',
  registeredHash: 'Registered hash',
  hash: 'Hash',
  noneYet: 'none yet',
  notReadYet: 'not read yet',
  hashFound: 'Hash found since',
  hashFoundOn: 'read on {$time}, not the registered hash',
  firstRead: 'as first read here',
  asDeclared: 'as first read here, the same as declared',
  notAsDeclared: 'as first read here, not the declared hash',
  lastCheck: 'Last check',
  nextCheck: 'Next check from',
  checks: 'Checks',
  earlierChecks: `.input {$count :integer} .match $count
    one {{1 earlier check}}
    * {{{$count} earlier checks}}`,
  checkVerified: 'Unchanged',
  checkFailed: 'Changed',
  checkUnreachable: 'Not confirmed',
  justNow: 'less than a minute ago',

  // The receipt.
  theReceipt: 'The receipt',
  says_registered:
    'It says that this version was registered on {$time} with exactly this metadata.',
  says_content:
    'It says that this version was registered with exactly this metadata, and that its content was confirmed on {$time}.',
  says_content_on:
    'It says that this version was registered on {$registered} with exactly this metadata, and that its content was confirmed on {$time}.',
  says_tombstoned:
    'It says that this work was withdrawn on {$time}. Its hashes say what the work was.',
  signedAs: `.input {$index :integer} .input {$size :integer} .match $size
    one {{Signed as {#entry}entry {$index}{/entry} in the {#log}public log{/log} of {$size} entry.}}
    * {{Signed as {#entry}entry {$index}{/entry} in the {#log}public log{/log} of {$size} entries.}}`,
  whatWasSigned: 'What was signed',
  metadataHash: 'Metadata hash',
  contentHash: 'Content hash',
  rootHash: 'Root hash of the log',
  signingKey: 'Signing key',
  checkHere: 'Check it in this browser',
  checkHereText:
    'Your browser gets the receipt, the metadata and the keys from this site, and does all calculations itself.',
  checkReceipt: 'Check the receipt',

  // What the browser has proven; `when` is one of the last two.
  newestVersion: 'The newest version',
  provenNewest: 'This is the newest version, {$when}',
  provenSuperseded: 'Version {$number} is newer, {$when}',
  provenWithdrawn: 'Withdrawn, {$when}',
  provenAbsent: 'No such ARK was ever registered here, {$when}',
  provenNotYet: 'Not yet known: this version is younger than the newest map, which is {$when}',
  provenContradictory: 'The log contradicts itself about this ARK, {$when}',
  asTold: 'as the registry says',
  asSeen: 'as of {$time}, seen by {$signed} of {$of} witnesses',

  checkLimits:
    'Keys from the same site only prove that everything here fits together. To depend on nothing that this site says today, check offline with keys that you have saved before.',
  yourCopy: 'Your copy of the content',
  staysHere: '(optional; it stays on your device)',
  checkOffline: 'Check it offline',
  checkOfflineText:
    'The receipt is a separate file. It proves itself, even if this registry no longer exists.',
  receiptFile: 'Receipt file',
  allProofs: 'All proofs',
  inclusionProof: 'Inclusion proof',
  allEntries: 'All entries of this work',
  newestCheckpoint: 'Latest checkpoint',
  publishedKeys: 'Published keys',

  // Works that a work relates to.
  relatedWorks: 'Related works',
  allRelated: 'All related works',
  // `kind` is a word such as `Retracted`.
  hasNotice: 'Has a notice ({$kind}):',
  isNotice: 'Is a notice ({$kind}) of',
  relatedLead:
    'of {$work}: first what the work says itself, then what other works here say about it, latest first.',
  noneRelated: 'There are none.',
  similarWorks: 'Similar works',
  findSimilar: 'Find similar works',
  similarLead:
    'Works that have words of the title, keywords, authors or the journal in common with {$work}, those with most in common first.',
  sameJson: 'The same as JSON',
})

/** The pages of the log: overview, entries, checkpoints, comparison. The `proven…` texts follow `Proven, in your browser.` */
export const logPages = messages('logPages', {
  title: 'The log',
  sandboxNote:
    'This is the log of the sandbox, which is for trying things out. {#link}The log of the registry{/link}',
  findEntry: 'Find an entry',
  find: 'Find',
  findExample: 'Index, hash, receipt or ARK',
  entryCount: `.input {$count :integer} .match $count
    one {{{$count} entry}}
    * {{{$count} entries}}`,

  // The part of a page with a check that the browser makes.
  keptKey: 'With a key that you have kept',
  vkey: 'Verifier key of the log',
  keyHint:
    'Without one, your browser uses the key that this site publishes now. That only proves that everything here fits together.',
  withoutScripts:
    'If your browser runs scripts, this page has a button that checks everything in the browser. You can also {#link}check it by hand{/link}.',
  checkHead: 'Check the checkpoint',
  headText:
    'Your browser checks the signatures of the checkpoint on this page with the published keys. It keeps the checkpoint. On your next visit, it also checks that the log continues it.',
  provenHead:
    'The log signed this root for the size {$size :integer}. A second root for the same size would convict it.',
  forget: 'Forget the kept checkpoint',
  checkEntry: 'Check this entry',
  entryText:
    'Your browser hashes the bytes below, follows the path to the root, and compares the root with the signed checkpoint. It also compares the words above with the bytes.',
  provenEntry:
    'Entry {$index :integer} says this. It is in the log of size {$size :integer} that the key of the log signed.',
  checkContinuation: 'Check that one continues the other',
  continuationText:
    'Your browser checks both signatures with the key of the log, and rebuilds both roots from the hashes of the proof. This only succeeds if all older entries are in the newer log, in their places and unchanged.',
  provenContinuation:
    'The log of size {$newer :integer} begins with all entries of the log of size {$older :integer}, unchanged.',

  // What an entry says, by the kinds of statements, and of what.
  says: 'What it says',
  registered: 'Registered',
  content: 'Content confirmed',
  tombstoned: 'Withdrawn',
  key_rotated: 'Key replaced',
  // A map of all ARKs and their newest versions (a sparse Merkle tree), not one of places.
  map: 'Map',
  about: 'About',
  receiptKey: 'receipt key {$id}',
  allArks: 'all ARKs so far: {$count :integer}',
  // `work` is a link with an ARK.
  registeredText: 'Version {$version} of {$work} was registered with exactly this metadata.',
  contentText: 'We fetched the content of version {$version} of {$work}. It had exactly this hash.',
  withdrawnText: 'The work {$work} was withdrawn. Its hashes say what it was.',
  keyText: 'From here on, another key signs receipts. The old key signs this.',
  mapText:
    'This is the map of the registry. Its root stands for what all earlier entries say about every ARK. With it, anybody can prove which version is the newest, that a work was withdrawn, or that an ARK does not exist.',

  // Names of the facts of an entry.
  statement: 'Statement',
  signedAt: 'Signed at',
  signedBy: 'Signed by',
  keyId: 'key {$id}',
  covered: 'Entries covered',
  arks: 'ARKs',
  root: 'Root',
  rootHash: 'Root hash',
  oldKey: 'Old key',
  newKey: 'New key',
  publicKey: 'Public key',
  version: 'Version',
  reason: 'Reason',
  withdrawnBy: 'Withdrawn by',
  madeAfter: 'Made after',
  madeAfterHint: 'the newest checkpoint that the witnesses had signed, with their signatures',
  fromZero: 'Entries are counted from zero: the first one is entry 0.',

  // Lists of entries.
  entry: 'Entry',
  entryNumber: 'Entry {$index :integer}',
  entries: 'Entries',
  signed: 'Signed',
  fromTo: 'Entries {$from :integer} to {$to :integer}, newest first',
  newestFirst: 'Newest first',
  oldestFirst: 'Oldest first',
  allEntries: 'All entries',
  around: 'Entries around it',
  noEntries: 'No entries yet',
  noEntriesText: 'The first registered work makes the first entry.',

  // A search for an entry.
  foundTitle: 'Entries found',
  found: 'What the log has about {$what}.',
  missing: 'There is no such entry',
  unknown: 'This does not name an entry',
  searchSandbox: 'Search the log of the sandbox',
  searchLive: 'Search the log of the registry',
  forms:
    'You can find an entry by its number, counted from 0, or by its hash: 64 hexadecimal digits, or base64 of 32 bytes. A receipt ID (rcpt_…) or an ARK (ark:/…) works too.',
  tooLong: 'A text this long names no entry. {$forms}',
  notName: '“{$text}” is not the name of an entry. {$forms}',
  noHash:
    'No entry of this log has the hash {$hash}. The hash of an entry is the SHA-256 of a zero byte and the entry. The hashes of metadata and content in a receipt are different ones.',
  notNumber: '{$text} is not the number of an entry. Write numbers as 0 or 1234.',
  emptyLog: 'This log has no entry {$index} yet: it is empty.',
  noEntry: 'This log has no entry {$index} yet: its last one is entry {$last}.',
  notReceipt: '“{$text}” is not a complete receipt ID. One looks like {$example}.',
  noReceipt: 'This registry has issued no receipt {$id}.',
  // `reason` is technical and in English.
  notArk: '“{$text}” is not an ARK: {$reason}.',
  noWork: 'This registry has no work {$ark}.',
  noVersion: 'The work {$ark} has no version {$version}. Its newest one is version {$newest}.',

  // The page of an entry.
  bytes: 'Bytes',
  bytesText:
    'These {$count :integer} bytes are hashed exactly as they are. Their leaf hash is the SHA-256 of a zero byte and of them: {$hash}',
  rawEntry: 'The bytes of the entry',
  bundle: 'Bundle with this entry',
  tile: 'Tile with its hash',
  proofJson: 'Proof as JSON',
  rawCheckpoint: 'The signed checkpoint',
  checkpointHint:
    'The name of the log, its number of entries, their root, and who signed these three lines.',
  // Describes a drawing of the path to those who do not see it.
  pathDesc:
    'The hash of the entry is at the bottom, and the root is at the top. Steps in between: {$count :integer}. Each one joins a hash of the proof, on the left or on the right. Below is the same in words.',
  computed: 'computed from the entry',
  proofKey: 'the proof',
  pathWords: 'The path in words, with whole hashes',
  pathFirst: 'The hash of entry {$index :integer} is {$hash}',
  // `range` is such as `8` or `10–11`; `count` says how many entries that is. A hash follows.
  stepLeft: `.input {$count :integer} .match $count
    1 {{On the left, the hash of entry {$range}:}}
    * {{On the left, the hash of entries {$range}:}}`,
  stepRight: `.input {$count :integer} .match $count
    1 {{On the right, the hash of entry {$range}:}}
    * {{On the right, the hash of entries {$range}:}}`,
  together: 'Together they make {$hash}',
  pathLast: 'The last hash is the root in the checkpoint: {$hash}',

  // Checkpoints, and two of them compared.
  checkpoints: 'Checkpoints',
  allCheckpoints: 'All checkpoints',
  noCheckpoints: 'No checkpoints yet',
  noCheckpointsText: 'The first entry makes the first checkpoint.',
  checkpointsLead:
    'The log signs each commit as one checkpoint. Each checkpoint continues the one before it. You can prove this for any two of them.',
  notesJson: 'The signed notes as JSON',
  checkpointsTable: 'Newest first. Each one has the time of its newest entry.',
  added: 'Added',
  newestSigned: 'Newest entry signed',
  proof: 'Proof',
  newest: 'newest',
  // The words in `unseen` are for screen readers.
  compareNewest: 'Compare with the newest{#unseen}: size {$size :integer}{/unseen}',
  olderSize: 'Older, in entries',
  newerSize: 'Newer, in entries',
  twoCheckpoints: 'Two checkpoints',
  notComparable: 'These cannot be compared',
  noCheckpoint: 'There is no such checkpoint',
  askSizes:
    'Enter how many entries each of them has. {#link}Checkpoints{/link} lists what the log signed.',
  beyond:
    'The newest checkpoint has the size {$newest :integer}. The log signed nothing beyond it.',
  within: 'The log never signed the size {$size :integer}: it was inside a commit.',
  nearby: 'Signed nearby:',
  olderFirst: 'The older checkpoint comes first: {$from :integer} is more than {$to :integer}.',
  emptyOlder: 'Every log continues the empty one. That proves nothing.',
  newer: 'The newer checkpoint',
  theProof: 'The proof',
  sameSize: 'Both have the same size, so only their roots must be the same.',
  proofText: 'Hashes of parts of the newer tree (RFC 9162 §2.1.4), in order.',
  keptCheckpoint: 'With a checkpoint that you have kept',
  ownCheckpoint: 'A signed checkpoint, in place of the older one',
  ownHint:
    'Your browser asks this site for the proof from this checkpoint to the newer one. If the log has shown you another history, there is no such proof.',
  beginning: 'The older log is the beginning of the newer one.',
  inBoth: 'Entries in both: {$same :integer}. Added in the newer one: {$added :integer}.',

  // The overview.
  lead: 'These are all statements that this registry has signed, in order. Nobody can change or remove one unseen: the log signs one root hash that covers them all. Your browser can check that.',
  // Names of three figures.
  figureEntries: 'entries',
  figureNewest: 'newest entry signed',
  figureSeen: 'entries that witnesses have seen',
  head: 'Head of the log',
  origin: 'Origin',
  vkeyName: 'Verifier key',
  asSigned: 'The checkpoint, as it is signed',
  samePlain: 'The same for programs',
  before: 'Earlier checkpoints',
  beforeText:
    'For any two of its checkpoints, a proof shows that the newer log begins with all of the older one.',
  newestEntries: 'Newest entries',
  witnesses: 'Witnesses',
  noWitnesses:
    'Nobody else signs the checkpoints of this log. Keep one yourself: with it you can prove later that the log has only grown.',
  witnessesText:
    'A witness signs a checkpoint only if it continues the last one that it signed. A checkpoint counts as witnessed when these have signed it: {$quorum}.',
  // `members` is a list of names.
  quorumOf: '{$count :integer} of ({$members})',
  notSigned: 'It has not signed yet.',
  witnessSigned: 'Signed size {$size :integer} on {$time}.',
  witnessBehind: 'Signed size {$size :integer} on {$time}. Entries since then: {$behind :integer}.',
  // `path` is where the tiles are.
  rawText:
    'The whole log is open: entries and hashes as tiles (C2SP tlog-tiles) below {$path}, and proofs as JSON.',
  checkpointsJson: 'Checkpoints as JSON',
  witnessesJson: 'Witnesses as JSON',
  allKeys: 'All keys',

  // Drawings of how the log grew.
  growth: 'Growth',
  plotEntries: 'Entries in the log',
  plotCommits: 'Entries in one commit',
  overTime: '{$name}, over time',
  entriesDesc:
    'From {$from :integer} to {$to :integer} entries. The numbers are in the tables below.',
  commitsDesc: 'Commits in the drawing: {$count :integer}. The numbers are in the tables below.',
  asTables: 'The same as tables',
  time: 'Time',
  inCommit: 'In one commit',
  commits: 'Commits',
})

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
  writeText: '{$by} made this change at {$registry}, as you permitted: {$what}.',
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
  // `name` is one of the texts below, such as “organization press”.
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
  nameOrganization: 'organization {$id}',
  nameAccount: 'account {$id}',
  nameApplication: 'application {$id}',
  nameWork: 'work {$id}',
  webhookSubject: 'A webhook of {$owner} is paused',
  // `reason` is English, and `address` is that of the webhook.
  webhookText:
    'The registry at {$registry} sends nothing more to a webhook of {$owner}. The reason: {$reason}. The webhook: {$address}',
  webhookResume:
    'Nothing is lost: when you resume it, it goes on where it was. See its deliveries, and resume it, here:',
  // News: `toDo` is one of the texts before a link, such as “Accept or decline here”.
  newsToDo: '{$toDo}:',
  newsRegistry: 'Registry: {$registry}',
  ownerSubject: '{$organization} has a new owner',
  ownerText:
    'The operator of the registry at {$registry} has named an owner of {$organization}: {$person}.',
  role_owner: 'owner',
  role_editor: 'editor',
  role_viewer: 'viewer',
})

/** Mails about what happened to organizations, works, claims and keys, and the switches for them. */
export const news = messages('news', {
  // `owner` is an organization or a person, `doer` a person, a key or one of these two.
  theOperator: 'The operator of this registry',
  theRegistry: 'The registry',
  // Stands after a sentence. `reason` was typed by a person.
  reason: 'The reason: {$reason}',
  keySubject: `.input {$done :string} .match $done
    created {{An API key of {$owner} was created}}
    rotated {{An API key of {$owner} was rotated}}
    * {{An API key of {$owner} was revoked}}`,
  keyText: `.input {$done :string} .match $done
    created {{{$doer} created the API key {$id} of {$owner}.}}
    rotated {{{$doer} rotated the API key {$id} of {$owner}.}}
    * {{{$doer} revoked the API key {$id} of {$owner}.}}`,
  // What to do: each stands before a colon and a link.
  keyRevokedDo: 'See the keys here, and create another one',
  keyDo: 'If you do not expect this, revoke the key here',
  // After a mail that names one of several.
  moreClaims: `.input {$count :integer} .match $count
    one {{This mail is about 1 more claim.}}
    * {{This mail is about {$count} more claims.}}`,
  moreKeys: `.input {$count :integer} .match $count
    one {{This mail is about 1 more key.}}
    * {{This mail is about {$count} more keys.}}`,
  confirmedSubject: `.input {$count :integer} .match $count
    one {{A claim is confirmed}}
    * {{{$count} claims are confirmed}}`,
  declinedSubject: `.input {$count :integer} .match $count
    one {{A claim is declined}}
    * {{{$count} claims are declined}}`,
  // `ark` is an identifier such as `ark:/12345/x6np1wh8k`.
  confirmedText: 'The claim of {$person} on the work {$ark} is confirmed.',
  declinedText: 'The claim of {$person} on the work {$ark} is declined.',
  confirmedDo: 'See the claim here',
  declinedDo: 'You can contest the decision here',
  waitingSubject: `.input {$count :integer} .match $count
    one {{A claim waits for {$owner}}}
    * {{{$count} claims wait for {$owner}}}`,
  waitingText: '{$person} says they wrote the work {$ark}.',
  waitingDecides: '{$owner} decides.',
  waitingDo: 'Confirm or decline here',
  contestedSubject: 'A claim is contested',
  contestedText: 'The claim of {$person} on the work {$ark} is contested.',
  contestedDecides: 'An administrator decides.',
  contestedDo: 'Administrators decide here',
  requestedSubject: '{$owner} asks for an organization',
  requestedText: '{$owner} asks for the organization {$slug}.',
  requestedDo: 'Approve or decline the request here',
  approvedSubject: 'Your organization {$slug} is approved',
  approvedText: 'An administrator approved {$slug}. You are its owner.',
  approvedDo: 'Register works and invite members here',
  refusedSubject: 'Your request for {$slug} is declined',
  refusedText: 'An administrator declined {$slug}.',
  refusedDo: 'You can ask again here',
  takenDownSubject: 'The work {$ark} is taken down',
  takenDownText: 'The operator of this registry withdrew the work {$ark} of {$owner}.',
  takenDownDo: 'If you object, write to the operator of the registry. The history is here',
  // `again` is an ARK.
  erasedSubject: 'The metadata of {$ark} is erased',
  erasedText:
    'The operator of this registry permanently erased the metadata of the work {$ark} of {$owner}: title, authors, addresses and everything else, in all versions. The ARK, the receipts and the proofs stay.',
  againSubject: 'The work {$ark} is registered again',
  againText:
    'The operator of this registry registered the work {$ark} of {$owner} again. Its new ARK is {$again}, and the page of the old ARK names the new one.',
  againDo: 'See the entry here',
  reportedSubject: 'A reader reports a problem of {$ark}',
  // `message` was typed by the reader.
  reportedText: 'A reader reports a problem of the work {$ark} of {$owner}. {$message}',
  reportedDo: 'Answer the report here',
  undoneSubject: `.input {$count :integer} .match $count
    one {{Changes to 1 work of {$owner} are undone}}
    * {{Changes to {$count} works of {$owner} are undone}}`,
  // `changes` is English: what was undone.
  undoneText: '{$doer} undid this for works of {$owner}: {$changes}.',
  undoneDo: 'See what became of each work here',
  keyEndingSubject: `.input {$count :integer} .match $count
    one {{An API key of {$owner} ends soon}}
    * {{{$count} API keys of {$owner} end soon}}`,
  keyEndingText: 'The API key {$id} of {$owner} ends on {$day}.',
  keyEndingRotate: 'After you rotate a key, the old one works for another seven days.',
  keyEndingDo: 'Rotate it in time here',
  failingSubject: `.input {$count :integer} .match $count
    one {{Content of 1 work of {$owner} fails}}
    * {{Content of {$count} works of {$owner} fails}}`,
  failingText: `.input {$count :integer} .match $count
    one {{The content of 1 work of {$owner} changed or is not confirmed. By host: {$hosts}.}}
    * {{The content of {$count} works of {$owner} changed or is not confirmed. By host: {$hosts}.}}`,
  failingDo: 'See causes and what to do here',
  weekSubject: '{$owner}: the week of {$day}',
  weekText: 'This happened at {$owner} in the week that began on {$day}:',
  weekDo: 'See more here',
  searchesSubject: 'New works in your saved searches: {$count :integer}',
  searchesText:
    'Works that your saved searches found and you have not seen, registered in the week that began on {$day}: {$count :integer}.',
  searchesDo: 'See them here',
  weekNewWorks: 'New works: {$count :integer}',
  weekUse: 'Links followed: {$resolutions :integer}. Pages read: {$views :integer}',
  weekFailing: 'Works with failing content: {$count :integer}',
  weekFailingTable: 'Works with failing content: {$count :integer} (see the attached table)',
  weekClaims: 'Claims that wait for your answer: {$count :integer}',
  weekKeys: 'API keys that end within 30 days: {$count :integer}',
  weekMostUsed: 'Your most used works:',
  weekUsed: '{$place :integer}. {$title} ({$uses :integer})',
  newMember: '{$owner} has a new member',
  lostMember: '{$owner} lost a member',
  newMemberText: '{$owner} has a new member: {$person}.',
  lostMemberText: '{$owner} lost a member: {$person}.',
  doneBy: '{$doer} did this.',
  membersDo: 'See the members here',
  // To the person who was removed.
  memberEnded: 'You are no longer a member of {$owner}',
  memberEndedDo: 'See your organizations here',
  adminSubject: '{$owner} is an administrator now',
  adminText:
    '{$doer} made {$owner} an administrator of this registry. Administrators can change every account, organization and work.',
  adminDo: 'If you do not expect this, look at the audit log at once',
  adminEndedSubject: '{$owner} is no longer an administrator',
  adminEndedText: '{$doer} ended the administrator rights of {$owner}.',
  adminEndedDo: 'Administrators find more in the audit log',
  // The page on which people choose which of these mails they get; the groups are labels of boxes.
  title: 'News by mail',
  saved: 'Your choice is saved.',
  lead: 'We write to {$address} once it is confirmed. You always get mails about your password, your address and your sign-in.',
  yourAddress: 'your address',
  save: 'Save choice',
  alsoNotices: '{#link}Notices{/link} show all news, also those without a mail.',
  group_organizations: 'Requests for organizations, members and owners',
  group_works: 'Takedowns and undone changes of works, and problems that readers report',
  group_claims: 'Claims of authorship that wait, were decided or are contested',
  group_content: 'Works with content that fails',
  group_keys: 'Keys that were created, rotated or revoked, or end soon',
  group_digest: 'The weekly summary of your organizations',
  group_searches: 'New works in your saved searches, once a week',
  group_administration: 'New administrators, and requests that wait for administrators',
})

/** Who runs the registry, what it keeps of people, whether it works, and what it promises. */
export const operator = messages('operator', {
  // The page Contact.
  runBy: '{#strong}{$name}{/strong} runs this registry.',
  runByUnnamed: 'The operator of this registry has not published a name here.',
  noAddress: 'The operator has published no address here.',
  writeTo: 'Write to {$address}.',
  beforeYouWrite: 'Before you write',
  adviceRecord:
    'The publisher of a work wrote its record, and the page names that publisher. Only the publisher can change or withdraw it.',
  adviceContent: 'If the content has changed or is gone, tell us the ARK of the work.',
  adviceCheck:
    'If a check of a receipt or of the log fails, save a copy of the page and send it to us.',
  adviceAuthor: 'If you are an author, sign in and claim the work.',
  // The page Privacy.
  privacyLead: 'What this software stores about people, and what it does not.',
  ownStatement: 'The operator’s own statement: {$link}',
  ifYouRead: 'If you read',
  ifYouReadText:
    'Pages load nothing from other sites, and set no cookie until you sign in or choose a language. We count the requests of your address for some minutes, as a limit. The server’s own log has your address with the address of the page, for as long as the operator keeps it. Receipts and files that you check at {#link}Verify{/link} stay in your browser if scripts run, and we never store them.',
  ifAccount: 'If you have an account',
  ifAccountText:
    'We store your e-mail address and what you write into your profile. You choose which parts of your profile are public. You can download all of it, and delete the account.',
  ifNamed: 'If a work names you',
  // `address` is where to ask.
  ifNamedText:
    'Records of works name their authors. The public log has hashes of metadata, not the metadata. We can erase data that must not be public. The proofs in the log remain. Ask {$address}.',
  theOperator: 'the operator',
  // The page Status.
  works: 'The registry works as it should.',
  worksNot: 'Parts of the registry do not work right now.',
  readAndRegister: 'Reading and registering',
  search: 'Search',
  isWorking: 'Works',
  isNotWorking: 'Does not work right now',
  isBehind: 'Works, but newest changes are missing',
  isOff: 'Off',
  entries: 'Entries in the log',
  newestEntry: 'Newest entry',
  forPrograms: 'For programs: {$link}. The {#log}log{/log} shows how it grows, and who watches it.',
  // The page about a NAAN, the number at the beginning of ARKs.
  naanTitle: 'ARKs with the NAAN {$naan}',
  naanLead:
    'The identifiers of this registry begin with {$prefix}. Type one after the address of this registry to get to the work.',
  names: 'What it names',
  namesWorks: 'Works that are registered here',
  namesTests: 'Tests in the sandbox of this registry. Nothing there is permanent',
  resolver: 'Resolver',
  note: 'Note',
  exampleNumber: 'This number is for examples. No authority assigned it.',
  // What the registry promises.
  promises: 'What this registry promises',
  validity: 'Identifier validity',
  validityText:
    'An ARK names one work and never another one. We never withdraw an ARK. When a work is withdrawn, its ARK still leads to its description, which then says when and why it was withdrawn, and what replaces it. Every spelling of an ARK leads to the same work.',
  kept: 'Description',
  keptText:
    'We keep the description of each version of a work as it was registered. Anybody can read it without an account, also when the work is withdrawn. A change makes a new version, and the old versions stay. An ARK leads to the latest version. Each older version has its own address.',
  availability: 'Object availability',
  availabilityText:
    'The publisher keeps the content of a work, and this registry does not. The publisher keeps its address up to date. We do not link to the content of a withdrawn work. Unless the operator turned this off, we read the content again and again, and say what we found last.',
  invariance: 'Content invariance',
  // `term` is a term of permanence in English: Permanent: Dynamic Content.
  invarianceText:
    '{$term}. The publisher can replace the content at an address, but not unnoticed. We register the SHA-256 hash of the content when we first read it, or the publisher declares it. If the content later has another hash, we show it as changed.',
  changeHistory: 'Change history',
  changeHistoryText:
    'The public history of a work has every change, with its time and who made it. Every version has a signed receipt in an append-only log. Anybody can check it without trusting this registry.',
  exceptions: 'Exceptions',
  exceptionsText:
    'If the law demands it, we erase the description of a withdrawn work. Its ARK, its history, its hashes and its receipts stay. Nothing in the sandbox (NAAN {$naan}) is permanent.',
})

/** The page of a person’s organizations, and the start page and the description of one. */
export const organizations = messages('organizations', {
  lead: 'An organization registers works in its own name. It has keys, applications and members.',
  left: 'You are no longer a member of this organization.',
  requested: 'We received your request. An administrator decides, and you see the answer here.',
  toAdministration: 'Administration',
  none: 'You are not a member of an organization',
  noneText:
    'If yours is registered here, ask one of its owners to add you by your username. If it is not, request it below.',
  yours: 'Your organizations',
  role: 'Your role',
  administrator: 'administrator of the registry',
  viewer: 'viewer',
  editor: 'editor',
  owner: 'owner',
  // A request for a new organization.
  request: 'Request an organization',
  sendRequest: 'Send request',
  yourRequest: 'Your request',
  requestedAt: 'Requested',
  status: 'Status',
  waiting: 'waiting for an administrator',
  approved: 'approved',
  refused: 'declined',
  reason: 'Reason',
  shortNameHint:
    'Lower-case letters, digits and hyphens, such as brown-university. You cannot change it later.',
  whoYouAre: 'Message',
  whoYouAreHint:
    'Say who you are there. Administrators see this, your name and your e-mail address. Members of the organization will see your name and your address, too.',
  taken: 'There already is an organization {$slug}. One of its owners can add you.',
  tooLong: 'This is longer than {$max :integer} characters.',
  // What describes an organization.
  description: 'Description',
  edit: 'Edit the description',
  save: 'Save description',
  cancel: 'Cancel',
  saved: 'The description is saved.',
  joined: 'You are a member now.',
  name: 'Name',
  otherNames: 'Other names',
  onePerLine: 'One per line.',
  rorHint: 'Such as https://ror.org/05gq02987.',
  countryHint: 'Two letters, such as DE or BR.',
  homePage: 'Home page',
  people: 'People with a work here',
  forReaders: 'Public page',
  publicRecord: 'Public record',
  // The start page: what has to be done, and numbers.
  toDo: 'To do',
  nothingToDo: 'Nothing to do.',
  claimsWait: `.input {$count :integer} .match $count
    one {{{#link}1 claim{/link} waits for your answer.}}
    * {{{#link}{$count} claims{/link} wait for your answer.}}`,
  moreClaimsWait: 'More than {#link}{$count :integer} claims{/link} wait for your answer.',
  contentFails: `.input {$count :integer} .match $count
    one {{{#link}1 work{/link} has content that changed or is not confirmed.}}
    * {{{#link}{$count} works{/link} have content that changed or is not confirmed.}}`,
  keyEnds: 'The key {$key} expires on {$time}. Create a new one before then.',
  register: 'Register work',
  import: 'Import works',
  worksRegistered: 'Works registered',
  noneSince: 'None since {$month}.',
  sinceMonth: '{$count} since {$month}, including withdrawn works',
  byMonth: 'Works registered by month',
  allMonths: 'All months as a table',
  byType: 'Works by type',
  types: 'Types',
  otherTypes: 'other types',
  byContent: 'Works by the state of their content',
  share: 'Share',
  noWorks: 'No works yet.',
  // What is known of the content of works, in badges. `erased` stands for a title.
  verified: 'unchanged',
  pending: 'not checked yet',
  changed: 'changed',
  unreachable: 'not confirmed',
  never_read: 'never confirmed',
  withdrawn: 'withdrawn',
  erased: 'erased',
  failures: 'Newest failures',
  failuresTable: 'Works with the newest failures',
  since: 'Since',
  allFailures: 'All failures, and what to do',
})

/** The pages of a publisher and of a person, with their works. */
export const owners = messages('owners', {
  // The page of an organization that registers works.
  registered: `.input {$count :integer} .match $count
    one {{1 work registered here}}
    * {{{$count} works registered here}}`,
  authors: `.input {$count :integer} .match $count
    one {{1 verified author}}
    * {{{$count} verified authors}}`,
  alsoKnownAs: 'Also known as',
  website: 'Website',
  country: 'Country',
  registryName: 'Name in the registry',
  since: 'Here since',
  newestFirst: 'Works, newest first',
  noWorks: 'This publisher has not registered any works yet.',
  searchThese: 'Search these works',
  statistics: 'Statistics of these works',
  forPrograms: 'For programs:',
  oaiSet: 'OAI-PMH set',
  // The lists of all people and of all publishers.
  peopleLead: 'Researchers who made their profile public.',
  publishersLead: 'Organizations that register works here.',
  searchPeople: 'Search people',
  searchPublishers: 'Search publishers',
  byName: 'By name',

  // The page of a person.
  identifier: 'Identifier',
  links: 'Links',
  works: 'Works',
  filterThese: 'Search and filter these works',
  affiliations: 'Affiliations',
  education: 'Education',
  profileJson: 'this profile as JSON',
  testPerson: '{#strong}Sandbox:{/strong} this is a test person.',
  orcidSignedIn: 'signed in with it',
  notConfirmed: 'not confirmed',
  // `by` is one of the texts below or a name; `day` is a date.
  claimedBy: 'Attached by {$by} on {$day}.',
  byRegistrant: 'Confirmed by the publisher of the work.',
  byOrcid: 'The person signed in with an ORCID iD that the work names.',
  byAdmin: 'Decided by an administrator of this registry.',
  thePerson: 'the person',
  anApplication: 'an application of the person',
  theOperator: 'the operator of this registry',
  addedBy: 'added by {$by} on {$day}',
  changedOn: 'added by {$by} on {$day}, changed on {$changed}',
  contested: 'contested by the person',
})

/** What a person has permitted to applications, and all that acts for them. */
export const permissions = messages('permissions', {
  title: 'Connected applications',
  lead: 'These applications can read or write for you. What they have written stays when you end a permission. You can undo it on the page Changes.',
  ended: 'You ended the permission. The application can no longer act for you.',
  none: 'No application is connected',
  noneText:
    'When a publisher or your institution wants to read or write for you, we ask you first. Then you see it here.',
  notVerified: 'not verified',
  writesAs: 'Writes as',
  you: 'you',
  canRead: 'Can read',
  canWrite: 'Can write',
  nothing: 'nothing',
  permitted: 'Permitted',
  expires: 'Expires',
  lastUsed: 'Last used',
  never: 'never',
  // `network` is the beginning of an IP address.
  usedFrom: '{$time} from {$network}',
  end: 'End permission',
  // The page of all that acts for a person.
  accessLead:
    'Everything here acts for you or signs you in without your password. If somebody else could have used your account, end everything that you do not recognize.',
  accessNone: 'Nothing else acts for you',
  accessNoneText: 'Only your password signs you in.',
  toProfile: 'Go to your profile',
  selectedEnded: 'The selected items are ended.',
  apiKey: 'API key {$name}',
  keyFor: 'You created it for {$organization}. What uses it there stops.',
  permissionOf: 'Permission of {$name}',
  secretOf: 'Secret of the application {$name}',
  secretSeen: 'You have seen the secret. The application stops until somebody gives it a new one.',
  secretSeenAs:
    'It writes as {$organization}. You have seen the secret. The application stops until somebody gives it a new one.',
  passkey: 'Passkey {$name}',
  passkeyHint: 'It signs you in without your password. Added {$date}.',
  signsIn: 'Sign-in with {$name}',
  keepAll: 'Keep everything',
  whatEnds: 'End',
  endSelected: 'End selected items',
})

/** The page of a person's own profile, with affiliations and education, and who sees what. */
export const profile = messages('profile', {
  title: 'My profile',
  // What was just done.
  welcome: 'Your account is ready. This is your profile: choose who sees it.',
  saved: 'Your profile is saved.',
  visibilitySaved: 'Your choice of who sees what is saved.',
  orcidSaved: 'Your ORCID iD is saved.',
  orcidRemoved: 'Your ORCID iD is removed from your profile.',
  itemAdded: 'The entry is added to your profile.',
  itemSaved: 'Your changes are saved.',
  itemDeleted: 'The entry is deleted from your profile.',
  verified: 'Your e-mail address is verified.',
  // Who sees an entry: in a choice, and after `Visible to`.
  public: 'Everybody',
  trusted: 'Applications I permit, and me',
  private: 'Only me',
  visibleTo: 'visible to: {$who}',
  hidden: 'hidden from everybody else',
  contested: 'contested by you',
  // The two kinds of entries.
  affiliations: 'Affiliations',
  affiliationAdd: 'Add an affiliation',
  affiliationsNone: 'No affiliations yet. Add one, or permit your institution to do it for you.',
  education: 'Education',
  educationAdd: 'Add education',
  educationNone: 'No education yet. Add it, or permit your university to do it for you.',
  // Who added an entry, and when.
  addedBy: '{$writer}, {$time}',
  // What is wrong with what was typed.
  orcidTaken: 'Somebody else here has signed in with this ORCID iD.',
  linkNeedsAddress: 'Each line of the links needs an address with https:// in it.',
  // The page that asks who sees the profile, after a first sign-in with another account.
  welcomeLead: 'Your account is ready. Until you choose, only you see your profile.',
  goOn: 'Continue',
  aboutMe: 'About me',
  orcid: 'ORCID iD',
  whoSeesWhat: 'Who sees what',
  // Facts at the head of the page.
  identifier: 'My identifier',
  whatOthersSee: 'What others see',
  worksCount: 'Works that count as mine',
  email: 'E-mail address',
  emailVerified: 'verified',
  emailNotVerified: 'not verified',
  // The form about a person.
  bioHint: 'A few words.',
  links: 'Links',
  // `example` is a name and an address.
  linksHint: 'One per line: its name, then its address. Such as: {$example}',
  picture: 'Picture',
  pictureAddress: 'Address of a picture',
  save: 'Save profile',
  orcidSignedIn: 'You signed in with it, so others can rely on it. Clear the field to remove it.',
  orcidHint: 'Such as {$example}. We show it as not confirmed until you sign in with it.',
  orcidSave: 'Save ORCID iD',
  // Parts of a profile, each with a choice of who sees it.
  claims: 'Works that I claim',
  newAffiliations: 'New affiliations',
  newEducation: 'New education',
  visibilityHint:
    '“Everybody” includes readers and search engines. “Applications” are only those that you permitted to read it. Each affiliation and education entry also has a setting of its own.',
  visibilitySave: 'Save who sees what',
  // The forms of an affiliation and of education.
  organization: 'Organization',
  role: 'Role',
  roleHint: 'Your position there, such as Professor.',
  department: 'Department',
  startYear: 'From (year)',
  endYear: 'Until (year)',
  endYearHint: 'Leave it empty if you are still there.',
  rorHint: 'Such as {$example}.',
  degree: 'Degree or course',
  institution: 'Institution',
  year: 'Year',
  whoSeesIt: 'Who sees it',
  saveItem: 'Save',
  // The page of an entry.
  writtenBy: 'Written by',
  added: 'Added',
  changed: 'Changed',
  status: 'Status',
  contestReason: 'Why you contest it',
  edit: 'Edit',
  whatYouCanDo: 'What you can do',
  onlyWriter: 'Only its writer can change the text. You decide whether to show it, and to whom.',
  saveWhoSees: 'Save who sees it',
  hide: 'Hide entry',
  showAgain: 'Show entry again',
  whatIsWrong: 'What is wrong',
  whatIsWrongHint: 'Its writer reads this. Everybody who sees the entry sees that you contest it.',
  contest: 'Contest entry',
  deleteTitle: 'Delete entry',
  deleteText: 'This removes it from your profile, even if somebody else wrote it.',
  deleteLink: 'Delete…',
  deleteAsk: 'Delete this entry?',
  deleteHistory: 'Your history still shows that it was there, and who wrote it.',
  keep: 'Keep entry',
  delete: 'Delete entry',
})

/** What a page says of the metadata of a work. */
export const record = messages('record', {
  details: 'Details',
  type: 'Type',
  published: 'Published',
  publisher: 'Publisher',
  publishedIn: 'Published in',
  language: 'Language',
  license: 'License',
  keywords: 'Keywords',
  funding: 'Funding',
  related: 'Related',
  content: 'Content',
  // Parts of where a work is: a journal, then these.
  volume: 'volume {$number}',
  issue: 'issue {$number}',
  pages: 'pages {$pages}',
  numbered: 'number {$number}',
  award: '{$funder}, award {$award}',
  contributors: 'Contributors',
  moreTexts: 'More texts',
  // A text and its language: `Methods (German)`.
  inLanguage: '{$text} ({$language})',
  moreDetails: 'More details',
  otherTitles: 'Other titles',
  kind: 'Kind',
  contentVersion: 'Version of the content',
  changesInVersion: 'Changes in this version',
  preprintGroup: 'Preprint group',
  review: 'Review',
  dates: 'Dates',
  subjects: 'Subjects',
  variables: 'What was measured',
  degree: 'Degree',
  institutions: 'Institutions',
  event: 'Event',
  shortTitle: 'Short title of the journal',
  issueTitle: 'Title of the issue',
  edition: 'Edition',
  articleNumber: 'Article number',
  chapter: 'Chapter',
  series: 'Series',
  seriesIssn: 'ISSN of the series',
  publisherPlace: 'Place of the publisher',
  rights: 'Rights',
  access: 'Access',
  places: 'Places',
  size: 'Size',
  formats: 'Formats',
  otherIdentifiers: 'Other identifiers',
  clinicalTrials: 'Clinical trials',
  archives: 'Archives',
  fromPublisher: 'From the publisher',
  // Dates of a span, or from or until one.
  span: '{$from} to {$to}',
  since: 'since {$from}',
  until: 'until {$to}',
  from: 'from {$from}',
  freeToRead: 'free to read',
  sponsoredBy: 'sponsored by {$names}',
  round: 'round {$number}',
  recommends: 'recommends: {$what}',
  competingInterests: 'competing interests: {$what}',
  polygon: `.input {$corners :integer} .match $corners
    one {{polygon with {$corners} corner}}
    * {{polygon with {$corners} corners}}`,
  // Degrees of latitude and longitude.
  north: '{$degrees}° N',
  south: '{$degrees}° S',
  east: '{$degrees}° E',
  west: '{$degrees}° W',
  files: 'Files',
  bytes: `.input {$count :integer} .match $count
    one {{{$count} byte}}
    * {{{$count} bytes}}`,
  readOn: 'read on {$time}',
  relatedItems: 'Related items',
  references: 'References ({$count :integer})',
})

/** How a work relates to another one, by DataCite’s names (`relationType`). The other one follows. */
export const relations = messages('relations', {
  IsCitedBy: 'Is cited by',
  Cites: 'Cites',
  IsSupplementTo: 'Is supplement to',
  IsSupplementedBy: 'Is supplemented by',
  IsContinuedBy: 'Is continued by',
  Continues: 'Continues',
  IsDescribedBy: 'Is described by',
  Describes: 'Describes',
  HasMetadata: 'Has metadata',
  IsMetadataFor: 'Is metadata for',
  HasVersion: 'Has version',
  IsVersionOf: 'Is version of',
  IsNewVersionOf: 'Is new version of',
  IsPreviousVersionOf: 'Is previous version of',
  IsPartOf: 'Is part of',
  HasPart: 'Has part',
  IsPublishedIn: 'Is published in',
  IsReferencedBy: 'Is referenced by',
  References: 'References',
  IsDocumentedBy: 'Is documented by',
  Documents: 'Documents',
  IsCompiledBy: 'Is compiled by',
  Compiles: 'Compiles',
  IsVariantFormOf: 'Is variant form of',
  IsOriginalFormOf: 'Is original form of',
  IsIdenticalTo: 'Is identical to',
  IsReviewedBy: 'Is reviewed by',
  Reviews: 'Reviews',
  IsDerivedFrom: 'Is derived from',
  IsSourceOf: 'Is source of',
  IsRequiredBy: 'Is required by',
  Requires: 'Requires',
  IsObsoletedBy: 'Is obsoleted by',
  Obsoletes: 'Obsoletes',
  IsCollectedBy: 'Is collected by',
  Collects: 'Collects',
  IsTranslationOf: 'Is translation of',
  HasTranslation: 'Has translation',
  Other: 'Is related to',
  // Of a journal that is not a work: the other way round of `Is published in`.
  hasPublished: 'Has published',
})

/** The page on which readers report a problem of a work. */
export const report = messages('report', {
  // Also the link on the page of a work.
  title: 'Report a problem',
  // `owner` is the name of a publisher or a person.
  lead: '{#strong}{$owner}{/strong} registered this work and gets your report. Only they can change the record.',
  kind: 'What is wrong?',
  // What can be wrong: a choice.
  kind_metadata: 'The record has an error',
  kind_content: 'The file is missing or is another one',
  kind_duplicate: 'The work is registered twice',
  kind_rights: 'It infringes rights',
  kind_person: 'It names a person wrongly',
  kind_other: 'Something else',
  kindNeeded: 'Choose what is wrong.',
  message: 'Message',
  kept: 'We keep your report in the audit list of the publisher.',
  messageNeeded: 'Say what is wrong, in at most 2,000 characters.',
  tooMany: 'There are too many reports today. Please try again tomorrow.',
  send: 'Send report',
  sent: 'Report sent',
  sentText: '{$owner} got your report.',
  email: 'Your e-mail address',
  emailHint: 'If you want an answer. We delete the address once you are answered.',
  emailWrong: 'Enter one e-mail address, or none.',
  // The page on which who registered works answers reports.
  listTitle: 'Problems that readers report',
  listLead: 'You answer each report once. Readers who left an address get the answer by mail.',
  none: 'No reports',
  noneText: 'When readers report a problem of a work, you answer here.',
  // How a report stands: a badge.
  open: 'open',
  answered: 'answered',
  answer: 'Your answer',
  sendAnswer: 'Send answer',
  answerNeeded: 'Write an answer, in at most 2,000 characters.',
  answeredBefore: 'This report is already answered.',
  doneAnswer: 'Your answer is saved.',
  // The mail to the reader. `work` is an ARK, `who` the publisher or the person who answers.
  answerSubject: 'Answer to your report',
  answerMail: 'You reported a problem of the work {$work}. {$who} answers:',
  answerOnce: 'This is the only mail about your report. We have deleted your address.',
})

/** The search page, its form and its results. */
export const search = messages('search', {
  // Names the search box for screen readers, and what stands in it while it is empty.
  box: 'What are you looking for?',
  example: 'Title, author, words, ARK, DOI or ORCID iD',
  search: 'Search',
  // The title of the page in the browser’s tab: what was typed, and `Search`.
  title: '{$typed} · Search',
  heading: 'Search the registry',
  moreFields: 'More fields',
  howTo: 'How to search',
  // A filter: `Selected works: 3`.
  selected: 'Selected works',
  showSelected: 'Show the selected works',
  selectHint: 'Select works to export, follow or save just those.',
  yearExample: '2024 or 2019-2024',

  kinds: 'What to search',
  works: 'Works',
  people: 'People',
  organizations: 'Organizations',

  // How many results there are.
  countWorks: `.input {$count :integer} .match $count
    one {{{$count} work}}
    * {{{$count} works}}`,
  countPeople: `.input {$count :integer} .match $count
    one {{{$count} person}}
    * {{{$count} people}}`,
  countOrganizations: `.input {$count :integer} .match $count
    one {{{$count} organization}}
    * {{{$count} organizations}}`,
  countAuthors: `.input {$count :integer} .match $count
    one {{{$count} verified author}}
    * {{{$count} verified authors}}`,
  moreThanWorks: 'More than {$count :integer} works',
  moreThanPeople: 'More than {$count :integer} people',
  moreThanOrganizations: 'More than {$count :integer} organizations',
  // `amount` is one of the counts above.
  inRegistry: '{$amount} in this registry',
  continued: '{$amount}, continued',
  onPage: '{$amount}, page {$page}',

  order: 'Order',
  relevance: 'Best match',
  newest: 'Newest',
  published: 'Published',
  byTitle: 'Title',
  byName: 'Name',

  // Filters beside the results.
  filters: 'Filters',
  partly: 'Counted over the newest {$count :integer} results.',
  filtersInUse: 'Filters in use',
  // `filter` is such as `Type: Book`.
  removeFilter: 'Remove {$filter}',
  filter: '{$name}: {$value}',
  clearAll: 'Clear all',
  moreValues: '{$count :integer} more',
  // A value that is chosen: a click removes it.
  chosen: '{$value}, selected: remove',
  from: 'From',
  to: 'to',
  singleYears: 'Single years',
  resultsByYear: 'Results by year',
  untilYear: 'until {$year}',
  sinceYear: '{$year} and later',
  yes: 'yes',
  no: 'no',

  type: 'Type',
  year: 'Year',
  organization: 'Registered by',
  publisher: 'Publisher',
  journal: 'Journal',
  funder: 'Funder',
  language: 'Language',
  license: 'License',
  status: 'Status',
  fixity_status: 'Content check',
  notice: 'Notice',
  related_to: 'Related to',
  author: 'Author',
  keyword: 'Keyword',
  orcid: 'ORCID iD',
  ppid: 'Person',
  created_from: 'Registered from',
  created_to: 'Registered until',
  has_doi: 'Has a DOI',
  affiliation: 'Affiliation',
  ror: 'ROR ID',
  country: 'Country',

  // A result.
  registeredBy: 'registered by {$name}',
  andMore: '{$names} and {$count :integer} more',

  pages: 'Pages',
  page: 'Page {$number}',
  firstPage: 'First page',
  previous: 'Previous',
  next: 'Next',
  moreResults: 'More results',
  allShown: 'You have seen all results.',

  // Below the results: files of all results, feeds of new ones.
  takeAlong: 'Save or follow these results',
  saveAll: 'Save all:',
  follow: 'Follow:',
  saveLabel: 'Save all results',
  followLabel: 'Follow this search',
  // `feed` is Atom or JSON Feed.
  statistics: 'Statistics',
  feedTitle: '{$feed} of this search',

  // What the reader needs to know of how results were found.
  unranked: 'Too many results to rank: the newest come first. Add another word.',
  notCommand:
    '{#q}{$typed}{/q} is not a command here, so we searched for it as words. You can type {#code}author:{/code} and {#code}title:{/code} before a word.',
  otherForms: 'More works have other forms of these words: {$link}',
  searchedForms:
    'Nothing has all of {#q}{$typed}{/q}, so we searched for other forms of these words: {$link}',
  didYouMean: 'Did you mean {$link}?',
  searchedMeant: 'Nothing has all of {#q}{$typed}{/q}. Did you mean {$link}? We searched for that.',

  // Nothing was found.
  noneYetWorks: 'There are no works here yet',
  noneYetPeople: 'There are no people here yet',
  noneYetOrganizations: 'There are no organizations here yet',
  firstPageSays: 'The {#link}home page{/link} says how to register the first work.',
  noWorks: 'No works found',
  noPeople: 'No people found',
  noOrganizations: 'No organizations found',
  elsewhere: 'There are others with these words:',
  removeAFilter: 'Remove a filter above.',
  fewerWords: 'Use fewer words: results have all of them.',
  nameAsSigned: 'Write a name as its owner signs it. Accents and case make no difference.',
  identifiers: 'An ARK, a DOI or an ORCID iD leads straight to its record.',

  // The search has failed.
  refused: 'We cannot search for this',
  ended: 'This search takes too long',
  unavailable: 'Search is not available right now',
  wordsAlone: 'Search for these words alone',
  stillTyped: 'What you typed is still in the box. You can still open works by their ARKs.',
  // `example` is `yearExample`. `name` is a filter, such as `Type`.
  wrongYear: 'Write the year as {$example}.',
  wrongValue: 'We cannot search for this value: {$name}: {$value}',
  givenTwice: 'Give {$name} only once.',
  tooManyWords: 'Use at most {$max :integer} different words.',
  wrongPage: 'These pages of results have ended. Search again from the first page.',
  lookForLess: 'Use fewer or rarer words, or fewer years.',
  onlySearch: 'Everything else works.',
  // What browsers say of the search that they can do here.
  searched: 'Scholarly works, people and organizations',
  tryAgain: 'Try again',
})

/** The page of the searches that a person has saved. */
export const savedSearches = messages('savedSearches', {
  title: 'Saved searches',
  lead: 'See which works are new in your searches. Once a week, we tell you by mail if there are any.',
  saveThis: 'Save this search',
  // Works that were selected are saved in a new list, or in one that there is.
  saveList: 'Save as a list',
  into: 'Where to',
  newList: 'A new list',
  addTo: 'Add to {$name}',
  replace: 'Replace {$name}',
  name: 'Name',
  none: 'You have not saved a search yet',
  noneText: 'Search for works, then choose “Save this search” below the results.',
  newSince: '{#link}New works: {$count :integer}{/link}, since {$time}',
  all: 'All works of this search',
  unavailable: 'The search cannot be answered now. Try again later.',
  noLonger:
    'This search no longer works: the registry does not know one of its filters. Remove it and search again.',
  markSeen: 'Mark as seen',
  remove: 'Remove',
  saved: 'We saved the search.',
  seen: 'We marked the new works as seen.',
  removed: 'We removed the search.',
  changed:
    'The list was changed or removed in another window. Choose again where to save the works.',
  full: 'You can save {$count :integer} searches. Remove one first.',
})

/** The page that says how to search, with examples. */
export const searchHelp = messages('searchHelp', {
  title: 'How to search',
  // For search engines.
  description: 'What you can type into the search of this registry, and how to save the results.',
  lead: 'Type words of a title, an abstract or a keyword, a name, or an identifier. Case and accents make no difference.',
  whatYouType: 'What you can type',
  examples: 'Examples',
  youType: 'You type',
  youFind: 'You find',
  allWords: 'Works with all of these words, in any field. The last word can be unfinished.',
  phrase: 'The words in this order, next to each other.',
  without: 'Works with the first word and without the second one.',
  either: 'Works with one of the words, or with both.',
  inAuthors:
    'The word among the authors. {#code}title:{/code} does the same for the words of a title.',
  inTitle: 'All of the words in the title.',
  byName: 'Works of authors with this name and this initial.',
  byOrcid: 'The works of the person with this ORCID iD.',
  byDoi: 'The work with this DOI. An ARK leads to its work, too.',
  nothingFound: 'When nothing is found',
  nothingFoundText:
    'If no work has all of your words, we search for other forms and spellings, and then for words with almost the same spelling. The page says so. Use fewer words, or remove a filter.',
  filters: 'Filter results',
  filtersText:
    'Beside the results you can choose a type, years, a language, a license and more. Results match one of the values of each filter, and all filters. {#name}More fields{/name} below the box searches titles, authors and keywords alone.',
  withdrawn: 'Withdrawn and retracted works',
  withdrawnText:
    'You find them with all others, and they have a badge. You can filter: {#retracted}retracted works{/retracted}, {#active}works that are not withdrawn{/active}.',
  order: 'Order',
  orderText:
    'The best matches come first. A word in the title counts most. Of more than {$count :integer} results, the newest come first.',
  save: 'Save or follow results',
  // `formats` is a list of names, `limits` such as `100,000 works, 256 MiB or 2 minutes`.
  saveText:
    'Below the results you can save all of them as {$formats}. Exports stop at {$works :integer} works, {$size} or {$minutes :integer} minutes. The last line then links to the rest.',
  follow:
    'You can also follow a search: open its Atom feed or its JSON feed in a feed reader. New works arrive there.',
  programs: 'For programs',
  programsText: 'The same search is part of {#link}the API{/link}.',
})

/** How a person signs in: password, second step, passkeys, browsers, the deletion of the account. */
export const security = messages('security', {
  title: 'Security',
  lead: 'How you sign in, what happened to your keys, and what data we hold about you.',
  // What was just done.
  passwordDone: 'Your password is changed. All other browsers are signed out.',
  emailDone: 'Your e-mail address is changed.',
  linkSent: 'We sent you a link to verify your address.',
  browserDone: 'The browser is signed out.',
  othersDone: 'All other browsers are signed out.',
  unlinkedDone: 'The account elsewhere no longer signs you in.',
  // Sections of the page.
  email: 'E-mail address',
  setPassword: 'Set a password',
  changePassword: 'Change password',
  secondStep: 'Second step of the sign-in',
  passkeys: 'Passkeys',
  browsers: 'Signed-in browsers',
  lastSignIns: 'Recent sign-ins',
  elsewhere: 'Accounts elsewhere',
  access: 'What acts for you',
  accessText: 'Keys, permissions, secrets and accounts elsewhere. You can end them together.',
  review: 'Review',
  seeAll: 'See all',
  data: 'Your data',
  dataText:
    'Everything in one JSON file: profile, works, who wrote what, permissions, and keys without their secrets.',
  download: 'Download',
  deleteTitle: 'Delete account',
  deleteText: 'We erase your personal data. Works stay registered, with their proofs.',
  deleteLink: 'Delete my account…',
  // The e-mail address.
  emailNone: 'Your account has no e-mail address.',
  emailAdd: 'Add address',
  emailChange: 'Change address',
  verified: 'verified',
  notVerified: 'not verified',
  sendLink: 'Send verification link',
  noMail: 'This registry sends no mail, so you cannot verify the address.',
  savePassword: 'Save password',
  // The second step and the passkeys, in short.
  stepOffText: 'A code from an app on your phone, so a password alone is not enough to sign in.',
  setUp: 'Set up',
  setUpApp: 'Set up an authenticator app as well',
  codesLeft: `.input {$count :integer} .match $count
    one {{1 recovery code left}}
    * {{{$count} recovery codes left}}`,
  // `on` is a badge that says `on`, `codes` is the message above.
  passkeysOn: 'Your passkeys: {$on}, {$codes}.',
  appOn: 'Authenticator app: {$on}, {$codes}.',
  on: 'on',
  change: 'Change',
  passkeysText: 'Sign in with your finger, your face or a key, without a password.',
  // Browsers that are signed in.
  browser: 'Browser',
  network: 'Network',
  since: 'Since',
  lastSeen: 'Last seen',
  toDo: 'To do',
  thisBrowser: 'this browser',
  signOut: 'Sign out',
  signOutOthers: 'Sign out everywhere else',
  notMe: 'This was not me…',
  // Accounts elsewhere.
  linksNone: 'No account elsewhere signs you in.',
  remove: 'Remove',
  onlyWay: 'Set a password before you remove your only way to sign in.',
  linkWith: 'Link {$name}',
  // How somebody signed in; parts of a list such as `password, recovery code`.
  method_password: 'password',
  method_elsewhere: 'an account elsewhere',
  method_totp: 'code from an app',
  method_recovery_code: 'recovery code',
  method_passkey: 'passkey',
  failedMark: 'failed attempts',
  // `what` is such as `2 wrong passwords`.
  failedSince: '{$what} since then, last {$time}.',
  signInsNone: 'No sign-ins recorded yet.',
  when: 'When',
  how: 'How',
  failedBefore: 'Failed attempts before',
  wrongPasswords: `.input {$count :integer} .match $count
    one {{1 wrong password}}
    * {{{$count} wrong passwords}}`,
  wrongCodes: `.input {$count :integer} .match $count
    one {{1 wrong code after a right password}}
    * {{{$count} wrong codes after a right password}}`,
  historyLead:
    'The last {$count :integer} sign-ins to your account. Browsers tell us their own names. We keep no address here.',
  backToSecurity: 'Back to Security',
  strangerTitle: 'Somebody else has signed in',
  strangerPassword:
    'Choose a new password that nobody else knows and that you use nowhere else. We sign out all other browsers at once. Then you see what else acts for you, and can end what is not yours.',
  strangerElsewhere:
    'Make sure that only you can use the account elsewhere that signs you in. We sign out all other browsers at once. Then you see what else acts for you, and can end what is not yours.',
  strangerSubmit: 'Change password and sign out all others',
  strangerSubmitElsewhere: 'Sign out all others',
  // The deletion of an account.
  deletedTitle: 'Your account is deleted',
  deletedText:
    'We erased your personal data. Works that you registered stay, with their proofs. They show your name only where their lists of authors do.',
  signInOther: 'Sign in with another account',
  wrongIdentifier: 'This is not your identifier.',
  wrongPassword: 'This is not your password.',
  yourPassword: 'Your password',
  yourIdentifier: 'Your identifier',
  typeIdentifier: 'Type {$id} to confirm.',
  weErase: 'We erase these at once and permanently:',
  eraseProfile: 'your profile, affiliations and education, and who wrote them',
  eraseAccount: 'your e-mail address, password, keys, and the permissions of applications',
  stays:
    'The works, their ARKs and their proofs stay. Your identifier stays too, without a name. You can {#link}download your data{/link} first.',
  deleteSubmit: 'Permanently delete my account',
  keepAccount: 'Keep my account',
  // Setting up the second step.
  stepRequired:
    'This registry asks administrators for a second step of their sign-in. Until you set it up, you can do what everybody can.',
  stepEnded: 'Your sign-in no longer asks for a code from an app.',
  onSince: 'On since {$time}.',
  offLead:
    'After your password you type six digits that an authenticator app on your phone shows, such as {$apps}. Then nobody can sign in with your password or your mail alone.',
  passwordManager: 'a password manager',
  orPasskey: 'You can also use a {#link}passkey{/link}: it signs you in without a password.',
  codeOfApp: 'Code that the app shows',
  codeOfAppHint: 'Six digits. The app shows new ones every 30 seconds.',
  scan: 'Scan this with your authenticator app.',
  qrCode: 'QR code of the secret; the text below is the same',
  orType: 'Or type the secret: {$secret}',
  typeCode: 'Type the code that the app then shows.',
  turnOn: 'Turn on',
  turnOnHint: 'Nothing changes before that. Then we sign out all other browsers.',
  whatYouWant: 'What to change',
  newCodes: 'New recovery codes. The old ones stop working',
  anotherDevice: 'Another device or app',
  turnOff: 'Turn off codes from an app',
  goOn: 'Continue',
  codesTitle: 'Your recovery codes',
  codesLead:
    'Each code signs you in once, after your password, if you lose your device. We show them only now: print them, or keep them in a password manager.',
  codesKept: 'I have saved them',
  // Passkeys.
  passkeyAdded: 'The passkey is added. You can sign in with it.',
  passkeyRenamed: 'The passkey has its new name.',
  passkeyRemoved:
    'The passkey is removed here. Remove it from your device or password manager too.',
  passkeyName: 'Name',
  passkeyNameHint: 'A name that you will recognize later, such as “my phone”.',
  impossible_ip_address:
    'This registry has an IP address and no name. Browsers bind passkeys to a name. Its operator can give it one (AUTH_URL).',
  impossible_insecure:
    'This registry does not use https. Browsers use passkeys over https alone. Its operator can change that (AUTH_URL).',
  impossible_sandbox: 'Test people of the sandbox sign in with a password, and have no passkeys.',
  addPasskey: 'Add a passkey',
  passkeysFull: 'You have {$count :integer} passkeys, as many as an account can have.',
  passkeysLead:
    'A passkey signs you in with the lock of your device, a password manager or a security key. You type nothing, and no fake page can ask for it.',
  passkeysNone: 'You have no passkeys',
  passkeysNoneText: 'You sign in with your password.',
  yourPasskeys: 'Your passkeys',
  passkey: 'Passkey',
  stored: 'Stored',
  added: 'Added',
  lastUsed: 'Last used',
  notUsed: 'not yet',
  onAllDevices: 'on all devices of an account',
  onOneDevice: 'on one device or key',
  withoutPasskey: 'Without your passkey',
  withoutPasskeyText:
    'You can also sign in with your password and a recovery code: {$codes}. You can set up {#link}an authenticator app{/link} too.',
  makeNewCodes: 'Create new recovery codes. The old ones stop working',
  firstPasskey:
    'From then on your password alone is not enough to sign in. You need the passkey too, or one of the recovery codes that we show you next. We sign out all other browsers.',
  addPasskeyLead:
    'Your browser asks where to store it: on this device, on another one, or on a key.',
  backToPasskeys: 'Back to your passkeys',
  saveName: 'Save name',
  lastPasskey:
    'It is your only second step. Without it your password alone signs you in again, and your recovery codes end.',
  noLongerSignsIn: 'It no longer signs you in, at once.',
  removePasskey: 'Remove passkey',
  storedWhere: 'A passkey that is stored {$where}.',
})

/** What a work stands like: its content, its notices, why it was withdrawn. */
export const standing = messages('standing', {
  verified: 'Content unchanged',
  pending: 'Content not checked yet',
  failed: 'Content changed',
  unreachable: 'Content not confirmed',
  landingPage: 'Landing page',
  active: 'Registered',
  withdrawn: 'Withdrawn',
  all: 'All',

  // Badges of notices (NISO RP-45).
  retraction: 'Retracted',
  partial_retraction: 'Partly retracted',
  removal: 'Removed',
  withdrawal: 'Withdrawn by its publisher',
  expression_of_concern: 'Expression of concern',
  correction: 'Corrected',
  corrigendum: 'Corrected',
  erratum: 'Corrected',
  addendum: 'Addendum',
  clarification: 'Clarified',
  new_edition: 'New edition',
  new_version: 'New version',

  // Sentences about a work that has a notice, the last for corrections. `when` is empty or such as ` on 3 Mar 2026`, `who` is
  // empty or such as ` by the journal`.
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}This work was retracted{/strong}{$when}{$who}.}}
    partial_retraction {{{#strong}A part of this work was retracted{/strong}{$when}{$who}.}}
    removal {{{#strong}The content of this work was removed{/strong}{$when}{$who}.}}
    withdrawal {{{#strong}The publisher withdrew this work{/strong}{$when}{$who}.}}
    expression_of_concern {{{#strong}There are concerns about this work{/strong}{$when}{$who}.}}
    addendum {{{#strong}This work has an addendum{/strong}{$when}{$who}.}}
    clarification {{{#strong}This work was clarified{/strong}{$when}{$who}.}}
    new_edition {{{#strong}This work has a new edition{/strong}{$when}{$who}.}}
    new_version {{{#strong}This work has a new version{/strong}{$when}{$who}.}}
    * {{{#strong}This work was corrected{/strong}{$when}{$who}.}}`,
  whenNoticed: ' on {$date}',
  whoNoticed: ' by {$name}',
  // Leads to the notice, by its DOI or ARK.
  notice: 'Notice: {$link}.',

  // Sentences about a work that is itself a notice about another work.
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{This work {#strong}retracts{/strong} {$other}{$when}.}}
    partial_retraction {{This work {#strong}retracts a part of{/strong} {$other}{$when}.}}
    removal {{This work {#strong}removes{/strong} {$other}{$when}.}}
    withdrawal {{This work {#strong}withdraws{/strong} {$other}{$when}.}}
    expression_of_concern {{This work {#strong}expresses concern about{/strong} {$other}{$when}.}}
    addendum {{This work {#strong}adds to{/strong} {$other}{$when}.}}
    clarification {{This work {#strong}clarifies{/strong} {$other}{$when}.}}
    new_edition {{This work {#strong}is a new edition of{/strong} {$other}{$when}.}}
    new_version {{This work {#strong}is a new version of{/strong} {$other}{$when}.}}
    * {{This work {#strong}corrects{/strong} {$other}{$when}.}}`,

  // Why a work was withdrawn: each ends a sentence such as `This work was withdrawn on 3 Mar 2026, `.
  because_author_request: 'because its authors asked for it',
  because_retraction: 'because it was retracted. Do not rely on its findings',
  because_duplicate: 'because it is also registered elsewhere',
  because_copyright: 'because others hold rights in it',
  because_fraud: 'because of fraud',
  because_court_order: 'because of a court order',
  because_rights_of_others: 'because others hold rights in it',
  because_personal_data: 'because it contains personal data',
  because_legal: 'for legal reasons',
  because_test: 'because it was a test',
  because_other: 'for another reason',
  because_data_lost: 'because the registry has lost its record',
})

/** The page of all works, or those of a search, in numbers. */
export const statistics = messages('statistics', {
  title: 'Statistics',
  titleOfSearch: 'Statistics of a search',
  // For search engines.
  description: 'All works of this registry in numbers.',
  all: 'All works of this registry.',
  allNumbers: 'All numbers: {$links}',
  // `what` lists filters, such as `Type: Book · Year: 2024`.
  foundBy: 'Works found by {$what}.',
  // What somebody typed, in quotation marks.
  quoted: '“{$words}”',
  showWorks: 'Show these works',
  ofAll: 'Statistics of all works',
  works: 'Works',
  withOrcid: 'With an ORCID iD of an author',
  withAbstract: 'With an abstract',
  withDoi: 'With a DOI',
  withLicense: 'With a license',
  withVerifiedContent: 'With verified content',
  withdrawn: 'Withdrawn',
  // A number of works, and which share of all that is: `123 (4.5 %)`.
  countAndShare: '{$count} ({$share})',
  registeredByMonth: 'Works registered, by month',
  byYear: 'Works, by year of publication',
  numbers: 'Numbers',
  year: 'Year',
  month: 'Month',
  share: 'Share',
  mostCommon: 'The most common.',
})

/** Types of works (`work_type`), by their codes. COAR and DataCite have names for most languages. */
export const types = messages('types', {
  article: 'Article',
  preprint: 'Preprint',
  review_article: 'Review article',
  editorial: 'Editorial',
  letter: 'Letter',
  data_paper: 'Data paper',
  book: 'Book',
  book_chapter: 'Book chapter',
  conference_paper: 'Conference paper',
  proceedings: 'Proceedings',
  poster: 'Poster',
  presentation: 'Presentation',
  thesis: 'Thesis',
  report: 'Report',
  working_paper: 'Working paper',
  dataset: 'Dataset',
  software: 'Software',
  workflow: 'Workflow',
  peer_review: 'Peer review',
  patent: 'Patent',
  standard: 'Standard',
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  data_management_plan: 'Data management plan',
  lecture: 'Lecture',
  award: 'Award',
  collection: 'Collection',
  computational_notebook: 'Computational notebook',
  event: 'Event',
  instrument: 'Instrument',
  interactive_resource: 'Interactive resource',
  journal: 'Journal',
  model: 'Model',
  physical_object: 'Physical object',
  project: 'Project',
  service: 'Service',
  study_registration: 'Study registration',
  text: 'Text',
  other: 'Other',
})

/** The page where readers check a receipt, an evidence file or a file. */
export const verify = messages('verify', {
  title: 'Verify a receipt or a file',
  // An evidence file is a receipt together with the keys and proofs that a check needs.
  lead: 'A receipt proves what was registered, and when. An evidence file is a receipt with everything you need to check it. Add one here, with your copy of the content if you have one.',
  leadFile: 'With a file alone, we tell you which work it belongs to. We get only its hash.',
  // The label of a field. The words in `scripted` are shown where the browser runs scripts.
  receipt: 'Receipt{#scripted} and your copy of the content{/scripted}',
  receiptHint: 'Choose both, or drop them anywhere on this page. They stay on your device.',
  unscriptedHint: 'Your browser runs no scripts here, so this registry checks the receipt for you.',
  paste: 'Or paste the receipt',
  contentHash: 'SHA-256 of your copy of the content',
  submit: 'Verify',
  // Names the part of the page with the result, for screen readers.
  result: 'Result',
  aside:
    'Keys from this site only prove that everything here fits together. To trust nothing that this site says today, {#offline}check offline{/offline} with keys that you saved before. For evidence files, {#reader}one Python file{/reader} is enough. You find the receipt of a work on its page.',
  chooseFile: 'Choose the file of a receipt, or paste it.',
  // `reason` is technical and in English.
  notReceipt: 'This is not a receipt: {$reason}.',
  hashForm: 'The SHA-256 of the content has 64 hexadecimal digits.',
  // Facts of a receipt.
  work: 'Work',
  registered: 'Registered',
  contentConfirmed: 'Content confirmed',
  withdrawn: 'Withdrawn',
  inLog: 'In the log',
  entryOf: 'entry {$index :integer} of {$size :integer}',
  proven: 'Proven: this registry signed exactly this receipt, and its log has it.',
})

/** The review of a claim of authorship: by a publisher, by a person who registered the work, or by an administrator. */
export const claimReview = messages('claimReview', {
  table: 'Claims waiting for a decision',
  claimedBy: 'Claimed by',
  compared: 'Comparison',
  noMessage: 'No message',
  registeredBy: 'Registered by',
  erased: 'The metadata of the work was erased.',
  knownAuthors: 'Confirmed authors',
  // `name` is a person, `place` a number from 1.
  asAuthor: '{$name}, author {$place}',
  samePlace: 'same place as this claim',
  noMismatch: 'no mismatch',
  mismatches: `.input {$count :integer} .match $count
    one {{1 mismatch}}
    * {{{$count} mismatches}}`,
  // How the claim stands: a badge, and a sentence after it.
  waitsForPerson: 'waiting for the person',
  confirmed: 'confirmed',
  byRegistrant: 'The publisher confirmed it.',
  byOrcid: 'The person signed in with the ORCID iD that the work names.',
  byAdmin: 'An administrator confirmed it.',
  waitsForAdmin: 'An administrator will decide.',
  orcidSignedIn: 'signed in with an ORCID iD',
  // What does not match.
  mismatchHeading: 'This does not match:',
  noPlace: 'The claim does not say which of the {$count :integer} authors it means.',
  noSuchAuthor: 'The claim is for author {$place}, and the work now has {$count :integer} authors.',
  nameHidden: 'The profile of the person shows no name.',
  nameDiffers: 'The author at this place is “{$author}”, and the person is “{$name}”.',
  orcidDiffers: 'The author at this place has the ORCID iD {$own}, and the person has {$orcid}.',
  orcidElsewhere: 'The work names the ORCID iD of the person, {$orcid}, for author {$place}.',
  claimedPlace: 'claimed, {$place} of {$count :integer}',
  moreAuthors: `.input {$count :integer} .match $count
    one {{and 1 more author}}
    * {{and {$count} more authors}}`,
  unseenAuthors: `.input {$count :integer} .match $count
    one {{1 more author is in the record.}}
    * {{{$count} more authors are in the record.}}`,
  // A table: the author of the work beside the account.
  comparison: 'The author in the work and the account',
  what: 'What',
  inWork: 'In the work',
  inAccount: 'In the account',
  name: 'Name',
  none: 'none',
  noneShown: 'none shown',
  notCompared: 'not compared',
  fits: 'matches',
  differs: 'differs',
  sameOrcid: 'the same, signed in',
  typedOrcid: 'typed, never signed in with',
  // The decision.
  lead: '{$name} says they wrote this work, or somebody else says so for them.',
  decide: 'Your decision',
  confirm: 'Confirm',
  confirmAnyway: 'Confirm anyway',
  why: 'Why you are confirming anyway',
  whyHint: 'Such as: she has married since. We keep it with your answer.',
  whyNeeded: 'The claim does not match the work: say why you are confirming anyway.',
  adminNote: 'You decide as an administrator, and the claim says so.',
  declineLink: 'Decline…',
  declineTitle: 'Decline this claim?',
  declineText:
    '{$name} sees that the claim was declined, and does not count as an author. They can contest it, and then an administrator decides.',
  declineSubmit: 'Decline claim',
})

/** The frame of the documentation of programs; the documents themselves are English. */
export const docs = messages('docs', {
  documentation: 'Documentation',
  begin: 'Begin',
  quickStart: 'Quick start',
  oauth: 'Writing for people (OAuth)',
  reference: 'Reference',
  errors: 'Errors',
  limits: 'Limits',
  onThisPage: 'On this page',
  allPages: 'All pages of the documentation',
  // `group` is one of the four below.
  guides: 'Guides: {$group}',
  programs: 'programs',
  records: 'records',
  proofs: 'proofs',
  running: 'running a registry',
  // Groups of operations.
  works: 'Works',
  resolve: 'Resolving ARKs',
  receipts: 'Receipts and proofs',
  log: 'The log',
  people: 'People',
  claims: 'Claims',
  organizations: 'Organizations',
  search: 'Search',
  changes: 'Changes',
  harvesting: 'Harvesting',
  feeds: 'Feeds and sitemaps',
  registry: 'The registry',
})

/** The sections of the desk of administrators, in the navigation of readers of any language. */
export const adminSections = messages('adminSections', {
  queue: 'Queue',
  accounts: 'Accounts',
  suspensions: 'Suspensions',
  takedowns: 'Takedowns',
  audit: 'Audit log',
  happened: 'What happened',
  mails: 'Mails',
  disputes: 'Contested claims',
  reports: 'Reports from readers',
  operations: 'Operations',
  cluster: 'Cluster',
})
