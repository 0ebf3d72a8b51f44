import {
  NoteList,
  type ReadEntry,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import {
  crossrefContainers,
  crossrefItems,
  crossrefJson,
  crossrefRecords,
  crossrefUnread,
  isDepositedToo,
} from '#src/discovery/citation_files/crossref_xml.ts'
import { dataciteJson } from '#src/discovery/citation_files/datacite_xml.ts'
import { jatsReading, jatsSkipped } from '#src/discovery/citation_files/jats_xml.ts'
import { readRecord } from '#src/discovery/citation_files/json_records.ts'
import { modsReading } from '#src/discovery/citation_files/mods_xml.ts'
import type { XmlReading } from '#src/discovery/citation_files/xml_source.ts'
import {
  type ElementRole,
  type XmlElement,
  type XmlRecord,
  XmlRecordReader,
} from '#src/discovery/citation_files/xml_tree.ts'

const dataciteNamespace = /^https?:\/\/(?:schema\.)?datacite\.org\/(?:schema|meta)\/kernel-/
const crossrefNamespace = /^https?:\/\/www\.crossref\.org\/(?:schema|xschema|qrschema|grant_id)\//

const modsNamespace = /^https?:\/\/www\.loc\.gov\/mods\//

type Named = Pick<XmlElement, 'name' | 'namespace' | 'attributes'>
type Read = Extract<XmlRecord, { type: 'read' }>

/** Elements of one kind of XML: how they are told from others, and what a record becomes. */
type RecordKind = {
  readonly role: (
    element: Named,
    parent: XmlElement | undefined,
    record: XmlElement | undefined,
  ) => ElementRole | undefined
  readonly read: (record: Read, notes: NoteList) => XmlReading
}

// Elements of all of these may stand in others, as those of an answer of OAI-PMH do.
const kinds = {
  datacite: {
    role: ({ name, namespace }) => {
      return name === 'resource' && dataciteNamespace.test(namespace) ? 'record' : undefined
    },
    read: ({ element }, notes) => ({ json: dataciteJson(element, notes) }),
  },
  crossref: {
    role: ({ name, namespace }, _parent, record) => {
      if (!crossrefNamespace.test(namespace)) return undefined
      if (crossrefContainers.has(name)) return 'container'
      // Elsewhere a component is a part of its work, and no work of its own.
      if (name === 'component' && record?.name !== 'sa_component') return undefined
      if (crossrefItems.has(name)) return 'item'
      return crossrefRecords.has(name) ? 'record' : undefined
    },
    read: ({ element, container, root }, notes) => {
      const isRead = container !== undefined && isRecordToo(container, root)
      return { json: crossrefJson(element, container, isRead, notes) }
    },
  },
  jats: {
    role: ({ name, namespace, attributes }, parent) => {
      if (parent?.name === 'article' && jatsSkipped.has(name)) return 'skipped'
      if (parent?.name === 'back') return name === 'ref-list' ? 'spared' : 'skipped'
      const isJats = namespace === '' || /\bJATS|\bjats|nlm/.test(namespace)
      if (!isJats || parent !== undefined) return undefined
      const isArticle = name === 'article' && !('key' in attributes)
      return isArticle || name === 'front' ? 'record' : undefined
    },
    read: ({ element }, notes) => jatsReading(element, notes),
  },
  mods: {
    role: ({ name, namespace }) => {
      return name === 'mods' && modsNamespace.test(namespace) ? 'record' : undefined
    },
    read: ({ element }, notes) => modsReading(element, notes),
  },
} as const satisfies Record<string, RecordKind>

/** A book of a deposit is a work beside its chapters; an answer only says where one stands. */
function isRecordToo(container: XmlElement, root: string): boolean {
  return root === 'doi_batch' && isDepositedToo(container)
}

function roleOf(...named: Parameters<RecordKind['role']>): ElementRole | undefined {
  for (const { role } of Object.values<RecordKind>(kinds)) {
    const found = role(...named)
    if (found !== undefined) return found
  }
  return undefined
}

/** The kind of a record, which has the namespace of all in it. */
function kindOf({ element, container }: Read): RecordKind | undefined {
  return Object.values<RecordKind>(kinds).find(
    ({ role }) => role(element, undefined, container) !== undefined,
  )
}

/** Reads the works of a file of XML as it comes: DataCite's, Crossref's, JATS and MODS. */
export class XmlReader {
  readonly #records = new XmlRecordReader(roleOf, isRecordToo)
  #count = 0

  /** Takes more of the file; gives the entries that end in it. */
  push(text: string): readonly ReadEntry[] {
    return this.#records.push(text).map((record) => this.#read(record))
  }

  /** Ends the file; gives what is left. */
  end(): readonly ReadEntry[] {
    return this.#records.end().map((record) => this.#read(record))
  }

  #read(record: XmlRecord): ReadEntry {
    this.#count += 1
    const place = { line: record.line, key: `record ${this.#count}` }
    if (record.type === 'refused') {
      const { message } = record
      return unreadable(place, [{ field: '', code: 'not_readable', message }])
    }
    const notes = new NoteList(record.line)
    const kind = kindOf(record)
    const unread = kind === kinds.crossref ? crossrefUnread[record.element.name] : undefined
    if (unread !== undefined) {
      const message = `It is ${unread}, which is no work that can be registered.`
      return unreadable(place, [{ field: '', code: 'not_readable', message }])
    }
    const { json, parts } = kind?.read(record, notes) ?? {}
    const entry = readRecord(json, place, parts)
    for (const entity of record.entities) {
      const message = `The entity ${entity} is not expanded: write its character.`
      notes.add('not_read', entity, message)
    }
    return { ...entry, notes: [...notes.notes, ...entry.notes] }
  }
}
