import type { search as english } from '#src/words/en/search.ts'
import type { Translation } from '#src/words/message.ts'

export const search: Translation<typeof english> = {
  box: '您要查找什么？',
  example: '标题、作者、词语、ARK、DOI 或 ORCID iD',
  search: '检索',
}
