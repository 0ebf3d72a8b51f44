import { messages } from '#src/words/message.ts'

/** The first page. */
export const home = messages('home', {
  title: 'A registry of scholarly works that anybody can check',
  // For search engines.
  description:
    'A registry of scholarly works: permanent identifiers, every version kept, and a signed, ' +
    'append-only log. Anybody can check what was registered, and when.',
  heading: 'Scholarly works, registered so that anybody can check',
  lead:
    'Arklog gives each work a permanent identifier, keeps every version, and proves what was ' +
    'registered and when. Don’t trust us: check.',

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
