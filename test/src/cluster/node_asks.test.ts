import { testAsks, testRemoteAsks } from '#test/contracts/asks.ts'
import { startRegisterNode } from '#test/src/cluster/_linked_registers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers((servers) => {
  testAsks('on another node', (t) => startRegisterNode(t, servers()))
  testRemoteAsks('on another node', (t, options) => startRegisterNode(t, servers(), options))
})
