import sax from 'sax'

/** An element of a record. Names are without their prefixes. */
export type XmlElement = {
  readonly name: string
  readonly namespace: string
  /** By their names without prefixes: `xml:lang` is `lang`. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (XmlElement | string)[]
  /** Where it begins in its file, from 1. */
  readonly line: number
}

/**
 * What an element is to a reader. A `record` describes a work. A `container` does so unless there
 * are items in it, each of which describes a work by itself and by what stood in the container
 * before it. What is `skipped` is not held; what is `spared` counts by itself, and is empty if it
 * is too long.
 */
export type ElementRole = 'record' | 'container' | 'item' | 'skipped' | 'spared'

/** Says what an element is, by its parent and the record or container that it stands in. */
export type ElementRoles = (
  element: Pick<XmlElement, 'name' | 'namespace' | 'attributes'>,
  parent: XmlElement | undefined,
  record: XmlElement | undefined,
) => ElementRole | undefined

/** A record, and what it stands in; or why it cannot be read. */
export type XmlRecord = { readonly line: number } & (
  | {
      readonly type: 'read'
      readonly element: XmlElement
      /** The container, without its items. */
      readonly container?: XmlElement
      /** The element of the file that all others stand in. */
      readonly root: string
      /** Entities that nothing here says the meaning of, as `&name;`. */
      readonly entities: readonly string[]
    }
  | { readonly type: 'refused'; readonly message: string }
)

const depthMax = 100
const attributesMax = 200
/** Characters of one record with its marks, at most. */
const recordCharactersMax = 1_000_000
/** Those of what is spared. */
const sparedCharactersMax = 1_000_000

/** A fault of a file after which nothing of it can be read. */
class XmlFault extends Error {
  readonly code = 'xml_fault'
}

type OpenRecord = {
  readonly role: 'record' | 'container' | 'item'
  readonly element: XmlElement
  characters: number
  items: number
  entities: string[]
  /** What is open of it that is spared. */
  spared?: { readonly element: XmlElement; characters: number } | undefined
}

/**
 * Reads the records of a file of XML as it comes; only one record, and what its container says, is
 * held at a time. Entities that a document type declares are not expanded, and nothing is fetched.
 */
export class XmlRecordReader {
  readonly #roles: ElementRoles
  readonly #isRecordToo: (container: XmlElement, root: string) => boolean
  readonly #parser: sax.SAXParser
  #records: XmlRecord[] = []
  /** Open elements of the record; undefined for those that are not held. */
  readonly #path: (XmlElement | undefined)[] = []
  readonly #open: OpenRecord[] = []
  #skippedDepth: number | undefined
  #attributes = 0
  #hasEnded = false
  #root: string | undefined
  readonly #namespaces: ReadonlyMap<string, string>

  /**
   * `isRecordToo`: whether a container that has items is a record as well, after them.
   * `namespaces`: those of files that name none, by the name of their first element.
   */
  constructor(
    roles: ElementRoles,
    isRecordToo: (container: XmlElement, root: string) => boolean,
    namespaces: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#roles = roles
    this.#namespaces = namespaces
    this.#isRecordToo = isRecordToo
    const parser = sax.parser(true, { xmlns: true, position: true })
    this.#parser = parser
    Object.assign(parser, {
      onerror: (error: Error) => this.#fail(error),
      onattribute: () => this.#countAttribute(),
      onopentag: (tag: sax.QualifiedTag) => this.#openElement(tag),
      onclosetag: () => this.#closeElement(),
      ontext: (text: string) => this.#addText(text),
      oncdata: (text: string) => this.#addText(text),
    })
  }

  /** Takes more of the file; gives the records that end in it. */
  push(text: string): readonly XmlRecord[] {
    this.#guard(() => this.#parser.write(text))
    return this.#take()
  }

  /** Ends the file; gives what is left. */
  end(): readonly XmlRecord[] {
    this.#guard(() => {
      if (this.#root === undefined) throw new XmlFault('There is no element in it')
      this.#parser.close()
    })
    return this.#take()
  }

  #take(): readonly XmlRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  #guard(read: () => void): void {
    if (this.#hasEnded) return
    try {
      read()
    } catch (error) {
      if (!(error instanceof XmlFault)) throw error
      this.#hasEnded = true
      const line = this.#line
      const message = `The file cannot be read from line ${line} on: ${error.message}.`
      this.#records.push({ type: 'refused', line, message })
    }
  }

  get #line(): number {
    return this.#parser.line + 1
  }

  #fail(error: Error): void {
    const [reason = ''] = error.message.split('\n')
    if (reason === 'Invalid character entity') {
      // The reader leaves such an entity in the text as it stands.
      const name = (this.#parser as unknown as { readonly entity: string }).entity
      this.#open.at(-1)?.entities.push(`&${name.slice(0, 50)};`)
      ;(this.#parser as { error: Error | null }).error = null
      return
    }
    throw new XmlFault(reason)
  }

  #countAttribute(): void {
    this.#attributes += 1
    if (this.#attributes > attributesMax) {
      throw new XmlFault(`an element has more than ${attributesMax} attributes`)
    }
  }

  #openElement({ local, uri, attributes }: sax.QualifiedTag): void {
    this.#attributes = 0
    this.#root ??= local
    const depth = this.#path.length
    if (depth >= depthMax) {
      throw new XmlFault(`its elements are nested more than ${depthMax} deep`)
    }
    const texts = Object.values(attributes).map(({ local: name, value }) => [name, value] as const)
    const element: XmlElement = {
      name: local,
      namespace: uri === '' ? (this.#namespaces.get(this.#root) ?? '') : uri,
      attributes: Object.fromEntries(texts),
      children: [],
      line: this.#line,
    }
    if (this.#skippedDepth !== undefined) return void this.#path.push(undefined)
    const parent = this.#path.at(-1)
    const role = this.#roles(element, parent, this.#open.at(-1)?.element)
    const isNew = role !== undefined && isHead(role) && this.#begins(role)
    if (role === 'skipped') this.#skippedDepth = depth
    if (isNew) this.#open.push({ role, element, characters: 0, items: 0, entities: [] })
    else if (role === 'spared') this.#spare(parent, element)
    else if (parent !== undefined && role !== 'skipped') this.#add(parent, element, texts.length)
    this.#path.push(isNew || (parent !== undefined && role !== 'skipped') ? element : undefined)
  }

  /** Whether a record begins here: items stand in containers, and the others in nothing. */
  #begins(role: 'record' | 'container' | 'item'): boolean {
    const around = this.#open.at(-1)?.role
    return role === 'item' ? around === 'container' : around === undefined
  }

  #spare(parent: XmlElement | undefined, element: XmlElement): void {
    const record = this.#open.at(-1)
    if (record === undefined || parent === undefined) return
    this.#add(parent, element, 0)
    record.spared ??= { element, characters: 0 }
  }

  #addText(text: string): void {
    const parent = this.#path.at(-1)
    if (parent !== undefined) this.#add(parent, text, text.length)
  }

  #add(parent: XmlElement, child: XmlElement | string, characters: number): void {
    const record = this.#open.at(-1)
    if (record === undefined) return
    const { spared } = record
    if (spared !== undefined) {
      spared.characters += characters + 20
      if (spared.characters <= sparedCharactersMax) parent.children.push(child)
      else spared.element.children.length = 0
      return
    }
    record.characters += characters + 20
    // What is too long is refused when it ends, and not held meanwhile.
    if (record.characters <= recordCharactersMax) parent.children.push(child)
    else record.element.children.length = 0
  }

  #closeElement(): void {
    const element = this.#path.pop()
    if (this.#skippedDepth === this.#path.length) this.#skippedDepth = undefined
    const record = this.#open.at(-1)
    if (record !== undefined && record.spared?.element === element) record.spared = undefined
    if (element === undefined || element !== record?.element) return
    this.#open.pop()
    const container = this.#open.at(-1)
    if (container !== undefined) container.items += 1
    const root = this.#root ?? ''
    if (record.items === 0 || this.#isRecordToo(element, root)) {
      this.#records.push(recordOf(record, container, root))
    }
  }
}

function isHead(role: ElementRole): role is OpenRecord['role'] {
  return role !== 'skipped' && role !== 'spared'
}

function recordOf(record: OpenRecord, container: OpenRecord | undefined, root: string): XmlRecord {
  const { element, characters, entities } = record
  const { line } = element
  if (characters > recordCharactersMax) {
    const message = `The record has more than ${recordCharactersMax} characters.`
    return { type: 'refused', line, message }
  }
  const known = [...new Set([...entities, ...(container?.entities ?? [])])]
  const read = { type: 'read', line, element, root, entities: known } as const
  return container === undefined ? read : { ...read, container: container.element }
}

/** The elements in an element, of one name or all. */
export function elementsOf(parent: XmlElement | undefined, name?: string): readonly XmlElement[] {
  const elements = parent?.children.filter((child) => typeof child !== 'string') ?? []
  return name === undefined ? elements : elements.filter((child) => child.name === name)
}

/** The elements at the end of a path, such as `titles/title`. */
export function elementsAt(parent: XmlElement | undefined, path: string): readonly XmlElement[] {
  let found: readonly XmlElement[] = parent === undefined ? [] : [parent]
  for (const name of path.split('/')) found = found.flatMap((each) => elementsOf(each, name))
  return found
}

/** The text of an element without its marks, its spaces put in order; undefined if none. */
export function textOf(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined
  return filled(rawText(element).replaceAll(/\s+/g, ' ').trim())
}

function filled(text: string): string | undefined {
  return text === '' ? undefined : text
}

function rawText({ children }: XmlElement): string {
  return children
    .map((child) => (typeof child === 'string' ? child : isNote(child) ? '' : rawText(child)))
    .join('')
}

/** What an element holds as text with its marks, such as `CO<sub>2</sub>`. */
export function markupOf(element: XmlElement | undefined): string | undefined {
  return element && filled(element.children.map(writeMarkup).join('').trim())
}

function writeMarkup(child: XmlElement | string): string {
  if (typeof child === 'string') return escapeText(child)
  if (isNote(child) && child.name === 'xref') return ''
  const content = child.children.map(writeMarkup).join('')
  return content === '' ? `<${child.name}/>` : `<${child.name}>${content}</${child.name}>`
}

/** Whether an element is a footnote or the sign that leads to it, which are no part of a text. */
function isNote({ name, attributes }: XmlElement): boolean {
  if (name !== 'xref') return name === 'fn'
  return /^(?:fn|table-fn|author-notes|corresp|aff)$/.test(attributes['ref-type'] ?? '')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
