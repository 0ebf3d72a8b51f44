// Words that groups have in their names and persons do not, in the languages of most registrants.
const groupWords = new Set(
  (
    'academia academie academii academy académie accademia administration advisory ' +
    'aerospace agence agencia agencies agency agentur agentura agenzia airlines airways ' +
    'ajuntament ' +
    'akademi akademia akademie akademija akadémia akadémie akatemia aktiebolaget alliance ' +
    'allianz amigos analytics arbeitsgruppe arbeitskreis archive archives arquivo ' +
    'asociación association associations associazione associação authority authors ' +
    'ayuntamiento badan bahn bakanlık bakanlığı biblioteca biblioteket bibliothek ' +
    'bibliothèque biobank biosciences borders botanical broadcasting bundesamt bundesbank ' +
    'bundesrat bundesregierung bundestag bundesverfassungsgericht campaign center centers ' +
    'centre centres centro chamber choir clan coalition collaboration collaborations ' +
    'collaborators collective comisión comissão comitato comité comitê commission ' +
    'committee committees commonwealth communities community companhia company compañía ' +
    'confederation conference congress conseil consejo conselho consiglio consortia ' +
    'consortio consortium contributors cooperative corp corporation council cámara daily ' +
    'deepmind departamento department destatis developer developers devs diagnostics ' +
    'diputación directorate directors diretoria division dynamics département editorial ' +
    'editors egyetem electric electronics engineers ensemble enstitüsü enterprise ' +
    'enterprises equipe equipo establishment europarat eurostat experiment facebook ' +
    'fachbereich faculty fakultät federación federation federazione fondation fondazione ' +
    'forening forum foundation freunde friends fronteras frontiere frontières fundación fundação ' +
    'fédération förderverein gemeinschaft ' +
    'gazette generalitat genomics genootschap gesellschaft ggmbh gmbh gobierno google ' +
    'government governo greenpeace group groupe groups grupo gruppe gruppo gymnasium ' +
    'herbarium hochschule hogeschool hospital hospitales hospitals háskóli högskola ' +
    'högskolan høgskole høgskolen imprint inc incorporated industries informatics ' +
    'initiative inspectorate institut institute institutes institutet institution ' +
    'institutions instituto institutt instruments instytut intelligence international ' +
    'intézet investigators istituto journal kementerian kft kirjasto knihovna knowledge ' +
    'kommission kommun kommune kongress konsortium konzern korkeakoulu kurumu könyvtár ' +
    'laboratoire laboratories laboratorio laboratorios laboratory labs landtag lembaga ' +
    'libraries library limited llc llp logistics ltd ltda maintainers mairie mbh media ' +
    'medicine members microsoft ministerio ministerium ministero ministerstvo ministerstwo ' +
    'ministry motors ministère ministério movement mozilla museet museo museum museums ' +
    'musée muzeum múzeum national nations naturvårdsverket network networks netzwerk ' +
    'newspaper newsroom nieuws nvidia observatory office offices orchester orchestra ' +
    'organisatie organisation organización organization orkest orkester oxfam oyj panel ' +
    'parliament partners partnership pharmaceuticals philharmonic philharmonie ' +
    'philharmoniker platform plc politechnika politecnico politécnica polytechnic ' +
    'prefecture program programme programmes programs project projects projekt projet ' +
    'provincie proyecto pty publications publishers publishing quartet recherche redacción ' +
    'redaktion redazione registry região región research researchers rights rijksmuseum ' +
    'rijkswaterstaat riksbank robotics rédaction réseau sanatorium sarl scientific ' +
    'scientists scuola sdn secretariat secrétariat sekretariat selskab semiconductors ' +
    'senate services sociedad sociedade societies society società societé software ' +
    'solutions společnost srl station statistical statistický statistics statistik ' +
    'statistisches statistisk stichting stiftelse stiftelsen stiftung studies study survey ' +
    'sveučilište symphony syndicat syndicate systems säätiö taskforce team teams ' +
    'technologies technology telecom telekom tencent therapeutics towarzystwo tribunal ' +
    'trustees tudományegyetem universidades univerza univerzita univerzitet uniwersytet ' +
    'urząd users verband verein vereniging verlag viện volunteers werkgroep wikimedia ' +
    'wikipedia women workers working workshop yayasan yliopisto zeitschrift zeitung ' +
    'zentrum école écoles équipe ústav úřad ülikool üniversite üniversitesi ίδρυμα ' +
    'εταιρεία ινστιτούτο πανεπιστήμιο πολυτεχνείο υπουργείο академии академия академія ' +
    'библиотека библиотеки группа институт коллектив министерство музей міністерство оао ' +
    'общество ооо пао проект универзитет университет университета університет універсітэт ' +
    'anthropic astrazeneca elsevier embrapa figshare fiocruz glaxosmithkline huawei novartis ' +
    'openstreetmap pfizer samsung sinopec unilever volkswagen zenodo ' +
    'фонд центр інститут אוניברסיטה אוניברסיטת האוניברסיטה מכון משרד الجامعة جامعة مؤسسة ' +
    'مركز معهد وزارة मंत्रालय विश्वविद्यालय संस्थान росстат государственный служба комитет ' +
    'издательство редакция банк компания комиссия агентство управление совет ομάδα τράπεζα ' +
    'ακαδημία κέντρο σύλλογος שירות חברת البنك هيئة منظمة جمعية شركة كلية परिषद विभाग आयोग'
  ).split(' '),
)
const compoundEnds = [
  'gesellschaft|gemeinschaft|verein|verband|stiftung|institut|zentrum|universität|gruppe',
  'hochschule|ministerium|genootschap|behörde|akademie|anstalt|bundesamt|landesamt|dienst',
  'bibliothek|organisation|orchester|kommission|ausschuss|kammer|redaktion|zeitung|fakultät|klinik',
  'klinikum|hospitalet|krankenhaus|ziekenhuis|sykehus|sygehus|sjukhuset',
  'gericht|verwaltung|verlag|werkstatt|archiv|museum|patentamt|umweltamt|verket|styrelsen',
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
    'bank board boards boys branch brothers bureau clinic clinics cloud club college ' +
    'colleges commons court crew data fund gallery garden gardens guild herald house ' +
    'league lodge mission news press reserve school service staff times tribune trust ' +
    'union works'
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
// These are family names as well, more often than not: `Anatole France`, `Stuart Hall`.
const unsureEnds = new Set(
  'banks brasil brazil church france germany hall holland india temple'.split(' '),
)
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
    'aaliyah aaron abdul abigail abraham ada adam addison adele adolf adrian agatha ' +
    'agnes agnieszka ahmed aiden aiko aisha akira alain albert alberto alejandro ' +
    'aleksandr alessandro alex alexander alexandra alexandre alexandria alexis alfonso ' +
    'alfred ali alice alicia alina alison alistair allan allen alma alonzo alyssa ' +
    'amanda amara amartya amelia amina amir amos amy ana anatole anders andre andrea ' +
    'andreas andrew andrzej angela angelina angelo angus anita ann anna annabel anne ' +
    'annette annie anthony antoine anton antoni antonia antonio april archie aristide ' +
    'arjun arlene arnold arthur arturo ashley astrid aubrey audrey augustine austin ' +
    'ava axel barbara barry bartholomew basil beatrice becky bede bela bella ben ' +
    'benedict benjamin bennett bernadette bernard bernardo bernice bertha bertrand ' +
    'bessie beth bethany bettina beverly bill birgit bjorn bo bob bonnie boris brad ' +
    'bradley brandon brenda brent brian bridget brigitte brittany bruce bruno burkhard ' +
    'byron caitlin caleb callum cameron camille carl carla carlos carmen carol carole ' +
    'caroline carolyn carrie carsten cassandra catarina catherine cecil cecilia cedric ' +
    'cesar charles charlie charlotte chelsea chen cheryl chester chiara chloe chris ' +
    'christa christian christina christine christopher christy cindy claire clara ' +
    'clarence clarissa claude claudia clayton clemens cliff clifford clyde colin ' +
    'colleen connor conrad constance corey courtney cristina cristobal crystal curtis ' +
    'cynthia cyril daisy damian dan daniel daniela danielle darlene darrell darren ' +
    'daryl dave david dawn dean deanna debbie deborah debra delia della denis denise ' +
    'dennis derek desmond detlef dexter diana dick diego dieter dimitri dirk dmitri ' +
    'dolores dominic don donald donna doreen doris dorothea dorothy doug douglas ' +
    'duncan dustin dwight dylan edgar edith edmund edna eduard eduardo edward edwin ' +
    'egon eileen elaine eleanor elena eleonora elias elisa elisabeth eliza elizabeth ' +
    'ella ellen elliot elman elmer elsa elsie emanuel emil emilia emilio emily emma ' +
    'enrique enzo erasmus eric erica ericka erik erika erin ernest ernesto ernie ernst ' +
    'esteban estelle esther ethan ethel eugene eugenia eusebio eva evan evelyn ezra ' +
    'fabian fabio faith fatima federico felicity felix ferdinand fergus fernando fiona ' +
    'florence floyd frances francesco francine francis francisco francois frank ' +
    'frankie franz fred frederic frederick freya frieda friedrich fritz gabriel ' +
    'gabriela gail gareth garry gary gavin gene geoffrey georg george gerald geraldine ' +
    'gerard gerhard gertrude giacomo gianni gilbert gina giorgio giovanni giuseppe ' +
    'gladys glen glenn gloria gordon gottfried grace grant greg gregory greta guido ' +
    'guillaume gunnar gunther gus gustav gustavo guy gwen gwendolyn hamid hana hanna ' +
    'hannah hans harald harold harriet harry harvey hassan hattie hazel heather hector ' +
    'hedwig heidi heinrich helen helena helene helga henri henrietta henrik henry ' +
    'herbert herman hermann hilary hilda hildegard hiroshi hollie holly horst howard ' +
    'hubert hugh hugo ian ibrahim ida ignacio igor ilya imogen imre ines ingrid irene ' +
    'irina iris isaac isabel isabella isidore isla ismail ivan ivy jack jacob ' +
    'jacqueline jacques jade jaime jake jakob jamal james jamie jan jane janet janice ' +
    'janos jared jasmine jason jasper javier jean jeanette jeanne jed jeff jenna ' +
    'jennie jennifer jenny jens jeremiah jeremy jeroen jerome jerry jesse jessica ' +
    'jessie jesus jill jim jimmy jiri jo joachim joan joanna joao joaquin jocelyn ' +
    'jodie joe joel johan johann johanna johannes john jon jonah jonas jonathan jordan ' +
    'jorg jorge jose josef joseph josephine josh joshua joy joyce jozef juan juanita ' +
    'judith judy julia julian julie juliet julio jun june jurgen justin justine kai ' +
    'kaitlyn kara karen kari karim karin karl karol kate katelyn katharina katherine ' +
    'kathleen kathryn katie katrin kay keira keith kelly kelsey ken kendra kenji ' +
    'kenneth kenny kerry kevin khalid kirsten kirsty klaus kristen kristin kristina ' +
    'kumar kurt kwame kyle lance larry lars laura laurel lauren laurie leah leanne lee ' +
    'leila lena lennart lenny leo leon leona leonard leonardo leopold leroy leslie ' +
    'lester leticia lewis li liam lillian lily linda lindsay lionel lisa lizzie lloyd ' +
    'logan lois lola lonnie lorena lorenzo loretta lori lorraine lothar louis louisa ' +
    'louise luca lucas lucia lucie lucille lucinda lucy ludwig luigi luis luisa luise ' +
    'lukas luke luther lydia lyle lynda lynn mabel mack maddie madeleine mads ' +
    'magdalena maggie magnus mai malcolm malik mandy manfred manuel marc marcel marcia ' +
    'marco marcus marek margaret margarita margot maria marian marianne marie marilyn ' +
    'marina mario marion marius marjorie mark marko marlene marsha marshall marta ' +
    'martha martin martina marvin mary maryam masako mateo mathias mathilde matilda ' +
    'matt matteo matthew mattias maude maureen maurice max maxine maya meg megan ' +
    'mehmet mei melanie melissa melvin mercedes meredith merle mia michael michel ' +
    'michelle mick miguel mikael mike mikhail milan mildred miles millie milton minnie ' +
    'miranda miriam mirko mitchell mitsuko mohamed mohammad mohammed molly mona monica ' +
    'monika monty moritz morris mort morten murray mustafa myra myrtle nadia nadine ' +
    'nancy naoko naomi natalia natalie natasha nathalie nathan nathaniel neal ned neil ' +
    'nellie nelson ngozi nicholas nick nicola nicolas nicole niels nigel nikki nikolai ' +
    'nikos nils nina noah nora norma norman nuno olaf ole oleg olga olive oliver ' +
    'olivia omar orhan ori oscar oskar osman otis otto owen pablo paige pam pamela ' +
    'pascal pat patricia patrick patrizia patsy patty paul paula pauline paulo pavel ' +
    'pavol pearl pedro peggy pekka penelope penny percy perry pete peter petra phil ' +
    'philip philippe phillip phoebe phyllis pierre pilar piotr pliny polly preston ' +
    'priscilla priya quentin rachel rafael rahul rainer raj ralf ralph ramon randall ' +
    'randy raphael raquel rasmus ray raymond rebecca regina reginald reinhard renate ' +
    'rene renee rex rhonda ricardo richard ricky rita rob robert roberto robin robyn ' +
    'rochelle rodney rodrigo roger roland rolf roman ron ronald ronnie rosa rosalie ' +
    'rosalind rose rosemary rosie roxanne roy ruben ruby rudolf rudolph rupert russell ' +
    'rusty ruth ryan sabine sabrina sadie sally salma sam samantha samuel sandra sandy ' +
    'sanjay sara sarah saskia saul savannah scarlett scott sean sebastian sebastien ' +
    'selina selma serena serge sergei sergio seth shane shannon sharon shawn sheila ' +
    'shelby shelley sherry shinji shirley sidney siegfried sierra sigmund sigrid silas ' +
    'silke silvana silvia simon simone sofia sondra sonja sophia sophie soren spencer ' +
    'stacey stacy stan stanislaw stanley stefan stefanie stefano stella stephane ' +
    'stephanie stephen steve steven stewart stig stuart sue summer sunil susan susana ' +
    'susanne suzanne sven svetlana sybil sylvester sylvia tabitha tadeusz takashi ' +
    'tamara tammy tanja tanya tara tatiana tatsuya ted terence teresa terrence terry ' +
    'tess thabo thea theo theodor theodora theodore theresa thomas thorsten tiffany ' +
    'tim timothy tina tobias toby todd tom tomas tomasz tommy tomoko tony torsten ' +
    'tracy travis trent trevor tricia trisha troy tyler tyra tyrone udo ulrich ulrike ' +
    'umberto ursula uta uwe vaclav valentina valerie vanessa vaughn vera vernon ' +
    'veronica vicky victor victoria vikram vincent viola violet virgil virginia vivian ' +
    'vivienne vlad vladimir vladislav volker wade wallace walter wanda wang wayne wei ' +
    'wendell wendy werner wesley whitney wiebke wilbur wilfred wilhelm will willem ' +
    'william willie wilma winfried winifred winston wojciech wolfgang woody wyatt ' +
    'xavier yann yasmin yasuko ying yoko yolanda yuki yuri yusuf yves yvette yvonne ' +
    'zachary zdenek zoe zofia zsolt'
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
