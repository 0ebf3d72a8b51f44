import type { search as english } from '#src/words/en/search.ts'
import type { Translation } from '#src/words/message.ts'

export const search: Translation<typeof english> = {
  box: 'عمّ تبحث؟',
  example: 'العنوان أو المؤلف أو كلمات أو ARK أو DOI أو ORCID iD',
  search: 'بحث',
  title: '{$typed} · البحث',
  heading: 'البحث في السجل',
  moreFields: 'حقول إضافية',
  howTo: 'كيفية البحث',
  yearExample: '2024 أو 2019-2024',
  kinds: 'ما الذي تبحث فيه',
  works: 'الأعمال',
  people: 'الأشخاص',
  organizations: 'المؤسسات',
  countWorks: `.input {$count :integer} .match $count
    zero {{لا أعمال}}
    one {{عمل واحد}}
    two {{عملان}}
    few {{{$count} أعمال}}
    many {{{$count} عملًا}}
    * {{{$count} عمل}}`,
  countPeople: `.input {$count :integer} .match $count
    zero {{لا أشخاص}}
    one {{شخص واحد}}
    two {{شخصان}}
    few {{{$count} أشخاص}}
    many {{{$count} شخصًا}}
    * {{{$count} شخص}}`,
  countOrganizations: `.input {$count :integer} .match $count
    zero {{لا مؤسسات}}
    one {{مؤسسة واحدة}}
    two {{مؤسستان}}
    few {{{$count} مؤسسات}}
    * {{{$count} مؤسسة}}`,
  countAuthors: `.input {$count :integer} .match $count
    zero {{لا مؤلفين مؤكَّدين}}
    one {{مؤلف واحد مؤكَّد}}
    two {{مؤلفان مؤكَّدان}}
    few {{{$count} مؤلفين مؤكَّدين}}
    many {{{$count} مؤلفًا مؤكَّدًا}}
    * {{{$count} مؤلف مؤكَّد}}`,
  moreThanWorks: 'أكثر من {$count :integer} من الأعمال',
  moreThanPeople: 'أكثر من {$count :integer} من الأشخاص',
  moreThanOrganizations: 'أكثر من {$count :integer} من المؤسسات',
  inRegistry: 'في هذا السجل: {$amount}',
  continued: '{$amount}، تتمة',
  onPage: '{$amount}، الصفحة {$page}',
  order: 'الترتيب',
  relevance: 'الأكثر صلة',
  newest: 'الأحدث',
  published: 'تاريخ النشر',
  byTitle: 'العنوان',
  byName: 'الاسم',
  filters: 'عوامل التصفية',
  partly: 'العدّ لأحدث النتائج فقط، وعددها {$count :integer}.',
  filtersInUse: 'عوامل التصفية المستخدمة',
  removeFilter: 'إزالة {$filter}',
  filter: '{$name}: {$value}',
  clearAll: 'مسح الكل',
  moreValues: '{$count :integer} أخرى',
  chosen: '{$value}، محدّد: إزالة',
  from: 'من',
  to: 'إلى',
  singleYears: 'سنة بسنة',
  resultsByYear: 'النتائج حسب السنة',
  untilYear: 'حتى {$year}',
  sinceYear: '{$year} وما بعدها',
  yes: 'نعم',
  no: 'لا',
  type: 'النوع',
  year: 'السنة',
  organization: 'الجهة المسجِّلة',
  publisher: 'الناشر',
  journal: 'المجلة',
  funder: 'المموّل',
  language: 'اللغة',
  license: 'الترخيص',
  status: 'الحالة',
  fixity_status: 'فحص المحتوى',
  notice: 'إشعار',
  related_to: 'متعلق بـ',
  author: 'المؤلف',
  keyword: 'كلمة مفتاحية',
  orcid: 'ORCID iD',
  ppid: 'الشخص',
  created_from: 'مسجّل من تاريخ',
  created_to: 'مسجّل حتى تاريخ',
  has_doi: 'له DOI',
  affiliation: 'الانتماء المؤسسي',
  ror: 'معرّف ROR',
  country: 'البلد',
  registeredBy: 'سجّله {$name}',
  andMore: '{$names} و{$count :integer} غيرهم',
  pages: 'الصفحات',
  page: 'الصفحة {$number}',
  firstPage: 'الصفحة الأولى',
  previous: 'السابقة',
  next: 'التالية',
  moreResults: 'مزيد من النتائج',
  allShown: 'لقد اطلعت على كل النتائج.',
  takeAlong: 'حفظ هذه النتائج أو متابعتها',
  saveAll: 'حفظ الكل:',
  follow: 'متابعة:',
  saveLabel: 'حفظ كل النتائج',
  followLabel: 'متابعة هذا البحث',
  statistics: 'الإحصاءات',
  feedTitle: '{$feed} لهذا البحث',
  unranked: 'النتائج أكثر من أن تُرتَّب حسب الصلة: الأحدث أولًا. أضف كلمة أخرى.',
  notCommand:
    '{#q}{$typed}{/q} ليس أمرًا هنا، لذلك بحثنا عنه ككلمات. يمكنك كتابة {#code}author:{/code} و{#code}title:{/code} قبل الكلمة.',
  otherForms: 'هناك أعمال أخرى فيها صيغ أخرى لهذه الكلمات: {$link}',
  searchedForms:
    'لا شيء يحتوي على كل ما في {#q}{$typed}{/q}، لذلك بحثنا عن صيغ أخرى لهذه الكلمات: {$link}',
  didYouMean: 'هل تقصد {$link}؟',
  searchedMeant: 'لا شيء يحتوي على كل ما في {#q}{$typed}{/q}. هل تقصد {$link}؟ لقد بحثنا عن ذلك.',
  noneYetWorks: 'لا توجد أعمال هنا بعد',
  noneYetPeople: 'لا يوجد أشخاص هنا بعد',
  noneYetOrganizations: 'لا توجد مؤسسات هنا بعد',
  firstPageSays: 'توضح {#link}الصفحة الرئيسية{/link} كيفية تسجيل العمل الأول.',
  noWorks: 'لم يُعثر على أعمال',
  noPeople: 'لم يُعثر على أشخاص',
  noOrganizations: 'لم يُعثر على مؤسسات',
  elsewhere: 'هناك نتائج أخرى فيها هذه الكلمات:',
  removeAFilter: 'أزل أحد عوامل التصفية أعلاه.',
  fewerWords: 'استخدم كلمات أقل: النتائج تحتوي على كل الكلمات.',
  nameAsSigned: 'اكتب الاسم كما يوقّعه صاحبه. لا فرق بين الأحرف الكبيرة والصغيرة ولا أثر للتشكيل.',
  identifiers: 'يقود معرّف ARK أو DOI أو ORCID iD مباشرة إلى تسجيلته.',
  refused: 'لا يمكننا البحث عن هذا',
  ended: 'يستغرق هذا البحث وقتًا طويلًا',
  unavailable: 'البحث غير متاح الآن',
  wordsAlone: 'البحث عن هذه الكلمات وحدها',
  stillTyped: 'ما كتبته لا يزال في خانة البحث. ولا يزال بإمكانك فتح الأعمال بمعرّفات ARK.',
  tryAgain: 'حاول مرة أخرى',
}
