import type { owners as english } from '#src/words/en/owners.ts'
import type { Translation } from '#src/words/message.ts'

export const owners: Translation<typeof english> = {
  registered: `.input {$count :integer} .match $count
    one {{1 Werk hier registriert}}
    * {{{$count} Werke hier registriert}}`,
  authors: `.input {$count :integer} .match $count
    one {{1 bestätigte Person}}
    * {{{$count} bestätigte Personen}}`,
  alsoKnownAs: 'Auch bekannt als',
  website: 'Website',
  country: 'Land',
  registryName: 'Name im Register',
  since: 'Hier seit',
  newestFirst: 'Werke, die neuesten zuerst',
  noWorks: 'Dieser Verlag hat noch keine Werke registriert.',
  searchThese: 'Diese Werke durchsuchen',
  statistics: 'Statistik dieser Werke',
  forPrograms: 'Für Programme:',
  oaiSet: 'OAI-PMH-Set',
  identifier: 'Kennung',
  links: 'Links',
  works: 'Werke',
  filterThese: 'Diese Werke durchsuchen und filtern',
  affiliations: 'Zugehörigkeiten',
  education: 'Ausbildung',
  profileJson: 'dieses Profil als JSON',
  testPerson: '{#strong}Sandbox:{/strong} Dies ist eine Testperson.',
  orcidSignedIn: 'damit angemeldet',
  notConfirmed: 'nicht bestätigt',
  claimedBy: 'Zugeordnet durch {$by} am {$day}.',
  byRegistrant: 'Vom Verlag des Werks bestätigt.',
  byOrcid: 'Die Person hat sich mit einer ORCID iD angemeldet, die das Werk nennt.',
  byAdmin: 'Von der Verwaltung dieses Registers entschieden.',
  thePerson: 'die Person selbst',
  anApplication: 'eine Anwendung der Person',
  theOperator: 'den Betreiber dieses Registers',
  addedBy: 'hinzugefügt durch {$by} am {$day}',
  changedOn: 'hinzugefügt durch {$by} am {$day}, geändert am {$changed}',
  contested: 'von der Person bestritten',
}
