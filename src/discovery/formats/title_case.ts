// Words that title case leaves small: articles, conjunctions, short prepositions.
const smallWords = new Set(
  (
    'a according across afore after against ahead along alongside amid amidst among amongst ' +
    'an and anenst apart apropos around as aside astride at athwart atop back barring ' +
    'because before behind below beneath beside besides between beyond but by c ca circa ' +
    'close d de despite down due during et except far for forenenst from given in inside ' +
    'instead into lest like modulo near next nor notwithstanding of off on onto or out over ' +
    'per plus pro qua regarding sans since so such than that the through thru throughout ' +
    'till to toward towards under unlike until up upon v van versus via vis-à-vis von vs ' +
    'with within without yet'
  ).split(' '),
)

/**
 * A title of English with capitals: on the first word, on one after a colon, and on all but small
 * words. Capitals that are there stay. Titles in other languages are as they are.
 */
export function titleCase(title: string, language: string | undefined): string {
  if (language !== undefined && language !== 'en') return title
  const words = title.split(/(\s+)/)
  return words
    .map((word, index) => {
      const isFirst = index === 0 || /[:?!]$/.test(words[index - 2] ?? '')
      if (!isFirst && index < words.length - 1 && smallWords.has(word)) return word
      return /^[^\p{L}]*\p{Ll}[^\p{Lu}]*$/u.test(word) ? capitalized(word) : word
    })
    .join('')
}

function capitalized(word: string): string {
  return word.replace(/\p{L}/u, (letter) => letter.toLocaleUpperCase('en'))
}
