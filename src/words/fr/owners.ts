import type { owners as english } from '#src/words/en/owners.ts'
import type { Translation } from '#src/words/message.ts'

export const owners: Translation<typeof english> = {
  registered: `.input {$count :integer} .match $count
    one {{{$count} travail enregistré ici}}
    * {{{$count} travaux enregistrés ici}}`,
  authors: `.input {$count :integer} .match $count
    one {{{$count} auteur vérifié}}
    * {{{$count} auteurs vérifiés}}`,
  alsoKnownAs: 'Aussi appelé',
  website: 'Site web',
  country: 'Pays',
  registryName: 'Nom dans le registre',
  since: 'Ici depuis',
  newestFirst: 'Travaux, du plus récent au plus ancien',
  noWorks: 'Cet éditeur n’a encore enregistré aucun travail.',
  searchThese: 'Chercher dans ces travaux',
  statistics: 'Statistiques de ces travaux',
  forPrograms: 'Pour les programmes\u00a0:',
  oaiSet: 'Ensemble OAI-PMH',
  identifier: 'Identifiant',
  links: 'Liens',
  works: 'Travaux',
  filterThese: 'Chercher et filtrer ces travaux',
  affiliations: 'Affiliations',
  education: 'Formation',
  profileJson: 'ce profil en JSON',
  testPerson: '{#strong}Bac à sable\u00a0:{/strong} ceci est une personne de test.',
  orcidSignedIn: 'connexion effectuée avec',
  notConfirmed: 'non confirmé',
  claimedBy: 'Attribué par {$by} le {$day}.',
  byRegistrant: 'Confirmé par l’éditeur du travail.',
  byOrcid: 'La personne s’est connectée avec un ORCID iD que le travail mentionne.',
  byAdmin: 'Décidé par un administrateur de ce registre.',
  thePerson: 'la personne elle-même',
  anApplication: 'une application de la personne',
  theOperator: 'l’opérateur de ce registre',
  addedBy: 'ajoutée par {$by} le {$day}',
  changedOn: 'ajoutée par {$by} le {$day}, modifiée le {$changed}',
  contested: 'contestée par la personne',
}
