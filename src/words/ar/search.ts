import type { search as english } from '#src/words/en/search.ts'
import type { Translation } from '#src/words/message.ts'

export const search: Translation<typeof english> = {
  box: 'عمّ تبحث؟',
  example: 'العنوان أو المؤلف أو كلمات أو ARK أو DOI أو ORCID iD',
  search: 'بحث',
}
