import type { standing as english } from '#src/words/en/standing.ts'
import type { Translation } from '#src/words/message.ts'

export const standing: Translation<typeof english> = {
  verified: 'Inhalt unverändert',
  pending: 'Inhalt noch nicht geprüft',
  failed: 'Inhalt verändert',
  unreachable: 'Inhalt nicht bestätigt',
  landingPage: 'Landingpage',
  active: 'Registriert',
  withdrawn: 'Zurückgezogen',
  all: 'Alle',
  retraction: 'Widerrufen',
  partial_retraction: 'Teilweise widerrufen',
  removal: 'Entfernt',
  withdrawal: 'Vom Verlag zurückgezogen',
  expression_of_concern: 'Bedenken geäußert',
  correction: 'Berichtigt',
  corrigendum: 'Berichtigt',
  erratum: 'Berichtigt',
  addendum: 'Nachtrag',
  clarification: 'Klargestellt',
  new_edition: 'Neue Auflage',
  new_version: 'Neue Version',
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}Dieses Werk wurde widerrufen{/strong}{$when}{$who}.}}
    partial_retraction {{{#strong}Ein Teil dieses Werks wurde widerrufen{/strong}{$when}{$who}.}}
    removal {{{#strong}Der Inhalt dieses Werks wurde entfernt{/strong}{$when}{$who}.}}
    withdrawal {{{#strong}Der Verlag hat dieses Werk zurückgezogen{/strong}{$when}{$who}.}}
    expression_of_concern {{{#strong}Es gibt Bedenken zu diesem Werk{/strong}{$when}{$who}.}}
    addendum {{{#strong}Dieses Werk hat einen Nachtrag{/strong}{$when}{$who}.}}
    clarification {{{#strong}Dieses Werk wurde klargestellt{/strong}{$when}{$who}.}}
    new_edition {{{#strong}Dieses Werk hat eine neue Auflage{/strong}{$when}{$who}.}}
    new_version {{{#strong}Dieses Werk hat eine neue Version{/strong}{$when}{$who}.}}
    * {{{#strong}Dieses Werk wurde berichtigt{/strong}{$when}{$who}.}}`,
  whenNoticed: ' ({$date})',
  whoNoticed: ' ({$name})',
  notice: 'Hinweis: {$link}.',
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{Dieses Werk {#strong}widerruft{/strong} {$other}{$when}.}}
    partial_retraction {{Dieses Werk {#strong}widerruft einen Teil von{/strong} {$other}{$when}.}}
    removal {{Dieses Werk {#strong}entfernt{/strong} {$other}{$when}.}}
    withdrawal {{Dieses Werk {#strong}ist die Zurückziehung von{/strong} {$other}{$when}.}}
    expression_of_concern {{Dieses Werk {#strong}äußert Bedenken zu{/strong} {$other}{$when}.}}
    addendum {{Dieses Werk {#strong}ergänzt{/strong} {$other}{$when}.}}
    clarification {{Dieses Werk {#strong}ist eine Klarstellung zu{/strong} {$other}{$when}.}}
    new_edition {{Dieses Werk {#strong}ist eine neue Auflage von{/strong} {$other}{$when}.}}
    new_version {{Dieses Werk {#strong}ist eine neue Version von{/strong} {$other}{$when}.}}
    * {{Dieses Werk {#strong}berichtigt{/strong} {$other}{$when}.}}`,
  because_author_request: 'auf Wunsch der Autoren',
  because_retraction: 'weil es widerrufen wurde. Verlassen Sie sich nicht auf seine Ergebnisse',
  because_duplicate: 'weil es auch anderswo registriert ist',
  because_copyright: 'weil andere Rechte daran haben',
  because_fraud: 'wegen Betrugs',
  because_court_order: 'auf gerichtliche Anordnung',
  because_rights_of_others: 'weil andere Rechte daran haben',
  because_personal_data: 'weil es personenbezogene Daten enthält',
  because_legal: 'aus rechtlichen Gründen',
  because_test: 'weil es ein Test war',
  because_other: 'aus einem anderen Grund',
  because_data_lost: 'weil das Register seinen Eintrag verloren hat',
}
