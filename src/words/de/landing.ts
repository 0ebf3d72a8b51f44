import type { landing as english } from '#src/words/en/landing.ts'
import type { Translation } from '#src/words/message.ts'

export const landing: Translation<typeof english> = {
  version: 'Version {$number}',
  marked: '{$mark}: {$title}',
  changesFeed: 'Änderungen an diesem Werk',
  citeAs: 'Zitieren als',
  toNewest: 'Führt immer zur neuesten Version. {#link}Link zu dieser Version{/link}',
  thisIsMine: 'Ich bin Autorin oder Autor dieses Werks',
  checkedAgo: '{$ago} geprüft',
  receipt: 'Quittung',
  registeredOn: 'registriert am {$time}',
  openContent: 'Inhalt öffnen',
  openPage: 'Seite des Verlags öffnen',
  elsewhere: 'bei {$host}, außerhalb dieses Registers',
  abstract: 'Zusammenfassung',
  noAbstract: 'Dieses Werk hat keine Zusammenfassung.',
  formulaSources: 'Quelltext der Formeln',
  sandbox:
    '{#strong}Sandbox: nicht zitieren.{/strong} Dieser Eintrag ist ein Test. Sein ARK ist nicht dauerhaft.',
  older:
    '{#strong}Es gibt eine neuere Version.{/strong} Dies ist Version {$number}. {#link}Zu Version {$newest}, der neuesten{/link}.',
  withdrawnTitle: 'Zurückgezogen',
  lost: 'Metadaten verloren',
  erased: 'Metadaten gelöscht',
  withdrawnOn: '{#strong}Dieses Werk wurde am {$time} zurückgezogen{/strong}, {$why}.',
  withdrawnBy:
    '{#strong}Dieses Werk wurde am {$time} zurückgezogen{/strong}, {$why}. Zurückgezogen hat es {$who}.',
  instead: 'Verwenden Sie stattdessen dieses Werk: {$link}.',
  erasedOn:
    'Die Metadaten des zurückgezogenen Werks haben wir am {$time} gelöscht. Die Hashes bleiben und beweisen weiterhin, was registriert wurde.',
  remains:
    'Sein ARK bezeichnet nie ein anderes Werk. Seine Quittungen bleiben gültig. Wir verlinken seinen Inhalt nicht mehr.',
  cite: 'Dieses Werk zitieren',
  citationStyle: 'Zitierstil',
  copyCitation: 'Zitation kopieren',
  plainText: 'Als einfacher Text',
  forManagers: 'Für Literaturverwaltungsprogramme',
  otherStyle: 'Anderer Stil',
  styleByName: 'Anderer Stil, mit seinem Namen aus {#link}der Liste{/link}',
  forPrograms: 'Für Programme',
  linkSet: 'Linkset',
  atomFeed: 'Atom-Feed',
  oaiRecord: 'OAI-PMH-Datensatz',
  // Who made a change is named alone too, so it is always in the nominative.
  researcher: 'die forschende Person {#link}{$id}{/link}',
  registryItself: 'dieses Register, automatisch',
  operator: 'der Betreiber dieses Registers',
  moreAuthors: `.input {$count :integer} .match $count
    one {{1 weiterer Autor}}
    * {{{$count} weitere Autoren}}`,
  unnamedAuthors: `.input {$count :integer} .match $count
    one {{Der JSON-Eintrag nennt 1 weiteren Autor.}}
    * {{Der JSON-Eintrag nennt {$count} weitere Autoren.}}`,
  somebody: 'Eine Person mit einem Profil in diesem Register',
  unplaced: '{$name}: {$mark}. Welcher der Autoren das ist, ist nicht bekannt.',
  byAdmin: 'von der Administration bestätigt',
  byOrcid: 'mit ORCID angemeldet',
  byThem: 'von dieser Person registriert',
  byBoth: 'vom Verlag und der Person bestätigt',
  byPublisher: 'vom Verlag genannt, mit Erlaubnis der Person',
  orcid: 'ORCID iD {$id}',
  orcidSaid: 'ORCID iD {$id}, von der Person selbst nicht bestätigt',
  versions: 'Versionen',
  newerVersions: `.input {$count :integer} .match $count
    one {{1 neuere Version: {#link}die neueste{/link}}}
    * {{{$count} neuere Versionen, bis zur {#link}neuesten{/link}}}`,
  olderVersions: `.input {$count :integer} .match $count
    one {{1 ältere Version: {#link}Version {$number}{/link}}}
    * {{{$count} ältere Versionen, ab {#link}Version {$number}{/link} abwärts}}`,
  earlierVersions: `.input {$count :integer} .match $count
    one {{1 frühere Version}}
    * {{{$count} frühere Versionen}}`,
  thisPage: 'diese Seite',
  compare: 'Vergleichen',
  compareWith: 'Version {$number} mit der vorigen vergleichen',
  firstVersion: 'Registriert.',
  newVersion: 'Neue Version, geändert: {$fields}.',
  changed: 'Geändert: {$fields}.',
  history: 'Wer was geändert hat',
  registeredBy: 'Am {$time} hat {$who} dieses Werk registriert. Der Verlauf bewahrt jede Änderung.',
  earlierChanges: `.input {$count :integer} .match $count
    one {{1 frühere Änderung}}
    * {{{$count} frühere Änderungen}}`,
  historyJson: 'Der Verlauf als JSON',
  wholeHistoryJson: 'Der ganze Verlauf als JSON',
  event: '{$time} {$what} – {$who}',
  eventRegistered: 'Registriert',
  eventVersion: 'Version {$number}, geändert: {$fields}',
  eventWithdrawn: 'Zurückgezogen',
  eventErased: 'Metadaten gelöscht',
  eventLost: 'Verlust der Metadaten festgestellt',
  eventVerified: 'Inhalt wie registriert vorgefunden',
  eventFailed: 'Inhalt verändert vorgefunden',
  eventUnreachable: 'Inhalt nicht bestätigt',
  eventVerifiedOf: 'Inhalt von Version {$number} wie registriert vorgefunden',
  eventFailedOf: 'Inhalt von Version {$number} verändert vorgefunden',
  eventUnreachableOf: 'Inhalt von Version {$number} nicht bestätigt',
  fixity: 'Inhaltsprüfung',
  checkedElsewhere: 'Die Prüfungen laufen {#link}bei der neuesten Version{/link} weiter.',
  neverRead:
    'Den Inhalt zurückgezogener Werke prüfen wir nicht. Diesen Inhalt haben wir nie gelesen.',
  lastRead:
    'Den Inhalt zurückgezogener Werke prüfen wir nicht. Diesen Inhalt haben wir zuletzt {$ago} gelesen.',
  queued: 'Wir haben den Inhalt noch nicht gelesen. Er ist in der Warteschlange.',
  queuedDeclared:
    'Wir haben den Inhalt noch nicht gelesen. Er ist in der Warteschlange. Bis dahin ist sein Hash nur das, was der Verlag angegeben hat.',
  unchanged: 'Zuletzt {$ago} unverändert vorgefunden.',
  unchangedInARow: `.input {$count :integer} .match $count
    one {{Zuletzt {$ago} unverändert vorgefunden, bei {$count} Prüfung.}}
    * {{Zuletzt {$ago} unverändert vorgefunden, bei {$count} Prüfungen in Folge.}}`,
  isChanged: 'Der Inhalt ist nicht der, der registriert wurde. Zuletzt {$ago} geprüft.',
  notConfirmed:
    'Wir konnten den Inhalt nicht bestätigen: {$reason}. Zuletzt {$ago} versucht. Das heißt nicht, dass er sich verändert hat.',
  noContent: 'es gab keinen',
  isLandingPage:
    'Die Adresse führt zu einer Landingpage, nicht zu einer Datei. Darum gibt es keinen Inhalt zum Vergleichen. Der Verlag kann die Adresse der Datei selbst angeben. Zuletzt {$ago} versucht.',
  changedNotice:
    '{#strong}Der Inhalt hat sich verändert.{/strong} Was wir gelesen haben, ist nicht, was registriert wurde. {#link}Vergleichen Sie die Hashes{/link}, bevor Sie sich darauf verlassen.',
  changedNoticeOn:
    '{#strong}Der Inhalt hat sich verändert.{/strong} Was wir am {$time} gelesen haben, ist nicht, was registriert wurde. {#link}Vergleichen Sie die Hashes{/link}, bevor Sie sich darauf verlassen.',
  declaredHash: 'Angegebener Hash',
  registeredHash: 'Registrierter Hash',
  hash: 'Hash',
  noneYet: 'noch keiner',
  notReadYet: 'noch nicht gelesen',
  hashFound: 'Seither gefundener Hash',
  hashFoundOn: 'gelesen am {$time}, nicht der registrierte Hash',
  firstRead: 'wie hier beim ersten Mal gelesen',
  asDeclared: 'wie hier beim ersten Mal gelesen, gleich dem angegebenen Hash',
  notAsDeclared: 'wie hier beim ersten Mal gelesen, nicht der angegebene Hash',
  lastCheck: 'Letzte Prüfung',
  nextCheck: 'Nächste Prüfung ab',
  checks: 'Prüfungen',
  earlierChecks: `.input {$count :integer} .match $count
    one {{1 frühere Prüfung}}
    * {{{$count} frühere Prüfungen}}`,
  checkVerified: 'Unverändert',
  checkFailed: 'Verändert',
  checkUnreachable: 'Nicht bestätigt',
  justNow: 'vor weniger als einer Minute',
  theReceipt: 'Die Quittung',
  says_registered:
    'Sie besagt, dass diese Version am {$time} mit genau diesen Metadaten registriert wurde.',
  says_content:
    'Sie besagt, dass diese Version mit genau diesen Metadaten registriert und ihr Inhalt am {$time} bestätigt wurde.',
  says_content_on:
    'Sie besagt, dass diese Version am {$registered} mit genau diesen Metadaten registriert und ihr Inhalt am {$time} bestätigt wurde.',
  says_tombstoned:
    'Sie besagt, dass dieses Werk am {$time} zurückgezogen wurde. Ihre Hashes sagen, was das Werk war.',
  signedAs: `.input {$index :integer} .input {$size :integer} .match $size
    one {{Signiert als {#entry}Eintrag {$index}{/entry} im {#log}öffentlichen Log{/log} mit {$size} Eintrag.}}
    * {{Signiert als {#entry}Eintrag {$index}{/entry} im {#log}öffentlichen Log{/log} mit {$size} Einträgen.}}`,
  whatWasSigned: 'Was signiert wurde',
  metadataHash: 'Hash der Metadaten',
  contentHash: 'Hash des Inhalts',
  rootHash: 'Wurzel-Hash des Logs',
  signingKey: 'Signierschlüssel',
  checkHere: 'In diesem Browser prüfen',
  checkHereText:
    'Ihr Browser holt die Quittung, die Metadaten und die Schlüssel von dieser Website und rechnet alles selbst.',
  checkReceipt: 'Quittung prüfen',
  newestVersion: 'Die neueste Version',
  provenNewest: 'Das ist die neueste Version ({$when})',
  provenSuperseded: 'Version {$number} ist neuer ({$when})',
  provenWithdrawn: 'Zurückgezogen ({$when})',
  provenAbsent: 'Ein solcher ARK wurde hier nie registriert ({$when})',
  provenNotYet:
    'Noch nicht bekannt: Diese Version ist jünger als der neueste Stand der Karte ({$when})',
  provenContradictory: 'Das Log widerspricht sich bei diesem ARK ({$when})',
  asTold: 'nach Angabe des Registers',
  asSeen: 'Stand {$time}, gesehen von {$signed} von {$of} Zeugen',
  checkLimits:
    'Schlüssel von derselben Website beweisen nur, dass hier alles zusammenpasst. Wenn Sie sich auf nichts verlassen wollen, was diese Website heute sagt, prüfen Sie offline mit Schlüsseln, die Sie früher gespeichert haben.',
  yourCopy: 'Ihre Kopie des Inhalts',
  staysHere: '(optional; sie bleibt auf Ihrem Gerät)',
  checkOffline: 'Offline prüfen',
  checkOfflineText:
    'Die Quittung ist eine eigene Datei. Sie beweist sich selbst, auch wenn es dieses Register nicht mehr gibt.',
  receiptFile: 'Datei der Quittung',
  allProofs: 'Alle Beweise',
  // Unsure: others say “Inklusionsbeweis”, or leave it in English.
  inclusionProof: 'Einschlussbeweis',
  allEntries: 'Alle Einträge zu diesem Werk',
  newestCheckpoint: 'Neuester Checkpoint',
  publishedKeys: 'Veröffentlichte Schlüssel',
  relatedWorks: 'Verwandte Werke',
  allRelated: 'Alle verwandten Werke',
  hasNotice: 'Hat einen Hinweis ({$kind}):',
  isNotice: 'Ist ein Hinweis ({$kind}) zu',
  relatedLead:
    'von {$work}: zuerst, was das Werk selbst sagt, dann, was andere Werke hier darüber sagen, die neuesten zuerst.',
  noneRelated: 'Es gibt keine.',
  sameJson: 'Dasselbe als JSON',
}
