import { type NoteList, shorten } from '#src/discovery/citation_files/citation_file.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import type { SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'

/** Values by the names of JSON members; those that are undefined are absent. */
export type Json = Readonly<Record<string, unknown>>

/** A record as the JSON of Crossref or DataCite, and what has no member there. */
export type XmlReading = { readonly json: Json; readonly parts?: Partial<SourceWork> }

/**
 * A record of XML of which it is known what has been read: what has not is named, so that nothing
 * is left out unsaid.
 */
export class XmlSource {
  readonly #used = new Set<XmlElement>()

  /** Takes the elements at the end of a path; all that is in them is read. */
  take(parent: XmlElement | undefined, path: string): readonly XmlElement[] {
    const elements = elementsAt(parent, path)
    for (const element of elements) this.#used.add(element)
    return elements
  }

  /** The text of the first element at the end of a path that has one. */
  text(parent: XmlElement | undefined, path: string): string | undefined {
    return this.#first(parent, path, textOf)
  }

  /** The same with its marks, such as `CO<sub>2</sub>`. */
  markup(parent: XmlElement | undefined, path: string): string | undefined {
    return this.#first(parent, path, markupOf)
  }

  #first(
    parent: XmlElement | undefined,
    path: string,
    read: (element: XmlElement) => string | undefined,
  ): string | undefined {
    for (const element of elementsAt(parent, path)) {
      const text = read(element)
      if (text === undefined) continue
      this.#used.add(element)
      return text
    }
    return undefined
  }

  /** The texts of all elements at the end of a path. */
  texts(parent: XmlElement | undefined, path: string): readonly string[] {
    return this.take(parent, path).flatMap((element) => textOf(element) ?? [])
  }

  /** Counts an element, and all in it, as read. */
  use(element: XmlElement): void {
    this.#used.add(element)
  }

  isUsed(element: XmlElement): boolean {
    return this.#used.has(element)
  }

  /**
   * Names what was not read of an element: each path once, with the first text at its end. What the
   * names of `silent` are says nothing about a work.
   */
  noteUnused(root: XmlElement, silent: ReadonlySet<string>, notes: NoteList): void {
    const found = new Map<string, { line: number; text: string; count: number }>()
    const visit = (element: XmlElement, path: string): void => {
      if (this.#used.has(element) || silent.has(element.name)) return
      const children = elementsOf(element)
      if (children.length > 0 && !hasText(element)) {
        for (const child of children)
          visit(child, path === '' ? child.name : `${path}/${child.name}`)
        return
      }
      const text = textOf(element) ?? Object.values(element.attributes).join(' ')
      if (text === '') return
      const known = found.get(path)
      if (known !== undefined) known.count += 1
      else found.set(path, { line: element.line, text, count: 1 })
    }
    visit(root, '')
    for (const [path, { line, text, count }] of found) {
      const shown = shorten(text)
      const more = count === 1 ? '' : `, and ${count - 1} more`
      notes.add('left_out', path, `No field is for ${path}: “${shown}”${more}.`, { line })
    }
  }
}

/** Whether there is text between the elements in an element. */
function hasText({ children }: XmlElement): boolean {
  return children.some((child) => typeof child === 'string' && child.trim() !== '')
}

/** Members that have a value; empty lists have none. */
export function withValues(members: Json): Json {
  const entries = Object.entries(members).filter(([, value]) => {
    return value !== undefined && !(Array.isArray(value) && value.length === 0)
  })
  return Object.fromEntries(entries)
}

/** What an element says on one line, without marks. */
export function lineOf(element: XmlElement | undefined): string | undefined {
  return plainText(markupOf(element) ?? '') || undefined
}

/** The language of a text, where it is not that of the work. */
export function otherLanguage(
  element: XmlElement | undefined,
  language: string | undefined,
): string | undefined {
  const own = element?.attributes['lang']
  return own?.toLowerCase() === language?.toLowerCase() ? undefined : own
}
