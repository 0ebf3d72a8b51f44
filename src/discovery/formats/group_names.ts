// Words that groups have in their names and persons do not, in the languages of most registrants.
const groupWords = new Set(
  (
    'academia academie academii academy académie accademia advisory agence agencia ' +
    'agencies agency agentur agentura airlines airways ajuntament akademi akademia ' +
    'akademie akademija akadémia akadémie akatemia aktiebolaget alliance allianz amigos ' +
    'arbeitsgruppe arbeitskreis archive archives arquivo asociación association ' +
    'associations associazione associação authority authors ayuntamiento badan bahn ' +
    'bakanlık bakanlığı biblioteca biblioteket bibliothek bibliothèque biobank borders ' +
    'botanical broadcasting bundesamt bundesbank bundesrat bundesregierung bundestag ' +
    'bundesverfassungsgericht campaign center centers centre centres centro chamber choir ' +
    'clan coalition collaboration collaborations collaborators collective comisión ' +
    'comissão comitato comité comitê commission committee committees commonwealth ' +
    'communities community companhia company compañía confederation conference congress ' +
    'conseil consejo conselho consiglio consortia consortio consortium contributors ' +
    'cooperative corp corporation council cámara daily deepmind departamento department ' +
    'destatis developer developers devs diputación directorate directors diretoria ' +
    'division département editorial editors egyetem engineers ensemble enstitüsü ' +
    'enterprise enterprises equipe equipo establishment europarat eurostat experiment ' +
    'facebook fachbereich faculty fakultät federación federation federazione fondation ' +
    'fondazione forening forum foundation freunde friends fundación fundação fédération ' +
    'förderverein gazette generalitat genootschap gesellschaft ggmbh gmbh gobierno google ' +
    'government governo greenpeace group groupe groups grupo gruppe gruppo gymnasium ' +
    'herbarium hochschule hogeschool hospital hospitales hospitals háskóli högskola ' +
    'högskolan høgskole høgskolen imprint inc incorporated industries informatics ' +
    'initiative inspectorate institut institute institutes institutet institution ' +
    'institutions instituto institutt instytut intelligence international intézet ' +
    'investigators istituto journal kementerian kft kirjasto knihovna knowledge kommission ' +
    'kommun kommune kongress konsortium konzern korkeakoulu kurumu könyvtár laboratoire ' +
    'laboratories laboratorio laboratorios laboratory labs landtag lembaga libraries ' +
    'library limited llc llp ltd ltda maintainers mairie mbh media medicine members ' +
    'microsoft ministerio ministerium ministero ministerstvo ministerstwo ministry ' +
    'ministère ministério movement mozilla museet museo museum museums musée muzeum múzeum ' +
    'national nations naturvårdsverket network networks netzwerk newspaper newsroom nieuws ' +
    'nvidia observatory office offices orchester orchestra organisatie organisation ' +
    'organización organization orkest orkester oxfam oyj panel parliament partners ' +
    'partnership philharmonic philharmonie philharmoniker platform plc politechnika ' +
    'politecnico politécnica polytechnic prefecture program programme programmes programs ' +
    'project projects projekt projet provincie proyecto pty publications publishers ' +
    'publishing quartet recherche redacción redaktion redazione registry região región ' +
    'research researchers rights rijksmuseum rijkswaterstaat riksbank rédaction réseau ' +
    'sanatorium sarl scientists scuola sdn secretariat secrétariat sekretariat selskab ' +
    'senate services sociedad sociedade societies society società societé software ' +
    'solutions společnost srl station statistical statistický statistics statistik ' +
    'statistisches statistisk stichting stiftelse stiftelsen stiftung studies study survey ' +
    'sveučilište symphony syndicat syndicate systems säätiö taskforce team teams ' +
    'technologies technology telecom telekom tencent towarzystwo tribunal trustees ' +
    'tudományegyetem universidades univerza univerzita univerzitet uniwersytet urząd users ' +
    'verband verein vereniging verlag viện volunteers werkgroep wikimedia wikipedia women ' +
    'workers working workshop yayasan yliopisto zeitschrift zeitung zentrum école écoles ' +
    'équipe ústav úřad ülikool üniversite üniversitesi ίδρυμα εταιρεία ινστιτούτο ' +
    'πανεπιστήμιο πολυτεχνείο υπουργείο академии академия академія библиотека библиотеки ' +
    'группа институт коллектив министерство музей міністерство оао общество ооо пао проект ' +
    'универзитет университет университета університет універсітэт фонд центр інститут ' +
    'אוניברסיטה אוניברסיטת האוניברסיטה מכון משרד الجامعة جامعة مؤسسة مركز معهد وزارة ' +
    'मंत्रालय विश्वविद्यालय संस्थान росстат государственный служба комитет издательство ' +
    'редакция банк компания комиссия агентство управление совет ομάδα τράπεζα ακαδημία ' +
    'κέντρο σύλλογος שירות חברת البنك هيئة منظمة جمعية شركة كلية परिषद विभाग आयोग'
  ).split(' '),
)
const compoundEnds = [
  'gesellschaft|gemeinschaft|verein|verband|stiftung|institut|zentrum|universität|gruppe',
  'hochschule|ministerium|genootschap|behörde|akademie|anstalt|bundesamt|landesamt|dienst',
  'bibliothek|organisation|orchester|kommission|ausschuss|kammer|redaktion|zeitung|fakultät|klinik',
  'klinikum|gericht|verwaltung|verlag|werkstatt|archiv|museum|patentamt|umweltamt|verket|styrelsen',
  'direktoratet|myndigheten|keskus|laitos|virasto|stofnun',
].join('|')
const compound = new RegExp(`\\p{L}{3}(?:${compoundEnds})$`, 'u')
const compoundLengthMin = 9
const endLetters = new Set(compoundEnds.split('|').map((end) => end.slice(-3)))
// Legal forms of many countries, as they end a name: in words, and with full stops.
const legalForms = new Set(
  (
    'GesmbH gAG KGaA OHG GbR eG eV SASU SARL Sàrl EURL SCOP SpA SLU SLL Lda ' +
    'EIRL EIRELI BVBA VZW vzw ASBL asbl ASA ApS IVS Oy Oyj OÜ UAB SIA VšĮ sro doo dd hf ehf ohf ' +
    'Nyrt Zrt Kft Bt EOOD OOD EAD ZAO OAO OOO PAO OJSC CJSC PJSC JSC PLLC CIC Bhd Berhad Tbk ' +
    'Pvt AŞ Şti ЗАО ОАО ООО ПАО АО ТОО ТОВ'
  ).split(' '),
)
// Of these, a person's initials may be the same: `Fern SA`.
const shortForms = new Set('AB AG AS BV CV HB KB KG KK LP NV OY SA SAS SCA SE SL SRL UG'.split(' '))
const legalForm = new RegExp(
  String.raw`(?:^|\s)(?:e\.\s?V\.|S\.p\.A\.|S\.A\.(?:S\.|B\.)?|S\/A|S\.(?: de |à )?[Rr]\.?[Ll]\.|` +
    String.raw`S\.L\.(?:U\.)?|B\.V\.|N\.V\.|A\/S|A\.Ş\.|a\.\s?s\.|Co\.|& Co|Sp\. z o\.\s?o\.|` +
    String.raw`s\.\s?r\.\s?o\.|d\.\s?(?:o\.\s?o|d)\.|Ges\.\s?m\.\s?b\.\s?H\.|de C\.V\.|K\.K\.` +
    String.raw`)(?=\s|$)`,
)
const eastAsianEnds =
  '大学|大學|学院|研究所|研究院|科学院|協会|协会|学会|委員会|委员会|公司|中心|株式会社|財団|' +
  '図書館|图书馆|博物館|博物馆|庁|省|대학교|연구소|연구원|학회|위원회|협회|박물관|도서관|재단|' +
  '學院|學會|機構|基金会|厅|統計局|统计局|教育部|기술원|銀行|银行|은행|医院|病院|병원|法院|国会|국회|' +
  '研究会|研究會|協會|出版社|新聞社|编辑部|編集部|編輯部|编委会|编写组|課題組|课题组|정부|政府|전자|학교'
const eastAsian = new RegExp(
  `^(?:株式会社|กระทรวง|สำนักงาน|บริษัท|สถาบัน)|มหาวิทยาลัย|(?:${eastAsianEnds})$`,
)

// Words that are a group's in `World Bank` and a family name in `Ada Bank`.
const eitherWords = new Set(
  (
    'bank banks board boards boys branch brothers bureau church clinic clinics cloud club ' +
    'college colleges commons court crew data fund gallery garden gardens guild hall ' +
    'herald house league lodge mission news press reserve school service staff temple ' +
    'times tribune trust union works'
  ).split(' '),
)

// What groups' names begin with, and few of persons.
const articles = ['the', 'das', 'die', 'der', 'les']
const kinds = (
  'american auswärtiges banca banco banque british city comune deutsche deutscher deutsches ' +
  'european federal fraunhofer freistaat gemeente gemeinde global human jardim jardin jardín ' +
  'junta kanton landkreis ' +
  'municipality österreichische prefeitura provincia regione région republic república ' +
  'république royal schweizerische stadt statens united ville'
).split(' ')
// What a person is called by before a name of which they may have no other part.
const titles = 'dame lady lord papst pope queen saint sir'.split(' ')
const titleOf = /(?:^|\s)(?:Baron|Bishop|Count|Countess|Duke|Earl|King|Prince|Princess) of \p{Lu}/u
// What ends a group's name behind its own name, and few persons': `Wikimedia Österreich`.
const countries = (
  'africa asia australia austria belgique belgium belgië canada danmark denmark deutschland ' +
  'españa europa europe finland italia méxico nederland netherlands norge norway polska schweiz ' +
  'suisse suomi sverige sweden switzerland türkiye österreich россия україна'
).split(' ')
// These are family names as well: `Anatole France`.
const unsureEnds = new Set('brasil brazil france germany holland india'.split(' '))
const wordsAtEnds = new Set([
  ...eitherWords,
  ...articles,
  ...kinds,
  ...titles,
  ...countries,
  ...unsureEnds,
  ...'el la las los us uk eu'.split(' '),
  ...[...legalForms, ...shortForms].map((form) => form.toLowerCase()),
])
// More universities and offices begin so than persons who write their initials without full stops.
const shortKind = /^(?:ETH|EU|KU|LMU|RWTH|TU|UC|UK|UN|US)$/

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
    'aaron abdul abigail abraham ada adam adele adolf adrian agatha agnes agnieszka ahmed ' +
    'aiko aisha akira alain albert alberto alejandro aleksandr alessandro alex alexander ' +
    'alexandra alexandre alfonso alfred ali alice alicia alina alison alistair allan alma ' +
    'amanda amara amartya amelia amina amir amy ana anatole anders andre andrea andreas ' +
    'andrew andrzej angela angelo angus anita ann anna anne annette anthony antoine anton ' +
    'antoni antonia antonio archie aristide arjun arnold arthur arturo astrid augustine ' +
    'ava axel barbara bartholomew basil beatrice bede bela ben benjamin bernard bernardo ' +
    'bertha beth bettina bill birgit bjorn bo bob boris brian bridget brigitte bruce bruno ' +
    'burkhard camille carl carla carlos carmen carol caroline carolyn carsten catarina ' +
    'catherine cecil cecilia cedric cesar charles charlie charlotte chen cheryl chiara ' +
    'chloe chris christian christina christine christopher claire clara claude claudia ' +
    'clemens colin conrad cristina cristobal cynthia cyril daisy dan daniel daniela ' +
    'danielle darren dave david debbie deborah denis denise dennis derek detlef diana dick ' +
    'diego dieter dimitri dirk dmitri dolores dominic don donald donna doris dorothea ' +
    'dorothy doug douglas edgar edith edmund eduard eduardo edward egon eileen elaine ' +
    'eleanor elena eleonora elias elisa elisabeth elizabeth ella ellen elliot elman elsa ' +
    'emanuel emil emilio emily emma enrique enzo erasmus eric erik erika erin ernesto ' +
    'ernst esteban esther ethan eugene eugenia eusebio eva evelyn ezra fabian fabio fatima ' +
    'federico felix ferdinand fernando fiona florence frances francesco francis francisco ' +
    'francois frank franz fred frederic frederick frieda friedrich fritz gabriel gabriela ' +
    'gareth gary gavin geoffrey georg george gerald gerard gerhard giacomo gianni gina ' +
    'giorgio giovanni giuseppe glen gloria gottfried grace greg gregory greta guido ' +
    'guillaume gunnar gunther gustav gustavo guy gwen hamid hana hanna hannah hans harald ' +
    'harold harry hassan heather hector hedwig heidi heinrich helen helena helene helga ' +
    'henri henrietta henrik henry herbert herman hermann hilda hildegard hiroshi horst ' +
    'howard hubert hugo ian ibrahim ida ignacio igor ilya imre ines ingrid irene irina ' +
    'iris isaac isabel isabella isidore ismail ivan jack jacob jacques jaime jake jakob ' +
    'jamal james jan jane janet janos jason jasper javier jean jeanne jeff jennifer jens ' +
    'jeremy jeroen jerome jerry jesse jessica jessie jill jim jimmy jiri joachim joan ' +
    'joanna joao joaquin jocelyn joe joel johan johann johanna johannes john jon jonas ' +
    'jonathan jordan jorg jorge jose josef joseph josh joshua joyce jozef juan judith ' +
    'julia julian julie julio jun jurgen justin kai karen karim karin karl karol kate ' +
    'katharina katherine kathleen katie katrin kay keith ken kenji kenneth kevin khalid ' +
    'kirsten klaus kristin kristina kumar kurt kwame larry lars laura lauren leah lee ' +
    'leila lena lennart leo leon leonard leonardo leopold leslie leticia lewis li lily ' +
    'linda lisa lorena lorenzo lothar louis louisa louise luca lucas lucia lucie lucy ' +
    'ludwig luigi luis luisa luise lukas luke lydia mabel mads magdalena magnus mai ' +
    'malcolm malik manfred manuel marc marcel marco marcus marek margaret margarita maria ' +
    'marianne marie marilyn marina mario marion marius marjorie mark marko marta martha ' +
    'martin martina mary maryam masako mateo mathias mathilde matt matteo matthew mattias ' +
    'maureen maurice max maya megan mehmet mei melanie melissa michael michel michelle ' +
    'miguel mikael mike mikhail milan mildred miriam mirko mitsuko mohamed mohammad ' +
    'mohammed mona monica monika moritz morten mustafa nadia nadine nancy naoko naomi ' +
    'natalia natalie natasha nathalie nathan neil ngozi nicholas nick nicola nicolas ' +
    'nicole niels nigel nikolai nikos nils nina noah nora norman nuno olaf ole oleg olga ' +
    'oliver olivia omar orhan ori oscar oskar osman otto pablo pamela pascal pat patricia ' +
    'patrick patrizia paul paula paulo pavel pavol pedro peggy pekka penelope pete peter ' +
    'petra phil philip philippe phoebe pierre pilar piotr pliny priya quentin rachel ' +
    'rafael rahul rainer raj ralf ralph ramon randy raphael raquel rasmus raymond rebecca ' +
    'reinhard renate rene renee ricardo richard rita rob robert roberto robin rodney ' +
    'rodrigo roger roland rolf roman ronald ronnie rosa rosalind rose rosemary roy ruben ' +
    'rudolf rupert ruth ryan sabine sally salma sam samantha samuel sandra sanjay sara ' +
    'sarah saskia saul scott sean sebastian sebastien selma serge sergei sergio shane ' +
    'sharon sheila shinji shirley sidney siegfried sigmund sigrid silke silvana silvia ' +
    'simon simone sofia sonja sophia sophie soren stanislaw stefan stefano stella stephane ' +
    'stephanie stephen steve steven stig sue sunil susan susana susanne suzanne sven ' +
    'svetlana sylvia tadeusz takashi tamara tanja tara tatiana tatsuya ted teresa terry ' +
    'tess thabo thea theo theodor theodore theresa thomas thorsten tim timothy tina tobias ' +
    'tom tomas tomasz tomoko tony torsten tracy trevor udo ulrich ulrike umberto ursula ' +
    'uta uwe vaclav valentina vanessa vera veronica victor victoria vikram vincent virgil ' +
    'virginia vivian vlad vladimir vladislav volker walter wang wei wendy werner wiebke ' +
    'wilfred wilhelm will willem william wilma winfried wojciech wolfgang xavier yann ' +
    'yasmin yasuko ying yoko yolanda yuki yuri yusuf yves yvonne zdenek zoe zofia zsolt'
  ).split(' '),
)

/** Whether a name reads as that of a group: by its words, or as an abbreviation. */
export function namesGroup(name: string): boolean {
  return groupReading(name) === 'group'
}

/** Whether a name reads as that of a group; `unsure` where it may be one or a person's whole. */
export function groupReading(name: string): 'group' | 'unsure' | 'none' {
  const parts = name.toLowerCase().split(isAscii(name) ? betweenAsciiWords : betweenWords)
  if (parts.some(isGroupWord)) return 'group'
  // Most names are of persons, and are told from all others at once.
  if (personName.test(name) && !parts.some((word) => wordsAtEnds.has(word))) return 'none'
  if (legalForm.test(name) || eastAsian.test(name)) return 'group'
  const all = name.trim().split(/\s+/)
  if (all.length === 1) return isAbbreviation(name) ? 'group' : 'none'
  if (endsInForm(all)) return 'group'
  if (isUnsure(name, all)) return 'unsure'
  return isPhrase(all) ? 'group' : 'none'
}

/** `Moss AG`, `Fern Oy`, but `Ann AB`. */
function endsInForm(words: readonly string[]): boolean {
  const last = (words.at(-1) ?? '').replace(/\.$/, '')
  if (!legalForms.has(last) && !shortForms.has(last)) return false
  return legalForms.has(last) || !words.slice(0, -1).every(isGivenName)
}

/** Whether a word is a legal form or initials: `SA`. */
export function mayBeLegalForm(word: string): boolean {
  return shortForms.has(word)
}

/**
 * The names among several that are persons' because of the others: beside `Smith JD`, `Fern SA` is
 * no company.
 */
export function initialedNames(names: readonly string[]): readonly string[] {
  const all = names.filter((name) => isShortAtEnd(name) && initialed.test(name))
  const isShort = (name: string) => shortForms.has(name.split(' ')[1] ?? '')
  const isCertain = all.some((name) => !isShort(name) && groupReading(name) === 'none')
  return isCertain ? all.filter(isShort) : []
}

// Few names end so, which is told sooner.
function isShortAtEnd(name: string): boolean {
  return name.length - name.lastIndexOf(' ') <= 4
}

const initialed = /^\p{Lu}[\p{L}\p{M}'’-]*\p{Ll} \p{Lu}{1,3}$/u

function isUnsure(name: string, words: readonly string[]): boolean {
  const [first = '', middle = ''] = words
  const last = (words.at(-1) ?? '').toLowerCase()
  if (titles.includes(first.toLowerCase()) || titleOf.test(name)) return true
  if (words.length === 2 && /^(?:El|La|Las|Los)$/.test(first)) return true
  // `Hildegard of Bingen` and `Peter the Great`, but `Save the Children`.
  if (words.length === 3 && /^(?:of|the|il)$/.test(middle)) return isGivenName(first)
  // `Weiwei AI` may be a family name in capitals.
  const isEnd = unsureEnds.has(last) || words.at(-1) === 'AI'
  return isEnd && !words.slice(0, -1).every(isGivenName)
}

const tellingWords = new Set([...groupWords, ...wordsAtEnds])

/** Whether a word may make a name that of a group. */
export function isTelling(word: string): boolean {
  const small = word.toLowerCase()
  return tellingWords.has(small) || isGroupForm(small)
}

/** Whether a text has letters of English alone. */
export function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}

const betweenAsciiWords = /[^a-z]+/
const betweenWords = /[^\p{L}\p{M}]+/u
const personName = /^\p{Lu}\p{Ll}+,?(?: \p{Lu}(?:\p{Ll}+|\.))+$/u

function isGroupWord(word: string): boolean {
  return groupWords.has(word) || isGroupForm(word)
}

// Few family names are so long, and of those few end in the letters of such an ending.
function isGroupForm(word: string): boolean {
  if (word.length < compoundLengthMin) return false
  return word.startsWith('universi') || (endLetters.has(word.slice(-3)) && compound.test(word))
}

// `CERN`, `W3C`, `OpenStreetMap`, `example.org`, but `McCartney`, `E-40`, `will.i.am`, `RuPaul`.
function isAbbreviation(word: string): boolean {
  if (/^(?:\p{Lu}-\d|\p{Lu}{1,3}-\p{Lu}$)/u.test(word)) return false
  if (/^[\p{Lu}\d&.-]{3,}$/u.test(word) || /^[\p{L}\d-]{2,}\.\p{Ll}{2,}$/u.test(word)) return true
  if (/^\p{Lu}[\p{Lu}-]*\d+$|^\d\p{Lu}+$/u.test(word)) return true
  if (/^(?:Mac|Mc|De|Di|Du|La|Le|Fitz|Van)\p{Lu}/u.test(word)) return false
  const [, end = ''] = /^\p{L}*\p{Ll}(\p{Lu}\p{L}*)$/u.exec(word) ?? []
  return end !== '' && !isGivenName(end)
}

function isPhrase(words: readonly string[]): boolean {
  const [first = ''] = words
  if (/^(?:the|das|die|der)$/i.test(first)) return /^\p{Lu}/u.test(first)
  if (kinds.includes(first.toLowerCase()) || shortKind.test(first)) {
    return !words.some((word) => word.endsWith(',')) && !(first === 'Ville' && words.length < 3)
  }
  if (first === 'Les' && words.length > 2) return true
  const last = words.at(-1) ?? ''
  if (words.some((word) => /^[&+]$/.test(word)) || /^\p{L}*\d{2,}$/u.test(last)) return true
  // A comma before the last word says that all of it is a person.
  if (words.slice(0, -1).some(isSmallWord)) return words.some((word) => /^\p{Lu}/u.test(word))
  if (isEither(first)) return !words.some((word) => word.endsWith(','))
  const isAtEnd = isEither(last) || countries.includes(last.toLowerCase())
  return isAtEnd && !words.slice(0, -1).every(isGivenName)
}

function isEither(word: string): boolean {
  return eitherWords.has(word.toLowerCase())
}

function isSmallWord(word: string): boolean {
  return /^(?:\p{Ll}[\p{Ll}\p{M}]+|And|For|Of|Without)$/u.test(word) && !particles.has(word)
}

/** Whether a word is a given name of many, or initials. */
export function isGivenName(word: string): boolean {
  if (/^\p{Lu}\.?(?:[-‐]?\p{Lu}\.)*$/u.test(word)) return true
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.split('-').every((part) => givenNames.has(part))
}
