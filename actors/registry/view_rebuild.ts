import {
  decodeEvent,
  decodeRow,
  encodeRow,
  eventKey,
  eventPrefix,
  keyPosition,
  Overlay,
  type StreamRow,
} from '#actors/journal/rows.ts'
import { project, viewPrefixes, viewsSchema } from '#actors/registry/views.ts'
import type { Operation, ReadStore, Store } from '#log/store/store.ts'

/** Key of the row that says which shape the views have, and whether they are whole. */
const viewsKey = 'views'

type ViewsRow = { readonly schema: number; readonly complete: boolean }

/** Events projected with one batch while views are rebuilt: some megabytes. */
const rebuildEvents = 1_000

/** Says how far a rebuild is: events projected, of how many. */
export type RebuildProgress = (done: number, total: number) => void

/**
 * Makes the views of a store usable: writes their schema into a new one, and rebuilds those of
 * another schema, or of a rebuild that was cut off, from the journal of `events` events.
 */
export async function openViews(
  store: Store,
  events: number,
  progress: RebuildProgress = () => {},
): Promise<void> {
  const row = decodeRow<ViewsRow>(store.get(viewsKey))
  if (row?.schema === viewsSchema && row.complete) return
  if (events > 0) await rebuildViews(store, events, progress)
  else await store.commit([viewsRow(true)])
}

/** Deletes every view and projects the whole journal anew, `events` events from position 0. */
export async function rebuildViews(
  store: Store,
  events: number,
  progress: RebuildProgress = () => {},
): Promise<void> {
  progress(0, events)
  await store.commit([viewsRow(false)])
  for (const prefix of viewPrefixes) await deleteRows(store, prefix)
  await projectJournal(store, store, events, progress)
  await store.commit([viewsRow(true)])
}

/**
 * Projects the first `events` events of one store's journal into the views of another, which must
 * hold none; the two may be the same. `isStopped` is asked before each batch.
 */
export async function projectJournal(
  journal: ReadStore,
  views: Store,
  events: number,
  progress: RebuildProgress,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (let from = 0; from < events && !isStopped(); from += rebuildEvents) {
    const to = Math.min(events, from + rebuildEvents)
    const rows = new Overlay((key) => views.get(key) ?? journalRow(journal, key))
    for await (const [key, row] of journal.scan({ gte: eventKey(from), lt: eventKey(to) })) {
      const event = decodeEvent(keyPosition(key), row)
      const before = decodeRow<StreamRow>(rows.read(event.stream))
      rows.apply(project(before, event, rows.read).operations)
    }
    await views.commit(rows.operations())
    progress(to, events)
  }
}

// A view may be made from older events as well as from views.
function journalRow(journal: ReadStore, key: string): Uint8Array | undefined {
  return key.startsWith(eventPrefix) ? journal.get(key) : undefined
}

function viewsRow(complete: boolean): Operation {
  const row: ViewsRow = { schema: viewsSchema, complete }
  return { type: 'put', key: viewsKey, value: encodeRow(row) }
}

async function deleteRows(store: Store, prefix: string): Promise<void> {
  let deletions: Operation[] = []
  for await (const [key] of store.scan({ gte: prefix, lt: `${prefix}~` })) {
    deletions.push({ type: 'del', key })
    if (deletions.length < rebuildEvents) continue
    await store.commit(deletions)
    deletions = []
  }
  await store.commit(deletions)
}
