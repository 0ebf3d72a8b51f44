import type { NodeLinksOptions } from '#src/cluster/node_links.ts'

let ids = 0

/** Bounds of links in tests: silence alone ends none, however busy the machine. */
export const linkLimits: Pick<
  NodeLinksOptions,
  'drawId' | 'beatMs' | 'silentBeatsMax' | 'acceptedMax'
> = {
  drawId: () => `link-${process.pid}-${(ids += 1)}`,
  beatMs: 50,
  silentBeatsMax: Number.MAX_SAFE_INTEGER,
  acceptedMax: 100,
}
