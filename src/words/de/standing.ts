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
  // Unsure: librarians also say “Retraktion”; “zurückgezogen” is what the registry does to a record.
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
    retraction {{{#strong}Dieses Werk wurde{$when}{$who} widerrufen{/strong}.}}
    partial_retraction {{{#strong}Ein Teil dieses Werks wurde{$when}{$who} widerrufen{/strong}.}}
    removal {{{#strong}Der Inhalt dieses Werks wurde{$when}{$who} entfernt{/strong}.}}
    withdrawal {{{#strong}Dieses Werk wurde verlagsseitig{$when}{$who} zurückgezogen{/strong}.}}
    expression_of_concern {{{#strong}Zu diesem Werk wurden{$when}{$who} Bedenken geäußert{/strong}.}}
    addendum {{{#strong}Zu diesem Werk wurde{$when}{$who} ein Nachtrag veröffentlicht{/strong}.}}
    clarification {{{#strong}Zu diesem Werk wurde{$when}{$who} eine Klarstellung veröffentlicht{/strong}.}}
    new_edition {{{#strong}Zu diesem Werk wurde{$when}{$who} eine neue Auflage veröffentlicht{/strong}.}}
    new_version {{{#strong}Zu diesem Werk wurde{$when}{$who} eine neue Version veröffentlicht{/strong}.}}
    * {{{#strong}Dieses Werk wurde{$when}{$who} berichtigt{/strong}.}}`,
  whenNoticed: ' am {$date}',
  // The name is as it is given: its article, if it has one, is missing.
  whoNoticed: ' von {$name}',
  notice: 'Hinweis: {$link}.',
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{Mit diesem Werk wurde {$other}{$when} {#strong}widerrufen{/strong}.}}
    partial_retraction {{Mit diesem Werk wurde {$other}{$when} {#strong}teilweise widerrufen{/strong}.}}
    removal {{Mit diesem Werk wurde {$other}{$when} {#strong}entfernt{/strong}.}}
    withdrawal {{Mit diesem Werk wurde {$other}{$when} {#strong}zurückgezogen{/strong}.}}
    expression_of_concern {{Mit diesem Werk wurden{$when} {#strong}Bedenken{/strong} zu {$other} {#strong}geäußert{/strong}.}}
    addendum {{Mit diesem Werk wurde {$other}{$when} {#strong}ergänzt{/strong}.}}
    clarification {{Mit diesem Werk wurde {$other}{$when} {#strong}klargestellt{/strong}.}}
    new_edition {{Dieses Werk wurde{$when} als {#strong}neue Auflage{/strong} von {$other} veröffentlicht.}}
    new_version {{Dieses Werk wurde{$when} als {#strong}neue Version{/strong} von {$other} veröffentlicht.}}
    * {{Mit diesem Werk wurde {$other}{$when} {#strong}berichtigt{/strong}.}}`,
  because_author_request: 'und zwar auf Wunsch der Autoren',
  because_retraction: 'weil es widerrufen wurde. Verlassen Sie sich nicht auf seine Ergebnisse',
  because_duplicate: 'weil es auch anderswo registriert ist',
  because_copyright: 'weil Dritte Rechte daran haben',
  because_fraud: 'und zwar wegen Betrugs',
  because_court_order: 'und zwar auf gerichtliche Anordnung',
  because_rights_of_others: 'weil Dritte Rechte daran haben',
  because_personal_data: 'weil es personenbezogene Daten enthält',
  because_legal: 'und zwar aus rechtlichen Gründen',
  because_test: 'weil es ein Test war',
  because_other: 'und zwar aus einem anderen Grund',
  because_data_lost: 'weil das Register die Daten dazu verloren hat',
}
