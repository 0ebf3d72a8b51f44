import type * as english from '#src/words/english.ts'
import { Language } from '#src/words/language.ts'
import type { Catalogue } from '#src/words/message.ts'

// The terms, as ORCID, DataCite, Zenodo and German libraries have them:
// work: Werk · record, entry: Eintrag (of OAI-PMH: Datensatz) · register: registrieren · registry: Register ·
// version: Version · receipt: Quittung · log: Log · append-only: an das nur angehängt wird ·
// statement: Aussage · checkpoint: Checkpoint · hash: Hash · root hash: Wurzel-Hash · proof: Beweis ·
// key: Schlüssel · tile: Tile · identifier: Kennung · publisher: Verlag · researcher: Forschende ·
// withdraw: zurückziehen · retract: widerrufen · correct: berichtigen · withhold: zurückhalten · notice: Hinweis ·
// declare: angeben · content check: Inhaltsprüfung · harvest: harvesten · resolve: auflösen · feed: Feed ·
// landing page: Landingpage · sign in: sich anmelden · sandbox: Sandbox. Readers are “Sie”.
export const german = new Language({
  tag: 'de',
  name: 'Deutsch',
  translations: {
    account: {
      languageTitle: 'Sprache',
      languageHint: 'Für Seiten und E-Mails.',
      languageSubmit: 'Sprache speichern',
      languageSaved: 'Ihre Sprache ist gespeichert.',
      theOperator: 'Der Betreiber dieses Registers',
      through: '{$name}, über {$application}',
      anotherPerson: 'Eine andere Person ({$id})',
      you: 'Sie',
      youByKey: 'Sie, mit Ihrem Schlüssel {$key}',
    },
    claims: {
      title: 'Meine Werke',
      lead: 'Werke, die Sie als Autorin oder Autor nennen, und wer das sagt.',
      find: 'Meine Werke finden',
      claimByArk: 'Ein Werk mit seinem ARK beanspruchen',
      none: 'Noch keine Werke',
      noneText:
        'Hier sehen Sie Werke, die Sie beanspruchen oder die ein Verlag mit Ihrer Erlaubnis für Sie registriert.',
      table: 'Werke, die mich als Autorin oder Autor nennen',
      work: 'Werk',
      status: 'Status',
      saidBy: 'Wer das sagt',
      since: 'Seit',
      toDo: 'Zu tun',
      place: 'Platz unter den Autoren',
      message: 'Nachricht',
      contestReason: 'Warum der Anspruch bestritten wird',
      answer: 'Antworten',
      change: 'Ändern',
      whatYouCanDo: 'Was Sie tun können',
      notMine: 'nicht von mir',
      verified: 'gilt als meines',
      verifiedByAdmin: 'gilt als meines, durch die Verwaltung',
      waitsForYou: 'wartet auf Sie',
      waitsForPublisher: 'wartet auf den Verlag',
      disputed: 'bestritten',
      declined: 'abgelehnt',
      declinedByAdmin: 'von der Verwaltung abgelehnt',
      withdrawn: 'zurückgezogen',
      doneClaimed:
        'Sie haben das Werk beansprucht. Es gilt als Ihres, sobald sein Verlag zustimmt.',
      doneFound: 'Sie haben das Werk beansprucht. Unten sehen Sie seinen Status.',
      doneSeveral: 'Sie haben die Werke beansprucht. Unten sehen Sie den Status jedes Werks.',
      doneVerified: 'Das Werk gilt als Ihres.',
      doneAgreed: 'Sie haben zugestimmt: Das Werk gilt als Ihres.',
      doneExists: 'Sie haben dieses Werk schon früher beansprucht.',
      doneDeclined: 'Sie haben abgelehnt: Das Werk gilt nicht als Ihres.',
      doneContested: 'Sie haben widersprochen. Die Verwaltung wird entscheiden.',
      doneWithdrawn: 'Sie haben Ihren Anspruch zurückgezogen.',
      doneConfirmedOther: 'Sie haben zugestimmt: Die Person gilt als Autorin oder Autor.',
      doneDeclinedOther: 'Sie haben abgelehnt: Die Person gilt nicht als Autorin oder Autor.',
      doneDisclaimed:
        'Sie haben gesagt, dass das Werk nicht von Ihnen ist. Niemand kann es mehr für Sie beanspruchen.',
      yesIAm: 'Ja, ich bin Autorin oder Autor',
      noIAmNot: 'Nein, das bin ich nicht',
      whatIsWrong: 'Was nicht stimmt',
      contest: 'Bestreiten',
      withdraw: 'Anspruch zurückziehen',
      notMineLink: 'Dieses Werk ist nicht von mir …',
      notMineTitle: 'Nicht Ihr Werk?',
      notMineText:
        'Wir entfernen es aus Ihren Werken, und niemand kann es Ihnen wieder zuordnen. Hier können Sie das nicht rückgängig machen.',
      notMineSubmit: 'Dieses Werk ist nicht von mir',
      leave: 'Abbrechen',
      asked: 'Sie werden gefragt',
      askedText: 'Diese Personen sagen, dass sie Werke verfasst haben, die Sie registriert haben.',
      isYours: 'Ist das Ihr Werk?',
      authors: 'Autoren',
      yourAccount: 'Ihr Konto',
      whatFollows: 'Was dann geschieht',
      claim: 'Dieses Werk beanspruchen',
      namesAndMore: '{$names} und {$count :integer} weitere',
      withOrcid: '{$name}, angemeldet mit der ORCID iD {$orcid}',
      nameHidden:
        '{#link}Ihr Profil{/link} zeigt Ihren Namen nicht, also kann ihn niemand vergleichen.',
      atOnce:
        'Es gilt sofort als Ihres, weil es die ORCID iD nennt, mit der Sie sich angemeldet haben.',
      onceAgreed: 'Es gilt als Ihres, sobald {$publisher} zustimmt.',
      onceAgreedUnplaced:
        'Es gilt als Ihres, sobald {$publisher} zustimmt. Kein Autor hat Ihren Namen: Sagen Sie unten, welcher Sie sind und warum.',
      itsPublisher: 'der Verlag',
      placeOfMany: 'Ihr Platz unter den {$count :integer} Autoren',
      placeHint: '1 ist {$first}.',
      placeHintLikely: '1 ist {$first}, {$place} ist {$name}.',
      chooseName: 'Wählen Sie Ihren Namen',
      youAre: 'Sie sind',
      messageTo: 'Nachricht an den Verlag',
      messageToAll: 'Nachricht an die Verlage',
      messageHint:
        'Der Verlag entscheidet über Ihren Anspruch. Er sieht Ihren Namen und Ihre E-Mail-Adresse.',
      noWork: 'Es gibt kein Werk mit diesem ARK.',
      workGone: 'Dieses Werk wurde zurückgezogen.',
      blocked: 'Sie haben früher gesagt, dass dieses Werk nicht von Ihnen ist.',
      rejected:
        'Dieser Anspruch wurde abgelehnt. Bestreiten Sie das, dann entscheidet die Verwaltung.',
      tooMany: 'Sie haben so viele Ansprüche, wie eine Person haben kann.',
      placeNeeded: 'Wählen Sie, welcher Autor Sie sind.',
      chooseWorks: 'Wählen Sie die Werke aus, die Ihre sind.',
      arkTitle: 'Ein Werk beanspruchen',
      arkLead:
        'Oder {#link}finden Sie Ihre Werke{/link} über Ihren Namen, Ihre ORCID iD oder eine DOI.',
      ark: 'ARK des Werks',
      arkHint: 'Zum Beispiel {$example}. Sie finden ihn auf der Seite des Werks.',
      goOn: 'Weiter',
      findLead:
        'Suchen Sie nach Ihrem Namen, wie er auf Werken steht, Ihrer ORCID iD oder einer DOI. Wählen Sie Ihre Werke aus und beanspruchen Sie sie in einem Schritt.',
      notSearched: 'Die Suche war nicht möglich',
      searchFailed: 'Die Suche ist fehlgeschlagen.',
      searchOff: 'Die Suche ist gerade nicht verfügbar.',
      foundBy: `.input {$count :integer} .match $count
        one {{1 Werk zu „{$typed}“ gefunden.}}
        * {{{$count} Werke zu „{$typed}“ gefunden.}}`,
      foundByOrcid: `.input {$count :integer} .match $count
        one {{1 Werk zu „{$typed}“ oder Ihrer ORCID iD {$orcid} gefunden.}}
        * {{{$count} Werke zu „{$typed}“ oder Ihrer ORCID iD {$orcid} gefunden.}}`,
      knowArk: 'Sie kennen den ARK eines Werks? {#link}Beanspruchen Sie es mit seinem ARK{/link}.',
      searchLabel: 'Name, ORCID iD oder DOI',
      search: 'Suchen',
      nothingFound: 'Keine Werke gefunden',
      nothingFoundText:
        'Versuchen Sie nur Ihren Nachnamen, eine andere Schreibweise, Wörter eines Titels oder die DOI des Werks.',
      claimSelected: 'Ausgewählte Werke beanspruchen',
      moreWorks: 'Weitere Werke',
      yourClaim: 'Ihr Anspruch',
      namesOrcid: 'nennt Ihre ORCID iD: gilt sofort',
      registeredBy: 'registriert von {$name}',
    },
    comparison: {
      title: 'Versionen {$from} und {$to}',
      of: 'von {$title}',
      same: 'Die Metadaten sind in beiden Versionen gleich.',
      marks: 'Entfernter Text ist durchgestrichen, neuer Text ist unterstrichen.',
      unchanged: `.input {$count :integer} .match $count
        one {{1 weiteres Feld wurde nicht geändert.}}
        * {{{$count} weitere Felder wurden nicht geändert.}}`,
      changed: 'Was sich geändert hat',
      others: 'Andere Versionen',
      older: 'Ältere Version',
      newer: 'Neuere Version, bis {$newest}',
    },
    consent: {
      title: '{$name} erlauben?',
      lead:
        'Diese Anwendung möchte für Sie handeln. Entfernen Sie die Häkchen bei dem, was Sie nicht ' +
        'erlauben möchten.',
      who: 'Wer fragt',
      canRead: 'Lesen darf sie',
      canWrite: 'Schreiben darf sie',
      hint: 'Sie können diese Erlaubnisse jederzeit auf der Seite „Anwendungen“ beenden.',
      permit: 'Erlauben',
      deny: 'Nicht erlauben',
      before: 'Was Sie bisher erlaubt haben',
      goingTitle: 'Zurück',
      goingHeading: 'Zurück zur Anwendung',
      notVerified: 'Nicht geprüft',
      notVerifiedText: 'Wir haben nicht geprüft, wer diese Anwendung betreibt.',
      notVerifiedAdvice:
        'Erlauben Sie nur etwas, wenn Sie selbst von dort gekommen sind und wissen, wer sie betreibt.',
      application: 'Anwendung',
      belongsTo: 'Gehört',
      person: 'einer Person',
      thisRegistry: 'diesem Register',
      backTo: 'Schickt Sie zurück zu',
      deviceApp: 'eine App auf diesem Gerät ({$protocol})',
      computerProgram: 'ein Programm auf diesem Computer',
      shownAs: 'Was sie schreibt, wird gezeigt als geschrieben von',
      you: 'Ihnen',
      homePage: 'Webseite',
      contact: 'Kontakt',
      openid: 'Wissen, welche Person Sie hier sind, durch Ihre Kennung',
      profile: 'Ihren Namen, Benutzernamen, Ihr Bild und Ihre ORCID iD sehen',
      email: 'Ihre E-Mail-Adresse sehen, und ob sie bestätigt ist',
      worksRead: 'Ihre registrierten Werke auflisten und ansehen',
      authorRead: 'Sehen, welche Werke Sie beanspruchen, und ob die Ansprüche bestätigt sind',
      affiliationsRead: 'Ihre Zugehörigkeiten und Ausbildung sehen',
      receiptsRead: 'Die Quittungen Ihrer Werke sehen',
      offline: 'Damit fortfahren, während Sie nicht da sind',
      worksWrite: 'Ihrem Profil Werke hinzufügen und die hinzugefügten ändern',
      worksDelete: 'Werke, die sie Ihrem Profil hinzugefügt hat, endgültig zurückziehen',
      affiliationsWrite: 'Zugehörigkeiten und Ausbildung hinzufügen und das Hinzugefügte ändern',
      authorWrite: 'Ihr Profil ändern und Werke als Ihre beanspruchen',
      expired:
        'Diese Anfrage ist abgelaufen oder beantwortet: Gehen Sie zur Anwendung zurück, und ' +
        'beginnen Sie dort noch einmal',
      failedTitle: 'Das hat nicht geklappt',
      beginAgain: 'Gehen Sie zur Anwendung zurück, und beginnen Sie dort noch einmal.',
      invalid_client: 'Wir kennen diese Anwendung nicht, oder sie wurde zurückgezogen.',
      invalid_redirect_uri:
        'Die Anwendung wollte Sie an eine Adresse schicken lassen, die nicht ihre eigene ist.',
      server_error: 'Das ist unser Fehler. Wir haben ihn vermerkt.',
      temporarily_unavailable: 'Versuchen Sie es gleich noch einmal.',
      forOperator: 'Für den Betreiber der Anwendung:',
      signOutTitle: 'Abmelden?',
      signOutLead: 'Eine Anwendung bittet uns, Sie hier abzumelden.',
      stay: 'Angemeldet bleiben',
      signedOutTitle: 'Sie sind abgemeldet',
      signedOutLead: 'Sie können diese Seite schließen.',
    },
    consortium: {
      heading: 'Konsortium',
      lead: 'Eine Organisation kann Teil einer anderen sein, zum Beispiel eines Konsortiums, einer Universität oder einer Verlagsgruppe.',
      aboveHeading: 'Teil von',
      partOf: '{$name} ist Teil von {$lead}.',
      whatLeadsDo:
        'Eigentümer von {$lead} sehen Ihre Werke, Zahlen, Schlüssel und Mitglieder. Sie können für Sie Schlüssel anlegen und widerrufen. Der Verlauf nennt sie. Sie können auf diesen Seiten keine Werke registrieren oder ändern und keine Mitglieder ändern.',
      keysStay:
        'Schlüssel, die diese angelegt haben, gelten nach dem Austritt weiter. Widerrufen Sie die, die Sie nicht wollen.',
      leave: '{$lead} verlassen',
      notPart: 'Diese Organisation ist nicht Teil einer anderen.',
      invitedBy: '{$lead} lädt Sie ein, Teil davon zu sein.',
      accept: 'Annehmen',
      decline: 'Ablehnen',
      belowHeading: 'Organisationen darunter',
      total: `.input {$count :integer} .match $count
        one {{1 Organisation darunter. Werke zusammen mit ihr: {$works :integer}.}}
        * {{{$count} Organisationen darunter. Werke zusammen mit ihnen: {$works :integer}.}}`,
      noneBelow: 'Keine Organisationen darunter',
      noneBelowText: 'Laden Sie eine Organisation ein. Ihre Eigentümer werden per E-Mail gefragt.',
      organization: 'Organisation',
      level: 'Teil von',
      works: 'Werke',
      members: 'Mitglieder',
      keys: 'Schlüssel',
      linksFollowed: 'Links gefolgt, dieser Monat',
      openKeys: 'Schlüssel von {$name}',
      number: '{$count :integer}',
      invitedHeading: 'Eingeladen, noch ohne Antwort',
      withdrawOf: 'Einladung von {$name} zurücknehmen',
      end: 'Beenden',
      endOf: 'Mitgliedschaft von {$name} beenden',
      inviteHeading: 'Organisation einladen',
      invite: 'Organisation einladen',
      shortName: 'Kurzname der Organisation',
      shortNameHint: 'Wie ihre Seite ihn zeigt, zum Beispiel brown-university.',
      inviteHint:
        'Ihre Eigentümer erhalten eine E-Mail und entscheiden. Erst danach sehen Sie ihre Zahlen, Schlüssel und Mitglieder.',
      setHeading: 'Übergeordnete Organisation festlegen',
      set: 'Festlegen',
      setHint:
        'Als Administrator brauchen Sie keine Einladung. Die Eigentümer beider Organisationen erhalten eine E-Mail.',
      invited: 'Die Organisation ist eingeladen. Ihre Eigentümer entscheiden.',
      joined: 'Die Organisation ist jetzt Teil der anderen.',
      left: 'Die Organisation ist nicht mehr Teil der anderen.',
      declined: 'Die Einladung ist abgelehnt.',
      visit:
        'Sie sehen {$name} als Eigentümer von {$lead}, zu dem sie gehört. Sie können ihre Schlüssel anlegen und widerrufen. Der Verlauf nennt Sie.',
      invitedSubject: '{$lead} lädt {$name} ein',
      invitedText:
        '{$doer} bittet {$name}, Teil von {$lead} zu sein. Wenn Sie annehmen, sehen Eigentümer von {$lead} Ihre Werke, Zahlen, Schlüssel und Mitglieder und können für Sie Schlüssel anlegen und widerrufen.',
      invitedDo: 'Nehmen Sie hier an oder lehnen Sie ab',
      endedSubject: '{$name} ist nicht Teil von {$lead}',
      endedText:
        'Die Einladung von {$name}, Teil von {$lead} zu sein, ist beendet. {$doer} hat sie beendet.',
      joinedSubject: '{$name} ist jetzt Teil von {$lead}',
      joinedText:
        '{$name} ist jetzt Teil von {$lead}, durch {$doer}. Eigentümer von {$lead} sehen die Werke, Zahlen, Schlüssel und Mitglieder und können Schlüssel anlegen und widerrufen.',
      leftSubject: '{$name} ist nicht mehr Teil von {$lead}',
      leftText:
        '{$name} ist nicht mehr Teil von {$lead}, durch {$doer}. Schlüssel, die Eigentümer von {$lead} angelegt haben, gelten, bis jemand sie widerruft.',
      seeHere: 'Mehr dazu hier',
    },
    credentials: {
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
      invitation_spent:
        'Diese Einladung wurde verwendet oder ist abgelaufen: Bitten Sie um eine neue.',
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
      expired:
        'Sie wurden inzwischen abgemeldet. Melden Sie sich an, und senden Sie es noch einmal.',
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
      closed:
        'Sie können hier kein Konto erstellen. Bitten Sie den Betreiber dieses Registers darum.',
      setupTitle: 'Dieses Register einrichten',
      setupLead: 'Damit erstellen Sie das erste Konto der Verwaltung. Der Link gilt einmal.',
      setup: 'Verwaltungskonto erstellen',
      resetTitle: 'Neues Passwort wählen',
      resetAsk:
        'Wir senden einen Link an die Adresse Ihres Kontos. Er gilt einmal, eine Stunde lang.',
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
    },
    errors: {
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
    },
    fields: {
      work_title: 'Titel',
      work_type: 'Typ',
      authors: 'Autoren',
      author_details: 'Angaben zu den Autoren',
      description: 'Zusammenfassung',
      work_url: 'Adresse des Inhalts',
      existing_doi: 'DOI',
      keywords: 'Schlagwörter',
      language: 'Sprache',
      license: 'Lizenz',
      published_date: 'Erscheinungsdatum',
      publisher_name: 'Verlag',
      container_title: 'Titel der Zeitschrift oder des Buchs',
      volume: 'Band',
      issue: 'Heft',
      pages: 'Seiten',
      related_identifiers: 'Kennungen verwandter Werke',
      funding: 'Förderung',
      content_hash: 'angegebener Hash des Inhalts',
      work_title_language: 'Sprache des Titels',
      titles: 'weitere Titel',
      descriptions: 'weitere Texte',
      resource_type: 'Art des Werks',
      resource_version: 'Version des Inhalts',
      resource_version_note: 'Änderungen in dieser Version des Inhalts',
      geo_locations: 'Orte',
      external_id: 'verlagseigene Kennung',
      alternate_identifiers: 'weitere Kennungen',
      publisher_id: 'Kennung des Verlags',
      publisher_language: 'Sprache des Verlagsnamens',
      publisher_place: 'Verlagsort',
      issn: 'ISSN',
      isbn: 'ISBN',
      series_issn: 'ISSN der Reihe',
      group_title: 'Preprint-Gruppe',
      update_notices: 'Widerrufe und Berichtigungen',
      content_domain: 'Websites mit Hinweisen auf Berichtigungen',
      assertions: 'Angaben des Verlags',
    },
    figures: {
      workUsed: 'Wie oft dieses Werk genutzt wird',
      theseWorksUsed: 'Wie oft diese Werke genutzt werden',
      allWorksUsed: 'Wie oft Werke genutzt werden',
      notUsed: 'Von {$from} bis {$to} nicht aufgelöst oder gelesen. Robots werden nicht gezählt.',
      used: 'Von {$from} bis {$to} {#strong}{$count :integer}{/strong}-mal aufgelöst oder gelesen. Der letzte Monat ist noch nicht vorbei. Robots werden nicht gezählt.',
      uses: 'Nutzungen',
      asCsv: 'Als CSV',
      table: 'Alle Zahlen als Tabelle',
      howCounted: 'Wie wir zählen',
      byMonth: 'Nutzungen nach Monat',
      month: 'Monat',
      soFar: '{$month}, bisher',
      resolved: 'Aufgelöst',
      pageRead: 'Seite gelesen',
      verified: 'Geprüft',
      harvested: 'Geharvestet',
      bars: '{$what} von {$from} bis {$to}. Höchstwert: {$most} in {$when}.',
      bar: '{$label}: {$count :integer}',
      tree: 'Ein Baum aus Hashes. Von einer Quittung aus führen drei benachbarte Hashes zum Wurzel-Hash, den das Log signiert.',
      rootLabel: 'Wurzel-Hash, vom Log signiert',
      receiptLabel: 'eine Quittung',
      computed: 'aus der Quittung berechnet',
      proof: 'der Beweis, der mit der Quittung kommt',
      notNeeded: 'nicht nötig',
    },
    frame: {
      skip: 'Zum Inhalt springen',
      errorTitle: 'Fehler: {$title}',
      about: 'Ein Register wissenschaftlicher Werke, das beweist, was wann registriert wurde.',
      registry: 'Register',
      search: 'Suche',
      howItWorks: 'So funktioniert es',
      api: 'API',
      signIn: 'Anmelden',
      signOut: 'Abmelden',
      createAccount: 'Konto erstellen',
      searchRegistry: 'Register durchsuchen',
      searchExample: 'Titel, Autor, ARK oder DOI',
      verify: 'Prüfen',
      publishers: 'Verlage',
      people: 'Personen',
      log: 'Log',
      keys: 'Schlüssel',
      policy: 'Richtlinien',
      contact: 'Kontakt',
      privacy: 'Datenschutz',
      imprint: 'Impressum',
      software: 'Software: {$name}',
      status: 'Status',
      feed: 'Feed',
      data: 'Daten',
      language: 'Sprache',
      account: 'Konto',
      profile: 'Profil',
      works: 'Werke',
      changes: 'Änderungen',
      applications: 'Anwendungen',
      apiKeys: 'Schlüssel',
      security: 'Sicherheit',
      organizations: 'Organisationen',
      allOrganizations: 'Alle Organisationen',
      administration: 'Verwaltung',
      notices: 'Hinweise',
      newNotices: 'Hinweise ({$unread} neu)',
      newWord: ' neu',
      sandbox:
        '{#strong}Sandbox.{/strong} Hier melden sich nur Testpersonen an. Nichts davon verändert das Register.',
      pages: 'Seiten',
      firstPage: 'Erste Seite',
      nextPage: 'Nächste Seite',
      more: '{$count :integer} weitere',
      environment: 'Live oder Sandbox',
      live: 'Live',
      sandboxName: 'Sandbox',
      inSandbox: '{$title} (Sandbox)',
      show: 'Anzeigen',
      showAll: 'Alle anzeigen',
      copy: 'Kopieren',
      secretHint: 'Wir zeigen dies nur einmal. Kopieren Sie es jetzt an einen sicheren Ort.',
      optional: '(optional)',
      faults: `.input {$count :integer} .match $count
        one {{Bitte korrigieren Sie 1 Feld:}}
        * {{Bitte korrigieren Sie {$count} Felder:}}`,
      givenBack:
        'Es wurde noch nichts geändert. Ihre Eingaben stehen noch im Formular: Senden Sie es erneut ab.',
    },
    home: {
      title: 'Ein Register wissenschaftlicher Werke, das jeder prüfen kann',
      description:
        'Ein Register wissenschaftlicher Werke: dauerhafte Kennungen, alle Versionen und ein signiertes ' +
        'Log, an das nur angehängt wird. Jeder kann prüfen, was wann registriert wurde.',
      heading: 'Wissenschaftliche Werke, so registriert, dass jeder es prüfen kann',
      lead:
        '{$registry} gibt jedem Werk eine dauerhafte Kennung, bewahrt alle Versionen und beweist, was wann ' +
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
    },
    kinds: {
      // A role is named by what is done, which fits everybody: “Anna Weber, Datenerhebung”.
      role_contact_person: 'Kontaktperson',
      role_data_collector: 'Datenerhebung',
      role_data_curator: 'Datenkuratierung',
      role_data_manager: 'Datenmanagement',
      role_distributor: 'Vertrieb',
      role_editor: 'Herausgabe',
      role_hosting_institution: 'bereitstellende Einrichtung',
      role_producer: 'Produktion',
      role_project_leader: 'Projektleitung',
      role_project_manager: 'Projektmanagement',
      role_project_member: 'Projektmitglied',
      role_registration_agency: 'Registrierungsagentur',
      role_registration_authority: 'Registrierungsbehörde',
      role_related_person: 'beteiligte Person',
      role_researcher: 'Forschung',
      role_research_group: 'Forschungsgruppe',
      role_rights_holder: 'Rechteinhaber',
      role_sponsor: 'Sponsor',
      role_supervisor: 'Betreuung',
      role_translator: 'Übersetzung',
      role_work_package_leader: 'Leitung eines Arbeitspakets',
      role_chair: 'Vorsitz',
      role_reviewer: 'Begutachtung',
      role_review_assistant: 'Assistenz bei der Begutachtung',
      role_statistics_reviewer: 'statistische Begutachtung',
      role_external_reviewer: 'externe Begutachtung',
      // Unsure: Crossref has “reader” without a definition; it may be who reads a thesis.
      role_reader: 'Leserin oder Leser',
      role_corresponding_author: 'Korrespondenzautorschaft',
      role_other: 'sonstige Rolle',
      title_subtitle: 'Untertitel',
      title_translated: 'Übersetzung',
      title_alternative: 'Alternativtitel',
      title_original: 'Originaltitel',
      title_original_subtitle: 'Untertitel des Originals',
      title_short: 'Kurztitel',
      title_other: 'sonstiger Titel',
      text_abstract: 'Zusammenfassung',
      text_methods: 'Methoden',
      text_series_information: 'Angaben zur Reihe',
      text_table_of_contents: 'Inhaltsverzeichnis',
      text_technical_info: 'Technische Angaben',
      text_plain_language: 'Zusammenfassung in einfacher Sprache',
      text_other: 'Sonstiger Text',
      date_accepted: 'Angenommen',
      date_approved: 'Genehmigt',
      date_available: 'Verfügbar',
      date_collected: 'Erhoben',
      date_copyrighted: 'Copyright',
      date_coverage: 'Behandelter Zeitraum',
      date_created: 'Erstellt',
      date_issued: 'Erschienen',
      date_online: 'Online',
      date_posted: 'Eingestellt',
      date_print: 'Gedruckt',
      date_received: 'Eingegangen',
      date_submitted: 'Eingereicht',
      date_updated: 'Aktualisiert',
      date_valid: 'Gültig',
      date_withdrawn: 'Zurückgezogen',
      date_other: 'Sonstiges Datum',
      file_content: 'Inhalt',
      file_supplement: 'Ergänzung',
      file_text_mining: 'Text-Mining',
      file_similarity_checking: 'Ähnlichkeitsprüfung',
      file_syndication: 'Syndizierung',
      file_landing_page: 'Landingpage',
      file_other: 'Sonstiges',
      use_version_of_record: 'für die Verlagsversion',
      use_accepted_manuscript: 'für das akzeptierte Manuskript',
      use_submitted_manuscript: 'für das eingereichte Manuskript',
      use_text_mining: 'für Text-Mining',
      use_article_sharing: 'für das Teilen des Artikels',
      use_other: 'für eine andere Nutzung',
      stage_version_of_record: 'Verlagsversion',
      stage_accepted_manuscript: 'akzeptiertes Manuskript',
      stage_submitted_manuscript: 'eingereichtes Manuskript',
      access_open: 'offen',
      access_embargoed: 'unter Embargo',
      access_restricted: 'eingeschränkt',
      access_metadata_only: 'nur Metadaten',
    },
    landing: {
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
      registeredBy:
        'Am {$time} hat {$who} dieses Werk registriert. Der Verlauf bewahrt jede Änderung.',
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
    },
    mails: {
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
      secondOffText:
        'Ihr Konto bei {$registry} fragt nach dem Passwort nicht mehr nach einem Code.',
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
      nameOrganization: 'Organisation {$id}',
      nameAccount: 'Konto {$id}',
      nameApplication: 'Anwendung {$id}',
      nameWork: 'Werk {$id}',
      webhookSubject: 'Ein Webhook von {$owner} pausiert',
      webhookText:
        'Das Register bei {$registry} sendet nichts mehr an einen Webhook von {$owner}. Der Grund: {$reason}. Der Webhook: {$address}',
      webhookResume:
        'Nichts geht verloren: Wenn Sie ihn fortsetzen, geht es dort weiter, wo es aufgehört hat. Hier sehen Sie seine Zustellungen und setzen ihn fort:',
      newsToDo: '{$toDo}:',
      newsRegistry: 'Register: {$registry}',
      ownerSubject: 'Neuer Eigentümer: {$organization}',
      ownerText:
        'Der Betreiber von {$registry} hat für {$organization} jemanden zum Eigentümer ernannt. ' +
        'Die Eigentümer sehen Sie hier:',
      role_owner: 'Eigentümer',
      role_editor: 'Bearbeiter',
      role_viewer: 'Leser',
    },
    owners: {
      registered: `.input {$count :integer} .match $count
        one {{1 Werk hier registriert}}
        * {{{$count} Werke hier registriert}}`,
      authors: `.input {$count :integer} .match $count
        one {{1 bestätigte Person}}
        * {{{$count} bestätigte Personen}}`,
      alsoKnownAs: 'Auch bekannt als',
      website: 'Website',
      country: 'Land',
      registryName: 'Name im Register',
      since: 'Hier seit',
      newestFirst: 'Werke, die neuesten zuerst',
      noWorks: 'Dieser Verlag hat noch keine Werke registriert.',
      searchThese: 'Diese Werke durchsuchen',
      statistics: 'Statistik dieser Werke',
      forPrograms: 'Für Programme:',
      oaiSet: 'OAI-PMH-Set',
      identifier: 'Kennung',
      links: 'Links',
      works: 'Werke',
      filterThese: 'Diese Werke durchsuchen und filtern',
      affiliations: 'Zugehörigkeiten',
      education: 'Ausbildung',
      profileJson: 'dieses Profil als JSON',
      testPerson: '{#strong}Sandbox:{/strong} Dies ist eine Testperson.',
      orcidSignedIn: 'damit angemeldet',
      notConfirmed: 'nicht bestätigt',
      claimedBy: 'Zugeordnet durch {$by} am {$day}.',
      byRegistrant: 'Vom Verlag des Werks bestätigt.',
      byOrcid: 'Die Person hat sich mit einer ORCID iD angemeldet, die das Werk nennt.',
      byAdmin: 'Von der Verwaltung dieses Registers entschieden.',
      thePerson: 'die Person selbst',
      anApplication: 'eine Anwendung der Person',
      theOperator: 'den Betreiber dieses Registers',
      addedBy: 'hinzugefügt durch {$by} am {$day}',
      changedOn: 'hinzugefügt durch {$by} am {$day}, geändert am {$changed}',
      contested: 'von der Person bestritten',
    },
    record: {
      details: 'Details',
      type: 'Typ',
      published: 'Erschienen',
      publisher: 'Verlag',
      publishedIn: 'Erschienen in',
      language: 'Sprache',
      license: 'Lizenz',
      keywords: 'Schlagwörter',
      funding: 'Förderung',
      related: 'Verwandtes',
      content: 'Inhalt',
      volume: 'Band {$number}',
      issue: 'Heft {$number}',
      pages: 'S. {$pages}',
      numbered: 'Nr. {$number}',
      award: '{$funder}, Förderung {$award}',
      contributors: 'Mitwirkende',
      moreTexts: 'Weitere Texte',
      inLanguage: '{$text} ({$language})',
      moreDetails: 'Weitere Details',
      otherTitles: 'Weitere Titel',
      kind: 'Art',
      contentVersion: 'Version des Inhalts',
      changesInVersion: 'Änderungen in dieser Version',
      preprintGroup: 'Preprint-Gruppe',
      review: 'Gutachten',
      // “Daten” alone would be data.
      dates: 'Datumsangaben',
      subjects: 'Sachgebiete',
      degree: 'Akademischer Grad',
      institutions: 'Einrichtungen',
      event: 'Veranstaltung',
      shortTitle: 'Kurztitel der Zeitschrift',
      issueTitle: 'Titel des Hefts',
      edition: 'Auflage',
      articleNumber: 'Artikelnummer',
      chapter: 'Kapitel',
      series: 'Reihe',
      seriesIssn: 'ISSN der Reihe',
      publisherPlace: 'Verlagsort',
      rights: 'Rechte',
      access: 'Zugang',
      places: 'Orte',
      size: 'Umfang',
      formats: 'Formate',
      otherIdentifiers: 'Weitere Kennungen',
      clinicalTrials: 'Klinische Studien',
      archives: 'Archive',
      fromPublisher: 'Angaben des Verlags',
      span: '{$from} bis {$to}',
      since: 'seit {$from}',
      until: 'bis {$to}',
      from: 'ab {$from}',
      freeToRead: 'frei lesbar',
      sponsoredBy: 'unterstützt von {$names}',
      round: 'Runde {$number}',
      recommends: 'empfiehlt: {$what}',
      competingInterests: 'Interessenkonflikte: {$what}',
      polygon: `.input {$corners :integer} .match $corners
        one {{Polygon mit {$corners} Ecke}}
        * {{Polygon mit {$corners} Ecken}}`,
      north: '{$degrees}° N',
      south: '{$degrees}° S',
      // “Ost”.
      east: '{$degrees}° O',
      west: '{$degrees}° W',
      files: 'Dateien',
      bytes: '{$count :integer} Byte',
      readOn: 'gelesen am {$time}',
      relatedItems: 'Verwandte Ressourcen',
      references: 'Literaturangaben ({$count :integer})',
    },
    relations: {
      IsCitedBy: 'Wird zitiert von',
      Cites: 'Zitiert',
      IsSupplementTo: 'Ist Ergänzung zu',
      IsSupplementedBy: 'Wird ergänzt durch',
      IsContinuedBy: 'Wird fortgesetzt durch',
      Continues: 'Ist Fortsetzung von',
      IsDescribedBy: 'Wird beschrieben von',
      Describes: 'Beschreibt',
      HasMetadata: 'Hat Metadaten in',
      IsMetadataFor: 'Enthält Metadaten zu',
      HasVersion: 'Hat als Version',
      IsVersionOf: 'Ist Version von',
      IsNewVersionOf: 'Ist neue Version von',
      IsPreviousVersionOf: 'Ist vorherige Version von',
      IsPartOf: 'Ist Teil von',
      HasPart: 'Hat als Teil',
      IsPublishedIn: 'Ist erschienen in',
      IsReferencedBy: 'Wird referenziert von',
      References: 'Referenziert',
      IsDocumentedBy: 'Wird dokumentiert von',
      Documents: 'Dokumentiert',
      // Unsure: DataCite means that one is made by or of the other, such as a program and its source.
      IsCompiledBy: 'Wird kompiliert von',
      Compiles: 'Kompiliert',
      IsVariantFormOf: 'Ist Variante von',
      IsOriginalFormOf: 'Ist Originalform von',
      IsIdenticalTo: 'Ist identisch mit',
      IsReviewedBy: 'Wird begutachtet von',
      Reviews: 'Begutachtet',
      IsDerivedFrom: 'Ist abgeleitet von',
      IsSourceOf: 'Ist Quelle von',
      IsRequiredBy: 'Wird vorausgesetzt von',
      Requires: 'Benötigt',
      IsObsoletedBy: 'Wird ersetzt durch',
      Obsoletes: 'Ersetzt',
      IsCollectedBy: 'Ist gesammelt in',
      Collects: 'Sammelt',
      IsTranslationOf: 'Ist Übersetzung von',
      HasTranslation: 'Hat als Übersetzung',
      Other: 'Ist verwandt mit',
      hasPublished: 'Hat veröffentlicht',
    },
    search: {
      box: 'Wonach suchen Sie?',
      example: 'Titel, Autor, Wörter, ARK, DOI oder ORCID iD',
      search: 'Suchen',
      title: '{$typed} · Suche',
      heading: 'Register durchsuchen',
      moreFields: 'Weitere Felder',
      howTo: 'So suchen Sie',
      yearExample: '2024 oder 2019-2024',
      kinds: 'Was durchsucht wird',
      works: 'Werke',
      people: 'Personen',
      organizations: 'Organisationen',
      countWorks: `.input {$count :integer} .match $count
        one {{{$count} Werk}}
        * {{{$count} Werke}}`,
      countPeople: `.input {$count :integer} .match $count
        one {{{$count} Person}}
        * {{{$count} Personen}}`,
      countOrganizations: `.input {$count :integer} .match $count
        one {{{$count} Organisation}}
        * {{{$count} Organisationen}}`,
      countAuthors: '{$count :integer} bestätigte Autoren',
      moreThanWorks: 'Mehr als {$count :integer} Werke',
      moreThanPeople: 'Mehr als {$count :integer} Personen',
      moreThanOrganizations: 'Mehr als {$count :integer} Organisationen',
      inRegistry: '{$amount} in diesem Register',
      continued: '{$amount}, Fortsetzung',
      onPage: '{$amount}, Seite {$page}',
      order: 'Reihenfolge',
      relevance: 'Relevanz',
      newest: 'Neueste',
      published: 'Erscheinungsdatum',
      byTitle: 'Titel',
      byName: 'Name',
      filters: 'Filter',
      partly: 'Gezählt über die neuesten {$count :integer} Treffer.',
      filtersInUse: 'Aktive Filter',
      removeFilter: '{$filter} entfernen',
      filter: '{$name}: {$value}',
      clearAll: 'Alle entfernen',
      moreValues: '{$count :integer} weitere',
      chosen: '{$value}, ausgewählt: entfernen',
      from: 'Von',
      to: 'bis',
      singleYears: 'Einzelne Jahre',
      resultsByYear: 'Treffer nach Jahr',
      untilYear: 'bis {$year}',
      sinceYear: 'ab {$year}',
      yes: 'ja',
      no: 'nein',
      type: 'Typ',
      year: 'Jahr',
      organization: 'Registriert von',
      publisher: 'Verlag',
      journal: 'Zeitschrift',
      funder: 'Förderer',
      language: 'Sprache',
      license: 'Lizenz',
      status: 'Status',
      fixity_status: 'Inhaltsprüfung',
      notice: 'Hinweis',
      related_to: 'Verwandt mit',
      author: 'Autor',
      keyword: 'Schlagwort',
      orcid: 'ORCID iD',
      ppid: 'Person',
      created_from: 'Registriert ab',
      created_to: 'Registriert bis',
      has_doi: 'Hat eine DOI',
      affiliation: 'Zugehörigkeit',
      ror: 'ROR-ID',
      country: 'Land',
      registeredBy: 'registriert von {$name}',
      andMore: '{$names} und {$count :integer} weitere',
      pages: 'Seiten',
      page: 'Seite {$number}',
      firstPage: 'Erste Seite',
      previous: 'Zurück',
      next: 'Weiter',
      moreResults: 'Weitere Treffer',
      allShown: 'Das waren alle Treffer.',
      takeAlong: 'Treffer speichern oder abonnieren',
      saveAll: 'Alle speichern:',
      follow: 'Abonnieren:',
      saveLabel: 'Alle Treffer speichern',
      followLabel: 'Diese Suche abonnieren',
      statistics: 'Statistik',
      feedTitle: '{$feed} dieser Suche',
      unranked:
        'Zu viele Treffer für eine Rangfolge: Die neuesten stehen oben. Geben Sie ein weiteres Wort ein.',
      notCommand:
        '{#q}{$typed}{/q} ist hier kein Befehl, darum haben wir danach als Wörtern gesucht. Vor ein Wort können Sie {#code}author:{/code} und {#code}title:{/code} schreiben.',
      otherForms: 'Mehr Werke enthalten andere Formen dieser Wörter: {$link}',
      searchedForms:
        'Kein Werk enthält alles von {#q}{$typed}{/q}. Darum haben wir nach anderen Formen dieser Wörter gesucht: {$link}',
      didYouMean: 'Meinten Sie {$link}?',
      searchedMeant:
        'Kein Werk enthält alles von {#q}{$typed}{/q}. Meinten Sie {$link}? Danach haben wir gesucht.',
      noneYetWorks: 'Hier gibt es noch keine Werke',
      noneYetPeople: 'Hier gibt es noch keine Personen',
      noneYetOrganizations: 'Hier gibt es noch keine Organisationen',
      firstPageSays: 'Auf der {#link}Startseite{/link} steht, wie Sie das erste Werk registrieren.',
      noWorks: 'Keine Werke gefunden',
      noPeople: 'Keine Personen gefunden',
      noOrganizations: 'Keine Organisationen gefunden',
      elsewhere: 'Mit diesen Wörtern gibt es anderes:',
      removeAFilter: 'Entfernen Sie oben einen Filter.',
      fewerWords: 'Geben Sie weniger Wörter ein: Treffer enthalten alle.',
      nameAsSigned:
        'Schreiben Sie einen Namen so, wie die Person ihn schreibt. Akzente und Großschreibung spielen keine Rolle.',
      identifiers: 'Ein ARK, eine DOI oder eine ORCID iD führt direkt zum Eintrag.',
      refused: 'Danach können wir nicht suchen',
      ended: 'Diese Suche dauert zu lange',
      unavailable: 'Die Suche ist zurzeit nicht verfügbar',
      wordsAlone: 'Nur nach diesen Wörtern suchen',
      stillTyped:
        'Ihre Eingabe steht noch im Suchfeld. Werke können Sie weiterhin über ihre ARKs öffnen.',
      tryAgain: 'Noch einmal versuchen',
    },
    standing: {
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
    },
    types: {
      article: 'Artikel',
      preprint: 'Preprint',
      review_article: 'Übersichtsartikel',
      editorial: 'Editorial',
      letter: 'Leserbrief',
      data_paper: 'Datenartikel',
      book: 'Buch',
      book_chapter: 'Buchkapitel',
      conference_paper: 'Konferenzbeitrag',
      proceedings: 'Tagungsband',
      poster: 'Poster',
      presentation: 'Präsentation',
      thesis: 'Abschlussarbeit',
      report: 'Bericht',
      working_paper: 'Arbeitspapier',
      dataset: 'Datensatz',
      software: 'Software',
      workflow: 'Workflow',
      peer_review: 'Gutachten',
      patent: 'Patent',
      standard: 'Norm',
      image: 'Bild',
      video: 'Video',
      audio: 'Audio',
      data_management_plan: 'Datenmanagementplan',
      lecture: 'Vorlesung',
      award: 'Förderung',
      collection: 'Sammlung',
      computational_notebook: 'Computational Notebook',
      event: 'Veranstaltung',
      instrument: 'Instrument',
      interactive_resource: 'Interaktive Ressource',
      journal: 'Zeitschrift',
      model: 'Modell',
      physical_object: 'Physisches Objekt',
      project: 'Projekt',
      service: 'Dienst',
      study_registration: 'Studienregistrierung',
      text: 'Text',
      other: 'Sonstiges',
    },
  } satisfies Catalogue<typeof english>,
})
