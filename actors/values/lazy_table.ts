/** A table that is made when it is first asked for: most threads need none, and it takes long. */
export function lazily<Table>(make: () => Table): () => Table {
  let table: Table | undefined
  return () => (table ??= make())
}
