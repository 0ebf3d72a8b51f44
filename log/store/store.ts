/** One change of a row; a batch of them is written whole or not at all. */
export type Operation =
  | { readonly type: 'put'; readonly key: string; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: string }

/** Bounds of a scan over keys in byte order; `limit` counts rows. */
export type Range = {
  readonly gte?: string
  readonly gt?: string
  readonly lte?: string
  readonly lt?: string
  readonly reverse?: boolean
  readonly limit?: number
}

/** A key and its value. */
export type Row = readonly [key: string, value: Uint8Array]

/**
 * The reading half of an ordered map from text keys to bytes. Keys are ASCII and sort
 * by byte. Every row carries a checksum over its key and value: a row that fails it is
 * `store_corrupt`, never a wrong answer.
 */
export type ReadStore = {
  /** The value at `key`, or undefined. Reads see every batch whose `commit` has resolved. */
  get(key: string): Uint8Array | undefined

  /** Rows of the range in key order, from a snapshot taken at the first step. */
  scan(range: Range): AsyncIterable<Row>

  /** The same rows, many at a time: for readers of the whole store, whom each `await` costs. */
  scanBatches(range: Range): AsyncIterable<readonly Row[]>

  close(): Promise<void>
}

/** The store as its one owner has it. */
export type Store = ReadStore & {
  /**
   * Writes one atomic batch and syncs it to disk. When it rejects, the outcome is unknown: the
   * batch may have been kept. From then on nothing is written, until the store is opened anew and
   * tells what was kept.
   */
  commit(operations: readonly Operation[]): Promise<void>

  /**
   * Leaves nothing on the disk of what these rows held before they were last put or deleted. The
   * keys are in order, and near each other: all that lies between them is written anew. Nobody may
   * change the rows meanwhile. It waits for the scans that are under way.
   */
  purge(keys: readonly string[]): Promise<void>
}
