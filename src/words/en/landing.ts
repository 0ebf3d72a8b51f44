import { messages } from '#src/words/message.ts'

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
  unplaced: '{$name}: {$mark}, but it is not known which of the authors this is.',
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
  sameJson: 'The same as JSON',
})
