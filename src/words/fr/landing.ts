import type { landing as english } from '#src/words/en/landing.ts'
import type { Translation } from '#src/words/message.ts'

export const landing: Translation<typeof english> = {
  version: 'Version {$number}',
  marked: '{$mark}\u00a0: {$title}',
  changesFeed: 'Modifications de ce travail',
  citeAs: 'Citer comme',
  toNewest: 'Mène toujours à la dernière version. {#link}Lien vers cette version{/link}',
  thisIsMine: 'Je suis auteur de ce travail',
  checkedAgo: 'contrôlé {$ago}',
  receipt: 'Reçu',
  registeredOn: 'enregistré le {$time}',
  openContent: 'Ouvrir le contenu',
  openPage: 'Ouvrir la page de l’éditeur',
  elsewhere: 'sur {$host}, hors de ce registre',
  abstract: 'Résumé',
  noAbstract: 'Ce travail n’a pas de résumé.',
  formulaSources: 'Source des formules',
  sandbox:
    '{#strong}Bac à sable\u00a0: ne pas citer.{/strong} Cette notice est un test. Son ARK n’est pas pérenne.',
  older:
    '{#strong}Il existe une version plus récente.{/strong} Ceci est la version {$number}. {#link}Voir la version {$newest}, la dernière{/link}.',
  withdrawnTitle: 'Retiré',
  lost: 'Métadonnées perdues',
  erased: 'Métadonnées effacées',
  withdrawnOn: '{#strong}Ce travail a été retiré{/strong} le {$time}, {$why}.',
  withdrawnBy: '{#strong}Ce travail a été retiré{/strong} le {$time} par {$who}, {$why}.',
  instead: 'Utilisez plutôt ce travail\u00a0: {$link}.',
  erasedOn:
    'Nous avons effacé ses métadonnées le {$time}. Les empreintes restent et prouvent toujours ce qui a été enregistré.',
  remains:
    'Son ARK ne désigne jamais un autre travail. Ses reçus restent valables. Nous ne renvoyons plus à son contenu.',
  cite: 'Citer ce travail',
  citationStyle: 'Style de citation',
  copyCitation: 'Copier la citation',
  plainText: 'En texte brut',
  forManagers: 'Pour les logiciels de gestion bibliographique',
  otherStyle: 'Autre style',
  styleByName: 'Autre style, par son nom dans {#link}la liste{/link}',
  forPrograms: 'Pour les programmes',
  // Unsure: the link set of RFC 9264 has no settled name in French.
  linkSet: 'Ensemble de liens',
  atomFeed: 'Flux Atom',
  oaiRecord: 'Notice OAI-PMH',
  researcher: 'un chercheur, {#link}{$id}{/link}',
  registryItself: 'ce registre, automatiquement',
  operator: 'l’opérateur de ce registre',
  moreAuthors: `.input {$count :integer} .match $count
    one {{{$count} auteur de plus}}
    * {{{$count} auteurs de plus}}`,
  unnamedAuthors: `.input {$count :integer} .match $count
    one {{La notice JSON nomme {$count} auteur de plus.}}
    * {{La notice JSON nomme {$count} auteurs de plus.}}`,
  somebody: 'Une personne qui a un profil ici',
  unplaced: '{$name}\u00a0: {$mark}, mais on ne sait pas de quel auteur il s’agit.',
  byAdmin: 'confirmé par un administrateur',
  byOrcid: 'connecté avec ORCID',
  byThem: 'enregistré par cette personne',
  byBoth: 'confirmé par l’éditeur et la personne',
  byPublisher: 'nommé par l’éditeur, avec l’accord de la personne',
  orcid: 'ORCID iD {$id}',
  orcidSaid: 'ORCID iD {$id}, non confirmé par son titulaire',
  versions: 'Versions',
  newerVersions: `.input {$count :integer} .match $count
    one {{{$count} version plus récente\u00a0: {#link}la dernière{/link}}}
    * {{{$count} versions plus récentes, jusqu’à {#link}la dernière{/link}}}`,
  olderVersions: `.input {$count :integer} .match $count
    one {{{$count} version plus ancienne\u00a0: {#link}la version {$number}{/link}}}
    * {{{$count} versions plus anciennes, à partir de {#link}la version {$number}{/link}}}`,
  earlierVersions: `.input {$count :integer} .match $count
    one {{{$count} version antérieure}}
    * {{{$count} versions antérieures}}`,
  thisPage: 'cette page',
  compare: 'Comparer',
  compareWith: 'Comparer la version {$number} avec la version précédente',
  firstVersion: 'Enregistré.',
  newVersion: 'Nouvelle version, modifié\u00a0: {$fields}.',
  changed: 'Modifié\u00a0: {$fields}.',
  history: 'Qui a modifié quoi',
  registeredBy: 'Enregistré le {$time} par {$who}. L’historique garde chaque modification.',
  earlierChanges: `.input {$count :integer} .match $count
    one {{{$count} modification antérieure}}
    * {{{$count} modifications antérieures}}`,
  historyJson: 'L’historique en JSON',
  wholeHistoryJson: 'Tout l’historique en JSON',
  event: '{$time} {$what}, par {$who}',
  eventRegistered: 'Enregistré',
  eventVersion: 'Version {$number}, modifié\u00a0: {$fields}',
  eventWithdrawn: 'Retiré',
  eventErased: 'Métadonnées effacées',
  eventLost: 'Perte des métadonnées constatée',
  eventVerified: 'Contenu trouvé tel qu’enregistré',
  eventFailed: 'Contenu trouvé modifié',
  eventUnreachable: 'Contenu non confirmé',
  eventVerifiedOf: 'Contenu de la version {$number} trouvé tel qu’enregistré',
  eventFailedOf: 'Contenu de la version {$number} trouvé modifié',
  eventUnreachableOf: 'Contenu de la version {$number} non confirmé',
  fixity: 'Contrôle du contenu',
  checkedElsewhere: 'Les contrôles continuent {#link}avec la dernière version{/link}.',
  neverRead: 'Nous ne contrôlons pas le contenu des travaux retirés. Nous ne l’avons jamais lu.',
  lastRead: 'Nous ne contrôlons pas le contenu des travaux retirés. Dernière lecture {$ago}.',
  queued: 'Nous n’avons pas encore lu le contenu. Il est dans la file d’attente.',
  queuedDeclared:
    'Nous n’avons pas encore lu le contenu. Il est dans la file d’attente. D’ici là, son empreinte est seulement celle que l’éditeur a déclarée.',
  unchanged: 'Vu inchangé pour la dernière fois {$ago}.',
  unchangedInARow: `.input {$count :integer} .match $count
    one {{Vu inchangé pour la dernière fois {$ago}, lors de {$count} contrôle.}}
    * {{Vu inchangé pour la dernière fois {$ago}, lors de {$count} contrôles de suite.}}`,
  isChanged: 'Le contenu n’est pas celui qui a été enregistré. Dernier contrôle {$ago}.',
  notConfirmed:
    'Nous n’avons pas pu confirmer le contenu\u00a0: {$reason}. Dernier essai {$ago}. Cela ne veut pas dire qu’il a changé.',
  noContent: 'il n’y en avait pas',
  isLandingPage:
    'L’adresse mène à une page de présentation, pas à un fichier\u00a0: il n’y a pas de contenu à comparer. L’éditeur peut fournir l’adresse du fichier lui-même. Dernier essai {$ago}.',
  changedNotice:
    '{#strong}Le contenu a changé.{/strong} Ce que nous avons lu n’est pas ce qui a été enregistré. {#link}Comparez les empreintes{/link} avant de vous y fier.',
  changedNoticeOn:
    '{#strong}Le contenu a changé.{/strong} Ce que nous avons lu le {$time} n’est pas ce qui a été enregistré. {#link}Comparez les empreintes{/link} avant de vous y fier.',
  declaredHash: 'Empreinte déclarée',
  registeredHash: 'Empreinte enregistrée',
  hash: 'Empreinte',
  noneYet: 'pas encore',
  notReadYet: 'pas encore lu',
  hashFound: 'Empreinte trouvée depuis',
  hashFoundOn: 'lue le {$time}, différente de l’empreinte enregistrée',
  firstRead: 'comme lue ici la première fois',
  asDeclared: 'comme lue ici la première fois, identique à la déclaration',
  notAsDeclared: 'comme lue ici la première fois, différente de l’empreinte déclarée',
  lastCheck: 'Dernier contrôle',
  nextCheck: 'Prochain contrôle à partir du',
  checks: 'Contrôles',
  earlierChecks: `.input {$count :integer} .match $count
    one {{{$count} contrôle antérieur}}
    * {{{$count} contrôles antérieurs}}`,
  checkVerified: 'Inchangé',
  checkFailed: 'Modifié',
  checkUnreachable: 'Non confirmé',
  justNow: 'il y a moins d’une minute',
  theReceipt: 'Le reçu',
  says_registered:
    'Il dit que cette version a été enregistrée le {$time} avec exactement ces métadonnées.',
  says_content:
    'Il dit que cette version a été enregistrée avec exactement ces métadonnées, et que son contenu a été confirmé le {$time}.',
  says_content_on:
    'Il dit que cette version a été enregistrée le {$registered} avec exactement ces métadonnées, et que son contenu a été confirmé le {$time}.',
  says_tombstoned:
    'Il dit que ce travail a été retiré le {$time}. Ses empreintes disent ce qu’était le travail.',
  signedAs: `.input {$index :integer} .input {$size :integer} .match $size
    one {{Signé comme {#entry}entrée {$index}{/entry} du {#log}journal public{/log}, qui a {$size} entrée.}}
    * {{Signé comme {#entry}entrée {$index}{/entry} du {#log}journal public{/log}, qui a {$size} entrées.}}`,
  whatWasSigned: 'Ce qui a été signé',
  metadataHash: 'Empreinte des métadonnées',
  contentHash: 'Empreinte du contenu',
  rootHash: 'Empreinte racine du journal',
  signingKey: 'Clé de signature',
  checkHere: 'Vérifiez-le dans ce navigateur',
  checkHereText:
    'Votre navigateur obtient de ce site le reçu, les métadonnées et les clés, et fait lui-même tous les calculs.',
  checkReceipt: 'Vérifier le reçu',
  newestVersion: 'La version la plus récente',
  provenNewest: 'C’est la version la plus récente ({$when})',
  provenSuperseded: 'La version {$number} est plus récente ({$when})',
  provenWithdrawn: 'Retirée ({$when})',
  provenAbsent: 'Cet ARK n’a jamais été enregistré ici ({$when})',
  provenNotYet:
    'Pas encore connu : cette version est postérieure à la carte la plus récente ({$when})',
  provenContradictory: 'Le journal se contredit au sujet de cet ARK ({$when})',
  asTold: 'd’après le registre',
  asSeen: 'à {$time}, vu par {$signed} témoins sur {$of}',
  checkLimits:
    'Des clés venant du même site prouvent seulement que tout ici concorde. Pour ne dépendre de rien de ce que dit ce site aujourd’hui, vérifiez hors ligne avec des clés que vous avez gardées auparavant.',
  yourCopy: 'Votre copie du contenu',
  staysHere: '(facultatif\u202f; elle reste sur votre appareil)',
  checkOffline: 'Vérifiez-le hors ligne',
  checkOfflineText:
    'Le reçu est un fichier à part. Il se prouve lui-même, même si ce registre n’existe plus.',
  receiptFile: 'Fichier du reçu',
  allProofs: 'Toutes les preuves',
  inclusionProof: 'Preuve d’inclusion',
  allEntries: 'Toutes les entrées de ce travail',
  newestCheckpoint: 'Dernier point de contrôle',
  publishedKeys: 'Clés publiées',
  relatedWorks: 'Travaux liés',
  allRelated: 'Tous les travaux liés',
  hasNotice: 'A un avis ({$kind})\u00a0:',
  isNotice: 'Est un avis ({$kind}) sur',
  relatedLead:
    'de {$work}\u00a0: d’abord ce que le travail dit lui-même, puis ce que d’autres travaux ici en disent, les plus récents d’abord.',
  noneRelated: 'Il n’y en a pas.',
  sameJson: 'La même chose en JSON',
}
