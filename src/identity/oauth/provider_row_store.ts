import type { Operation, Range, ReadStore, Row, Store } from '#log/base/store.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'

/** Where the rows of the identity provider lie, as they are read and written there. */
export type ProviderRowStore = Pick<ReadStore, 'get' | 'close'> & {
  /** Rows that begin with `gte`, before `lt`, in their order. */
  scan(range: ScannedRange): AsyncIterable<Row>
  /** Writes rows, whatever others write. */
  commit(operations: readonly Operation[]): Promise<void>
  /**
   * Writes what is decided on the row that a name stands for. Of any number of such tasks at the
   * same time, on whatever threads and nodes, each decides on what those before it have written.
   */
  decide(name: string, decision: () => readonly Operation[]): Promise<void>
}

type ScannedRange = Required<Pick<Range, 'gte' | 'lt'>> & Pick<Range, 'limit'>

/** A store of this node alone, which may be one that a thread has joined. */
export function ownRowStore(
  store: Pick<Store, 'get' | 'scan' | 'commit' | 'close'>,
  turns: Pick<IdentityStore, 'inTurnAt'>,
): ProviderRowStore {
  return {
    get: (key) => store.get(key),
    scan: (range) => store.scan(range),
    commit: (operations) => store.commit(operations),
    decide: (name, decision) => {
      return turns.inTurnAt(`provider row ${name}`, async () => store.commit(decision()))
    },
    close: () => store.close(),
  }
}

/** Rows of an identity store that several nodes share. */
export function sharedRowStore(store: IdentityStore): ProviderRowStore {
  const placed = (operations: readonly Operation[]) => operations.map(inIdentityStore)
  return {
    get(key) {
      const text = store.read<string>(root + key)
      return text === undefined ? undefined : Buffer.from(text, 'latin1')
    },
    async *scan({ gte, lt, limit }) {
      const range = { before: root + lt, ...(limit !== undefined && { limit }) }
      for await (const [key, text] of store.scan<string>(root + gte, range)) {
        yield [key.slice(root.length), Buffer.from(text, 'latin1')]
      }
    },
    commit: (operations) => store.append(placed(operations)),
    decide: (_name, decision) => store.inTurn(async () => store.commit(placed(decision()))),
    // Whoever has opened the identity store closes it.
    close: async () => undefined,
  }
}

const root = 'provider/'
const movedKey = 'provider_moved'

// Rows that are moved in one change.
const movedPerBatch = 500

/** Whether the rows that a node had of its own are in the shared store. */
export function hasMoved(store: IdentityStore): boolean {
  return store.read(movedKey) !== undefined
}

/** Puts the rows that a node had of its own into the store that it shares, once. */
export async function moveRows(own: Pick<Store, 'scan'>, store: IdentityStore): Promise<void> {
  let batch: Operation[] = []
  for await (const [key, value] of own.scan({})) {
    batch.push(inIdentityStore({ type: 'put', key, value }))
    if (batch.length === movedPerBatch) await store.append(batch.splice(0))
  }
  batch = [...batch, putRow(movedKey, true)]
  await store.append(batch)
}

function inIdentityStore(operation: Operation): Operation {
  const key = root + operation.key
  if (operation.type === 'del') return { type: 'del', key }
  const { buffer, byteOffset, length } = operation.value
  return putRow(key, Buffer.from(buffer, byteOffset, length).toString('latin1'))
}
