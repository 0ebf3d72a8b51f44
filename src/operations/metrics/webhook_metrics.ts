import { Counter, Gauge, type Registry } from 'prom-client'

import type { DelivererStatus } from '#src/delivery/webhooks/deliverer.ts'

/** The deliveries of each environment, by its name. */
type Measured = Readonly<Record<string, { readonly status: () => DelivererStatus }>>

type ReadStatus = (status: DelivererStatus) => number

const gauges: Readonly<Record<string, readonly [help: string, read: ReadStatus]>> = {
  waiting: [
    'Messages that wait after a refusal, and one for each webhook that is behind.',
    ({ waiting }) => waiting,
  ],
  failing: ['Webhooks whose newest try has failed.', ({ failing }) => failing],
  under_way: ['Webhooks to which something is sent now.', ({ underWay }) => underWay],
}

/** Adds what is known of the deliveries of webhooks. */
export function addWebhookMetrics(registry: Registry, deliverers: Measured): void {
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge = new Gauge({
      name: `arklog_webhook_${name}`,
      help,
      labelNames: ['environment'],
      registers: [registry],
      collect() {
        for (const [environment, deliverer] of Object.entries(deliverers)) {
          gauge.set({ environment }, read(deliverer.status()))
        }
      },
    })
  }
  addEndpoints(registry, deliverers)
  addDeliveries(registry, deliverers)
}

function addEndpoints(registry: Registry, deliverers: Measured): void {
  const gauge = new Gauge({
    name: 'arklog_webhook_endpoints',
    help: 'Webhooks by their status: those that failed wait for their owners.',
    labelNames: ['environment', 'status'],
    registers: [registry],
    collect() {
      for (const [environment, deliverer] of Object.entries(deliverers)) {
        for (const [status, count] of Object.entries(deliverer.status().endpoints)) {
          gauge.set({ environment, status }, count)
        }
      }
    },
  })
}

function addDeliveries(registry: Registry, deliverers: Measured): void {
  const counter = new Counter({
    name: 'arklog_webhook_deliveries_total',
    help: 'Tries to deliver a message since the start, by how they ended.',
    labelNames: ['environment', 'outcome'],
    registers: [registry],
    // The deliverers count; here their counts are only repeated.
    collect() {
      counter.reset()
      for (const [environment, deliverer] of Object.entries(deliverers)) {
        const { delivered, failed } = deliverer.status()
        counter.inc({ environment, outcome: 'delivered' }, delivered)
        counter.inc({ environment, outcome: 'failed' }, failed)
      }
    },
  })
}
