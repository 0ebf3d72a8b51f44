import type { home as english } from '#src/words/en/home.ts'
import type { Translation } from '#src/words/message.ts'

export const home: Translation<typeof english> = {
  title: 'Ein Register wissenschaftlicher Werke, das jeder prüfen kann',
  description:
    'Ein Register wissenschaftlicher Werke: dauerhafte Kennungen, alle Versionen und ein signiertes ' +
    'Log, an das nur angehängt wird. Jeder kann prüfen, was wann registriert wurde.',
  heading: 'Wissenschaftliche Werke, so registriert, dass jeder es prüfen kann',
  lead:
    'Arklog gibt jedem Werk eine dauerhafte Kennung, bewahrt alle Versionen und beweist, was wann ' +
    'registriert wurde. Vertrauen Sie uns nicht: Prüfen Sie es.',
  works: 'registrierte Werke',
  over: 'über {$count}',
  statements: 'signierte Einträge im Log',
  newest: 'neueste Aussage',
  why: 'Warum Sie den Einträgen glauben können',
  registered: 'Registriert',
  registeredText:
    'Ein Verlag registriert ein Werk. Das Werk erhält einen ARK, der nie etwas anderes bezeichnet. ' +
    'Jede Änderung ergibt eine neue Version. Die alten Versionen bleiben.',
  signed: 'Signiert',
  signedText:
    'Jede Version erhält eine Quittung: die SHA-256-Hashes ihrer Metadaten und ihres Inhalts und ' +
    'die Zeit, signiert mit Ed25519.',
  logged: 'Im Log',
  loggedText:
    'Die Quittung steht im Log, bevor wir antworten. An das Log wird nur angehängt. Ein Wurzel-Hash ' +
    'deckt das ganze Log ab: Niemand kann einen Eintrag ändern oder entfernen, ohne dass sich der ' +
    'Wurzel-Hash ändert.',
  root: `.input {$count :integer} .match $count
    one {{Wurzel-Hash des Logs mit {$count} Eintrag:}}
    * {{Wurzel-Hash des Logs mit {$count} Einträgen:}}`,
  growth:
    'Ihre Quittung und ein paar Hashes führen zum Wurzel-Hash, den das Log signiert hat. Wenn Sie ' +
    'einen älteren Wurzel-Hash aufbewahrt haben, können Sie beweisen, dass das Log seitdem nur ' +
    'gewachsen ist. Monitore tun das ständig.',
  seeLog: 'Log ansehen',
  proves: 'Was das beweist und was nicht',
  check: 'Prüfen Sie selbst',
  checkText:
    'Auf der Seite jedes Werks prüft eine Schaltfläche die Quittung in Ihrem Browser. Auf Ihrem ' +
    'eigenen Rechner genügen drei Befehle. Der letzte braucht kein Netz. Sie brauchen weder einen ' +
    'API-Schlüssel noch ein Konto:',
  commands: 'Befehle, die eine Quittung prüfen',
  output: 'Ausgabe',
  byHand:
    'Möchten Sie unser Programm lieber nicht ausführen? {#link}Mit openssl und ein paar Zeilen Python geht es auch.{/link}',
  latest: 'Neueste Werke',
  allWorks: 'Alle Werke',
  noWorks: 'Noch keine Werke',
  noWorksText:
    'Dieses Register ist neu. Registrieren Sie das erste Werk mit dem API-Schlüssel, den der erste Start ausgegeben hat:',
  firstCommand: 'Der Befehl, der ein Werk registriert',
  entrances: 'Wie es weitergeht',
  publishers: 'Verlage',
  publishersText:
    'Registrieren Sie Werke, neue Versionen und Korrekturen über die API, oder importieren Sie BibTeX und RIS.',
  yourOrganization: 'Ihre Organisation',
  researchers: 'Forschende',
  researchersText:
    'Ihr eigenes Profil: Sie entscheiden, wer hineinschreiben darf, und können alles rückgängig machen.',
  createAccount: 'Konto erstellen',
  harvesters: 'Harvester',
  harvestersText: 'Alle Metadaten über OAI-PMH 2.0 und als Feeds, ohne API-Schlüssel.',
  feed: 'Feed der Werke',
  sitemap: 'Sitemap',
  verifiers: 'Prüfende',
  verifiersText: 'Das ganze Log als Tiles, mit Checkpoints und Schlüsseln. Offen für alle.',
  log: 'Das Log',
  checkpoint: 'Checkpoint',
  monitor: 'Einen Monitor betreiben',
  newWorks: 'Neue Werke',
}
