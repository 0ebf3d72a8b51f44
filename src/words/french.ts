import type * as english from '#src/words/english.ts'
import { Language } from '#src/words/language.ts'
import type { Catalogue } from '#src/words/message.ts'

// The terms, as ORCID, HAL and the OAI community have them in French:
// work: travail, travaux · record: notice · register: enregistrer · registry: registre ·
// version: version · receipt: reçu · log: journal (a scholarly journal is a revue) ·
// append-only: en ajout seul · entry: entrée · statement: déclaration · checkpoint: point de contrôle ·
// hash: empreinte · root hash: empreinte racine · proof: preuve · key: clé · tile: tuile ·
// publisher: éditeur · researcher: chercheur · claim: revendiquer · withdraw: retirer ·
// retract: rétracter · withhold: suspendre l’accès · tombstone: page de retrait ·
// harvest: moissonner · resolve: résoudre · feed: flux · landing page: page de présentation ·
// sign in: se connecter · sandbox: bac à sable. Readers are “vous”. A space that does not break
// stands before a colon (U+00A0) and a question mark (U+202F).
export const french = new Language({
  tag: 'fr',
  name: 'Français',
  translations: {
    account: {
      languageTitle: 'Langue',
      languageHint: 'Pour les pages et les courriels.',
      languageSubmit: 'Enregistrer la langue',
      languageSaved: 'Votre langue est enregistrée.',
    },
    comparison: {
      title: 'Versions {$from} et {$to}',
      of: 'de {$title}',
      same: 'Les métadonnées sont les mêmes dans les deux versions.',
      marks: 'Le texte supprimé est barré, le texte ajouté est souligné.',
      unchanged: `.input {$count :integer} .match $count
        one {{{$count} autre champ n’a pas changé.}}
        * {{{$count} autres champs n’ont pas changé.}}`,
      changed: 'Ce qui a changé',
      others: 'Autres versions',
      older: 'Version plus ancienne',
      newer: 'Version plus récente, jusqu’à {$newest}',
    },
    consent: {
      title: 'Autoriser {$name}\u202f?',
      lead: 'Cette application demande à agir pour vous. Décochez ce que vous ne voulez pas autoriser.',
      who: 'Qui demande',
      canRead: 'Elle peut lire',
      canWrite: 'Elle peut écrire',
      hint: 'Vous pouvez retirer ces autorisations à tout moment, sur la page Applications.',
      permit: 'Autoriser',
      deny: 'Ne pas autoriser',
      before: 'Ce que vous avez déjà autorisé',
      goingTitle: 'Retour',
      goingHeading: 'Retour à l’application',
      notVerified: 'Non vérifiée',
      notVerifiedText: 'Nous n’avons pas vérifié qui exploite cette application.',
      notVerifiedAdvice:
        'N’autorisez quelque chose que si vous venez vous-même de là et savez qui l’exploite.',
      application: 'Application',
      belongsTo: 'Appartient à',
      person: 'une personne',
      thisRegistry: 'ce registre',
      backTo: 'Vous renvoie vers',
      deviceApp: 'une application de cet appareil ({$protocol})',
      computerProgram: 'un programme de cet ordinateur',
      shownAs: 'Ce qu’elle écrit est affiché comme écrit par',
      you: 'vous',
      homePage: 'Page d’accueil',
      contact: 'Contact',
      openid: 'Savoir quelle personne vous êtes ici, par votre identifiant',
      profile: 'Voir vos nom, nom d’utilisateur, image et ORCID iD',
      email: 'Voir votre adresse électronique et si elle est vérifiée',
      worksRead: 'Lister et voir vos travaux enregistrés',
      authorRead: 'Voir quels travaux vous revendiquez, et si les revendications sont vérifiées',
      affiliationsRead: 'Voir vos affiliations et formations',
      receiptsRead: 'Voir les reçus de vos travaux',
      offline: 'Continuer en votre absence',
      worksWrite: 'Ajouter des travaux à votre profil et modifier ceux qu’elle a ajoutés',
      worksDelete: 'Retirer définitivement des travaux qu’elle a ajoutés à votre profil',
      affiliationsWrite: 'Ajouter des affiliations et formations, et modifier ce qu’elle a ajouté',
      authorWrite: 'Modifier votre profil et revendiquer des travaux en votre nom',
      expired:
        'Cette demande a expiré ou a reçu une réponse\u00a0: revenez à l’application et recommencez',
      failedTitle: 'Cela n’a pas fonctionné',
      beginAgain: 'Revenez à l’application et recommencez.',
      invalid_client: 'Nous ne connaissons pas cette application, ou elle a été retirée.',
      invalid_redirect_uri:
        'L’application a demandé de vous envoyer à une adresse qui n’est pas la sienne.',
      server_error: 'C’est notre faute. Nous l’avons notée.',
      temporarily_unavailable: 'Réessayez dans un instant.',
      forOperator: 'Pour l’exploitant de l’application\u00a0:',
      signOutTitle: 'Se déconnecter\u202f?',
      signOutLead: 'Une application nous demande de vous déconnecter ici.',
      stay: 'Rester connecté',
      signedOutTitle: 'Vous êtes déconnecté',
      signedOutLead: 'Vous pouvez fermer cette page.',
    },
    consortium: {
      heading: 'Consortium',
      lead: 'Une organisation peut faire partie d’une autre, par exemple d’un consortium, d’une université ou d’un groupe d’éditeurs.',
      aboveHeading: 'Fait partie de',
      partOf: '{$name} fait partie de {$lead}.',
      whatLeadsDo:
        'Les propriétaires de {$lead} voient vos travaux, chiffres, clés et membres. Ils peuvent créer et révoquer vos clés. L’historique les nomme. Ils ne peuvent ni enregistrer ni modifier de travaux sur ces pages, ni changer vos membres.',
      keysStay:
        'Les clés qu’ils ont créées fonctionnent encore après votre départ. Révoquez celles dont vous ne voulez pas.',
      leave: 'Quitter {$lead}',
      notPart: 'Cette organisation ne fait pas partie d’une autre.',
      invitedBy: '{$lead} vous invite à en faire partie.',
      accept: 'Accepter',
      decline: 'Refuser',
      belowHeading: 'Organisations rattachées',
      total: `.input {$count :integer} .match $count
        one {{1 organisation rattachée. Travaux avec elle\u00a0: {$works :integer}.}}
        * {{{$count} organisations rattachées. Travaux avec elles\u00a0: {$works :integer}.}}`,
      noneBelow: 'Aucune organisation rattachée',
      noneBelowText: 'Invitez une organisation, et ses propriétaires sont interrogés par courriel.',
      organization: 'Organisation',
      level: 'Fait partie de',
      works: 'Travaux',
      members: 'Membres',
      keys: 'Clés',
      linksFollowed: 'Liens suivis ce mois-ci',
      openKeys: 'Clés de {$name}',
      number: '{$count :integer}',
      invitedHeading: 'Invitées, sans réponse pour l’instant',
      withdrawOf: 'Annuler l’invitation de {$name}',
      end: 'Mettre fin',
      endOf: 'Mettre fin au rattachement de {$name}',
      inviteHeading: 'Inviter une organisation',
      invite: 'Inviter l’organisation',
      shortName: 'Nom court de l’organisation',
      shortNameHint: 'Tel que sa page le montre, par exemple brown-university.',
      inviteHint:
        'Ses propriétaires reçoivent un courriel et décident. Vous ne voyez ses chiffres, clés et membres qu’après leur accord.',
      setHeading: 'Définir l’organisation supérieure',
      set: 'Définir',
      setHint:
        'En tant qu’administrateur, vous n’avez pas besoin d’invitation. Les propriétaires des deux organisations sont prévenus par courriel.',
      invited: 'L’organisation est invitée. Ses propriétaires décident.',
      joined: 'L’organisation fait maintenant partie de l’autre.',
      left: 'L’organisation ne fait plus partie de l’autre.',
      declined: 'L’invitation est refusée.',
      visit:
        'Vous voyez {$name} en tant que propriétaire de {$lead}, dont elle fait partie. Vous pouvez créer et révoquer ses clés. Son historique vous nomme.',
      invitedSubject: '{$lead} invite {$name}',
      invitedText:
        '{$doer} demande à {$name} de faire partie de {$lead}. Si vous acceptez, les propriétaires de {$lead} voient vos travaux, chiffres, clés et membres, et peuvent créer et révoquer vos clés.',
      invitedDo: 'Acceptez ou refusez ici',
      endedSubject: '{$name} ne fait pas partie de {$lead}',
      endedText:
        'L’invitation de {$name} à faire partie de {$lead} a pris fin. {$doer} y a mis fin.',
      joinedSubject: '{$name} fait maintenant partie de {$lead}',
      joinedText:
        '{$name} fait maintenant partie de {$lead}, par décision de {$doer}. Les propriétaires de {$lead} voient ses travaux, chiffres, clés et membres, et peuvent créer et révoquer ses clés.',
      leftSubject: '{$name} ne fait plus partie de {$lead}',
      leftText:
        '{$name} ne fait plus partie de {$lead}, par décision de {$doer}. Les clés créées par les propriétaires de {$lead} fonctionnent encore jusqu’à ce que quelqu’un les révoque.',
      seeHere: 'En savoir plus ici',
    },
    credentials: {
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
      notChosen:
        'Aucune clé d’accès n’a été choisie, ou le délai est dépassé. Vous pouvez réessayer.',
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
      passkey_too_many:
        'Votre compte a le nombre maximal de clés d’accès. Supprimez-en une d’abord.',
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
      closed:
        'Vous ne pouvez pas créer de compte ici. Demandez-en un à l’opérateur de ce registre.',
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
    },
    errors: {
      not_found: 'Page introuvable',
      not_acceptable: 'Ce format n’est pas disponible',
      forbidden: 'Vous ne pouvez pas faire cela',
      suspended: 'Ce compte est suspendu',
      gone: 'Ceci n’est plus valable',
      conflict: 'Ceci est en conflit avec l’état actuel',
      rate_limit_exceeded: 'Trop de tentatives',
      withheld: 'L’accès à ce travail est suspendu',
      payload_too_large: 'C’est trop volumineux',
      unavailable: 'Le registre est surchargé',
      timeout: 'L’opération a pris trop de temps',
      clock_wrong: 'Aucune modification n’est possible pour le moment',
      internal_error: 'Une erreur s’est produite',
      record_damaged: 'Cette notice est illisible',
      other: 'Nous n’avons pas compris cette demande',
      nothingHere:
        'Il n’y a rien à cette adresse. Vérifiez qu’elle ne contient pas de faute de frappe.',
      tryLater: 'Veuillez réessayer dans un instant.',
      failed: 'L’erreur vient de nous et nous l’avons consignée. Veuillez réessayer plus tard.',
      noChanges:
        'L’horloge du registre est fausse\u00a0: rien ne peut être modifié. Vous pouvez toujours tout lire.',
      waitSeconds: `.input {$seconds :integer} .match $seconds
        one {{Réessayez dans {$seconds} seconde.}}
        * {{Réessayez dans {$seconds} secondes.}}`,
      waitMinutes: `.input {$minutes :integer} .match $minutes
        one {{Réessayez dans {$minutes} minute.}}
        * {{Réessayez dans {$minutes} minutes.}}`,
      report:
        'Si cela se reproduit, contactez l’opérateur de ce registre. Indiquez l’erreur {$status} et la demande {$request}.',
      goTo: 'Aller à {$ark}',
      searchInstead: 'Chercher plutôt dans le registre',
    },
    fields: {
      work_title: 'titre',
      work_type: 'type',
      authors: 'auteurs',
      author_details: 'précisions sur les auteurs',
      description: 'résumé',
      work_url: 'adresse du contenu',
      existing_doi: 'DOI',
      keywords: 'mots-clés',
      language: 'langue',
      license: 'licence',
      published_date: 'date de publication',
      publisher_name: 'éditeur',
      container_title: 'titre du contenant',
      volume: 'volume',
      issue: 'numéro',
      pages: 'pages',
      related_identifiers: 'identifiants liés',
      funding: 'financement',
      content_hash: 'empreinte déclarée du contenu',
      work_title_language: 'langue du titre',
      titles: 'autres titres',
      descriptions: 'autres textes',
      resource_type: 'nature du travail',
      resource_version: 'version du contenu',
      resource_version_note: 'changements dans cette version du contenu',
      geo_locations: 'lieux',
      external_id: 'identifiant propre à l’éditeur',
      alternate_identifiers: 'autres identifiants',
      publisher_id: 'identifiant de l’éditeur',
      publisher_language: 'langue du nom de l’éditeur',
      publisher_place: 'lieu de l’éditeur',
      issn: 'ISSN',
      isbn: 'ISBN',
      series_issn: 'ISSN de la collection',
      group_title: 'groupe de prépublications',
      update_notices: 'rétractations et corrections',
      content_domain: 'sites qui affichent les corrections',
      assertions: 'déclarations de l’éditeur',
    },
    figures: {
      workUsed: 'Utilisation de ce travail',
      theseWorksUsed: 'Utilisation de ces travaux',
      allWorksUsed: 'Utilisation des travaux',
      notUsed: 'Ni résolu ni lu de {$from} à {$to}. Les robots ne sont pas comptés.',
      used: 'Résolu ou lu {#strong}{$count :integer}{/strong} fois de {$from} à {$to}. Le dernier mois n’est pas encore terminé. Les robots ne sont pas comptés.',
      uses: 'Utilisations',
      asCsv: 'En CSV',
      table: 'Tous les chiffres dans un tableau',
      howCounted: 'Comment nous comptons',
      byMonth: 'Utilisations par mois',
      month: 'Mois',
      soFar: '{$month}, à ce jour',
      resolved: 'Résolutions',
      pageRead: 'Lectures de la page',
      verified: 'Vérifications',
      harvested: 'Moissonnages',
      bars: '{$what} de {$from} à {$to}. Maximum\u00a0: {$most} en {$when}.',
      bar: '{$label}\u00a0: {$count :integer}',
      tree: 'Un arbre d’empreintes. À partir d’un reçu, trois empreintes voisines mènent à l’empreinte racine, que le journal signe.',
      rootLabel: 'empreinte racine, signée par le journal',
      receiptLabel: 'un reçu',
      computed: 'calculé à partir du reçu',
      proof: 'la preuve, fournie avec le reçu',
      notNeeded: 'pas nécessaire',
    },
    frame: {
      skip: 'Aller au contenu',
      errorTitle: 'Erreur\u00a0: {$title}',
      about: 'Un registre de travaux scientifiques qui prouve ce qui a été enregistré, et quand.',
      registry: 'Registre',
      search: 'Recherche',
      howItWorks: 'Fonctionnement',
      api: 'API',
      signIn: 'Se connecter',
      signOut: 'Se déconnecter',
      createAccount: 'Créer un compte',
      searchRegistry: 'Chercher dans le registre',
      searchExample: 'Titre, auteur, ARK ou DOI',
      verify: 'Vérifier',
      publishers: 'Éditeurs',
      people: 'Personnes',
      log: 'Journal',
      keys: 'Clés',
      policy: 'Règles',
      contact: 'Contact',
      privacy: 'Confidentialité',
      imprint: 'Mentions légales',
      software: 'Logiciel : {$name}',
      status: 'État du service',
      feed: 'Flux',
      data: 'Données',
      language: 'Langue',
      account: 'Compte',
      profile: 'Profil',
      works: 'Travaux',
      changes: 'Modifications',
      applications: 'Applications',
      apiKeys: 'Clés',
      security: 'Sécurité',
      organizations: 'Organisations',
      allOrganizations: 'Toutes les organisations',
      administration: 'Administration',
      notices: 'Notifications',
      newNotices: 'Notifications (nouvelles\u00a0: {$unread})',
      newWord: ' non lues',
      sandbox:
        '{#strong}Bac à sable.{/strong} Seules des personnes fictives se connectent ici. Rien de ce que vous y faites ne modifie le registre.',
      pages: 'Pages',
      firstPage: 'Première page',
      nextPage: 'Page suivante',
      more: '{$count :integer} de plus',
      environment: 'Registre réel ou bac à sable',
      live: 'Réel',
      sandboxName: 'Bac à sable',
      inSandbox: '{$title} (bac à sable)',
      show: 'Afficher',
      showAll: 'Tout afficher',
      copy: 'Copier',
      secretHint:
        'Nous ne l’affichons qu’une seule fois. Copiez-le maintenant dans un endroit sûr.',
      optional: '(facultatif)',
      faults: `.input {$count :integer} .match $count
        one {{Veuillez corriger {$count} champ\u00a0:}}
        * {{Veuillez corriger {$count} champs\u00a0:}}`,
      givenBack:
        'Rien n’a encore changé. Vos saisies sont toujours dans le formulaire\u00a0: envoyez-le de nouveau.',
    },
    home: {
      title: 'Un registre de travaux scientifiques que chacun peut vérifier',
      description:
        'Un registre de travaux scientifiques\u00a0: des identifiants pérennes, toutes les versions conservées ' +
        'et un journal signé, en ajout seul. Chacun peut vérifier ce qui a été enregistré, et quand.',
      heading: 'Des travaux scientifiques enregistrés de façon que chacun puisse vérifier',
      lead:
        '{$registry} donne à chaque travail un identifiant pérenne, conserve toutes les versions et prouve ' +
        'ce qui a été enregistré, et quand. Ne nous croyez pas sur parole\u00a0: vérifiez.',
      works: 'travaux enregistrés',
      over: 'plus de {$count}',
      statements: 'entrées signées dans le journal',
      newest: 'dernière déclaration',
      why: 'Pourquoi vous pouvez croire les notices',
      registered: 'Enregistré',
      registeredText:
        'Un éditeur enregistre un travail. Le travail reçoit un ARK, qui ne désigne jamais rien d’autre. ' +
        'Chaque modification crée une nouvelle version. Les anciennes versions restent.',
      signed: 'Signé',
      signedText:
        'Chaque version a son reçu\u00a0: les empreintes SHA-256 de ses métadonnées et de son contenu, ' +
        'et l’heure, signées avec Ed25519.',
      logged: 'Dans le journal',
      loggedText:
        'Le reçu entre dans le journal avant notre réponse. On ne peut qu’ajouter au journal. Une empreinte ' +
        'racine couvre tout le journal\u00a0: personne ne peut modifier ou retirer une entrée sans la changer.',
      root: `.input {$count :integer} .match $count
        one {{Empreinte racine du journal à {$count} entrée\u00a0:}}
        * {{Empreinte racine du journal à {$count} entrées\u00a0:}}`,
      growth:
        'Votre reçu et quelques empreintes mènent à l’empreinte racine que le journal a signée. Si vous ' +
        'avez gardé une empreinte racine plus ancienne, vous pouvez prouver que le journal n’a fait que ' +
        'grandir depuis. Des moniteurs le font en permanence.',
      seeLog: 'Voir le journal',
      proves: 'Ce que cela prouve, et ce que cela ne prouve pas',
      check: 'Vérifiez vous-même',
      checkText:
        'La page de chaque travail a un bouton qui vérifie son reçu dans votre navigateur. Sur votre ' +
        'propre ordinateur, trois commandes font la même chose. La dernière n’a pas besoin de réseau. Il ne ' +
        'faut ni clé d’API ni compte\u00a0:',
      commands: 'Commandes qui vérifient un reçu',
      output: 'Résultat',
      byHand:
        'Vous préférez ne pas exécuter notre programme\u202f? {#link}Faites de même avec openssl et quelques lignes de Python.{/link}',
      latest: 'Derniers travaux',
      allWorks: 'Tous les travaux',
      noWorks: 'Pas encore de travaux',
      noWorksText:
        'Ce registre est nouveau. Enregistrez le premier travail avec la clé d’API affichée au premier démarrage\u00a0:',
      firstCommand: 'La commande qui enregistre un travail',
      entrances: 'Pour continuer',
      publishers: 'Éditeurs',
      publishersText:
        'Enregistrez des travaux, de nouvelles versions et des corrections par l’API, ou importez du BibTeX et du RIS.',
      yourOrganization: 'Votre organisation',
      researchers: 'Chercheurs',
      researchersText:
        'Votre propre profil\u00a0: vous décidez qui peut y écrire, et vous pouvez annuler ce qui y a été écrit.',
      createAccount: 'Créer un compte',
      harvesters: 'Moissonneurs',
      harvestersText: 'Toutes les métadonnées par OAI-PMH 2.0 et par flux, sans clé d’API.',
      feed: 'Flux des travaux',
      sitemap: 'Plan du site',
      verifiers: 'Vérificateurs',
      verifiersText:
        'Tout le journal en tuiles, avec ses points de contrôle et ses clés. Ouvert à tous.',
      log: 'Le journal',
      checkpoint: 'Point de contrôle',
      monitor: 'Exploiter un moniteur',
      newWorks: 'Nouveaux travaux',
    },
    kinds: {
      role_contact_person: 'personne à contacter',
      role_data_collector: 'collecteur de données',
      role_data_curator: 'curateur de données',
      role_data_manager: 'gestionnaire de données',
      role_distributor: 'distributeur',
      role_editor: 'directeur d’édition',
      role_hosting_institution: 'établissement hébergeur',
      role_producer: 'producteur',
      role_project_leader: 'responsable de projet',
      role_project_manager: 'chef de projet',
      role_project_member: 'membre du projet',
      role_registration_agency: 'agence d’enregistrement',
      role_registration_authority: 'autorité d’enregistrement',
      role_related_person: 'personne liée',
      role_researcher: 'chercheur',
      role_research_group: 'groupe de recherche',
      role_rights_holder: 'titulaire des droits',
      role_sponsor: 'parrain',
      role_supervisor: 'directeur de recherche',
      role_translator: 'traducteur',
      role_work_package_leader: 'responsable de lot de travaux',
      role_chair: 'président',
      role_reviewer: 'évaluateur',
      role_review_assistant: 'assistant d’évaluation',
      role_statistics_reviewer: 'évaluateur statistique',
      role_external_reviewer: 'évaluateur externe',
      role_reader: 'lecteur',
      role_corresponding_author: 'auteur correspondant',
      role_other: 'autre',
      title_subtitle: 'sous-titre',
      title_translated: 'traduit',
      title_alternative: 'alternatif',
      title_original: 'original',
      title_original_subtitle: 'sous-titre original',
      title_short: 'abrégé',
      title_other: 'autre',
      text_abstract: 'Résumé',
      text_methods: 'Méthodes',
      text_series_information: 'Informations sur la collection',
      text_table_of_contents: 'Table des matières',
      text_technical_info: 'Informations techniques',
      text_plain_language: 'Résumé en langage clair',
      text_other: 'Autre texte',
      date_accepted: 'Accepté',
      date_approved: 'Approuvé',
      date_available: 'Disponible',
      date_collected: 'Collecté',
      date_copyrighted: 'Droits d’auteur',
      date_coverage: 'Période couverte',
      date_created: 'Créé',
      date_issued: 'Diffusé',
      date_online: 'En ligne',
      date_posted: 'Mis en ligne',
      date_print: 'Imprimé',
      date_received: 'Reçu',
      date_submitted: 'Soumis',
      date_updated: 'Mis à jour',
      date_valid: 'Valable',
      date_withdrawn: 'Retiré',
      date_other: 'Autre',
      file_content: 'contenu',
      file_supplement: 'supplément',
      file_text_mining: 'fouille de textes',
      file_similarity_checking: 'détection de similitudes',
      // Unsure: Crossref’s word for copies that other services take.
      file_syndication: 'syndication',
      file_landing_page: 'page de présentation',
      file_other: 'autre',
      use_version_of_record: 'pour la version publiée',
      use_accepted_manuscript: 'pour le manuscrit accepté',
      use_submitted_manuscript: 'pour le manuscrit soumis',
      use_text_mining: 'pour la fouille de textes',
      use_article_sharing: 'pour le partage de l’article',
      use_other: 'pour un autre usage',
      stage_version_of_record: 'version publiée',
      stage_accepted_manuscript: 'manuscrit accepté',
      stage_submitted_manuscript: 'manuscrit soumis',
      access_open: 'ouvert',
      access_embargoed: 'sous embargo',
      access_restricted: 'restreint',
      access_metadata_only: 'métadonnées seules',
    },
    landing: {
      version: 'Version {$number}',
      marked: '{$mark}\u00a0: {$title}',
      changesFeed: 'Modifications de ce travail',
      citeAs: 'Citer comme',
      toNewest: 'Mène toujours à la dernière version. {#link}Lien vers cette version{/link}',
      thisIsMine: 'Je suis auteur de ce travail',
      checkedAgo: 'contrôlé {$ago}',
      receipt: 'Reçu',
      registeredOn: 'enregistré le {$time}',
      openContent: 'Ouvrir le contenu',
      openPage: 'Ouvrir la page de l’éditeur',
      elsewhere: 'sur {$host}, hors de ce registre',
      abstract: 'Résumé',
      noAbstract: 'Ce travail n’a pas de résumé.',
      formulaSources: 'Source des formules',
      sandbox:
        '{#strong}Bac à sable\u00a0: ne pas citer.{/strong} Cette notice est un test. Son ARK n’est pas pérenne.',
      older:
        '{#strong}Il existe une version plus récente.{/strong} Ceci est la version {$number}. {#link}Voir la version {$newest}, la dernière{/link}.',
      withdrawnTitle: 'Retiré',
      lost: 'Métadonnées perdues',
      erased: 'Métadonnées effacées',
      withdrawnOn: '{#strong}Ce travail a été retiré{/strong} le {$time}, {$why}.',
      withdrawnBy: '{#strong}Ce travail a été retiré{/strong} le {$time} par {$who}, {$why}.',
      instead: 'Utilisez plutôt ce travail\u00a0: {$link}.',
      erasedOn:
        'Nous avons effacé ses métadonnées le {$time}. Les empreintes restent et prouvent toujours ce qui a été enregistré.',
      remains:
        'Son ARK ne désigne jamais un autre travail. Ses reçus restent valables. Nous ne renvoyons plus à son contenu.',
      cite: 'Citer ce travail',
      citationStyle: 'Style de citation',
      copyCitation: 'Copier la citation',
      plainText: 'En texte brut',
      forManagers: 'Pour les logiciels de gestion bibliographique',
      otherStyle: 'Autre style',
      styleByName: 'Autre style, par son nom dans {#link}la liste{/link}',
      forPrograms: 'Pour les programmes',
      // Unsure: the link set of RFC 9264 has no settled name in French.
      linkSet: 'Ensemble de liens',
      atomFeed: 'Flux Atom',
      oaiRecord: 'Notice OAI-PMH',
      researcher: 'un chercheur, {#link}{$id}{/link}',
      registryItself: 'ce registre, automatiquement',
      operator: 'l’opérateur de ce registre',
      moreAuthors: `.input {$count :integer} .match $count
        one {{{$count} auteur de plus}}
        * {{{$count} auteurs de plus}}`,
      unnamedAuthors: `.input {$count :integer} .match $count
        one {{La notice JSON nomme {$count} auteur de plus.}}
        * {{La notice JSON nomme {$count} auteurs de plus.}}`,
      somebody: 'Une personne qui a un profil ici',
      unplaced: '{$name}\u00a0: {$mark}, mais on ne sait pas de quel auteur il s’agit.',
      byAdmin: 'confirmé par un administrateur',
      byOrcid: 'connecté avec ORCID',
      byThem: 'enregistré par cette personne',
      byBoth: 'confirmé par l’éditeur et la personne',
      byPublisher: 'nommé par l’éditeur, avec l’accord de la personne',
      orcid: 'ORCID iD {$id}',
      orcidSaid: 'ORCID iD {$id}, non confirmé par son titulaire',
      versions: 'Versions',
      newerVersions: `.input {$count :integer} .match $count
        one {{{$count} version plus récente\u00a0: {#link}la dernière{/link}}}
        * {{{$count} versions plus récentes, jusqu’à {#link}la dernière{/link}}}`,
      olderVersions: `.input {$count :integer} .match $count
        one {{{$count} version plus ancienne\u00a0: {#link}la version {$number}{/link}}}
        * {{{$count} versions plus anciennes, à partir de {#link}la version {$number}{/link}}}`,
      earlierVersions: `.input {$count :integer} .match $count
        one {{{$count} version antérieure}}
        * {{{$count} versions antérieures}}`,
      thisPage: 'cette page',
      compare: 'Comparer',
      compareWith: 'Comparer la version {$number} avec la version précédente',
      firstVersion: 'Enregistré.',
      newVersion: 'Nouvelle version, modifié\u00a0: {$fields}.',
      changed: 'Modifié\u00a0: {$fields}.',
      history: 'Qui a modifié quoi',
      registeredBy: 'Enregistré le {$time} par {$who}. L’historique garde chaque modification.',
      earlierChanges: `.input {$count :integer} .match $count
        one {{{$count} modification antérieure}}
        * {{{$count} modifications antérieures}}`,
      historyJson: 'L’historique en JSON',
      wholeHistoryJson: 'Tout l’historique en JSON',
      event: '{$time} {$what}, par {$who}',
      eventRegistered: 'Enregistré',
      eventVersion: 'Version {$number}, modifié\u00a0: {$fields}',
      eventWithdrawn: 'Retiré',
      eventErased: 'Métadonnées effacées',
      eventLost: 'Perte des métadonnées constatée',
      eventVerified: 'Contenu trouvé tel qu’enregistré',
      eventFailed: 'Contenu trouvé modifié',
      eventUnreachable: 'Contenu non confirmé',
      eventVerifiedOf: 'Contenu de la version {$number} trouvé tel qu’enregistré',
      eventFailedOf: 'Contenu de la version {$number} trouvé modifié',
      eventUnreachableOf: 'Contenu de la version {$number} non confirmé',
      fixity: 'Contrôle du contenu',
      checkedElsewhere: 'Les contrôles continuent {#link}avec la dernière version{/link}.',
      neverRead:
        'Nous ne contrôlons pas le contenu des travaux retirés. Nous ne l’avons jamais lu.',
      lastRead: 'Nous ne contrôlons pas le contenu des travaux retirés. Dernière lecture {$ago}.',
      queued: 'Nous n’avons pas encore lu le contenu. Il est dans la file d’attente.',
      queuedDeclared:
        'Nous n’avons pas encore lu le contenu. Il est dans la file d’attente. D’ici là, son empreinte est seulement celle que l’éditeur a déclarée.',
      unchanged: 'Vu inchangé pour la dernière fois {$ago}.',
      unchangedInARow: `.input {$count :integer} .match $count
        one {{Vu inchangé pour la dernière fois {$ago}, lors de {$count} contrôle.}}
        * {{Vu inchangé pour la dernière fois {$ago}, lors de {$count} contrôles de suite.}}`,
      isChanged: 'Le contenu n’est pas celui qui a été enregistré. Dernier contrôle {$ago}.',
      notConfirmed:
        'Nous n’avons pas pu confirmer le contenu\u00a0: {$reason}. Dernier essai {$ago}. Cela ne veut pas dire qu’il a changé.',
      noContent: 'il n’y en avait pas',
      isLandingPage:
        'L’adresse mène à une page de présentation, pas à un fichier\u00a0: il n’y a pas de contenu à comparer. L’éditeur peut fournir l’adresse du fichier lui-même. Dernier essai {$ago}.',
      changedNotice:
        '{#strong}Le contenu a changé.{/strong} Ce que nous avons lu n’est pas ce qui a été enregistré. {#link}Comparez les empreintes{/link} avant de vous y fier.',
      changedNoticeOn:
        '{#strong}Le contenu a changé.{/strong} Ce que nous avons lu le {$time} n’est pas ce qui a été enregistré. {#link}Comparez les empreintes{/link} avant de vous y fier.',
      declaredHash: 'Empreinte déclarée',
      registeredHash: 'Empreinte enregistrée',
      hash: 'Empreinte',
      noneYet: 'pas encore',
      notReadYet: 'pas encore lu',
      hashFound: 'Empreinte trouvée depuis',
      hashFoundOn: 'lue le {$time}, différente de l’empreinte enregistrée',
      firstRead: 'comme lue ici la première fois',
      asDeclared: 'comme lue ici la première fois, identique à la déclaration',
      notAsDeclared: 'comme lue ici la première fois, différente de l’empreinte déclarée',
      lastCheck: 'Dernier contrôle',
      nextCheck: 'Prochain contrôle à partir du',
      checks: 'Contrôles',
      earlierChecks: `.input {$count :integer} .match $count
        one {{{$count} contrôle antérieur}}
        * {{{$count} contrôles antérieurs}}`,
      checkVerified: 'Inchangé',
      checkFailed: 'Modifié',
      checkUnreachable: 'Non confirmé',
      justNow: 'il y a moins d’une minute',
      theReceipt: 'Le reçu',
      says_registered:
        'Il dit que cette version a été enregistrée le {$time} avec exactement ces métadonnées.',
      says_content:
        'Il dit que cette version a été enregistrée avec exactement ces métadonnées, et que son contenu a été confirmé le {$time}.',
      says_content_on:
        'Il dit que cette version a été enregistrée le {$registered} avec exactement ces métadonnées, et que son contenu a été confirmé le {$time}.',
      says_tombstoned:
        'Il dit que ce travail a été retiré le {$time}. Ses empreintes disent ce qu’était le travail.',
      signedAs: `.input {$index :integer} .input {$size :integer} .match $size
        one {{Signé comme {#entry}entrée {$index}{/entry} du {#log}journal public{/log}, qui a {$size} entrée.}}
        * {{Signé comme {#entry}entrée {$index}{/entry} du {#log}journal public{/log}, qui a {$size} entrées.}}`,
      whatWasSigned: 'Ce qui a été signé',
      metadataHash: 'Empreinte des métadonnées',
      contentHash: 'Empreinte du contenu',
      rootHash: 'Empreinte racine du journal',
      signingKey: 'Clé de signature',
      checkHere: 'Vérifiez-le dans ce navigateur',
      checkHereText:
        'Votre navigateur obtient de ce site le reçu, les métadonnées et les clés, et fait lui-même tous les calculs.',
      checkReceipt: 'Vérifier le reçu',
      newestVersion: 'La version la plus récente',
      provenNewest: 'C’est la version la plus récente ({$when})',
      provenSuperseded: 'La version {$number} est plus récente ({$when})',
      provenWithdrawn: 'Retirée ({$when})',
      provenAbsent: 'Cet ARK n’a jamais été enregistré ici ({$when})',
      provenNotYet:
        'Pas encore connu : cette version est postérieure à la carte la plus récente ({$when})',
      provenContradictory: 'Le journal se contredit au sujet de cet ARK ({$when})',
      asTold: 'd’après le registre',
      asSeen: 'à {$time}, vu par {$signed} témoins sur {$of}',
      checkLimits:
        'Des clés venant du même site prouvent seulement que tout ici concorde. Pour ne dépendre de rien de ce que dit ce site aujourd’hui, vérifiez hors ligne avec des clés que vous avez gardées auparavant.',
      yourCopy: 'Votre copie du contenu',
      staysHere: '(facultatif\u202f; elle reste sur votre appareil)',
      checkOffline: 'Vérifiez-le hors ligne',
      checkOfflineText:
        'Le reçu est un fichier à part. Il se prouve lui-même, même si ce registre n’existe plus.',
      receiptFile: 'Fichier du reçu',
      allProofs: 'Toutes les preuves',
      inclusionProof: 'Preuve d’inclusion',
      allEntries: 'Toutes les entrées de ce travail',
      newestCheckpoint: 'Dernier point de contrôle',
      publishedKeys: 'Clés publiées',
      relatedWorks: 'Travaux liés',
      allRelated: 'Tous les travaux liés',
      hasNotice: 'A un avis ({$kind})\u00a0:',
      isNotice: 'Est un avis ({$kind}) sur',
      relatedLead:
        'de {$work}\u00a0: d’abord ce que le travail dit lui-même, puis ce que d’autres travaux ici en disent, les plus récents d’abord.',
      noneRelated: 'Il n’y en a pas.',
      sameJson: 'La même chose en JSON',
    },
    mails: {
      hello: 'Bonjour,',
      verifySubject: 'Confirmez votre adresse électronique',
      verifyText:
        'Vous (ou quelqu’un avec votre adresse) avez créé un compte sur {$registry}. Si c’était ' +
        'vous, confirmez l’adresse en ouvrant cette page sous deux jours\u00a0:',
      verifyElse:
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: l’adresse reste non confirmée.',
      resetSubject: 'Choisissez un nouveau mot de passe',
      resetText:
        'Quelqu’un a demandé un nouveau mot de passe pour votre compte sur {$registry}. Si c’était ' +
        'vous, choisissez-le sur cette page dans l’heure. Elle sert une fois\u00a0:',
      resetElse:
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: votre mot de passe ne change pas.',
      unlockSubject: 'Trop de mots de passe ont été essayés pour votre compte',
      unlockText:
        'Quelqu’un a essayé trop de mots de passe pour votre compte sur {$registry}. Pendant un ' +
        'moment, nous les refusons tous, sauf dans les navigateurs où vous vous êtes déjà ' +
        'connecté. Pour utiliser un autre navigateur, ouvrez-y cette page dans l’heure. Elle sert ' +
        'une fois\u00a0:',
      unlockElse:
        'Votre mot de passe ne change pas. S’il est facile à deviner, choisissez-en un autre.',
      passwordSubject: 'Votre mot de passe a été changé',
      passwordText:
        'Le mot de passe de votre compte sur {$registry} a été changé, et les autres navigateurs ' +
        'ont été déconnectés. Si ce n’était pas vous, choisissez-en un nouveau tout de suite\u00a0:',
      passwordByLink:
        'Votre compte sur {$registry} a un nouveau mot de passe, et tous les navigateurs ont été ' +
        'déconnectés.',
      passwordEnded:
        'Cette adresse n’était pas confirmée. Nous avons donc aussi mis fin aux clés du compte, à ' +
        'ses autorisations et aux comptes externes qui le connectaient. Voyez ici ce qui agit ' +
        'désormais pour vous\u00a0:',
      passwordLeft:
        'Des clés, des autorisations et des comptes externes agissent toujours pour lui. Si ' +
        'quelqu’un d’autre a pu avoir le compte, mettez fin sur cette page à ce qui n’est pas à ' +
        'vous\u00a0:',
      addressSubject: 'Votre adresse électronique a été changée',
      addressText:
        'Votre compte sur {$registry} a maintenant une autre adresse électronique. Si ce n’était ' +
        'pas vous, prévenez l’opérateur du registre\u00a0: cette adresse n’ouvre plus le compte.',
      secondOn: 'La seconde étape de votre connexion est activée',
      secondOff: 'La seconde étape de votre connexion est désactivée',
      secondOnText:
        'Désormais, votre compte sur {$registry} demande un code d’une application après le mot de ' +
        'passe.',
      secondOffText: 'Votre compte sur {$registry} ne demande plus de code après le mot de passe.',
      lookAtOnce:
        'Si vous ne vous y attendez pas, choisissez un nouveau mot de passe et regardez tout de ' +
        'suite cette page\u00a0:',
      passkeyAdded: 'Une clé d’accès a été ajoutée',
      passkeyRemoved: 'Une clé d’accès a été supprimée',
      passkeyAddedText:
        'La clé d’accès «\u00a0{$name}\u00a0» a été ajoutée à votre compte sur {$registry}.',
      passkeyRemovedText:
        'La clé d’accès «\u00a0{$name}\u00a0» a été supprimée de votre compte sur {$registry}.',
      recoverySubject: 'Un code de récupération a été utilisé',
      recoveryText: `.input {$left :integer} .match $left
        one {{Quelqu’un s’est connecté à votre compte sur {$registry} avec le mot de passe et un code de récupération. Il reste {$left} code. Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe. Créez de nouveaux codes ici\u00a0:}}
        * {{Quelqu’un s’est connecté à votre compte sur {$registry} avec le mot de passe et un code de récupération. Il reste {$left} codes. Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe. Créez de nouveaux codes ici\u00a0:}}`,
      invitationSubject: 'Vous êtes invité à rejoindre {$organization}',
      invitationText:
        '{$by} vous invite à rejoindre {$organization} sur {$registry}. Votre rôle\u00a0: {$role}. ' +
        'Acceptez ou refusez sur cette page sous une semaine. Vous vous y connectez ou créez un ' +
        'compte\u00a0:',
      invitationElse: 'Si cela ne vous concerne pas, vous n’avez rien à faire.',
      writeSubject: '{$by} a écrit dans votre profil',
      writeText:
        '{$by} a fait cette modification sur {$registry}, comme vous l’avez autorisé\u00a0: {$what}.',
      writeSee: 'Voyez ici ce qui a été écrit, annulez-le ou retirez l’autorisation\u00a0:',
      ProfileUpdated: 'votre profil a été modifié',
      ItemAdded: 'une affiliation ou formation a été ajoutée',
      ItemChanged: 'une affiliation ou formation a été modifiée',
      ItemRemoved: 'une affiliation ou formation a été supprimée',
      WorkRegistered: 'un travail a été enregistré pour vous',
      WorkVersioned: 'un de vos travaux a été modifié',
      WorkWithdrawn: 'un de vos travaux a été retiré',
      ClaimMade: 'un travail vous a été attribué',
      ClaimChanged: 'une revendication d’un de vos travaux a été modifiée',
      suspendedSubject: 'Suspendu\u00a0: {$name}',
      suspendedText:
        'Un administrateur de {$registry} a suspendu ceci\u00a0: {$name}. La raison\u00a0:',
      suspendedElse:
        'Jusqu’à la fin, nous refusons clés, jetons, webhooks, formulaires et connexions. Les ' +
        'travaux restent lisibles. Questions\u00a0: {$contact}',
      resumedSubject: 'N’est plus suspendu\u00a0: {$name}',
      resumedText:
        'La suspension sur {$registry} est terminée\u00a0: {$name}. Tout fonctionne comme avant. Les ' +
        'webhooks reçoivent maintenant les événements manqués.',
      withheldSubject: 'Accès suspendu\u00a0: {$name}',
      withheldText:
        'L’opérateur de {$registry} suspend pour l’instant l’accès à ceci\u00a0: {$name}. Les lecteurs ' +
        'voient aussi la raison\u00a0:',
      withheldElse:
        'Nous n’affichons ni sa page, ni son contenu, ni ses citations. Rien n’est retiré. ' +
        'Questions\u00a0: {$contact}',
      shownSubject: 'De nouveau visible\u00a0: {$name}',
      shownText: 'L’opérateur de {$registry} a rétabli l’accès à ceci\u00a0: {$name}.',
      nameOrganization: 'organisation {$id}',
      nameAccount: 'compte {$id}',
      nameApplication: 'application {$id}',
      nameWork: 'travail {$id}',
      webhookSubject: 'Un webhook de {$owner} est en pause',
      webhookText:
        'Le registre {$registry} n’envoie plus rien à un webhook de {$owner}. La raison\u00a0: {$reason}. Le webhook\u00a0: {$address}',
      webhookResume:
        'Rien n’est perdu\u00a0: quand vous le reprendrez, il continuera là où il s’est arrêté. Voyez ses envois et reprenez-le ici\u00a0:',
      newsToDo: '{$toDo}\u00a0:',
      newsRegistry: 'Registre\u00a0: {$registry}',
      ownerSubject: '{$organization} a un nouveau propriétaire',
      ownerText:
        'L’opérateur de {$registry} a nommé un propriétaire de {$organization}. Voyez ici les ' +
        'propriétaires\u00a0:',
      role_owner: 'propriétaire',
      role_editor: 'rédacteur',
      role_viewer: 'lecteur',
    },
    owners: {
      registered: `.input {$count :integer} .match $count
        one {{{$count} travail enregistré ici}}
        * {{{$count} travaux enregistrés ici}}`,
      authors: `.input {$count :integer} .match $count
        one {{{$count} auteur vérifié}}
        * {{{$count} auteurs vérifiés}}`,
      alsoKnownAs: 'Aussi appelé',
      website: 'Site web',
      country: 'Pays',
      registryName: 'Nom dans le registre',
      since: 'Ici depuis',
      newestFirst: 'Travaux, du plus récent au plus ancien',
      noWorks: 'Cet éditeur n’a encore enregistré aucun travail.',
      searchThese: 'Chercher dans ces travaux',
      statistics: 'Statistiques de ces travaux',
      forPrograms: 'Pour les programmes\u00a0:',
      oaiSet: 'Ensemble OAI-PMH',
      identifier: 'Identifiant',
      links: 'Liens',
      works: 'Travaux',
      filterThese: 'Chercher et filtrer ces travaux',
      affiliations: 'Affiliations',
      education: 'Formation',
      profileJson: 'ce profil en JSON',
      testPerson: '{#strong}Bac à sable\u00a0:{/strong} ceci est une personne de test.',
      orcidSignedIn: 'connexion effectuée avec',
      notConfirmed: 'non confirmé',
      claimedBy: 'Attribué par {$by} le {$day}.',
      byRegistrant: 'Confirmé par l’éditeur du travail.',
      byOrcid: 'La personne s’est connectée avec un ORCID iD que le travail mentionne.',
      byAdmin: 'Décidé par un administrateur de ce registre.',
      thePerson: 'la personne elle-même',
      anApplication: 'une application de la personne',
      theOperator: 'l’opérateur de ce registre',
      addedBy: 'ajoutée par {$by} le {$day}',
      changedOn: 'ajoutée par {$by} le {$day}, modifiée le {$changed}',
      contested: 'contestée par la personne',
    },
    record: {
      details: 'Détails',
      type: 'Type',
      published: 'Publication',
      publisher: 'Éditeur',
      publishedIn: 'Publié dans',
      language: 'Langue',
      license: 'Licence',
      keywords: 'Mots-clés',
      funding: 'Financement',
      related: 'Liens',
      content: 'Contenu',
      volume: 'volume {$number}',
      issue: 'numéro {$number}',
      pages: 'pages {$pages}',
      numbered: 'n° {$number}',
      award: '{$funder}, subvention {$award}',
      contributors: 'Contributeurs',
      moreTexts: 'Autres textes',
      inLanguage: '{$text} ({$language})',
      moreDetails: 'Plus de détails',
      otherTitles: 'Autres titres',
      kind: 'Nature',
      contentVersion: 'Version du contenu',
      changesInVersion: 'Changements dans cette version',
      preprintGroup: 'Groupe de prépublications',
      review: 'Évaluation',
      dates: 'Dates',
      subjects: 'Sujets',
      degree: 'Diplôme',
      institutions: 'Établissements',
      event: 'Événement',
      shortTitle: 'Titre abrégé de la revue',
      issueTitle: 'Titre du numéro',
      edition: 'Édition',
      articleNumber: 'Numéro d’article',
      chapter: 'Chapitre',
      series: 'Collection',
      seriesIssn: 'ISSN de la collection',
      publisherPlace: 'Lieu de l’éditeur',
      rights: 'Droits',
      access: 'Accès',
      places: 'Lieux',
      size: 'Taille',
      formats: 'Formats',
      otherIdentifiers: 'Autres identifiants',
      clinicalTrials: 'Essais cliniques',
      archives: 'Archives',
      fromPublisher: 'De l’éditeur',
      span: '{$from} – {$to}',
      since: 'depuis {$from}',
      until: 'jusqu’à {$to}',
      from: 'à partir de {$from}',
      freeToRead: 'en lecture libre',
      sponsoredBy: 'parrainé par {$names}',
      round: 'tour {$number}',
      recommends: 'recommande\u00a0: {$what}',
      competingInterests: 'conflits d’intérêts\u00a0: {$what}',
      polygon: `.input {$corners :integer} .match $corners
        one {{polygone à {$corners} sommet}}
        * {{polygone à {$corners} sommets}}`,
      north: '{$degrees}° N',
      south: '{$degrees}° S',
      east: '{$degrees}° E',
      west: '{$degrees}° O',
      files: 'Fichiers',
      bytes: `.input {$count :integer} .match $count
        one {{{$count} octet}}
        * {{{$count} octets}}`,
      readOn: 'lu le {$time}',
      relatedItems: 'Éléments liés',
      references: 'Références ({$count :integer})',
    },
    relations: {
      IsCitedBy: 'Est cité par',
      Cites: 'Cite',
      IsSupplementTo: 'Est un supplément à',
      IsSupplementedBy: 'A pour supplément',
      IsContinuedBy: 'Est continué par',
      Continues: 'Continue',
      IsDescribedBy: 'Est décrit par',
      Describes: 'Décrit',
      HasMetadata: 'A pour métadonnées',
      IsMetadataFor: 'Est la métadonnée de',
      HasVersion: 'A pour version',
      IsVersionOf: 'Est une version de',
      IsNewVersionOf: 'Est une nouvelle version de',
      IsPreviousVersionOf: 'Est une version antérieure de',
      IsPartOf: 'Fait partie de',
      HasPart: 'A pour partie',
      IsPublishedIn: 'Est publié dans',
      IsReferencedBy: 'Est référencé par',
      References: 'Référence',
      IsDocumentedBy: 'Est documenté par',
      Documents: 'Documente',
      IsCompiledBy: 'Est compilé par',
      Compiles: 'Compile',
      IsVariantFormOf: 'Est une variante de',
      IsOriginalFormOf: 'Est la forme originale de',
      IsIdenticalTo: 'Est identique à',
      IsReviewedBy: 'Est évalué par',
      Reviews: 'Évalue',
      IsDerivedFrom: 'Est dérivé de',
      IsSourceOf: 'Est la source de',
      IsRequiredBy: 'Est requis par',
      Requires: 'Requiert',
      IsObsoletedBy: 'Est rendu obsolète par',
      Obsoletes: 'Rend obsolète',
      IsCollectedBy: 'Est rassemblé par',
      Collects: 'Rassemble',
      IsTranslationOf: 'Est une traduction de',
      HasTranslation: 'A pour traduction',
      Other: 'Est lié à',
      hasPublished: 'A publié',
    },
    search: {
      box: 'Que cherchez-vous\u202f?',
      example: 'Titre, auteur, mots, ARK, DOI ou ORCID iD',
      search: 'Rechercher',
      title: '{$typed} · Recherche',
      heading: 'Chercher dans le registre',
      moreFields: 'Plus de champs',
      howTo: 'Comment chercher',
      yearExample: '2024 ou 2019-2024',
      kinds: 'Que chercher',
      works: 'Travaux',
      people: 'Personnes',
      organizations: 'Organisations',
      countWorks: `.input {$count :integer} .match $count
        one {{{$count} travail}}
        * {{{$count} travaux}}`,
      countPeople: `.input {$count :integer} .match $count
        one {{{$count} personne}}
        * {{{$count} personnes}}`,
      countOrganizations: `.input {$count :integer} .match $count
        one {{{$count} organisation}}
        * {{{$count} organisations}}`,
      countAuthors: `.input {$count :integer} .match $count
        one {{{$count} auteur vérifié}}
        * {{{$count} auteurs vérifiés}}`,
      moreThanWorks: 'Plus de {$count :integer} travaux',
      moreThanPeople: 'Plus de {$count :integer} personnes',
      moreThanOrganizations: 'Plus de {$count :integer} organisations',
      inRegistry: '{$amount} dans ce registre',
      continued: '{$amount}, suite',
      onPage: '{$amount}, page {$page}',
      order: 'Ordre',
      relevance: 'Pertinence',
      newest: 'Plus récents',
      published: 'Publication',
      byTitle: 'Titre',
      byName: 'Nom',
      filters: 'Filtres',
      partly: 'Compté sur les {$count :integer} résultats les plus récents.',
      filtersInUse: 'Filtres utilisés',
      removeFilter: 'Retirer {$filter}',
      filter: '{$name}\u00a0: {$value}',
      clearAll: 'Tout effacer',
      moreValues: '{$count :integer} de plus',
      chosen: '{$value}, sélectionné\u00a0: retirer',
      from: 'De',
      to: 'à',
      singleYears: 'Année par année',
      resultsByYear: 'Résultats par année',
      untilYear: 'jusqu’à {$year}',
      sinceYear: '{$year} et après',
      yes: 'oui',
      no: 'non',
      type: 'Type',
      year: 'Année',
      organization: 'Enregistré par',
      publisher: 'Éditeur',
      journal: 'Revue',
      funder: 'Financeur',
      language: 'Langue',
      license: 'Licence',
      status: 'État',
      fixity_status: 'Contrôle du contenu',
      notice: 'Avis',
      related_to: 'Lié à',
      author: 'Auteur',
      keyword: 'Mot-clé',
      orcid: 'ORCID iD',
      ppid: 'Personne',
      created_from: 'Enregistré à partir du',
      created_to: 'Enregistré jusqu’au',
      has_doi: 'A un DOI',
      affiliation: 'Affiliation',
      ror: 'Identifiant ROR',
      country: 'Pays',
      registeredBy: 'enregistré par {$name}',
      andMore: '{$names} et {$count :integer} de plus',
      pages: 'Pages',
      page: 'Page {$number}',
      firstPage: 'Première page',
      previous: 'Précédent',
      next: 'Suivant',
      moreResults: 'Plus de résultats',
      allShown: 'Vous avez vu tous les résultats.',
      takeAlong: 'Enregistrer ou suivre ces résultats',
      saveAll: 'Tout télécharger\u00a0:',
      follow: 'Suivre\u00a0:',
      saveLabel: 'Télécharger tous les résultats',
      followLabel: 'Suivre cette recherche',
      statistics: 'Statistiques',
      feedTitle: '{$feed} de cette recherche',
      unranked:
        'Trop de résultats pour les classer\u00a0: les plus récents viennent d’abord. Ajoutez un mot.',
      notCommand:
        '{#q}{$typed}{/q} n’est pas une commande ici, nous l’avons donc cherché comme mots. Vous pouvez écrire {#code}author:{/code} et {#code}title:{/code} avant un mot.',
      otherForms: 'D’autres travaux ont d’autres formes de ces mots\u00a0: {$link}',
      searchedForms:
        'Rien ne contient tout {#q}{$typed}{/q}, nous avons donc cherché d’autres formes de ces mots\u00a0: {$link}',
      didYouMean: 'Vouliez-vous dire {$link}\u202f?',
      searchedMeant:
        'Rien ne contient tout {#q}{$typed}{/q}. Vouliez-vous dire {$link}\u202f? C’est ce que nous avons cherché.',
      noneYetWorks: 'Il n’y a pas encore de travaux ici',
      noneYetPeople: 'Il n’y a pas encore de personnes ici',
      noneYetOrganizations: 'Il n’y a pas encore d’organisations ici',
      firstPageSays:
        'La {#link}page d’accueil{/link} explique comment enregistrer le premier travail.',
      noWorks: 'Aucun travail trouvé',
      noPeople: 'Aucune personne trouvée',
      noOrganizations: 'Aucune organisation trouvée',
      elsewhere: 'D’autres pages contiennent ces mots\u00a0:',
      removeAFilter: 'Retirez un filtre ci-dessus.',
      fewerWords: 'Utilisez moins de mots\u00a0: les résultats les contiennent tous.',
      nameAsSigned:
        'Écrivez un nom comme la personne le signe. Les accents et les majuscules ne comptent pas.',
      identifiers: 'Un ARK, un DOI ou un ORCID iD mène directement à sa notice.',
      refused: 'Nous ne pouvons pas chercher cela',
      ended: 'Cette recherche prend trop de temps',
      unavailable: 'La recherche n’est pas disponible pour le moment',
      wordsAlone: 'Chercher seulement ces mots',
      stillTyped:
        'Ce que vous avez saisi est toujours dans le champ. Vous pouvez toujours ouvrir les travaux par leur ARK.',
      tryAgain: 'Réessayer',
    },
    standing: {
      verified: 'Contenu inchangé',
      pending: 'Contenu pas encore contrôlé',
      failed: 'Contenu modifié',
      unreachable: 'Contenu non confirmé',
      landingPage: 'Page de présentation',
      active: 'Enregistré',
      withdrawn: 'Retiré',
      all: 'Tous',
      retraction: 'Rétracté',
      partial_retraction: 'Partiellement rétracté',
      removal: 'Supprimé',
      withdrawal: 'Retiré par son éditeur',
      expression_of_concern: 'Mise en garde',
      correction: 'Corrigé',
      corrigendum: 'Corrigé',
      erratum: 'Corrigé',
      addendum: 'Addendum',
      clarification: 'Clarifié',
      new_edition: 'Nouvelle édition',
      new_version: 'Nouvelle version',
      noticeOf: `.input {$kind :string} .match $kind
        retraction {{{#strong}Ce travail a été rétracté{/strong}{$when}{$who}.}}
        partial_retraction {{{#strong}Une partie de ce travail a été rétractée{/strong}{$when}{$who}.}}
        removal {{{#strong}Le contenu de ce travail a été supprimé{/strong}{$when}{$who}.}}
        withdrawal {{{#strong}L’éditeur a retiré ce travail{/strong}{$when}{$who}.}}
        expression_of_concern {{{#strong}Ce travail fait l’objet d’une mise en garde{/strong}{$when}{$who}.}}
        addendum {{{#strong}Ce travail a un addendum{/strong}{$when}{$who}.}}
        clarification {{{#strong}Ce travail a été clarifié{/strong}{$when}{$who}.}}
        new_edition {{{#strong}Ce travail a une nouvelle édition{/strong}{$when}{$who}.}}
        new_version {{{#strong}Ce travail a une nouvelle version{/strong}{$when}{$who}.}}
        * {{{#strong}Ce travail a été corrigé{/strong}{$when}{$who}.}}`,
      whenNoticed: ' le {$date}',
      whoNoticed: ' par {$name}',
      notice: 'Avis\u00a0: {$link}.',
      noticeBy: `.input {$kind :string} .match $kind
        retraction {{Ce travail {#strong}rétracte{/strong} {$other}{$when}.}}
        partial_retraction {{Ce travail {#strong}rétracte une partie de{/strong} {$other}{$when}.}}
        removal {{Ce travail {#strong}supprime{/strong} {$other}{$when}.}}
        withdrawal {{Ce travail {#strong}retire{/strong} {$other}{$when}.}}
        expression_of_concern {{Ce travail {#strong}met en garde contre{/strong} {$other}{$when}.}}
        addendum {{Ce travail {#strong}complète{/strong} {$other}{$when}.}}
        clarification {{Ce travail {#strong}clarifie{/strong} {$other}{$when}.}}
        new_edition {{Ce travail {#strong}est une nouvelle édition de{/strong} {$other}{$when}.}}
        new_version {{Ce travail {#strong}est une nouvelle version de{/strong} {$other}{$when}.}}
        * {{Ce travail {#strong}corrige{/strong} {$other}{$when}.}}`,
      because_author_request: 'à la demande de ses auteurs',
      because_retraction: 'parce qu’il a été rétracté. Ne vous fiez pas à ses résultats',
      because_duplicate: 'parce qu’il est aussi enregistré ailleurs',
      because_copyright: 'parce que d’autres détiennent des droits sur lui',
      because_fraud: 'pour fraude',
      because_court_order: 'sur décision de justice',
      because_rights_of_others: 'parce que d’autres détiennent des droits sur lui',
      because_personal_data: 'parce qu’il contient des données personnelles',
      because_legal: 'pour des raisons juridiques',
      because_test: 'parce que c’était un test',
      because_other: 'pour une autre raison',
      because_data_lost: 'parce que le registre a perdu sa notice',
    },
    types: {
      article: 'Article',
      preprint: 'Prépublication',
      review_article: 'Article de synthèse',
      editorial: 'Éditorial',
      letter: 'Lettre',
      data_paper: 'Article de données',
      book: 'Livre',
      book_chapter: 'Chapitre de livre',
      conference_paper: 'Communication de congrès',
      proceedings: 'Actes de congrès',
      poster: 'Poster',
      presentation: 'Présentation',
      thesis: 'Thèse',
      report: 'Rapport',
      working_paper: 'Document de travail',
      dataset: 'Jeu de données',
      software: 'Logiciel',
      workflow: 'Flux de travaux',
      peer_review: 'Évaluation par les pairs',
      patent: 'Brevet',
      standard: 'Norme',
      image: 'Image',
      video: 'Vidéo',
      audio: 'Audio',
      data_management_plan: 'Plan de gestion de données',
      lecture: 'Cours',
      award: 'Subvention',
      collection: 'Collection',
      computational_notebook: 'Carnet de calcul',
      event: 'Événement',
      instrument: 'Instrument',
      interactive_resource: 'Ressource interactive',
      journal: 'Revue',
      model: 'Modèle',
      physical_object: 'Objet physique',
      project: 'Projet',
      service: 'Service',
      study_registration: 'Enregistrement d’étude',
      text: 'Texte',
      other: 'Autre',
    },
  } satisfies Catalogue<typeof english>,
})
