import { child, children, type ReadElement } from '#test/src/_xml.ts'

/** The codes of the errors in a reply. */
export function errorCodes(reply: ReadElement): readonly string[] {
  return children(reply, 'error').map(({ attributes }) => attributes['code'] ?? '')
}

/** Identifiers of the records or headers in a list. */
export function identifiersIn(list: ReadElement): readonly string[] {
  const headers = [
    ...children(list, 'header'),
    ...children(list, 'record').map((record) => child(record, 'header')),
  ]
  return headers.map((header) => child(header, 'identifier').text)
}
