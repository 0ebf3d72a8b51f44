import type { mails as english } from '#src/words/en/mails.ts'
import type { Translation } from '#src/words/message.ts'

export const mails: Translation<typeof english> = {
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
  ownerSubject: '{$organization} a un nouveau propriétaire',
  ownerText:
    'L’opérateur de {$registry} a nommé un propriétaire de {$organization}. Voyez ici les ' +
    'propriétaires\u00a0:',
  role_owner: 'propriétaire',
  role_editor: 'rédacteur',
  role_viewer: 'lecteur',
}
