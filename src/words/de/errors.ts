import type { errors as english } from '#src/words/en/errors.ts'
import type { Translation } from '#src/words/message.ts'

export const errors: Translation<typeof english> = {
  not_found: 'Seite nicht gefunden',
  not_acceptable: 'Dieses Format gibt es nicht',
  forbidden: 'Das dürfen Sie nicht',
  suspended: 'Dieses Konto ist gesperrt',
  gone: 'Das ist nicht mehr gültig',
  conflict: 'Das widerspricht dem aktuellen Stand',
  rate_limit_exceeded: 'Zu viele Versuche',
  withheld: 'Dieses Werk wird zurückgehalten',
  payload_too_large: 'Das ist zu groß',
  unavailable: 'Das Register ist ausgelastet',
  timeout: 'Das hat zu lange gedauert',
  clock_wrong: 'Änderungen sind zurzeit nicht möglich',
  internal_error: 'Etwas ist schiefgegangen',
  record_damaged: 'Dieser Eintrag kann nicht gelesen werden',
  other: 'Wir konnten diese Anfrage nicht verstehen',
  nothingHere: 'Unter dieser Adresse gibt es nichts. Prüfen Sie die Adresse auf Tippfehler.',
  tryLater: 'Bitte versuchen Sie es gleich noch einmal.',
  failed:
    'Das ist unser Fehler, und wir haben ihn protokolliert. Bitte versuchen Sie es später noch einmal.',
  noChanges:
    'Die Uhr des Registers geht falsch. Darum kann nichts geändert werden. Lesen können Sie weiterhin alles.',
  waitSeconds: `.input {$seconds :integer} .match $seconds
    one {{Versuchen Sie es in {$seconds} Sekunde noch einmal.}}
    * {{Versuchen Sie es in {$seconds} Sekunden noch einmal.}}`,
  waitMinutes: `.input {$minutes :integer} .match $minutes
    one {{Versuchen Sie es in {$minutes} Minute noch einmal.}}
    * {{Versuchen Sie es in {$minutes} Minuten noch einmal.}}`,
  report:
    'Wenn das wieder geschieht, wenden Sie sich an den Betreiber dieses Registers. Nennen Sie Fehler {$status} und Anfrage {$request}.',
  goTo: 'Zu {$ark}',
  searchInstead: 'Stattdessen das Register durchsuchen',
}
