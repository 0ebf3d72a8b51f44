import { LogError } from '#log/tlog/errors.ts'
import { openLevelStore } from '#log/store/level_store.ts'

/** A process that opens the store of its first argument and prints what came of it as JSON. */
const [, , dir = ''] = process.argv
try {
  const store = await openLevelStore(dir, { create: false })
  await store.close()
  process.stdout.write(JSON.stringify({ code: 'opened' }))
} catch (error) {
  if (!(error instanceof LogError)) throw error
  process.stdout.write(JSON.stringify({ code: error.code, message: error.message }))
}
