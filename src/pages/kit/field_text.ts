// What people read first of an item; the other members follow in their own order.
const leading = [
  'kind',
  'role',
  'relation',
  'type',
  'title',
  'name',
  'given',
  'family',
  'suffix',
  'funder',
  'subject',
  'description',
  'date',
  'identifier',
  'value',
]

/** The value of a field of a work as people read it: of a list, an item a line. */
export function textOfField(value: unknown): string {
  if (!Array.isArray(value)) return textOfValue(value)
  return value.map(textOfValue).join('\n')
}

function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOfValue).join('; ')
  if (typeof value === 'object') return textOfItem(value as Readonly<Record<string, unknown>>)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function textOfItem(item: Readonly<Record<string, unknown>>): string {
  const known = leading.filter((name) => item[name] !== undefined)
  const others = Object.keys(item).filter((name) => !leading.includes(name))
  return [...known, ...others].map((name) => textOfMember(name, item)).join(', ')
}

// A number or a yes says nothing without the name of what it is of; nor does a text with members.
function textOfMember(name: string, item: Readonly<Record<string, unknown>>): string {
  const value = item[name]
  if (name === 'name' && item['given'] !== undefined) return textOfValue(value)
  const text = textOfValue(value)
  if (typeof value === 'string') return isWord(name) ? text.replaceAll('_', ' ') : text
  return `${name.replaceAll('_', ' ')} ${text}`
}

function isWord(name: string): boolean {
  return ['kind', 'role', 'type', 'applies_to', 'name_type', 'right', 'direction'].includes(name)
}
