import { readFile } from 'node:fs/promises'

import {
  getBytes,
  httpLogSource,
  isHttpAddress,
  SourceError,
} from '#src/tlog_tools/monitor/log_source.ts'
import type { Vantage } from '#src/tlog_tools/monitor/vantage.ts'

const checkpointBytesMax = 1_000_000

/** A vantage point that serves the log itself: a proxy or mirror at an http or https address. */
export function mirrorAt(url: string, signal: AbortSignal): Vantage {
  return { name: url, type: 'mirror', source: httpLogSource(url, signal) }
}

/**
 * Another monitor as a vantage point: the address of its service, or the file in which it keeps its
 * state (`state.json`, or the checkpoint alone).
 */
export function peerAt(place: string, signal: AbortSignal): Vantage {
  const checkpoint = isHttpAddress(place)
    ? () => getBytes(`${place.replace(/\/+$/, '')}/checkpoint`, checkpointBytesMax, signal)
    : () => readCheckpointFile(place)
  return { name: place, type: 'monitor', source: { checkpoint } }
}

async function readCheckpointFile(file: string): Promise<Uint8Array> {
  try {
    const text = await readFile(file, 'utf8')
    return Buffer.from(text.startsWith('{') ? checkpointIn(text) : text)
  } catch (error) {
    const { message } = error as Error
    throw new SourceError('unreachable', `${file} cannot be read: ${message}`, { cause: error })
  }
}

function checkpointIn(text: string): string {
  const { checkpoint } = JSON.parse(text) as { readonly checkpoint?: unknown }
  if (typeof checkpoint === 'string') return checkpoint
  throw new Error('it has no checkpoint')
}
