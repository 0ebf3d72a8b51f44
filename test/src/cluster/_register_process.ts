// Registers on a node that is a process: it is given CLUSTER_URL and its name, and says when it can
// be dialled.

import { Remote } from '#actors/kernel/remote.ts'
import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import { connectEngine } from '#src/cluster/engine.ts'
import { NodeLinks } from '#src/cluster/node_links.ts'
import { startRegisters } from '#test/actors/kernel/_register.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import { testPatience } from '#test/src/cluster/_engine_options.ts'
import { linkLimits } from '#test/src/cluster/_link_limits.ts'

const [, , url = '', node = ''] = process.argv
const { shards } = startRegisters()
const connection = await connectEngine({
  url: parseClusterUrl(url),
  node,
  patience: testPatience,
  report: () => undefined,
})
const links = new NodeLinks({
  ...linkLimits,
  connection,
  node,
  accept(transport, from) {
    const remote = new Remote({ ...remoteLimits, name: from, transport })
    remote.offer('register', (key) => shards.at(key))
  },
})
await connection.flush()
process.send?.('ready')
process.once('disconnect', () => {
  links.close()
  process.exit()
})
