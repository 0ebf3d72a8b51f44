/** A table that is made when it is first asked for: most threads need none, and it takes long. */
export function lazily<Table>(make: () => Table): () => Table {
  let table: Table | undefined
  return () => (table ??= make())
}

/**
 * A table that has its rows alone: what foreign texts look up in another one finds `constructor`,
 * too, and whatever else every object has.
 */
export function closedTable<Row>(
  rows: Readonly<Record<string, Row>>,
): Readonly<Record<string, Row>> {
  return Object.assign(Object.create(null) as Record<string, Row>, rows)
}
