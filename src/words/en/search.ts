import { messages } from '#src/words/message.ts'

/** The search page, its form and its results. */
export const search = messages('search', {
  // Names the search box for screen readers, and what stands in it while it is empty.
  box: 'What are you looking for?',
  example: 'Title, author, words, ARK, DOI or ORCID iD',
  search: 'Search',
})
