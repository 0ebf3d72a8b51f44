// What is quoted or computed has a language of its own; a citation has that of its style.
const hidden = /<(script|style|code|pre|time|blockquote|datalist)\b[^>]*>[^]*?<\/\1>/g
const shownAttributes = /\b(?:title|aria-label|alt|placeholder|content)="([^"]*)"/g

/** Names that are the same in all languages, and are not in the catalogue. */
const names = new Set(
  `Arklog Atom API ARK ARKs BibTeX BibLaTeX RIS OAI PMH DOI ORCID JSON LD CSV ERC CSL XML UTC SHA
NAAN MiB Ed25519 CC MIT ROR ISSN ISBN iD ID APA Chicago MLA IEEE Vancouver Harvard DataCite
Crossref Turtle Dublin Core schema org lines Feed Deutsch English Español Français
Português`.split(/\s/),
)

/**
 * Words that a page in the long pseudo-language has in plain letters: those that are not of the
 * catalogue. What the test has put into records itself is written in other letters.
 */
export function leftWords(page: string): readonly string[] {
  const body = page.replaceAll(hidden, ' ')
  const attributes = [...body.matchAll(shownAttributes)]
    .filter(([all]) => !all.startsWith('content='))
    .map(([, text = '']) => text)
  const texts = body
    .replaceAll(/<[^>]*\b(?:translate="no"|lang="(?!en-XA)[^"]*")[^>]*>[^<]*/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\b(?:https?|ark):\S+|\b[a-z]+[:.][a-z_]+\b/g, ' ')
  const words = [texts, ...attributes]
    .join(' ')
    .replaceAll(/&#?\w+;/g, ' ')
    .match(/\b[A-Za-z]{2,}\b/g)
  return [...new Set(words ?? [])].filter((word) => !names.has(word))
}
