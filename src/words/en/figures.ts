import { messages } from '#src/words/message.ts'

/** Drawings: how often works are used, and how a receipt leads to the root of the log. */
export const figures = messages('figures', {
  // Headings of the figure of uses.
  workUsed: 'How often this work is used',
  theseWorksUsed: 'How often these works are used',
  allWorksUsed: 'How often works are used',
  // A use is a resolved ARK or a read page. Months are written as 2026-01.
  notUsed: 'Not resolved or read from {$from} to {$to}. Robots are not counted.',
  used: `.input {$count :integer} .match $count
    one {{Resolved or read {#strong}{$count}{/strong} time from {$from} to {$to}. The last month is not over yet. Robots are not counted.}}
    * {{Resolved or read {#strong}{$count}{/strong} times from {$from} to {$to}. The last month is not over yet. Robots are not counted.}}`,
  uses: 'Uses',
  asCsv: 'As CSV',
  table: 'All counts as a table',
  howCounted: 'How we count',
  byMonth: 'Uses by month',
  month: 'Month',
  // The last month of a table.
  soFar: '{$month}, so far',
  resolved: 'Resolved',
  pageRead: 'Page read',
  verified: 'Verified',
  harvested: 'Harvested',
  // What a screen reader says of a bar chart. `what` is such as `Uses`.
  bars: '{$what} from {$from} to {$to}. Highest: {$most} in {$when}.',
  bar: '{$label}: {$count :integer}',

  tree: 'A tree of hashes. Starting from one receipt, three neighbouring hashes lead to the root hash, which the log signs.',
  rootLabel: 'root hash, signed by the log',
  receiptLabel: 'a receipt',
  computed: 'computed from the receipt',
  proof: 'the proof, which comes with the receipt',
  notNeeded: 'not needed',
})
