import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'

/** How the endpoints of an environment are: how many there are, and of each kind. */
export type EndpointHealth = {
  readonly total: number
  /** Those that their organizations have paused, and those that were given up. */
  readonly paused: number
  readonly failed: number
  /** Of the active ones, those whose newest try has failed, and those that are far behind. */
  readonly failing: number
  readonly farBehind: number
}

/** Changes of the journal that an endpoint is behind, from which on it is far behind. */
export const farBehindMin = 10_000

/** How the endpoints are; `events`: how many the journal has. */
export function endpointHealth(endpoints: EndpointStore, events: number): EndpointHealth {
  const all = endpoints.all()
  const active = all
    .filter(({ status }) => status === 'active')
    .flatMap(({ id }) => endpoints.deliveries.progress(id) ?? [])
  return {
    total: all.length,
    paused: all.filter(({ status }) => status === 'paused').length,
    failed: all.filter(({ status }) => status === 'failed').length,
    failing: active.filter(({ failures }) => failures > 0).length,
    farBehind: active.filter((one) => one.isBehind && events - one.after >= farBehindMin).length,
  }
}
