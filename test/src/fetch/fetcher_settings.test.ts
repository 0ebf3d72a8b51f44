import test from 'ava'

import { fetcherOf } from '#src/fetch/fetcher_settings.ts'
import { testFetcher } from '#test/contracts/fetcher.ts'

testFetcher(test, (_t, settings) => fetcherOf(settings))
