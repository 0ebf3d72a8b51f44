import { messages } from '#src/words/message.ts'

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
