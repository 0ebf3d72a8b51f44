import type { FastifyInstance } from 'fastify'

import { HttpError } from '#src/errors.ts'

/** The fields of a form as they were sent, by name; lines end with a line feed. */
export type FormBody = ReadonlyMap<string, string>

/** Fields of one form. */
const fieldsMax = 200

/** Makes HTML forms in UTF-8 the one kind of body that a server reads; others are 415. */
export function registerFormBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const type = 'application/x-www-form-urlencoded'
  server.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseForm(body as string))
    } catch (error) {
      done(error as HttpError)
    }
  })
}

/**
 * Reads the fields of a form. HttpError `bad_request` for a field that is there twice, because two
 * readers could take another one each, and for what is no text in UTF-8.
 */
export function parseForm(text: string): FormBody {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw wrong('A field of the form was sent twice')
    if (fields.size >= fieldsMax) throw wrong(`A form has ${fieldsMax} fields at most`)
    if (/[\0\ufffd]/.test(name + value)) throw wrong('The form is not text in UTF-8')
    fields.set(name, value.replaceAll(/\r\n?/g, '\n'))
  }
  return fields
}

function wrong(message: string): HttpError {
  return new HttpError('bad_request', message)
}
