import { messages } from '#src/words/message.ts'

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
  tryAgain: 'Try again',
})
