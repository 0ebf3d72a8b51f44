import type { credentials as english } from '#src/words/en/credentials.ts'
import type { Translation } from '#src/words/message.ts'

export const credentials: Translation<typeof english> = {
  email: 'Adresse électronique',
  newEmail: 'Nouvelle adresse électronique',
  password: 'Mot de passe',
  currentPassword: 'Mot de passe actuel',
  newPassword: 'Nouveau mot de passe',
  passwordHint: 'Au moins {$min} caractères. Une phrase est facile à retenir.',
  code: 'Code',
  codeHint: 'Six chiffres, ou un code de récupération tel que {$example}.',
  recoveryCode: 'Code de récupération',
  recoveryCodeHint: 'Par exemple {$example}.',
  name: 'Nom',
  nameHint: 'Tel qu’il figure sur vos travaux.',
  username: 'Nom d’utilisateur',
  usernameHint: 'Un nom court à vous\u00a0: lettres minuscules, chiffres et traits d’union.',
  emailHint: 'Elle vous sert à vous connecter. Personne d’autre ne la voit sans votre accord.',
  newEmailHint: 'Elle vous servira ensuite à vous connecter.',
  seenBy: 'Qui voit votre profil',
  seenByHint:
    'Vous pouvez le changer à tout moment, pour chaque partie de votre profil. Si vous ' +
    'demandez une organisation, revendiquez un travail ou rejoignez une organisation, les ' +
    'personnes qui décident voient toujours votre nom et votre adresse électronique.',
  seenName: 'Tout le monde voit mon nom, moi seul le reste',
  seenAll: 'Tout le monde voit mon nom et mon profil',
  seenTrusted: 'Moi seul et les applications que j’autorise',
  seenPrivate: 'Moi seul',
  noScript:
    'Les clés d’accès ont besoin de JavaScript, que ce navigateur n’exécute pas. Tout le reste ' +
    'fonctionne sans lui.',
  notChosen: 'Aucune clé d’accès n’a été choisie, ou le délai est dépassé. Vous pouvez réessayer.',
  alreadyHeld: 'Cet appareil ou cette clé a déjà une clé d’accès de ce compte.',
  notAtAddress: 'Ce navigateur n’accepte pas de clés d’accès à cette adresse.',
  notSupported: 'Cet appareil ou cette clé ne peut pas créer une telle clé d’accès.',
  notUsable: 'La clé d’accès n’a pas pu être utilisée. Vous pouvez réessayer.',
  noPasskeys: 'Ce navigateur ne prend pas en charge les clés d’accès.',
  wrongCode:
    'Ce code est faux ou a déjà servi. Attendez le suivant et vérifiez l’horloge de votre ' +
    'appareil.',
  codesPaused: `.input {$minutes :integer} .match $minutes
    one {{Trop de codes faux. Les chiffres sont refusés pendant {$minutes} minute\u00a0; un code de récupération reste accepté.}}
    * {{Trop de codes faux. Les chiffres sont refusés pendant {$minutes} minutes\u00a0; un code de récupération reste accepté.}}`,
  passkey_expired: 'C’était trop long, ou cela venait d’une autre page. Réessayez.',
  passkey_spent: 'Cette réponse d’une clé d’accès a déjà servi. Réessayez.',
  passkey_wrong: 'Nous ne connaissons pas cette clé d’accès, ou sa réponse est fausse.',
  passkey_counter:
    'Le compteur de cette clé d’accès recule, comme celui d’une copie. Nous la refusons\u00a0: ' +
    'supprimez-la et ajoutez-en une autre.',
  passkey_known: 'Cette clé d’accès est déjà utilisée.',
  passkey_too_many: 'Votre compte a le nombre maximal de clés d’accès. Supprimez-en une d’abord.',
  passkeyUnverified:
    'Cette clé d’accès n’a demandé ni code PIN, ni doigt, ni visage\u00a0: seule, elle ne suffit ' +
    'pas. Connectez-vous avec votre mot de passe et utilisez-la comme seconde étape.',
  writeName: 'Indiquez votre nom.',
  writeEmail: 'Indiquez votre adresse électronique.',
  writePassword: 'Indiquez votre mot de passe.',
  wrongPair: 'Cette adresse électronique et ce mot de passe ne vont pas ensemble.',
  wrongPassword: 'Ce n’est pas votre mot de passe actuel.',
  email_bad_value: 'Indiquez une seule adresse électronique, par exemple ada@example.org.',
  email_taken:
    'Un compte existe avec cette adresse électronique\u00a0: connectez-vous ou réinitialisez le mot ' +
    'de passe.',
  username_taken: 'Quelqu’un d’autre a ce nom d’utilisateur\u00a0: choisissez-en un autre.',
  invitation_spent: 'Cette invitation a servi ou a expiré\u00a0: demandez-en une autre.',
  password_too_short: 'Choisissez un mot de passe plus long.',
  password_too_long: 'Choisissez un mot de passe plus court.',
  password_too_common:
    'Beaucoup de gens utilisent ce mot de passe, on l’essaie donc en premier\u00a0: choisissez-en ' +
    'un autre.',
  password_not_secret:
    'Choisissez un mot de passe autre que votre nom, votre nom d’utilisateur ou votre adresse.',
  title: 'Se connecter',
  forgotten: 'Mot de passe oublié\u202f?',
  withPasskeyTitle: 'Ou avec une clé d’accès',
  withPasskey: 'Se connecter avec une clé d’accès',
  withOtherTitle: 'Ou avec un autre compte',
  withOther: 'Se connecter avec {$name}',
  noAccount: 'Pas encore de compte\u202f? {#link}Créez un compte{/link}.',
  askedAgain:
    'L’application vous demande de vous reconnecter. D’ici là, vous restez connecté en tant ' +
    'que {$who}.',
  testPeople:
    'Seules des personnes de test se connectent ici. {#code}POST /v1/people{/code} avec une ' +
    'clé {#code}svc_test_…{/code} en crée une et renvoie son adresse et son mot de passe.',
  signedOut: 'Vous êtes déconnecté.',
  expired: 'Vous avez été déconnecté entre-temps. Connectez-vous et renvoyez.',
  kept:
    'Vous avez été déconnecté entre-temps. Connectez-vous\u00a0: vos saisies sont gardées dix ' +
    'minutes, sauf mots de passe et codes.',
  codeExpired: 'C’était trop long. Reconnectez-vous.',
  passwordChanged: 'Votre mot de passe est changé. Connectez-vous avec lui.',
  unlocked: 'Vous pouvez maintenant vous connecter avec ce navigateur.',
  emailConfirmed: 'Votre adresse électronique est confirmée.',
  accountErased: 'Votre compte et ses données personnelles sont effacés.',
  lockedTitle: 'Trop de mots de passe ont été essayés',
  lockedText: `.input {$minutes :integer} .match $minutes
    one {{Pendant {$minutes} minute, nous refusons tout mot de passe pour ce compte, sauf dans un navigateur où vous vous êtes déjà connecté.}}
    * {{Pendant {$minutes} minutes, nous refusons tout mot de passe pour ce compte, sauf dans un navigateur où vous vous êtes déjà connecté.}}`,
  lockedLink: 'Ou utilisez le lien que nous avons envoyé à l’adresse du compte, s’il existe.',
  lockedAsk:
    'Ou demandez à l’opérateur de ce registre un lien pour choisir un nouveau mot de passe.',
  unlockTitle: 'Se connecter bien que d’autres aient essayé',
  unlockText:
    'Nous comptons les mots de passe essayés pour {$who} dans ce navigateur à part de ceux des ' +
    'autres.',
  unlock: 'Continuer avec ce navigateur',
  expiredLink: 'Ce lien a déjà servi ou a expiré\u00a0: demandez-en un nouveau',
  codeTitle: 'Votre code',
  codeLead:
    'Encore une étape pour {$who}\u00a0: les six chiffres affichés par votre application ' +
    'd’authentification.',
  secondTitle: 'Votre seconde étape',
  secondLead: 'Encore une étape pour {$who}\u00a0: votre clé d’accès ou un code.',
  withYourPasskey: 'Avec votre clé d’accès',
  usePasskey: 'Utiliser votre clé d’accès',
  withCode: 'Avec un code',
  anotherAccount: 'Se connecter avec un autre compte',
  withoutDevice: 'Sans votre appareil',
  withoutDeviceText:
    'Saisissez un de vos codes de récupération\u00a0; chacun sert une fois. S’il ne vous en reste ' +
    'pas, l’opérateur de ce registre peut supprimer la seconde étape après s’être assuré que ' +
    'c’est vous.',
  confirmTitle: 'Confirmez votre mot de passe',
  confirmLead:
    'Il faut s’être connecté dans les dix dernières minutes, pour que personne d’autre ne le ' +
    'fasse dans un navigateur laissé ouvert.',
  confirmSubmit: 'Confirmer',
  confirmKept:
    'Rien n’a encore changé. Vous reprendrez ensuite où vous en étiez. Vos saisies sont ' +
    'gardées dix minutes, sauf mots de passe et codes.',
  confirmForm: 'Rien n’a encore changé. Renvoyez ensuite le formulaire.',
  unsentNothing: 'Rien à envoyer',
  unsentNothingText:
    'Nous gardons vos saisies dix minutes et les affichons une fois. Rouvrez la page et ' +
    'remplissez le formulaire.',
  unsentTitle: 'Envoyer le formulaire maintenant',
  unsentLead: 'Vous avez été déconnecté avant d’envoyer ce formulaire\u00a0: rien n’a changé.',
  unsentHint: 'Nous ne gardons ni mots de passe ni codes. Le formulaire les redemande.',
  unsentSubmit: 'Envoyer le formulaire',
  signUpTitle: 'Créer un compte',
  signUpLead:
    'Pour les chercheurs\u00a0: revendiquez vos travaux, voyez qui écrit dans votre profil et ' +
    'décidez qui le peut.',
  signUp: 'Créer le compte',
  haveOne: 'Vous avez déjà un compte\u202f? {#link}Connectez-vous{/link}.',
  byInvitation:
    'Pour créer un compte ici, il faut une invitation\u00a0: ouvrez le lien que vous avez reçu.',
  closed: 'Vous ne pouvez pas créer de compte ici. Demandez-en un à l’opérateur de ce registre.',
  setupTitle: 'Mettre en place ce registre',
  setupLead: 'Ceci crée le premier administrateur. Le lien sert une fois.',
  setup: 'Créer l’administrateur',
  resetTitle: 'Choisir un nouveau mot de passe',
  resetAsk:
    'Nous envoyons un lien à l’adresse de votre compte. Il sert une fois, pendant une heure.',
  resetSend: 'M’envoyer un lien',
  sentTitle: 'Regardez votre messagerie',
  sentText:
    'S’il existe un compte avec cette adresse, nous lui avons envoyé un lien. Le message peut ' +
    'prendre quelques minutes. Regardez aussi dans les indésirables.',
  noMail:
    'Ce registre n’envoie pas de courriel. Demandez à son opérateur un lien pour choisir un ' +
    'nouveau mot de passe.',
  resetLead: 'Ceci déconnecte tous les navigateurs connectés.',
  resetEnds:
    'L’adresse de ce compte n’a jamais été confirmée\u00a0: quelqu’un d’autre l’a peut-être créé. ' +
    'Le nouveau mot de passe met aussi fin à ses clés, autorisations, secrets d’applications ' +
    'et comptes externes.',
  resetSubmit: 'Changer le mot de passe',
  verifyTitle: 'Confirmez votre adresse électronique',
  verifyLead: '{$email} est-elle votre adresse\u202f?',
  verifySubmit: 'Confirmer cette adresse',
  emailTitle: 'Changer l’adresse électronique',
  emailNow: 'Votre adresse est actuellement {$email}.',
  emailNone: 'Votre compte n’a pas d’adresse électronique.',
  emailLeave: 'Garder l’ancienne adresse',
  emailSubmit: 'Changer l’adresse',
  goingTo: 'Vers {$name}',
  goOn: 'Si rien ne se passe, {#link}continuez ici{/link}.',
  notSignedIn: 'Non connecté',
  tryAgain: 'Réessayer {$name}',
  otherwise: 'Se connecter autrement',
  elsewhereExpired: 'Cette connexion a expiré.',
  elsewhereRefused: '{$name} ne vous a pas connecté.',
  elsewhereOut: 'Vous avez été déconnecté entre-temps.',
  elsewhereTaken: 'Ce compte connecte déjà quelqu’un d’autre ici.',
  elsewhereNone: 'Aucun compte d’ici ne correspond, et vous ne pouvez pas en créer.',
  elsewhereFailed: 'Nous n’avons pas pu créer de compte.',
}
