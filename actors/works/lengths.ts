// Characters of the texts that describe a work.

/** Texts that are folded: long enough for every spelling, short enough to be read at once. */
export const foldedCharactersMax = 200
export const externalIdCharactersMax = 200
export const nameCharactersMax = 1_000
export const titleCharactersMax = 2_000
export const numberCharactersMax = 100
export const noteCharactersMax = 2_000
export const descriptionCharactersMax = 50_000

/** Texts with marks: tags, and formulas in MathML, are much longer than what they show. */
export const titleMarkupCharactersMax = 20_000
export const descriptionMarkupCharactersMax = 200_000

// Items of lists. Collaborations have thousands of members, and reviews as many references.

export const listItemsMax = 1_000
export const longListItemsMax = 10_000
