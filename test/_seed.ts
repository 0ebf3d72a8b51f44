// Before each test file: what the properties of fast-check draw follows from the seed of the run.
import { registerHooks } from 'node:module'

/** What everything drawn in this run follows from but the bytes of keys and names. */
export const seed = Number(process.env['SEED'])

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/fast-check/lib/fast-check.js')) return loaded
    const { source = '' } = loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
    return { ...loaded, source: `${text}\nconfigureGlobal({ seed: ${seed} })\n` }
  },
})
