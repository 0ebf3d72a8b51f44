import type { search as english } from '#src/words/en/search.ts'
import type { Translation } from '#src/words/message.ts'

export const search: Translation<typeof english> = {
  box: 'Que cherchez-vous\u202f?',
  example: 'Titre, auteur, mots, ARK, DOI ou ORCID iD',
  search: 'Rechercher',
}
