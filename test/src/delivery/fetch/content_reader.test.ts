import test from 'ava'

import { testContentReader } from '#test/contracts/content_reader.ts'

testContentReader(test, (_t, reader) => reader)
