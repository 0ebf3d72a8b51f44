/** Hits to be ranked, as JSON, and by what; `isAll` if what they are ranked by finds no others. */
export type RankedHits = {
  readonly text: string
  readonly seqs: string
  readonly isAll: boolean
  readonly near: readonly Together[]
}

/** Hits in which words stand together, as JSON, and by how much they rank higher. */
export type Together = { readonly seqs: string; readonly rank: number }
