import type { World } from '#test/interface/_world.ts'

/** Tries what a row says against a registry; throws, with the difference, if it is not so. */
export type Attempt = (world: World) => Promise<unknown>

/**
 * How what the registry does stands to the text of the interface: as the text has it; differently,
 * or where the text says nothing. For the last two the attempt tries what the registry promises
 * instead, and `anchor` is where `docs/interface.md` says so.
 */
export type Standing =
  | { readonly type: 'written' }
  | { readonly type: 'differs' | 'filled'; readonly anchor: string }

/** One thing that the text of the interface says, or leaves open. */
export type Row = {
  readonly claim: string
  readonly standing: Standing
  readonly attempt: Attempt
}

/** Rows about one subject. */
export type Section = { readonly name: string; readonly rows: readonly Row[] }

/** What the text says and the registry does. */
export function row(claim: string, attempt: Attempt): Row {
  return { claim, standing: { type: 'written' }, attempt }
}

/** What the registry does in another way than the text has it. */
export function differs(anchor: string, claim: string, attempt: Attempt): Row {
  return { claim, standing: { type: 'differs', anchor }, attempt }
}

/** What the text leaves open and the registry has decided. */
export function filled(anchor: string, claim: string, attempt: Attempt): Row {
  return { claim, standing: { type: 'filled', anchor }, attempt }
}
