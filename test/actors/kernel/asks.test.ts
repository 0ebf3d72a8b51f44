import type { ExecutionContext } from 'ava'
import { startRegisters } from '#test/actors/kernel/_register.ts'
import { startRegisterThread } from '#test/actors/kernel/_remote_registers.ts'
import { type Registers, testAsks, testRemoteAsks } from '#test/contracts/asks.ts'

testAsks('in this thread', startHere)
testAsks('in another thread', startRegisterThread)
testRemoteAsks('in another thread', startRegisterThread)

function startHere(t: ExecutionContext): Registers {
  const { shards, release } = startRegisters()
  t.teardown(() => {
    release()
    return shards.close()
  })
  return { at: (key) => shards.at(key), release, close: () => shards.close() }
}
