import test from 'ava'

import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { testProviderAdapter } from '#test/contracts/provider_adapter.ts'

testProviderAdapter(test, async () => openMemoryStore())
