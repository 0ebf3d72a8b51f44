import type { FastifyInstance, FastifyRequest } from 'fastify'

import { HttpError } from '#src/errors.ts'

/** The fields of a form by name, a file as its text; lines end with a line feed. */
export type FormBody = ReadonlyMap<string, string>

/** Fields of one form. */
const fieldsMax = 200

/** Makes HTML forms in UTF-8 the one kind of body that a server reads; others are 415. */
export function registerFormBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const type = 'application/x-www-form-urlencoded'
  server.addContentTypeParser(
    type,
    { parseAs: 'string' },
    async (_request: unknown, body: string) => parseForm(body),
  )
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    ({ headers }: FastifyRequest, body: Buffer) => parseMultipart(headers['content-type'], body),
  )
}

/**
 * Reads the fields of a form. HttpError `bad_request` for a field that is there twice, because two
 * readers could each take a different one, and for what is not text in UTF-8.
 */
export function parseForm(text: string): FormBody {
  const fields = new FieldList()
  for (const [name, value] of new URLSearchParams(text)) fields.add(name, value)
  return fields.values
}

/**
 * Reads the fields and files of a form that sends files (RFC 7578). A file that was not chosen is
 * an empty text. HttpError as above, and for a body without its boundaries.
 */
export async function parseMultipart(
  type: string | undefined,
  body: Uint8Array,
): Promise<FormBody> {
  const headers = { 'content-type': type ?? '' }
  const parts = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw wrong('The form is cut off, or its parts have no boundaries')
  })
  const fields = new FieldList()
  for (const [name, value] of parts) {
    fields.add(name, typeof value === 'string' ? value : await value.text())
  }
  return fields.values
}

/** The text of a field; empty if it is missing. */
export function textOf(form: FormBody, name: string): string {
  return form.get(name) ?? ''
}

class FieldList {
  readonly values = new Map<string, string>()

  add(name: string, value: string): void {
    if (this.values.has(name)) throw wrong('A field of the form was sent twice')
    if (this.values.size >= fieldsMax) throw wrong(`A form has ${fieldsMax} fields at most`)
    if (/[\0\ufffd]/.test(name + value)) throw wrong('The form is not text in UTF-8')
    this.values.set(name, value.replaceAll(/\r\n?/g, '\n'))
  }
}

function wrong(message: string): HttpError {
  return new HttpError('bad_request', message)
}
