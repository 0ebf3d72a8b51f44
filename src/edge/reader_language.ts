import type { FastifyReply } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'

import { cookieValues } from '#src/edge/credentials.ts'
import { textParameter } from '#src/edge/query_string.ts'
import { varyBy } from '#src/edge/reply_coding.ts'
import { english, type Language } from '#src/words/language.ts'
import { acceptedLanguage, languageOf, languages } from '#src/words/languages.ts'

/** The query parameter by which an address names the language of a page. */
export const languageParameter = 'lang'

const tags = languages.map(({ tag }) => tag)

/** The same as it is described, for addresses of programs that have texts for readers. */
export const languageParameters = {
  [languageParameter]: textParameter(
    `The language of the sentences: ${tags.join(', ')}. Without it, that of \`Accept-Language\`.`,
    new RegExp(`^(?:${tags.join('|')})$`),
    tags.join(' or '),
  ),
}

/** The cookie that keeps what a reader has chosen. */
const languageCookie = 'arklog_language'

const languageSeconds = 365 * 86_400

/**
 * Keeps in a browser which language its reader has chosen, there or for their account. `origin` is
 * that of the pages.
 */
export function keepLanguage(reply: FastifyReply, language: Language, origin: string): void {
  const security = origin.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${languageSeconds}${security}`
  reply.header('set-cookie', `${languageCookie}=${language.tag}; ${attributes}`)
}

/** What of a request says in which language its reader wants a page. */
export type ReaderRequest = { readonly headers: IncomingHttpHeaders; readonly query: unknown }

/**
 * The language that a page is written in for a request: that of its address (`?lang=`), of what the
 * reader has chosen, or of what the browser accepts; English if nothing else is asked for.
 */
export function readerLanguage({ query, headers }: ReaderRequest): Language {
  const asked = addressLanguage(query) ?? chosenLanguage(headers)
  return asked ?? acceptedLanguage(headers['accept-language']) ?? english
}

/** The language that an address names, by its query. */
export function addressLanguage(query: unknown): Language | undefined {
  const { [languageParameter]: named } = (query ?? {}) as Readonly<Record<string, unknown>>
  return typeof named === 'string' ? languageOf(named) : undefined
}

/** The language of the reader, which the reply names, with what the choice depends on (`Vary`). */
export function replyLanguage(request: ReaderRequest, reply: FastifyReply): Language {
  const language = readerLanguage(request)
  varyBy(reply, 'Accept-Language')
  varyBy(reply, 'Cookie')
  reply.header('content-language', language.tag)
  return language
}

/** What a reader has chosen in this browser, among the languages that are offered. */
function chosenLanguage(headers: IncomingHttpHeaders): Language | undefined {
  const [tag] = headers.cookie === undefined ? [] : cookieValues(headers, languageCookie)
  return tag === undefined ? undefined : languages.find((language) => language.tag === tag)
}
