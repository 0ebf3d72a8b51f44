import { type Check, good, unused, type Verdict, warning } from '#src/operations/doctor/finding.ts'
import type { EndpointHealth } from '#src/delivery/webhooks/endpoint_health.ts'

/** How the webhooks of each environment are, by its name. */
type Healths = Readonly<Record<string, EndpointHealth>>

/** What is looked at of webhooks; `read` gives nothing where no server runs. */
export function webhookCheck(read: () => Promise<Healths | undefined>): Check {
  return {
    name: 'webhooks',
    async look() {
      const healths = await read()
      if (healths === undefined) return unused('No server runs here to deliver anything.')
      const found = Object.entries(healths).flatMap(([name, health]) => warningsOf(name, health))
      if (found.length > 0) return found
      const sum = (of: 'total' | 'paused') =>
        Object.values(healths).reduce((count, health) => count + health[of], 0)
      if (sum('total') === 0) return unused('There are no webhooks.')
      return good(`${sum('total')} webhooks, of which ${sum('paused')} are paused.`)
    },
  }
}

function warningsOf(name: string, { failed, failing, farBehind }: EndpointHealth): Verdict[] {
  const told: readonly (readonly [number, string])[] = [
    [
      failed,
      'were given up after three days: their owners were sent a mail; "arklog webhook resume" ' +
        'has one go on where it was',
    ],
    [
      failing,
      'take no messages: "arklog webhook deliveries" shows their answers. If it is many of them, ' +
        'look whether this machine reaches the world',
    ],
    [farBehind, 'are far behind: their endpoints answer slowly, or share a host with many others'],
  ]
  return told.flatMap(([count, what]) =>
    count === 0 ? [] : [warning(`${count} webhooks of ${name} ${what}.`)],
  )
}
