import os from 'node:os'

import type { Config } from '#config/schema.ts'

/** Bytes of replies that are kept ready by one thread, at least. */
const replyCacheBytesMin = 1_048_576

/** How many threads serve: as configured, or all cores but the one that the registry runs on. */
export function countEdgeThreads({ EDGE_THREADS }: Pick<Config, 'EDGE_THREADS'>): number {
  return EDGE_THREADS ?? Math.max(1, os.availableParallelism() - 1)
}

/** The configuration of one of so many threads: what they may hold in all is divided among them. */
export function edgeConfig(config: Config, threads: number): Config {
  const part = (whole: number, least: number) => Math.max(least, Math.ceil(whole / threads))
  const perAddressMax = config.CONNECTIONS_PER_ADDRESS_MAX
  const unsentBytesMax = part(config.UNSENT_BYTES_MAX, 1_048_576)
  return {
    ...config,
    CONNECTIONS_MAX: part(config.CONNECTIONS_MAX, 1),
    CONNECTIONS_PER_ADDRESS_MAX: perAddressMax === 'off' ? 'off' : part(perAddressMax, 1),
    REPLY_CACHE_BYTES: part(config.REPLY_CACHE_BYTES, replyCacheBytesMin),
    UNSENT_BYTES_MAX: unsentBytesMax,
    UNSENT_CLIENT_BYTES_MAX: Math.min(config.UNSENT_CLIENT_BYTES_MAX, unsentBytesMax),
  }
}
