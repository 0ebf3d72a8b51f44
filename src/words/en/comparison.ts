import { messages } from '#src/words/message.ts'

/** The page that compares two versions of a work. */
export const comparison = messages('comparison', {
  title: 'Versions {$from} and {$to}',
  of: 'of {$title}',
  same: 'The metadata is the same in both versions.',
  marks: 'Removed text is struck through, added text is underlined.',
  unchanged: `.input {$count :integer} .match $count
    one {{1 other field did not change.}}
    * {{{$count} other fields did not change.}}`,
  changed: 'What changed',
  others: 'Other versions',
  older: 'Older version',
  newer: 'Newer version, up to {$newest}',
})
