import type { search as english } from '#src/words/en/search.ts'
import type { Translation } from '#src/words/message.ts'

export const search: Translation<typeof english> = {
  box: 'Wonach suchen Sie?',
  example: 'Titel, Autor, Wörter, ARK, DOI oder ORCID iD',
  search: 'Suchen',
}
