import { metadataSchema } from '#actors/works/request_checks.ts'

type Described = {
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
  readonly anyOf?: readonly Described[]
  readonly enum?: readonly string[]
  readonly required?: readonly string[]
  readonly maxItems?: number
  readonly maxLength?: number
}

// What the specification names: docs/interface.md has these.
const nine = new Set(
  'work_title work_type authors description work_url existing_doi keywords language license'.split(
    ' ',
  ),
)

/** The fields beside the nine, as docs/record.md lists them: from the one table of fields. */
export function renderFields(): string {
  const { properties = {} } = JSON.parse(JSON.stringify(metadataSchema)) as Described
  const further = Object.entries(properties).filter(([name]) => !nine.has(name))
  const rows = further.map(([name, field]) => row([`\`${name}\``, formOf(field), textOf(field)]))
  const objects = new Map<string, Described>()
  for (const [, field] of further) gather(field, objects)
  const parts = [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(renderObject)
  return [...header('field', 'holds'), ...rows, ...parts.flat()].join('\n')
}

function header(first: string, second: string): readonly string[] {
  return [row([first, second, 'meaning']), '|---|---|---|']
}

function renderObject([title, { properties = {}, required = [] }]: [string, Described]): string[] {
  const rows = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? ' (required)' : ''
    return row([`\`${name}\`${mark}`, formOf(member), textOf(member)])
  })
  return ['', `### ${title}`, '', ...header('member', 'holds'), ...rows]
}

function gather(field: Described, objects: Map<string, Described>): void {
  const plain = plainOf(field)
  if (plain.properties !== undefined && plain.title !== undefined && !objects.has(plain.title)) {
    objects.set(plain.title, plain)
    for (const member of Object.values(plain.properties)) gather(member, objects)
  }
  if (plain.items !== undefined) gather(plain.items, objects)
}

/** A schema without the null that may stand in the place of what it describes. */
function plainOf(field: Described): Described {
  return field.anyOf?.[0] ?? field
}

function formOf(field: Described): string {
  const { items, title = '', properties, enum: words, maxItems, maxLength } = plainOf(field)
  if (items !== undefined) return `at most ${numeral(maxItems)} × ${formOf(items)}`
  if (properties !== undefined) return title
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(' ')
  return maxLength === undefined
    ? 'number or true, false'
    : `text, ${numeral(maxLength)} characters`
}

function numeral(count = 0): string {
  return count.toLocaleString('en')
}

function textOf({ description = '', examples = [] }: Described): string {
  return `${description} Such as \`${JSON.stringify(examples[0])}\`.`
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
