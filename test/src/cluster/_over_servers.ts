import test from 'ava'

import { natsServerProgram } from '#test/src/cluster/_nats_program.ts'
import {
  type NatsOptions,
  type NatsServers,
  startNatsServers,
} from '#test/src/cluster/_nats_servers.ts'

const { REQUIRE_NATS } = process.env

/**
 * Defines tests over servers that are started for the file, once. Where nats-server is missing they
 * are left out, and one test says so; with `REQUIRE_NATS=1`, as in the CI, that one fails.
 */
export function overServers(
  define: (servers: () => NatsServers) => void,
  options: NatsOptions = {},
): void {
  const missing = 'the tests over NATS servers are left out: nats-server is not installed'
  if (natsServerProgram === undefined && REQUIRE_NATS === '1') test(missing, (t) => t.fail())
  else if (natsServerProgram === undefined) test.skip(missing, () => undefined)
  else {
    let servers: NatsServers | undefined
    test.before('the servers start', async () => {
      servers = await startNatsServers(options)
    })
    test.after.always('the servers stop', () => servers?.stop())
    define(() => {
      if (servers === undefined) throw new Error('the servers have not started')
      return servers
    })
  }
}
