import type { home as english } from '#src/words/en/home.ts'
import type { Translation } from '#src/words/message.ts'

export const home: Translation<typeof english> = {
  title: 'Un registre de travaux scientifiques que chacun peut vérifier',
  description:
    'Un registre de travaux scientifiques\u00a0: des identifiants pérennes, toutes les versions conservées ' +
    'et un journal signé, en ajout seul. Chacun peut vérifier ce qui a été enregistré, et quand.',
  heading: 'Des travaux scientifiques enregistrés de façon que chacun puisse vérifier',
  lead:
    'Arklog donne à chaque travail un identifiant pérenne, conserve toutes les versions et prouve ' +
    'ce qui a été enregistré, et quand. Ne nous croyez pas sur parole\u00a0: vérifiez.',
  works: 'travaux enregistrés',
  over: 'plus de {$count}',
  statements: 'entrées signées dans le journal',
  newest: 'dernière déclaration',
  why: 'Pourquoi vous pouvez croire les notices',
  registered: 'Enregistré',
  registeredText:
    'Un éditeur enregistre un travail. Le travail reçoit un ARK, qui ne désigne jamais rien d’autre. ' +
    'Chaque modification crée une nouvelle version. Les anciennes versions restent.',
  signed: 'Signé',
  signedText:
    'Chaque version a son reçu\u00a0: les empreintes SHA-256 de ses métadonnées et de son contenu, ' +
    'et l’heure, signées avec Ed25519.',
  logged: 'Dans le journal',
  loggedText:
    'Le reçu entre dans le journal avant notre réponse. On ne peut qu’ajouter au journal. Une empreinte ' +
    'racine couvre tout le journal\u00a0: personne ne peut modifier ou retirer une entrée sans la changer.',
  root: `.input {$count :integer} .match $count
    one {{Empreinte racine du journal à {$count} entrée\u00a0:}}
    * {{Empreinte racine du journal à {$count} entrées\u00a0:}}`,
  growth:
    'Votre reçu et quelques empreintes mènent à l’empreinte racine que le journal a signée. Si vous ' +
    'avez gardé une empreinte racine plus ancienne, vous pouvez prouver que le journal n’a fait que ' +
    'grandir depuis. Des moniteurs le font en permanence.',
  seeLog: 'Voir le journal',
  proves: 'Ce que cela prouve, et ce que cela ne prouve pas',
  check: 'Vérifiez vous-même',
  checkText:
    'La page de chaque travail a un bouton qui vérifie son reçu dans votre navigateur. Sur votre ' +
    'propre ordinateur, trois commandes font la même chose. La dernière n’a pas besoin de réseau. Il ne ' +
    'faut ni clé d’API ni compte\u00a0:',
  commands: 'Commandes qui vérifient un reçu',
  output: 'Résultat',
  byHand:
    'Vous préférez ne pas exécuter notre programme\u202f? {#link}Faites de même avec openssl et quelques lignes de Python.{/link}',
  latest: 'Derniers travaux',
  allWorks: 'Tous les travaux',
  noWorks: 'Pas encore de travaux',
  noWorksText:
    'Ce registre est nouveau. Enregistrez le premier travail avec la clé d’API affichée au premier démarrage\u00a0:',
  firstCommand: 'La commande qui enregistre un travail',
  entrances: 'Pour continuer',
  publishers: 'Éditeurs',
  publishersText:
    'Enregistrez des travaux, de nouvelles versions et des corrections par l’API, ou importez du BibTeX et du RIS.',
  yourOrganization: 'Votre organisation',
  researchers: 'Chercheurs',
  researchersText:
    'Votre propre profil\u00a0: vous décidez qui peut y écrire, et vous pouvez annuler ce qui y a été écrit.',
  createAccount: 'Créer un compte',
  harvesters: 'Moissonneurs',
  harvestersText: 'Toutes les métadonnées par OAI-PMH 2.0 et par flux, sans clé d’API.',
  feed: 'Flux des travaux',
  sitemap: 'Plan du site',
  verifiers: 'Vérificateurs',
  verifiersText:
    'Tout le journal en tuiles, avec ses points de contrôle et ses clés. Ouvert à tous.',
  log: 'Le journal',
  checkpoint: 'Point de contrôle',
  monitor: 'Exploiter un moniteur',
  newWorks: 'Nouveaux travaux',
}
