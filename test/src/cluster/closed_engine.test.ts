// An engine that is encrypted, and lets in whom it knows.

import test, { type ExecutionContext } from 'ava'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import { connectEngine, type EngineOptions } from '#src/cluster/engine.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

const known = { user: 'arklog', pass: 'node-password' }
const patience = { forMs: 1, elapsedMs: () => performance.now() }

async function failure(
  t: ExecutionContext,
  servers: NatsServers,
  options: Partial<EngineOptions>,
): Promise<ClusterError> {
  const connecting = connectEngine({ ...engineOptions(servers), patience, ...options })
  return t.throwsAsync<ClusterError>(connecting, { instanceOf: ClusterError })
}

overServers(
  (servers) => {
    test('whoever knows its authority and has its password is let in', async (t) => {
      const caFile = servers().certificateFile
      const options = { ...engineOptions(servers()), caFile, credentials: known }
      const connection = await connectEngine(options)
      t.teardown(() => connection.close())
      t.is(connection.info?.tls_required, true)
      await t.notThrowsAsync(connection.flush())
    })

    test('a wrong password is told apart from a server that is not there', async (t) => {
      const caFile = servers().certificateFile
      for (const credentials of [{ ...known, pass: 'wrong' }, undefined]) {
        const given = credentials === undefined ? {} : { credentials }
        const error = await failure(t, servers(), { caFile, ...given })
        t.is(error.code, 'engine_refused')
        t.regex(error.message, /refuse the credentials of this node.* CLUSTER_CREDENTIALS/)
        t.notRegex(error.message, /wrong/)
      }
    })

    test('a certificate of an unknown authority is not trusted', async (t) => {
      const error = await failure(t, servers(), { credentials: known })
      t.is(error.code, 'engine_unreachable')
      t.regex(error.message, /self-signed certificate/)
    })

    test('servers that are not there are named', async (t) => {
      const url = { servers: ['127.0.0.1:1', '127.0.0.1:2'], isEncrypted: false }
      const error = await failure(t, servers(), { url })
      t.is(error.code, 'engine_unreachable')
      t.regex(error.message, /^None of the NATS servers at 127\.0\.0\.1:1, 127\.0\.0\.1:2 accepted/)
      t.regex(error.message, /Start them, or correct CLUSTER_URL\.$/)
    })
  },
  { servers: 1, needsPassword: true, isEncrypted: true },
)
