import { isLegalForm, mayBePersons } from '#actors/values/author_name.ts'
import { shorten } from '#src/discovery/citation_files/citation_file.ts'
import { readLatex } from '#src/discovery/citation_files/latex.ts'
import { onOneLine } from '#src/discovery/citation_files/markup.ts'
import { initialedNames, namesGroup } from '#src/discovery/formats/group_names.ts'

/** Characters of a name in a sentence, at most. */
const shownMax = 60

/** A name as a file has it: a person's in parts, or anybody else's whole. */
export type SourceName = {
  readonly given?: string
  /** With its particles: `van Beethoven`. */
  readonly family?: string
  /** `Jr.`, `III` */
  readonly suffix?: string
  readonly literal?: string
  /** What a comma in it says: `Doe, Jane` is turned round; `Ann Alpha, Bob Beta` may be two. */
  readonly comma?: 'turns' | 'doubtful'
}

/** The names of a list, and sentences about what in it was left out or is not as it should be. */
export type NameList = {
  readonly names: readonly SourceName[]
  /** Whether the list says that there are more names than it has, as in "et al.". */
  readonly hasOthers: boolean
  readonly notes: readonly string[]
}

/** What stands in the braces and commands of a file as text; others have none. */
type Spell = (text: string) => string

/**
 * Reads a list of names that are parted by "and", as BibTeX has them, or by what is written for it:
 * semicolons, `&`, commas. What is in braces is parted nowhere, and one that is all in braces is no
 * person's name.
 */
export function readNameList(source: string, spell: Spell = asItStands): NameList {
  const list = new ListReader(spell)
  const segments = splitAt(onOneLine(source).replace(/ \\and(?=[ {])/g, ' and'), wordAnd)
  const isOfMany = segments.length > 1
  const context = { isOfMany, isNatural: isOfMany && isNaturalOrder(segments.at(-1) ?? '') }
  for (const segment of segments) list.readSegment(segment.trim(), context)
  return { names: list.finish(), hasOthers: list.hasOthers, notes: list.notes }
}

/**
 * Reads a text that ought to be one person's name, and may be several: where semicolons, commas and
 * words between them say so.
 */
export function namesInText(text: string): NameList {
  const isList = /;|^[^,]*,.* (?:and|&|und|et) \S+ \S/s.test(text) && !namesGroup(text)
  return isList ? readNameList(text) : readName(text)
}

/** Reads one name in any order: `Family, Given`, `Family, Given, Jr.` or `Given Family`. */
export function readName(source: string, spell: Spell = asItStands): NameList {
  const list = new ListReader(spell)
  list.readOne(onOneLine(source), alone)
  return { names: list.finish(), hasOthers: list.hasOthers, notes: list.notes }
}

/** Reads a name that a file has in its parts, or whole; what is no part of it is left out. */
export function readParts({ literal, ...parts }: SourceName): NameList {
  const list = new ListReader(asItStands)
  if (literal === undefined) list.readParts(parts)
  else list.readWhole(literal)
  return { names: list.finish(), hasOthers: list.hasOthers, notes: list.notes }
}

// Letters of LaTeX, which names have in files of other formats as well; nobody's name is so.
const latexLetter =
  /\\(?:["'`^~=.] ?\{?\\?\p{L}|[uvHcdbrk](?: |\{)\p{L}|(?:ss|[oOlLij]|a[ae]|A[AE])\b)/u

/** Names that are all written `Smith J.`, in their parts; undefined if any is written otherwise. */
export function withInitialsLast(texts: readonly string[]): readonly SourceName[] | undefined {
  const parts = texts.map((text) => {
    const at = text.lastIndexOf(' ')
    return { family: text.slice(0, at), given: text.slice(at + 1) }
  })
  const isCertain = parts.some(({ given }) => /^(?:\p{Lu}|.*\.)$/u.test(given))
  const isAll = parts.every(({ family, given }) => {
    return /\p{Ll}/u.test(family) && !/[.,\d]/.test(family) && shortInitials.test(given)
  })
  return isAll && isCertain && (texts.length > 1 || texts[0]?.endsWith('.')) ? parts : undefined
}

function asItStands(text: string): string {
  return text.includes('\\') && latexLetter.test(text) ? readLatex(text).text : text
}

/**
 * What parts a text: in a text that has neither braces nor backslashes, and in another one, with
 * what parts nothing there: signs behind a backslash, and braces, of which the depth counts.
 */
type Mark = { readonly plain: RegExp; readonly any: RegExp }

const wordAnd: Mark = {
  plain: /(?:^| )and(?=[ ~])|(?<!,) and$/i,
  any: /\\[^]|[{}]|(?:^| )and(?=[ ~])|(?<!,) and$/gi,
}
const semicolon: Mark = { plain: /;/, any: /\\[^]|[{}]|;/g }
const ampersand: Mark = {
  plain: / (?:&|und|et|og|och) (?!al\b|zu\b)/i,
  any: / (?:\\?&|\{\\?&\}|und|et|og|och) (?!al\b|zu\b)|\\[^]|[{}]/gi,
}
const comma: Mark = { plain: /,/, any: /\\[^]|[{}]|,/g }
const blank: Mark = { plain: /[ ~]+/, any: /(?:[ ~]|\\ )+|\\[^]|[{}]/g }

/** The parts of a text between marks that stand in no braces. */
function splitAt(text: string, mark: Mark): readonly string[] {
  if (!/[\\{}]/.test(text)) return mark.plain.test(text) ? text.split(mark.plain) : [text]
  const parts: string[] = []
  let depth = 0
  let start = 0
  const { any } = mark
  any.lastIndex = 0
  for (let match = any.exec(text); match !== null; match = any.exec(text)) {
    const [found] = match
    if (found === '{') depth += 1
    else if (found === '}') depth = Math.max(0, depth - 1)
    else if (depth === 0 && (found[0] !== '\\' || (mark === blank && found[1] === ' '))) {
      parts.push(text.slice(start, match.index))
      start = any.lastIndex
    }
  }
  parts.push(text.slice(start))
  return parts
}

// What ends a list of authors that goes on elsewhere.
const othersWords =
  String.raw`(?:and )?\d{1,5} (?:others|more|(?:other|additional) authors)|others|` +
  String.raw`et[ ~]*al(?:ii|iae|\.)?|u\. ?a\.|et collab(?:orators)?\.?|\.\.\.|…|` +
  String.raw`(?:\\emph|\\textit)?\{et al\.?\}`
const othersForm = new RegExp(`(?:^|[ ,~])(?:${othersWords})[ ,]*$`, 'i')
const roleForm = /\((?:eds?|editors?|hrsg|hg|dir|coord|comp|trans|transl?)\.?\)\.?$/i
// `Roe, Ed.` has a given name.
const roleBehind = /, (?:eds?\.|editors?|Hrsg\.)$/
const titles = String.raw`(?:Prof|Dr|Professor|Mag|Dipl\.-Ing)(?:\. ?|[ ~])`
const faculties = String.raw`(?:(?:med|rer|nat|phil|h\.? ?c)\. ?)*`
const titleForm = new RegExp(`^(?:${titles}${faculties})+(?=\\S)`)
const degrees = [
  'Ph\\. ?D|PhD|D\\. ?Phil|DPhil|M\\. ?D|MD|M\\. ?Sc|MSc|B\\. ?Sc|BSc|M\\. ?P\\. ?H|MPH|MBA|LLM',
  'LL\\. ?D|J\\. ?D|DrPH|Sc\\. ?D|DSc|DVM|DDS|RN|Ed\\. ?D|EdD|FRCP|FRS|FACS|MRCP|PharmD|MBBS|MB',
  'BCh|CPA|P\\. ?E|Prof|Dr',
].join('|')
const degreeForm = new RegExp(`^(?:(?:${degrees})\\.?[ ,]*)+$`)
const certainDegree = /[ ,](?:Ph\. ?D\.?|PhD|DPhil|M\. ?Sc\.|MSc|MPH|PharmD|LL\. ?[MD]\.)$/
const suffixForm = /^(?:Jr|Sr|Jnr|Snr|JR|SR|jr|sr|Esq|II|III|IV|VI|VII|VIII|2nd|3rd|4th|2d|3d)\.?$/
// Between two commas; elsewhere, people have them as family names.
const suffixWords =
  'Junior|Senior|J[úu]nior|Filho|Neto|Sobrinho|[Hh]ijo|[Ff]ils|[Pp]ère|[IVX]+|jun|sen'
const suffixWord = new RegExp(`${suffixForm.source}|^(?:${suffixWords})\\.?$`)
// What are initials behind a single word, as in `Baldwin, S.A.`
const companyInitials = /^(?:AG|S\.A|B\.V|N\.V)\.?$/
const initialsForm = /^(?:\p{Lu}\p{M}*\.?[ -]?){1,4}$/u
// Nobody is called so: the R of `R Core Team` is no initial.
const teamForm = new RegExp(
  '^(?:Team|Consortium|Collaboration|Committee|Collaborators|Community|Contributors|Developers|' +
    'Foundation|Organi[sz]ation|Society|Institute|University|Association|Initiative|Council|' +
    'Commission|Ministry|Department)$',
)
// The number or sign of a note, an address of mail, an ORCID iD.
const marks = String.raw`[*†‡§¶⁎]|[⁰¹²³⁴-⁹](?:[,⁰¹²³⁴-⁹]*[⁰¹²³⁴-⁹])?|\^\{[\d,a-z*† ]{1,20}\}`
const markForm = new RegExp(
  String.raw`(?:${marks}| ?[<([][^<>()[\]]{0,100}(?:@|\d{4}-\d{4}-)[^<>()[\]]{0,100}[>)\]])+$`,
)
// What DBLP parts persons of one name by.
const homonymForm = / 0\d{3}$/
const lifeForm = /^(?:(?:b\.|born|d\.|ca?\.|fl\.) ?)?\d{4}\??(?: ?[-–] ?(?:\d{4}\??)?)?\.?$/
const shortInitials = /^(?:\p{Lu}{1,3}|(?:\p{Lu}\.[ -]?){1,4})$/u

// A family name of one word, and given names and initials, in letters that are composed; and words
// that may be something else than a given name.
const small = String.raw`A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f`
const capital = String.raw`A-Z\u00c0-\u00d6\u00d8-\u00de`
const nameWord = `[${capital}][${small}]*(?:-[${capital}][${small}]*)?`
const givenWord = `[${capital}](?:\\.|[${small}]+(?:-[${capital}][${small}]*)?)(?: |(?<=\\.)|$)`
const invertedForm = new RegExp(`^(${nameWord}), ((?:${givenWord})+)(?<! )$`)
const doubtfulWords =
  'Ph|Phil|Sc|Ed|Dr|Prof|Jr|Sr|Jnr|Snr|Junior|Senior|Esq|Inc|Ltd|Corp|Co|Limited|Others|Et|Al'
const doubtfulGiven = new RegExp(
  `(?:^|[ .-])(?:[A-Z][a-z]{0,3}[A-Z]|(?:${doubtfulWords})(?![a-z]))`,
)

const certainInitials = /^(?:\p{Lu}|(?:\p{Lu}\.[ -]?)+)$/u
const inCapitals = /^\p{Lu}{2,}$/u

// In these scripts the family name stands first: `山田 太郎`; in Katakana are names of others, which
// may stand in any order.
const easternForm = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}々]+$/u
const katakanaForm = /^[\p{Script=Katakana}ー・＝]+$/u

/** Whether a name is one of several, and whether the last of them has its family name last. */
type Context = { readonly isOfMany: boolean; readonly isNatural: boolean }

const alone: Context = { isOfMany: false, isNatural: false }

/** Sentences about a list, at most. */
const notesMax = 10

class ListReader {
  hasOthers = false
  readonly notes: string[] = []
  readonly #told = new Set<string>()
  readonly #names: SourceName[] = []
  readonly #spell: Spell

  constructor(spell: Spell) {
    this.#spell = spell
  }

  /** The names; those that are all written `Smith J` have their initials last. */
  finish(): readonly SourceName[] {
    const persons = this.#names.filter(({ literal }) => literal === undefined)
    const isLast = persons.length > 1 && persons.every((name) => initialsLast(name) !== undefined)
    // `Wei MA` may have a family name in capitals, and `Smith J` has none.
    if (isLast && persons.some(({ family = '' }) => certainInitials.test(family))) {
      return this.#names.map((name) => initialsLast(name) ?? name)
    }
    if (
      isLast ||
      (persons.length > 1 && persons.every(({ given = '' }) => inCapitals.test(given)))
    ) {
      this.#note('Which part is the family name is not clear: the last one is taken.')
    }
    return this.#names
  }

  /** What stands between two "and"s: a name, or more than one by another mark. */
  readSegment(segment: string, context: Context): void {
    if (this.#readPlain(segment)) return
    if (isBraced(segment)) {
      this.#addGroup(segment)
      return
    }
    const parts = splitAt(segment, semicolon).map((part) => part.trim())
    const named = parts.filter((part) => part !== '')
    if (named.length > 1) this.#tell('A name holds several, parted by semicolons', named)
    for (const part of named.length === 0 ? [''] : named) this.#readPart(part, context)
  }

  /** Reads `Family, Given`, as most lists have it; gives whether it is that, and nothing else. */
  #readPlain(segment: string): boolean {
    const [, family, given] = invertedForm.exec(segment) ?? []
    if (family === undefined || given === undefined || doubtfulGiven.test(given)) return false
    this.#names.push({ given, family, comma: 'turns' })
    return true
  }

  #readPart(part: string, context: Context): void {
    const sides = splitAt(part, ampersand).map((side) => side.trim())
    if (sides.length === 1) {
      this.readOne(part, context)
      return
    }
    const isList = sides.every((side) => /[,.]| \S/.test(side) && !namesGroup(this.#spell(side)))
    if (!isList) {
      const literal = this.#text(part)
      const hasGroup = sides.some((side) => namesGroup(this.#spell(side)))
      if (part.includes(',') && !hasGroup) this.#note(takenWhole(literal))
      this.#names.push({ literal })
      return
    }
    this.#tell('A name holds several, parted by a word or a sign', sides)
    for (const side of sides) this.readOne(side, { ...context, isOfMany: true })
  }

  /** Reads a person's name in its parts. */
  readParts({ family = '', given = '', suffix }: SourceName): void {
    const [first = '', ...behind] = given.split(/,(?!!)\s*/)
    const whole = `${first} ${family}`.trim()
    const more = this.#withoutDegrees([whole, ...behind]).slice(1)
    this.#add({
      given: [this.#withoutDegree(first, whole), ...more].join(', '),
      family: this.#withoutDegree(family, whole),
      ...(suffix !== undefined && { suffix }),
    })
  }

  /** Reads a name that stays whole. */
  readWhole(literal: string): void {
    const named = this.#withoutOthers(this.#withoutRole(this.#text(literal)).trim())
    if (named !== '') this.#names.push({ literal: this.#withoutMarks(named) })
  }

  /** Reads what is one name, unless its commas say that it is several. */
  readOne(given: string, context: Context): void {
    const source = this.#withoutOthers(
      this.#withoutMarks(trimmed(this.#withoutRole(given))),
    ).replace(/^[ ,]*(?:(?:and|&) )?/, '')
    if (source === '') {
      if (!this.hasOthers || given === '') this.#note('A name that is empty was left out.')
      return
    }
    if (isBraced(trimmed(source))) {
      this.#addGroup(trimmed(source))
      return
    }
    const titled = source.replace(titleForm, '')
    const parts = splitAt(titled, comma).map((part) => part.trim())
    const named = parts.filter((part) => part !== '')
    if (titled !== source) this.#leaveOut(source.slice(0, -titled.length), titled)
    this.#readCommas(named, titled, context)
  }

  /** A name without what its bearer did, as in `Roe, Jane (ed.)`, which fields of editors say. */
  #withoutRole(text: string): string {
    const name = text.replace(roleForm, '').replace(roleBehind, '')
    if (name !== text && this.#told.size <= notesMax) {
      const role = this.#text(text.slice(name.length).replace(/^[ ,]+/, ''))
      const shown = shorten(this.#text(trimmed(name)), shownMax)
      this.#note(`"${role}" is no part of the name ${shown}: it is not kept.`)
    }
    return name
  }

  #withoutOthers(text: string): string {
    const found = othersForm.exec(text)
    if (found === null) return text
    this.hasOthers = true
    return trimmed(text.slice(0, found.index))
  }

  #readCommas(parts: readonly string[], whole: string, context: Context): void {
    if (parts.some(isExtended)) {
      this.#addExtended(parts)
      return
    }
    const rest = this.#withoutLife(this.#withoutDegrees(parts))
    const suffixAt = rest.findIndex((part, index) => {
      if (index === 0) return false
      const isBetween = rest.length === 3 && index === 1
      return isBetween ? suffixWord.test(this.#text(part)) : suffixForm.test(part)
    })
    if (suffixAt < 0) {
      this.#readUnmarked(rest, whole, context)
      return
    }
    const suffix = this.#text(rest[suffixAt] ?? '')
    const [first = '', second, ...more] = rest.filter((_, index) => index !== suffixAt)
    if (more.length > 0) this.#readMany(rest, whole)
    else if (second === undefined) this.#addNatural(first, suffix)
    else this.#add({ family: first, given: second, suffix }, 'turns')
  }

  #withoutDegrees(parts: readonly string[]): readonly string[] {
    const [first = ''] = parts
    const left = parts.filter((part, index) => {
      if (index === 0 || !isDegree(part)) return true
      // Two letters after a family name alone are initials, and so are they with a space between.
      const isAlone = !first.replace(/^(?:\p{Ll}+ )+/u, '').includes(' ')
      const isForm = isAlone ? initialsForm.test(part) : /^\p{Lu}\. \p{Lu}\.?$/u.test(part)
      const isInitials = parts.length === 2 && isForm
      if (!isInitials) this.#leaveOut(part, parts.slice(0, Math.min(index, 2)).join(', '))
      return isInitials
    })
    return left.map((part) => this.#withoutDegree(part, first))
  }

  #withoutDegree(part: string, name: string): string {
    const found = certainDegree.exec(part)
    if (found === null) return part
    this.#leaveOut(found[0].slice(1), name)
    return part.slice(0, found.index)
  }

  /** Catalogues write the years of a life behind a name: `Doe, Jane, 1950-2010`. */
  #withoutLife(parts: readonly string[]): readonly string[] {
    const last = parts.at(-1) ?? ''
    if (parts.length < 2 || !lifeForm.test(last)) return parts
    this.#leaveOut(last, parts.slice(0, -1).join(', '))
    return parts.slice(0, -1)
  }

  #readUnmarked(parts: readonly string[], whole: string, context: Context): void {
    const [first = '', second = ''] = parts
    const { isOfMany, isNatural } = context
    if (parts.length === 1) this.#addNatural(first)
    else if (parts.length > 2) this.#readMany(parts, whole)
    else if (isLegalForm(second) || (companyInitials.test(second) && / /.test(first)))
      this.#addGroup(whole)
    else if (second === 'The') this.#addGroup(`The ${first}`)
    else if (
      (isCertainlyNatural(first) && isCertainlyNatural(second)) ||
      (endsWithInitials.test(first) && endsWithInitials.test(second)) ||
      ((initialWithin.test(first) || isCertainlyNatural(first)) &&
        isNaturalOrder(second) &&
        !initialAtEnd.test(second)) ||
      (isNatural && isNaturalOrder(first) && isNaturalOrder(second))
    ) {
      this.#tell('A name holds several, parted by commas', parts)
      parts.forEach((part) => this.#addNatural(part))
    } else if (isGroupOf(this.#text(first), this.#text(second)) && !isOfMany) {
      this.#addGroup(whole)
    } else {
      const isDoubtful = mayBePersons(`${this.#text(first)}, ${this.#text(second)}`)
      this.#add({ family: first, given: second }, isDoubtful ? 'doubtful' : 'turns')
    }
  }

  /** Names that are parted by commas alone, in either order; else one name that has them. */
  #readMany(parts: readonly string[], whole: string): void {
    const texts = parts.map((part) => this.#text(part))
    const initialed = initialedNames(texts)
    const isGroup = texts.some(
      (text) => /\p{Ll}/u.test(text) && namesGroup(text) && !initialed.includes(text),
    )
    const isNatural = texts.every((text) => /^\S+ \S/.test(text) || /^\p{Lu}\. ?\S{2,}/u.test(text))
    if (!isGroup && isNatural) {
      this.#tell('A name holds several, parted by commas', parts)
      parts.forEach((part) => this.#addNatural(part))
      return
    }
    const families = texts.filter((_, index) => index % 2 === 0)
    const isPairs =
      !isGroup &&
      parts.length % 2 === 0 &&
      families.every((family) => !initialsForm.test(family) && !/ .* /.test(family))
    if (isPairs) {
      const pairs = families.map((_, index) => [parts[2 * index] ?? '', parts[2 * index + 1] ?? ''])
      this.#tell('A name holds several, parted by commas', families)
      pairs.forEach(([family = '', given = '']) => this.#add({ family, given }))
      return
    }
    const literal = this.#text(whole)
    if (!isGroup) this.notes.push(takenWhole(literal))
    this.#names.push({ literal })
  }

  /** `Given von Family`, as BibTeX parts it: the family name begins with a word in lower case. */
  #addNatural(source: string, given?: string): void {
    const numbered = homonymForm.exec(source)
    if (numbered !== null) {
      const whole = source.slice(0, numbered.index)
      this.#leaveOut(numbered[0], whole)
      this.#addNatural(whole, given)
      return
    }
    const words = joinCommands(splitAt(source, blank).filter((word) => word !== ''))
    const last = words.at(-1) ?? ''
    const isMarked = given === undefined && words.length > 1 && suffixForm.test(this.#text(last))
    // A king is not the third of his family.
    const isSuffix = isMarked && (words.length > 2 || /^[JSjs]/.test(last))
    const suffix = isSuffix ? this.#text(last) : given
    const isCompany = words.length > 1 && isLegalForm(last)
    if (isMarked !== isSuffix || isCompany || this.#isGroup(source, words)) {
      this.#addGroup(source)
      return
    }
    const named = isSuffix ? words.slice(0, -1) : words
    const [first = '', second = '', ...others] = named
    if (others.length === 0 && easternForm.test(first) && easternForm.test(second)) {
      this.#add({ family: first, given: second })
      return
    }
    if (named.every((word) => katakanaForm.test(word))) {
      this.#addGroup(source)
      return
    }
    const lower = named.slice(0, -1).findIndex((word) => this.#isLower(word))
    // Ortega y Gasset has two family names.
    const isSecond = lower > 1 && /^[yie]$/.test(named[lower] ?? '')
    const from = lower < 0 ? named.length - 1 : lower - (isSecond ? 1 : 0)
    this.#add({
      given: named.slice(0, from).join(' '),
      family: named.slice(from).join(' '),
      ...(suffix !== undefined && { suffix }),
    })
  }

  /** Whether words without braces are none that a person is called by. */
  #isGroup(source: string, words: readonly string[]): boolean {
    const isTeamLast = teamForm.test(words.at(-1) ?? '')
    const text = isTeamLast ? this.#text(source) : source
    if ((!isTeamLast && /[{}]/.test(source)) || !namesGroup(text)) return false
    const isTeam = isTeamLast || words.some((word) => /^(?:of|for)$/.test(word))
    const hasInitials = words.some((word) => initialsForm.test(word))
    const shown = shorten(text, shownMax)
    if (!isTeam && (words.length < 3 || hasInitials)) {
      const isDoubtful = words.length === 2 && !hasInitials
      if (isDoubtful) this.#note(`${shown} is taken for a person; braces around it name a group.`)
      return words.length === 1
    }
    this.#note(`${shown} reads as the name of a group, and is taken whole.`)
    return true
  }

  /** Whether the first letter of a word that stands in no braces is in lower case. */
  #isLower(word: string): boolean {
    const bare = word.includes('{') ? withoutGroups(word) : word
    const [letter = ''] = /\p{L}/u.exec(bare.includes('\\') ? this.#spell(bare) : bare) ?? []
    return /\p{Ll}/u.test(letter)
  }

  #add(
    name: { readonly given: string; readonly family: string; readonly suffix?: string },
    sense?: 'turns' | 'doubtful',
  ): void {
    const [first, end] = this.#partSuffix(this.#withoutMarks(this.#text(name.given)))
    const [last, middle] = this.#partSuffix(this.#withoutMarks(this.#text(name.family)))
    const [given, family] = joinParticle(this.#withoutTitle(first, last), last)
    const suffix = name.suffix ?? end ?? middle
    if (family === '' && given === '') {
      this.#note('A name that is empty was left out.')
      return
    }
    this.#names.push({
      ...(given !== '' && family !== '' && { given }),
      family: family === '' ? given : family,
      ...(suffix !== undefined && suffix !== '' && { suffix }),
      ...(sense !== undefined && { comma: sense }),
    })
  }

  /** A part of a name without what points to a note or an address, which is no part of it. */
  #withoutMarks(text: string): string {
    const found = markForm.exec(text)
    if (found === null || found.index === 0) return text
    const name = text.slice(0, found.index).trim()
    this.#leaveOut(found[0].trim(), name)
    return name
  }

  /** `Dr. Jane` */
  #withoutTitle(given: string, family: string): string {
    const name = given.replace(titleForm, '')
    if (name !== given) this.#leaveOut(given.slice(0, -name.length), `${name} ${family}`)
    return name
  }

  /** `Martin Luther Jr.`, `King Jr.` and CSL's `John,! Jr.` have their suffix within. */
  #partSuffix(text: string): readonly [text: string, suffix: string | undefined] {
    const [, before, last = ''] = /^(.*[^\s,!])(?:,!?)? (\S+)$/u.exec(text) ?? []
    return before !== undefined && suffixForm.test(last) ? [before, last] : [text, undefined]
  }

  /** BibLaTeX's `family=Beethoven, given=Ludwig, prefix=van`. */
  #addExtended(parts: readonly string[]): void {
    const members = new Map<string, string>()
    for (const part of parts) {
      const [, name = '', value = ''] = /^"?\s*([\w-]+)\s*=\s*([^]*?)"?$/.exec(part) ?? []
      members.set(name.toLowerCase(), value.replace(/^\{([^{}]*)\}$/, '$1'))
    }
    const of = (name: string) => members.get(name) ?? ''
    const suffix = of('suffix')
    this.#add({
      given: of('given'),
      family: `${of('prefix')} ${of('family')}`.trim(),
      ...(suffix !== '' && { suffix: this.#text(suffix) }),
    })
  }

  #addGroup(source: string): void {
    const literal = this.#text(source)
    if (!/[\p{L}\p{N}]/u.test(literal)) this.#note('A name that is empty was left out.')
    else if (othersForm.test(literal) && othersForm.exec(literal)?.index === 0)
      this.hasOthers = true
    else this.#names.push({ literal })
  }

  #text(source: string): string {
    return onOneLine(this.#spell(source))
  }

  #leaveOut(what: string, name: string): void {
    // Each of ten thousand degrees would have the name before them spelled again.
    if (this.#told.size > notesMax) return
    const part = this.#text(what)
    this.#note(`"${part}" is no part of the name ${shorten(this.#text(name), shownMax)}: left out.`)
  }

  #tell(what: string, names: readonly string[]): void {
    this.#note(`${what}: ${names.length} were read.`)
  }

  /** A sentence is said once; of very many, the last says that there are more. */
  #note(sentence: string): void {
    if (this.#told.has(sentence) || this.#told.size > notesMax) return
    const isLast = this.#told.size === notesMax
    this.#told.add(sentence)
    this.notes.push(isLast ? 'The same is true of more of its names.' : sentence)
  }
}

/** `Hakim, Tawfik al-` and `al- Hakim` are written with the particle before the family name. */
function joinParticle(given: string, family: string): readonly [given: string, family: string] {
  const [, first, particle = ''] = /^(.*\S) (\p{Ll}{1,3}['’‘ʼ-])$/u.exec(given) ?? []
  const last = family.replace(/(?<!\S)(\p{Ll}{1,3}['’‘ʼ-]) (?=\p{L})/u, '$1')
  return first === undefined || last === '' ? [given, last] : [first, `${particle}${last}`]
}

/** A text without spaces and commas at its end. */
function trimmed(text: string): string {
  let end = text.length
  while (end > 0 && /[ ,]/.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

function isDegree(part: string): boolean {
  return part.length < 60 && degreeForm.test(part)
}

/** Whether a text is one pair of braces and what is in it. */
function isBraced(text: string): boolean {
  if (!text.startsWith('{') || !text.endsWith('}')) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
    if (depth === 0 && at < text.length - 1) return false
  }
  // `{\'E}` is a letter.
  return depth === 0 && !/^\{\\[^{}]*\}$/.test(text)
}

function takenWhole(name: string): string {
  return `The commas in "${shorten(name, shownMax)}" part no name we know: it is taken whole.`
}

/** `Smith J.` */
const endsWithInitials = /^\p{Lu}[^.,{}]*\p{Ll}[^.,{}]* (?:(?:\p{Lu}\.[ -]?)+|\p{Lu}{1,3})$/u

/** `Ann B. Alpha`, which no family name is. */
const initialWithin = /^\p{Lu}[^,{}]* \p{Lu}\. ?\p{L}[^.,{}]*\p{Ll}$/u
const initialAtEnd = /(?:^|[ .])\p{Lu}\p{M}*\.?$/u

/** `J. Smith`, which no family name is. */
function isCertainlyNatural(text: string): boolean {
  return /^(?:\p{Lu}\p{M}*\.[ ~-]*)+\p{L}[\p{L}\p{M}'’-]+(?: \p{L}+)*$/u.test(text)
}

/** `Jane Smith`: two words or more, and no comma. */
function isNaturalOrder(text: string): boolean {
  return /^\s*\p{Lu}[^,{}\s]*(?:\s+[^,{}\s]+)+\s*$/u.test(text)
}

function isGroupOf(first: string, second: string): boolean {
  if (!namesGroup(first) || !/\p{L}{3}/u.test(second)) return false
  return / \S+ /.test(first) || (first.includes(' ') && namesGroup(second))
}

function isExtended(part: string): boolean {
  return /^"?\s*(?:useprefix|(?:family|given|prefix|suffix)(?:-i)?)\s*=/i.test(part)
}

/** A word without what is in braces, but for letters such as `{\'e}` and `\'{E}`. */
function withoutGroups(word: string): string {
  let depth = 0
  let isLetter = false
  const kept: string[] = []
  for (let at = 0; at < word.length; at += 1) {
    const character = word.charAt(at)
    if (character === '{') {
      if (depth === 0) isLetter = word[at + 1] === '\\' || accentForm.test(kept.slice(-2).join(''))
      depth += 1
    }
    if (depth === 0 || isLetter) kept.push(character)
    if (character === '}') depth -= 1
  }
  return kept.join('')
}

const accentForm = /\\[`'^"~=.a-zA-Z]$/

/** Words, of which a command such as `\AA ` takes the next as its own. */
function joinCommands(words: readonly string[]): readonly string[] {
  const joined: string[][] = []
  for (const [index, word] of words.entries()) {
    const isTaken = openCommandForm.test(words[index - 1] ?? '')
    if (isTaken) joined.at(-1)?.push(word)
    else joined.push([word])
  }
  return joined.map((each) => each.join(' '))
}

const openCommandForm = /\\(?:[A-Za-z]{1,20}|[`'^"~=.])$/

/** `Smith J` as its parts; undefined if a name is none of this form. */
function initialsLast({ given, family, suffix, literal }: SourceName): SourceName | undefined {
  if (literal !== undefined || family === undefined) return undefined
  if (given === undefined) {
    // `van der Berg C` has its particles first.
    const [, name, initials] = /^(\p{Ll}.* \S+) (\S+)$/u.exec(family) ?? []
    if (name === undefined || initials === undefined || !shortInitials.test(initials))
      return undefined
    return { given: initials, family: name }
  }
  const [, name = '', more = ''] = /^(\P{Lu}*\p{Lu}[^.]*?)((?: \p{Lu}\.)*)$/u.exec(given) ?? []
  const initials = `${more} ${family}`.trim()
  const isTurned = shortInitials.test(initials) && /\p{Ll}/u.test(name)
  if (!isTurned) return undefined
  return { given: initials, family: name, ...(suffix !== undefined && { suffix }) }
}
