import type { search as english } from '#src/words/en/search.ts'
import type { Translation } from '#src/words/message.ts'

export const search: Translation<typeof english> = {
  box: 'O que você procura?',
  example: 'Título, autor, palavras, ARK, DOI ou ORCID iD',
  search: 'Pesquisar',
}
