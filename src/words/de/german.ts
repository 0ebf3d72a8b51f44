import { comparison } from '#src/words/de/comparison.ts'
import { errors } from '#src/words/de/errors.ts'
import { figures } from '#src/words/de/figures.ts'
import { frame } from '#src/words/de/frame.ts'
import { home } from '#src/words/de/home.ts'
import { landing } from '#src/words/de/landing.ts'
import { search } from '#src/words/de/search.ts'
import { standing } from '#src/words/de/standing.ts'
import { types } from '#src/words/de/types.ts'
import { Language } from '#src/words/language.ts'

export const german = new Language({
  tag: 'de',
  name: 'Deutsch',
  translations: { comparison, errors, figures, frame, home, landing, search, standing, types },
})
