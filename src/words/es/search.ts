import type { search as english } from '#src/words/en/search.ts'
import type { Translation } from '#src/words/message.ts'

export const search: Translation<typeof english> = {
  box: '¿Qué busca?',
  example: 'Título, autor, palabras, ARK, DOI u ORCID iD',
  search: 'Buscar',
}
