import type { mails as english } from '#src/words/en/mails.ts'
import type { Translation } from '#src/words/message.ts'

export const mails: Translation<typeof english> = {
  hello: 'Guten Tag,',
  verifySubject: 'Bestätigen Sie Ihre E-Mail-Adresse',
  verifyText:
    'Sie (oder jemand mit Ihrer Adresse) haben bei {$registry} ein Konto erstellt. Wenn Sie es ' +
    'waren, bestätigen Sie die Adresse, indem Sie innerhalb von zwei Tagen diese Seite öffnen:',
  verifyElse: 'Wenn Sie es nicht waren, müssen Sie nichts tun: Die Adresse bleibt unbestätigt.',
  resetSubject: 'Wählen Sie ein neues Passwort',
  resetText:
    'Jemand hat ein neues Passwort für Ihr Konto bei {$registry} angefordert. Wenn Sie es ' +
    'waren, wählen Sie auf dieser Seite innerhalb einer Stunde eines. Sie gilt einmal:',
  resetElse: 'Wenn Sie es nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
  unlockSubject: 'Für Ihr Konto wurden zu viele Passwörter versucht',
  unlockText:
    'Jemand hat zu viele Passwörter für Ihr Konto bei {$registry} versucht. Für eine Weile ' +
    'lehnen wir alle Passwörter ab, außer in Browsern, in denen Sie sich schon angemeldet ' +
    'haben. Um sich mit einem anderen Browser anzumelden, öffnen Sie darin innerhalb einer ' +
    'Stunde diese Seite. Sie gilt einmal:',
  unlockElse:
    'Ihr Passwort bleibt, wie es ist. Wenn es leicht zu erraten ist, wählen Sie ein anderes.',
  passwordSubject: 'Ihr Passwort wurde geändert',
  passwordText:
    'Das Passwort Ihres Kontos bei {$registry} wurde geändert, und andere Browser wurden ' +
    'abgemeldet. Wenn Sie es nicht waren, wählen Sie sofort ein neues:',
  passwordByLink:
    'Ihr Konto bei {$registry} hat ein neues Passwort, und alle Browser wurden abgemeldet.',
  passwordEnded:
    'Diese Adresse war nicht bestätigt. Deshalb haben wir auch die Schlüssel des Kontos, seine ' +
    'Erlaubnisse und die Konten bei anderen Diensten beendet, mit denen man sich anmeldete. ' +
    'Sehen Sie hier, was ab jetzt für Sie handelt:',
  passwordLeft:
    'Schlüssel, Erlaubnisse und Konten bei anderen Diensten handeln weiterhin dafür. Wenn ' +
    'jemand anderes Zugang gehabt haben könnte, beenden Sie auf dieser Seite, was nicht von ' +
    'Ihnen ist:',
  addressSubject: 'Ihre E-Mail-Adresse wurde geändert',
  addressText:
    'Ihr Konto bei {$registry} hat jetzt eine andere E-Mail-Adresse. Wenn Sie es nicht waren, ' +
    'sagen Sie es dem Betreiber des Registers: Diese Adresse öffnet das Konto nicht mehr.',
  secondOn: 'Der zweite Schritt Ihrer Anmeldung ist an',
  secondOff: 'Der zweite Schritt Ihrer Anmeldung ist aus',
  secondOnText:
    'Ab jetzt fragt Ihr Konto bei {$registry} nach dem Passwort nach einem Code aus einer App.',
  secondOffText: 'Ihr Konto bei {$registry} fragt nach dem Passwort nicht mehr nach einem Code.',
  lookAtOnce:
    'Wenn Sie das nicht erwarten, wählen Sie ein neues Passwort, und sehen Sie sich sofort ' +
    'diese Seite an:',
  passkeyAdded: 'Ein Passkey wurde hinzugefügt',
  passkeyRemoved: 'Ein Passkey wurde entfernt',
  passkeyAddedText: 'Der Passkey „{$name}“ wurde Ihrem Konto bei {$registry} hinzugefügt.',
  passkeyRemovedText: 'Der Passkey „{$name}“ wurde aus Ihrem Konto bei {$registry} entfernt.',
  recoverySubject: 'Ein Wiederherstellungscode wurde verwendet',
  recoveryText: `.input {$left :integer} .match $left
    one {{Jemand hat sich mit dem Passwort und einem Wiederherstellungscode bei Ihrem Konto auf {$registry} angemeldet. 1 Code ist übrig. Wenn Sie es nicht waren, wählen Sie sofort ein neues Passwort. Neue Codes erstellen Sie hier:}}
    * {{Jemand hat sich mit dem Passwort und einem Wiederherstellungscode bei Ihrem Konto auf {$registry} angemeldet. {$left} Codes sind übrig. Wenn Sie es nicht waren, wählen Sie sofort ein neues Passwort. Neue Codes erstellen Sie hier:}}`,
  invitationSubject: 'Sie sind zu {$organization} eingeladen',
  invitationText:
    '{$by} lädt Sie zu {$organization} bei {$registry} ein. Ihre Rolle: {$role}. Nehmen Sie ' +
    'auf dieser Seite innerhalb einer Woche an, oder lehnen Sie ab. Dort melden Sie sich an ' +
    'oder erstellen ein Konto:',
  invitationElse: 'Wenn das nicht für Sie ist, müssen Sie nichts tun.',
  writeSubject: '{$by} hat in Ihr Profil geschrieben',
  writeText: '{$by} hat bei {$registry} dies geändert, wie Sie es erlaubt haben: {$what}.',
  writeSee:
    'Sehen Sie hier, was geschrieben wurde, machen Sie es rückgängig, oder beenden Sie die ' +
    'Erlaubnis:',
  ProfileUpdated: 'Ihr Profil wurde geändert',
  ItemAdded: 'eine Zugehörigkeit oder Ausbildung wurde hinzugefügt',
  ItemChanged: 'eine Zugehörigkeit oder Ausbildung wurde geändert',
  ItemRemoved: 'eine Zugehörigkeit oder Ausbildung wurde entfernt',
  WorkRegistered: 'ein Werk wurde für Sie registriert',
  WorkVersioned: 'ein Werk von Ihnen wurde geändert',
  WorkWithdrawn: 'ein Werk von Ihnen wurde zurückgezogen',
  ClaimMade: 'ein Werk wurde Ihnen zugeordnet',
  ClaimChanged: 'ein Anspruch auf ein Werk von Ihnen wurde geändert',
  suspendedSubject: 'Gesperrt: {$name}',
  suspendedText: 'Die Verwaltung von {$registry} hat dies gesperrt: {$name}. Der Grund:',
  suspendedElse:
    'Bis zum Ende lehnen wir Schlüssel, Tokens, Webhooks, Formulare und Anmeldungen ab. Werke ' +
    'bleiben lesbar. Fragen: {$contact}',
  resumedSubject: 'Nicht mehr gesperrt: {$name}',
  resumedText:
    'Die Sperre bei {$registry} ist beendet: {$name}. Alles funktioniert wie zuvor. Webhooks ' +
    'erhalten jetzt die versäumten Ereignisse.',
  withheldSubject: 'Zurückgehalten: {$name}',
  withheldText:
    'Der Betreiber von {$registry} hält dies vorerst zurück: {$name}. Auch Lesende sehen den ' +
    'Grund:',
  withheldElse:
    'Wir zeigen weder Seite noch Inhalt noch Zitate. Zurückgezogen ist nichts. Fragen: {$contact}',
  shownSubject: 'Wieder sichtbar: {$name}',
  shownText: 'Der Betreiber von {$registry} hält dies nicht mehr zurück: {$name}.',
  ownerSubject: 'Neuer Eigentümer: {$organization}',
  ownerText:
    'Der Betreiber von {$registry} hat für {$organization} jemanden zum Eigentümer ernannt. ' +
    'Die Eigentümer sehen Sie hier:',
  role_owner: 'Eigentümer',
  role_editor: 'Bearbeiter',
  role_viewer: 'Leser',
}
