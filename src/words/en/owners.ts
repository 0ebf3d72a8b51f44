import { messages } from '#src/words/message.ts'

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
