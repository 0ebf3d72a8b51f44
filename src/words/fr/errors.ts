import type { errors as english } from '#src/words/en/errors.ts'
import type { Translation } from '#src/words/message.ts'

export const errors: Translation<typeof english> = {
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
}
