import type { ExportedEvent, People, PersonExport } from '#actors/people/port.ts'
import { personStream, streamPpid } from '#actors/people/events.ts'
import { foldUsername } from '#actors/people/profile_fields.ts'
import { nameKey } from '#actors/people/name_rows.ts'
import type { HashName } from '#actors/people/profile.ts'
import {
  openEvent,
  type PersonReader,
  type PersonSeal,
  readPerson,
  readWholePerson,
} from '#actors/people/record.ts'
import { readWritesByOthers } from '#actors/people/writes_by_others.ts'
import { decodeRow, readerOf, readEvent } from '#actors/journal/rows.ts'
import { foldOrcid } from '#actors/values/orcid.ts'
import { assert } from '#log/base/errors.ts'
import type { ReadStore } from '#log/base/store.ts'

/** What the queries on people need. */
export type PersonQueriesOptions = {
  readonly store: ReadStore
  readonly seal: PersonSeal
  readonly hash: HashName
}

type PersonQueries = Pick<
  People,
  'read' | 'findByUsername' | 'findByOrcid' | 'list' | 'writes' | 'export'
>

/** The queries on people, which answer from committed rows and events. */
export function openPersonQueries(options: PersonQueriesOptions): PersonQueries {
  const { store, seal, hash } = options
  const reader: PersonReader = { read: readerOf(store), seal }
  const find = (kind: 'username' | 'orcid', name: string | undefined) =>
    name && decodeRow<string>(store.get(nameKey(kind, hash(kind, name))))
  return {
    read: (ppid) => readWholePerson(ppid, reader),
    findByUsername: (username) => find('username', foldUsername(username)),
    findByOrcid: (orcid) => find('orcid', foldOrcid(orcid)),
    async list({ after, limit }) {
      const range = { gt: personStream(after), lt: personStream('~'), limit }
      const found: string[] = []
      for await (const [key] of store.scan(range)) found.push(streamPpid(key) ?? '')
      return found
    },
    async writes({ ppid, ...page }) {
      const state = readPerson(ppid, reader.read)?.state
      return state?.status === 'active' ? readWritesByOthers(store, state, { page, reader }) : []
    },
    export: (ppid) => exportPerson(ppid, options, reader),
  }
}

async function exportPerson(
  ppid: string,
  { store }: PersonQueriesOptions,
  reader: PersonReader,
): Promise<PersonExport | undefined> {
  const stored = readPerson(ppid, reader.read)
  if (stored?.state.status !== 'active') return undefined
  const person = readWholePerson(ppid, reader)
  assert(person?.type === 'person', 'an active person can be read')
  const writes = await readWritesByOthers(store, stored.state, {
    page: { limit: Infinity },
    reader,
  })
  return { person, writes, events: exportEvents(ppid, stored.newest, reader) }
}

/** All events of a person, oldest first, with what they hold sealed. */
function exportEvents(ppid: string, newest: number, reader: PersonReader): ExportedEvent[] {
  const events: ExportedEvent[] = []
  for (let next = newest; next >= 0; ) {
    const event = readEvent(next, reader.read)
    const { position, at, type, by, previous } = event
    const { sealed: _, ...data } = event.data as Record<string, unknown>
    const personal = openEvent(ppid, event, reader.seal)
    events.push({ position, at, type, by, data, ...(personal !== undefined && { personal }) })
    next = previous
  }
  return events.reverse()
}
