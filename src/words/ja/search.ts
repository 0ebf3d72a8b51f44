import type { search as english } from '#src/words/en/search.ts'
import type { Translation } from '#src/words/message.ts'

export const search: Translation<typeof english> = {
  box: '何をお探しですか？',
  example: 'タイトル、著者、語句、ARK、DOI、ORCID iD',
  search: '検索',
}
