import type { FieldFault } from '#actors/values/fault_list.ts'

// What the library calls the marks of BibTeX.
const marks: Readonly<Record<string, string>> = {
  at: '@',
  lbrace: '{',
  rbrace: '}',
  equals: '=',
  comma: ',',
  quote: '"',
  mathShift: '$',
  label: 'a key',
  identifier: 'the name of a field',
}

/**
 * What is wrong with a text that the library does not read. With a field, the value is LaTeX and
 * has no lines; without, `line` is the one on which the text begins.
 */
export function faultOf(error: unknown, field: string, line: number): FieldFault {
  const code = field === '' ? 'not_readable' : 'bad_value'
  const where = field === '' ? `Near line ${line}` : field
  if (error instanceof RangeError) {
    return { field, code, message: `${where}: braces are nested too deeply.` }
  }
  const text = error instanceof Error ? error.message : ''
  const [, expected] = /expected "(\w+)"/.exec(text) ?? []
  const [, lineOfText = '1'] = /at line (\d+)/.exec(text) ?? []
  const place = field === '' ? `Line ${line + Number(lineOfText) - 1}` : field
  const mark = expected === undefined ? undefined : (marks[expected] ?? expected)
  if (mark === undefined) return { field, code, message: `${place} cannot be read.` }
  if (mark === 'text') {
    const message = `${place}: its LaTeX is not complete; a $ that is no formula is written \\$.`
    return { field, code, message }
  }
  return { field, code, message: `${place}: ${mark} is missing.` }
}
