import type { figures as english } from '#src/words/en/figures.ts'
import type { Translation } from '#src/words/message.ts'

export const figures: Translation<typeof english> = {
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
}
