import { comparison } from '#src/words/es/comparison.ts'
import { errors } from '#src/words/es/errors.ts'
import { figures } from '#src/words/es/figures.ts'
import { frame } from '#src/words/es/frame.ts'
import { home } from '#src/words/es/home.ts'
import { search } from '#src/words/es/search.ts'
import { standing } from '#src/words/es/standing.ts'
import { types } from '#src/words/es/types.ts'
import { Language } from '#src/words/language.ts'

export const spanish = new Language({
  tag: 'es',
  name: 'Español',
  translations: { comparison, errors, figures, frame, home, search, standing, types },
})
