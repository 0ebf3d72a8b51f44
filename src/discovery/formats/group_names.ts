// Words that groups have in their names and persons do not, in the languages of most registrants.
const groupWords = new Set(
  (
    'academia academie academii academy académie accademia agence agencia agencies agency ' +
    'agentur akademia akademie akademija akadémia akadémie akatemia alliance allianz amigos ' +
    'arbeitsgruppe arbeitskreis archive archives asociación association associations ' +
    'associazione associação authority authors badan bakanlık bakanlığı biblioteca ' +
    'biblioteket bibliothek bibliothèque botanical bundesamt center centers centre centres ' +
    'centro choir coalition collaboration collaborations collaborators collective comisión ' +
    'comitato comité commission committee committees communities community companhia ' +
    'company compañía confederation conference congress conseil consejo consiglio consortia ' +
    'consortio consortium contributors cooperative corp corporation council departamento ' +
    'department developer developers devs directorate directors division département ' +
    'editorial editors egyetem engineers ensemble enstitüsü enterprise enterprises equipe ' +
    'equipo establishment experiment fachbereich faculty fakultät federación federation ' +
    'federazione fondation fondazione forening forum foundation freunde friends fundación ' +
    'fundação fédération förderverein gazette genootschap gesellschaft ggmbh gmbh ' +
    'government group groupe groups grupo gruppe gruppo herbarium hochschule hogeschool ' +
    'hospital hospitals háskóli högskola högskolan høgskole høgskolen imprint inc ' +
    'incorporated industries informatics initiative institut institute institutes ' +
    'institution institutions instituto instytut international intézet investigators ' +
    'istituto journal kementerian kft kirjasto knihovna kommission korkeakoulu kurumu ' +
    'könyvtár laboratoire laboratories laboratorio laboratory labs lembaga libraries ' +
    'library limited llc llp ltd ltda maintainers mbh members ministerio ministerium ' +
    'ministero ministerstvo ministerstwo ministry ministère ministério movement museet ' +
    'museo museum museums musée muzeum múzeum national nations network networks netzwerk ' +
    'observatory office offices orchestra organisatie organisation organización ' +
    'organization oyj panel parliament partners partnership platform plc politechnika ' +
    'politecnico politécnica program programme programmes programs project projects projekt ' +
    'projet proyecto pty publishers publishing quartet recherche registry research ' +
    'researchers réseau sanatorium sarl scientists secretariat selskab service services ' +
    'sociedad sociedade societies society società societé software solutions společnost srl ' +
    'station stichting stiftelse stiftelsen stiftung studies study survey sveučilište ' +
    'syndicate systems säätiö taskforce team teams technologies technology towarzystwo ' +
    'tribunal tudományegyetem univerza univerzita univerzitet uniwersytet users verband ' +
    'verein vereniging viện volunteers werkgroep women workers working workshop yayasan ' +
    'yliopisto zentrum école écoles équipe ústav ülikool üniversite üniversitesi ίδρυμα ' +
    'εταιρεία ινστιτούτο πανεπιστήμιο πολυτεχνείο υπουργείο академии академия академія ' +
    'библиотека библиотеки группа институт коллектив министерство музей міністерство оао ' +
    'общество ооо пао проект универзитет университет университета університет універсітэт ' +
    'фонд центр інститут אוניברסיטה אוניברסיטת האוניברסיטה מכון משרד الجامعة جامعة مؤسسة ' +
    'مركز معهد وزارة मंत्रालय विश्वविद्यालय संस्थान'
  ).split(' '),
)
const compoundEnds = [
  'gesellschaft|gemeinschaft|verein|verband|stiftung|institut|zentrum|universität|gruppe',
  'hochschule|ministerium|genootschap|behörde|akademie|anstalt|bundesamt|landesamt|dienst',
  'bibliothek|organisation',
].join('|')
const compound = new RegExp(`\\p{L}{3}(?:${compoundEnds})$`, 'u')
const compoundLengthMin = 9
const legalForm = new RegExp(
  String.raw`(?:^|\s)(?:e\.\s?V\.|S\.p\.A\.|SpA|S\.A\.(?:S\.)?|S\.(?: de )?R\.L\.|B\.V\.|N\.V\.|` +
    String.raw`A\/S|A\.Ş\.|Co\.|& Co|Sp\. z o\.\s?o\.|s\.\s?r\.\s?o\.|d\.o\.o\.|K\.K\.)(?=\s|$)`,
)
const eastAsianEnds =
  '大学|大學|学院|研究所|研究院|科学院|協会|协会|学会|委員会|委员会|公司|中心|株式会社|財団|' +
  '図書館|图书馆|博物館|博物馆|庁|省|대학교|연구소|연구원|학회|위원회|협회|박물관|도서관|재단|' +
  '學院|學會|機構|基金会|厅|統計局|统计局|教育部|기술원'
const eastAsian = new RegExp(`^(?:株式会社|มหาวิทยาลัย)|(?:${eastAsianEnds})$`)

// Words that are a group's in `World Bank` and a family name in `Ada Bank`.
const eitherWords = new Set(
  (
    'bank banks board boards branch bureau church cloud clinic clinics club college colleges ' +
    'court crew data fund gallery garden gardens guild hall house league lodge mission press ' +
    'school staff temple trust union works'
  ).split(' '),
)

// What groups' names begin with, and few of persons.
const articles = ['the', 'das', 'die', 'der', 'les']
const kinds = (
  'ayuntamiento city comune gemeinde jardim jardin jardín kanton landkreis municipality ' +
  'prefeitura royal stadt'
).split(' ')
const wordsAtEnds = new Set([...eitherWords, ...articles, ...kinds])
// More universities begin so than persons who write their initials without full stops.
const shortKind = /^(?:ETH|KU|RWTH|TU|UC|UN)$/

// What is said in the middle of a group's name: all small words but particles are.
const particles = new Set(
  (
    'van von der den de del della di da das dos do du la le les lo los las ten ter te tot ' +
    'zu zum zur vom and und et af av y e i bin ibn bint ben al el ap ab op am an in auf ' +
    'aus im dal dalla degli dei delle des tom nic mac ní ó uí ui vander vande aan het ole wa ' +
    "’t 't d l sri san"
  ).split(' '),
)

// Given names, for the one question whose name it is that ends in a word of either kind.
const givenNames = new Set(
  (
    'aaron abdul abigail ada adam adrian agnes ahmed aiko akira alain albert alejandro ' +
    'alex alexander alexandra ali alice alicia alina alison allan amanda amara amir amy ' +
    'ana anders andre andrea andreas andrew andrzej angela anita ann anna anne annette ' +
    'anton antonio arjun arthur astrid barbara beatrice ben benjamin bernard bertha ' +
    'bettina bo bob boris brian bruce bruno carl carla carlos carmen carol caroline ' +
    'catherine cecilia charles charlotte chen chloe chris christian christina christine ' +
    'christopher claire clara claude claudia colin cristina dan daniel daniela david ' +
    'deborah dennis diana diego dmitri dolores donald donna doris dorothy douglas eduardo ' +
    'edward eleanor elena elias elisabeth elizabeth ella ellen emil emily emma enrique ' +
    'eric erik ernst esther eugene eva evelyn fatima felix fernando fiona florence ' +
    'frances francesco francis francisco frank franz fred frederick friedrich gabriel ' +
    'gabriela george georg gerald gerhard gianni gloria grace greta guido gunnar gustav ' +
    'hana hannah hans harald harold harry hassan heather hector heidi heinrich helen ' +
    'helena helga henri henry herbert hiroshi howard hugo ian ibrahim ida igor ines ' +
    'ingrid irene iris isabel isabella ivan jack jacob jacques jakob james jan jane janet ' +
    'jason javier jean jennifer jens jeremy jessica jill joan joanna johan johann johanna ' +
    'johannes john jon jonas jonathan jordan jorge jose josef joseph joshua juan judith ' +
    'julia julian julie jun karen karin karl kate katharina katherine kathleen keith ken ' +
    'kenji kenneth kevin klaus kumar lars laura lauren lee lena leo leon leonard lewis li ' +
    'lily linda lisa louis louise luca lucas lucia lucy luis luisa luke magdalena mai ' +
    'marc marco margaret margarita maria marianne marie marina mario marion mark marta ' +
    'martha martin martina mary masako mateo mathias matthew maurice max mei melanie ' +
    'michael michel michelle miguel mikhail milan mohamed mohammed monica monika nadia ' +
    'nancy naomi natalia natalie nathan nicholas nicolas nicole niels nina noah nora ' +
    'norman olga oliver olivia omar ori oscar oskar otto pablo pamela patricia patrick ' +
    'paul paula paulo pedro peggy pekka peter petra philip philippe pierre piotr priya ' +
    'rachel rafael rainer raj ralph raphael rebecca renate ricardo richard robert roberto ' +
    'robin roger roland roman ronald rosa rose roy ruth ryan sabine sally sam samuel ' +
    'sandra sara sarah scott sean sebastian sergei sharon sheila shirley silvia simon ' +
    'sofia sonja sophia sophie stefan stella stephanie stephen steven sue susan susanne ' +
    'svetlana sven sylvia takashi tanja tatiana terry theodor theresa thomas tim timothy ' +
    'tina tobias tom tomas tony ulrich ursula valentina vera veronica victor victoria ' +
    'vincent virginia vladimir walter wang wei werner wilhelm will william wolfgang ' +
    'xavier yasmin yuki yusuf yvonne zoe'
  ).split(' '),
)

/** Whether a name reads as that of a group: by its words, or as an abbreviation. */
export function namesGroup(name: string): boolean {
  const parts = name.toLowerCase().split(isAscii(name) ? betweenAsciiWords : betweenWords)
  if (parts.some(isGroupWord)) return true
  // Most names are of persons, and are told from all others at once.
  if (personName.test(name) && !parts.some((word) => wordsAtEnds.has(word))) return false
  if (legalForm.test(name) || eastAsian.test(name)) return true
  const all = name.trim().split(/\s+/)
  return all.length === 1 ? isAbbreviation(name) : isPhrase(all)
}

/** Whether a word may make a name that of a group. */
export function isTelling(word: string): boolean {
  const small = word.toLowerCase()
  return isGroupWord(small) || wordsAtEnds.has(small)
}

/** Whether a text has letters of English alone. */
export function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}

const betweenAsciiWords = /[^a-z]+/
const betweenWords = /[^\p{L}\p{M}]+/u
const personName = /^\p{Lu}\p{Ll}+,?(?: \p{Lu}(?:\p{Ll}+|\.))+$/u

function isGroupWord(word: string): boolean {
  if (groupWords.has(word) || (word.startsWith('universi') && word !== 'universi')) return true
  return word.length >= compoundLengthMin && compound.test(word)
}

// `CERN`, `OpenStreetMap`, `example.org`, but `McCartney`.
function isAbbreviation(word: string): boolean {
  if (/^[\p{Lu}\d&.-]{3,}$/u.test(word) || /\p{L}\.\p{Ll}{2,}$/u.test(word)) return true
  if (/^[\p{Lu}\d]\S*\d|^\d\p{Lu}/u.test(word)) return true
  return /^(?!(?:Mac|Mc|De|Di|Du|La|Le|Fitz|Van)\p{Lu})\p{L}*\p{Ll}\p{Lu}/u.test(word)
}

function isPhrase(words: readonly string[]): boolean {
  const [first = ''] = words
  if (/^(?:the|das|die|der)$/i.test(first)) return /^\p{Lu}/u.test(first)
  if (kinds.includes(first.toLowerCase()) || shortKind.test(first)) {
    return !words.some((word) => word.endsWith(','))
  }
  if (first === 'Les' && words.length > 2) return true
  const last = words.at(-1) ?? ''
  if (words.some((word) => /^[&+]$/.test(word) || /^\p{L}*\d{2,}$/u.test(word))) return true
  // A comma before the last word says that all of it is a person.
  if (words.slice(0, -1).some(isSmallWord)) return words.some((word) => /^\p{Lu}/u.test(word))
  if (isEither(first)) return !words.some((word) => word.endsWith(','))
  return isEither(last) && !words.slice(0, -1).every(isGivenName)
}

function isEither(word: string): boolean {
  return eitherWords.has(word.toLowerCase())
}

function isSmallWord(word: string): boolean {
  return /^\p{Ll}[\p{Ll}\p{M}]+$/u.test(word) && !particles.has(word)
}

/** Whether a word is a given name of many, or initials. */
export function isGivenName(word: string): boolean {
  if (/^\p{Lu}\.?(?:[-‐]?\p{Lu}\.)*$/u.test(word)) return true
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.split('-').every((part) => givenNames.has(part))
}
