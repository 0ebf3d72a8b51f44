import { Gauge, type Registry } from 'prom-client'

import type { CountedRows } from '#src/identity/store/counted_rows.ts'

/** Adds whether accounts and keys can be changed. */
export function addIdentityMetrics(registry: Registry, rows: Pick<CountedRows, 'failure'>): void {
  const gauge: Gauge = new Gauge({
    name: 'arklog_identity_unwritable',
    help: '1 once a write of accounts or keys has failed: none is made until a restart.',
    registers: [registry],
    collect: () => gauge.set(rows.failure === undefined ? 0 : 1),
  })
}
