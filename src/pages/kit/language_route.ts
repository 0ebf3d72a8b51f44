import type { FastifyInstance } from 'fastify'

import { readPageQuery, textParameter } from '#src/edge/query_string.ts'
import { keepLanguage, languageParameter } from '#src/edge/reader_language.ts'
import type { CountRequest } from '#src/edge/request_limits.ts'
import { languagePath } from '#src/pages/kit/page.ts'
import { pageOptions } from '#src/pages/kit/public_page.ts'
import { languages } from '#src/words/languages.ts'

const parameters = {
  [languageParameter]: textParameter('The language.', /^[\w-]{2,35}$/, 'the tag of a language'),
  page: textParameter('The page.', /^\/[^]{0,4000}$/, 'the path of a page'),
}

/**
 * `GET /language?lang=…&page=…`: keeps in the browser which language its reader has chosen, and
 * leads back to the page, whose address names no language any more. `origin` is that of the pages.
 */
export function registerLanguageRoute(
  server: FastifyInstance,
  { count, origin }: { readonly count: CountRequest; readonly origin: string },
): void {
  server.get(languagePath, pageOptions({ count }, 'pages'), (request, reply) => {
    const { [languageParameter]: tag, page = '/' } = readPageQuery(request, parameters)
    const chosen = languages.find((language) => language.tag === tag)
    if (chosen !== undefined) keepLanguage(reply, chosen, origin)
    reply.header('cache-control', 'no-store')
    return reply.redirect(pathBack(page, origin), 303)
  })
}

/** A page of this origin without the language that its address names; the first one for others. */
function pathBack(page: string, origin: string): string {
  if (!URL.canParse(page, origin)) return '/'
  const url = new URL(page, origin)
  url.searchParams.delete(languageParameter)
  const path = url.pathname + url.search
  // What is sent to a browser is parsed once more there, and must lead here then, too.
  const leadsHere = url.origin === origin && new URL(path, origin).origin === origin
  return leadsHere ? path : '/'
}
