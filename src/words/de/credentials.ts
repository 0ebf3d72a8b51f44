import type { credentials as english } from '#src/words/en/credentials.ts'
import type { Translation } from '#src/words/message.ts'

export const credentials: Translation<typeof english> = {
  email: 'E-Mail-Adresse',
  newEmail: 'Neue E-Mail-Adresse',
  password: 'Passwort',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens {$min} Zeichen. Einen Satz merkt man sich leicht.',
  code: 'Code',
  codeHint: 'Sechs Ziffern oder ein Wiederherstellungscode wie {$example}.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Zum Beispiel {$example}.',
  name: 'Name',
  nameHint: 'Wie er auf Ihren Werken steht.',
  username: 'Benutzername',
  usernameHint: 'Ein eigener kurzer Name aus Kleinbuchstaben, Ziffern und Bindestrichen.',
  emailHint: 'Damit melden Sie sich an. Niemand sonst sieht sie, wenn Sie es nicht erlauben.',
  newEmailHint: 'Ab dann melden Sie sich damit an.',
  seenBy: 'Wer Ihr Profil sieht',
  seenByHint:
    'Sie können dies jederzeit ändern, für jeden Teil Ihres Profils. Wenn Sie eine ' +
    'Organisation beantragen, ein Werk beanspruchen oder einer Organisation beitreten, sehen ' +
    'die, die entscheiden, immer Ihren Namen und Ihre E-Mail-Adresse.',
  seenName: 'Alle sehen meinen Namen, nur ich sehe den Rest',
  seenAll: 'Alle sehen meinen Namen und mein Profil',
  seenTrusted: 'Nur ich und Anwendungen, denen ich es erlaube',
  seenPrivate: 'Nur ich',
  noScript:
    'Passkeys brauchen JavaScript, und dieser Browser führt es nicht aus. Alles andere hier ' +
    'funktioniert ohne.',
  notChosen:
    'Es wurde kein Passkey gewählt, oder es hat zu lange gedauert. Sie können es noch einmal ' +
    'versuchen.',
  alreadyHeld: 'Dieses Gerät oder dieser Schlüssel hat schon einen Passkey dieses Kontos.',
  notAtAddress: 'Dieser Browser nimmt an dieser Adresse keine Passkeys an.',
  notSupported: 'Dieses Gerät oder dieser Schlüssel kann einen solchen Passkey nicht erzeugen.',
  notUsable: 'Der Passkey ließ sich nicht verwenden. Sie können es noch einmal versuchen.',
  noPasskeys: 'Dieser Browser kennt keine Passkeys.',
  wrongCode:
    'Dieser Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten, und ' +
    'prüfen Sie die Uhr Ihres Geräts.',
  codesPaused: `.input {$minutes :integer} .match $minutes
    one {{Zu viele falsche Codes. Ziffern werden 1 Minute lang abgelehnt; ein Wiederherstellungscode gilt weiterhin.}}
    * {{Zu viele falsche Codes. Ziffern werden {$minutes} Minuten lang abgelehnt; ein Wiederherstellungscode gilt weiterhin.}}`,
  passkey_expired:
    'Das hat zu lange gedauert oder kam von einer anderen Seite. Versuchen Sie es noch einmal.',
  passkey_spent:
    'Diese Antwort eines Passkeys wurde schon verwendet. Versuchen Sie es noch einmal.',
  passkey_wrong: 'Wir kennen diesen Passkey nicht, oder seine Antwort ist falsch.',
  passkey_counter:
    'Dieser Passkey zählt rückwärts, wie es eine Kopie täte. Wir lehnen ihn ab: Entfernen Sie ' +
    'ihn, und fügen Sie einen neuen hinzu.',
  passkey_known: 'Dieser Passkey wird schon verwendet.',
  passkey_too_many:
    'Ihr Konto hat so viele Passkeys, wie es haben kann. Entfernen Sie zuerst einen.',
  passkeyUnverified:
    'Dieser Passkey hat weder PIN noch Finger noch Gesicht verlangt und genügt deshalb allein ' +
    'nicht. Melden Sie sich mit Ihrem Passwort an, und verwenden Sie ihn als zweiten Schritt.',
  writeName: 'Schreiben Sie Ihren Namen.',
  writeEmail: 'Schreiben Sie Ihre E-Mail-Adresse.',
  writePassword: 'Schreiben Sie Ihr Passwort.',
  wrongPair: 'Diese E-Mail-Adresse und dieses Passwort gehören nicht zusammen.',
  wrongPassword: 'Das ist nicht Ihr aktuelles Passwort.',
  email_bad_value: 'Schreiben Sie eine E-Mail-Adresse, zum Beispiel ada@example.org.',
  email_taken:
    'Es gibt schon ein Konto mit dieser E-Mail-Adresse: Melden Sie sich an, oder setzen Sie ' +
    'das Passwort zurück.',
  username_taken: 'Jemand anderes hat diesen Benutzernamen: Wählen Sie einen anderen.',
  invitation_spent: 'Diese Einladung wurde verwendet oder ist abgelaufen: Bitten Sie um eine neue.',
  password_too_short: 'Wählen Sie ein längeres Passwort.',
  password_too_long: 'Wählen Sie ein kürzeres Passwort.',
  password_too_common:
    'Viele verwenden dieses Passwort, deshalb wird es zuerst versucht: Wählen Sie ein anderes.',
  password_not_secret:
    'Wählen Sie ein Passwort, das nicht Ihr Name, Benutzername oder Ihre E-Mail-Adresse ist.',
  title: 'Anmelden',
  forgotten: 'Passwort vergessen?',
  withPasskeyTitle: 'Oder mit einem Passkey',
  withPasskey: 'Mit Passkey anmelden',
  withOtherTitle: 'Oder mit einem anderen Konto',
  withOther: 'Mit {$name} anmelden',
  noAccount: 'Noch kein Konto? {#link}Konto erstellen{/link}.',
  askedAgain:
    'Die Anwendung bittet Sie, sich erneut anzumelden. Bis dahin bleiben Sie als {$who} ' +
    'angemeldet.',
  testPeople:
    'Hier melden sich nur Testpersonen an. {#code}POST /v1/people{/code} mit einem Schlüssel ' +
    '{#code}svc_test_…{/code} erstellt eine und gibt Adresse und Passwort zurück.',
  signedOut: 'Sie sind abgemeldet.',
  expired: 'Sie wurden inzwischen abgemeldet. Melden Sie sich an, und senden Sie es noch einmal.',
  kept:
    'Sie wurden inzwischen abgemeldet. Melden Sie sich an: Ihre Eingaben bleiben zehn Minuten ' +
    'erhalten, außer Passwörtern und Codes.',
  codeExpired: 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',
  passwordChanged: 'Ihr Passwort ist geändert. Melden Sie sich damit an.',
  unlocked: 'Sie können sich jetzt mit diesem Browser anmelden.',
  emailConfirmed: 'Ihre E-Mail-Adresse ist bestätigt.',
  accountErased: 'Ihr Konto und die persönlichen Daten darin sind gelöscht.',
  lockedTitle: 'Zu viele Passwörter wurden versucht',
  lockedText: `.input {$minutes :integer} .match $minutes
    one {{1 Minute lang lehnen wir alle Passwörter für dieses Konto ab, außer in einem Browser, in dem Sie sich schon einmal angemeldet haben.}}
    * {{{$minutes} Minuten lang lehnen wir alle Passwörter für dieses Konto ab, außer in einem Browser, in dem Sie sich schon einmal angemeldet haben.}}`,
  lockedLink:
    'Oder verwenden Sie den Link, den wir an die Adresse des Kontos gesendet haben, falls es ' +
    'eines gibt.',
  lockedAsk:
    'Oder bitten Sie den Betreiber dieses Registers um einen Link, mit dem Sie ein neues ' +
    'Passwort wählen.',
  unlockTitle: 'Anmelden, obwohl andere es versucht haben',
  unlockText:
    'Passwörter, die Sie in diesem Browser für {$who} versuchen, zählen wir getrennt von denen ' +
    'anderer.',
  unlock: 'Mit diesem Browser fortfahren',
  expiredLink:
    'Dieser Link wurde schon verwendet, oder seine Zeit ist um: Bitten Sie um einen neuen',
  codeTitle: 'Ihr Code',
  codeLead:
    'Noch ein Schritt für {$who}: die sechs Ziffern, die Ihre Authenticator-App jetzt zeigt.',
  secondTitle: 'Ihr zweiter Schritt',
  secondLead: 'Noch ein Schritt für {$who}: Ihr Passkey oder ein Code.',
  withYourPasskey: 'Mit Ihrem Passkey',
  usePasskey: 'Passkey verwenden',
  withCode: 'Mit einem Code',
  anotherAccount: 'Mit einem anderen Konto anmelden',
  withoutDevice: 'Ohne Ihr Gerät',
  withoutDeviceText:
    'Geben Sie einen Ihrer Wiederherstellungscodes ein; jeder gilt einmal. Wenn Sie keinen ' +
    'mehr haben, kann der Betreiber dieses Registers den zweiten Schritt beenden, nachdem er ' +
    'sich vergewissert hat, dass Sie es sind.',
  confirmTitle: 'Bestätigen Sie Ihr Passwort',
  confirmLead:
    'Dafür müssen Sie sich in den letzten zehn Minuten angemeldet haben. So kann es niemand ' +
    'sonst in einem Browser tun, den Sie offen gelassen haben.',
  confirmSubmit: 'Bestätigen',
  confirmKept:
    'Es hat sich noch nichts geändert. Danach machen Sie weiter, wo Sie waren. Ihre Eingaben ' +
    'bleiben zehn Minuten erhalten, außer Passwörtern und Codes.',
  confirmForm: 'Es hat sich noch nichts geändert. Senden Sie das Formular danach noch einmal.',
  unsentNothing: 'Nichts zu senden',
  unsentNothingText:
    'Wir behalten Ihre Eingaben zehn Minuten und zeigen sie einmal. Öffnen Sie die Seite noch ' +
    'einmal, und füllen Sie das Formular aus.',
  unsentTitle: 'Formular jetzt senden',
  unsentLead:
    'Sie wurden abgemeldet, bevor Sie dieses Formular gesendet haben. Es hat sich nichts ' +
    'geändert.',
  unsentHint: 'Passwörter und Codes behalten wir nicht. Das Formular fragt noch einmal danach.',
  unsentSubmit: 'Formular senden',
  signUpTitle: 'Konto erstellen',
  signUpLead:
    'Für Forschende: Beanspruchen Sie Ihre Werke, sehen Sie, wer in Ihr Profil schreibt, und ' +
    'entscheiden Sie, wer das darf.',
  signUp: 'Konto erstellen',
  haveOne: 'Haben Sie schon ein Konto? {#link}Melden Sie sich an{/link}.',
  byInvitation:
    'Um hier ein Konto zu erstellen, brauchen Sie eine Einladung: Öffnen Sie den Link, der ' +
    'Ihnen geschickt wurde.',
  closed: 'Sie können hier kein Konto erstellen. Bitten Sie den Betreiber dieses Registers darum.',
  setupTitle: 'Dieses Register einrichten',
  setupLead: 'Damit erstellen Sie das erste Konto der Verwaltung. Der Link gilt einmal.',
  setup: 'Verwaltungskonto erstellen',
  resetTitle: 'Neues Passwort wählen',
  resetAsk: 'Wir senden einen Link an die Adresse Ihres Kontos. Er gilt einmal, eine Stunde lang.',
  resetSend: 'Link senden',
  sentTitle: 'Sehen Sie in Ihre E-Mails',
  sentText:
    'Wenn es ein Konto mit dieser Adresse gibt, haben wir ihr einen Link geschickt. Die E-Mail ' +
    'kann einige Minuten brauchen. Sehen Sie auch im Spam-Ordner nach.',
  noMail:
    'Dieses Register sendet keine E-Mails. Bitten Sie seinen Betreiber um einen Link, mit dem ' +
    'Sie ein neues Passwort wählen.',
  resetLead: 'Damit werden alle angemeldeten Browser abgemeldet.',
  resetEnds:
    'Die Adresse dieses Kontos wurde nie bestätigt, vielleicht hat es also jemand anderes ' +
    'erstellt. Das neue Passwort beendet auch seine Schlüssel, Erlaubnisse, Geheimnisse von ' +
    'Anwendungen und Konten bei anderen Diensten.',
  resetSubmit: 'Passwort ändern',
  verifyTitle: 'Bestätigen Sie Ihre E-Mail-Adresse',
  verifyLead: 'Ist {$email} Ihre Adresse?',
  verifySubmit: 'Diese Adresse bestätigen',
  emailTitle: 'E-Mail-Adresse ändern',
  emailNow: 'Ihre Adresse ist jetzt {$email}.',
  emailNone: 'Ihr Konto hat keine E-Mail-Adresse.',
  emailLeave: 'Alte Adresse behalten',
  emailSubmit: 'Adresse ändern',
  goingTo: 'Weiter zu {$name}',
  goOn: 'Wenn nichts geschieht, {#link}machen Sie hier weiter{/link}.',
  notSignedIn: 'Nicht angemeldet',
  tryAgain: '{$name} noch einmal versuchen',
  otherwise: 'Anders anmelden',
  elsewhereExpired: 'Diese Anmeldung ist abgelaufen.',
  elsewhereRefused: '{$name} hat Sie nicht angemeldet.',
  elsewhereOut: 'Sie wurden inzwischen abgemeldet.',
  elsewhereTaken: 'Mit jenem Konto meldet sich hier schon jemand anderes an.',
  elsewhereNone: 'Zu jenem Konto gehört hier keines, und Sie können keines erstellen.',
  elsewhereFailed: 'Wir konnten kein Konto erstellen.',
}
