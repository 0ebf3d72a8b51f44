import type { consortium as english } from '#src/words/en/consortium.ts'
import type { Translation } from '#src/words/message.ts'

export const consortium: Translation<typeof english> = {
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
}
