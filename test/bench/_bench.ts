import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { Figure } from '#test/bench/_figure.ts'

/** How long and on what a bench runs. */
export type BenchOptions = {
  /** Measured rounds of each server, and the length of one. */
  readonly rounds: number
  readonly roundMs: number
  /** Works that an import registers. */
  readonly importWorks: number
  /** Works to import instead of made-up ones: JSON lines, plain or gzip. */
  readonly importFile: string | undefined
  /** Works in the index that is filled and searched, and of the registry whose pages are read. */
  readonly indexedWorks: number
  /** How long memory is watched under mixed load. */
  readonly soakMs: number
  /** Works of the registry that is attacked. */
  readonly bystanderWorks: number
  /** How long a registry is left alone after its start. */
  readonly settleMs: number
  /** Attacks and floods that are tried, at most: each has a registry of its own. */
  readonly attacksMax: number
  /** People of the registry whose memory is measured beside an empty one's. */
  readonly people: number
  /** Organizations with webhooks, and rounds in which each of them registers a work. */
  readonly webhookOrganizations: number
  readonly webhookRounds: number
  /** Bytes of the longest content that is checked. */
  readonly contentBytesMax: number
  /** Works whose content is checked, at most. */
  readonly checkedWorksMax: number
  /** Fetches that are under way while works are registered. */
  readonly openFetches: number
  /** The filled store, made when it is first asked for. */
  readonly filled: () => Promise<FilledStore>
}

/** A registry that `fill.ts` has filled. `pathsFile` lists the resolve path of each work. */
export type FilledStore = {
  readonly dataDir: string
  readonly works: number
  readonly pathsFile: string
}

/** A bench: measures one thing and gives its figures. */
export type Bench = (options: BenchOptions) => Promise<Figure[]>

/** A folder of a bench, which `owner` removes in the end. */
export async function newFolder(owner: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  owner.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}
