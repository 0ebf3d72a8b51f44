import type { NodeLinksOptions } from '#src/cluster/node_links.ts'

let ids = 0

/** Bounds of links in tests: a node that is alive is heard, however busy the machine. */
export const linkLimits: Pick<
  NodeLinksOptions,
  'drawId' | 'beatMs' | 'silentBeatsMax' | 'acceptedMax'
> = {
  drawId: () => `link-${process.pid}-${(ids += 1)}`,
  beatMs: 50,
  silentBeatsMax: 1_000,
  acceptedMax: 100,
}
