import type { landing as english } from '#src/words/en/landing.ts'
import type { Translation } from '#src/words/message.ts'

export const landing: Translation<typeof english> = {
  version: 'الإصدار {$number}',
  marked: '{$mark}: {$title}',
  changesFeed: 'تغييرات هذا العمل',
  citeAs: 'للاستشهاد',
  toNewest: 'يقود دائمًا إلى أحدث إصدار. {#link}رابط هذا الإصدار{/link}',
  thisIsMine: 'أنا من مؤلفي هذا العمل',
  checkedAgo: 'فُحص {$ago}',
  receipt: 'الإيصال',
  registeredOn: 'سُجّل في {$time}',
  openContent: 'فتح المحتوى',
  openPage: 'فتح صفحة الناشر',
  elsewhere: 'على {$host}، خارج هذا السجل',
  abstract: 'الملخص',
  noAbstract: 'ليس لهذا العمل ملخص.',
  formulaSources: 'مصدر الصيغ الرياضية',
  sandbox:
    '{#strong}بيئة تجريبية: لا تستشهد بهذا.{/strong} هذه التسجيلة اختبار. ومعرّف ARK الخاص بها ليس دائمًا.',
  older:
    '{#strong}يوجد إصدار أحدث.{/strong} هذا هو الإصدار {$number}. {#link}انظر الإصدار {$newest}، وهو الأحدث{/link}.',
  withdrawnTitle: 'مسحوب',
  lost: 'فُقدت البيانات الوصفية',
  erased: 'مُحيت البيانات الوصفية',
  withdrawnOn: '{#strong}سُحب هذا العمل{/strong} في {$time}، {$why}.',
  withdrawnBy: '{#strong}سُحب هذا العمل{/strong} في {$time} من قِبل {$who}، {$why}.',
  instead: 'استخدم هذا العمل بدلًا منه: {$link}.',
  erasedOn: 'محونا بياناته الوصفية في {$time}. تبقى البصمات، وما زالت تثبت ما سُجّل.',
  remains:
    'لا يشير معرّف ARK هذا أبدًا إلى عمل آخر. وتبقى إيصالاته صالحة. ولم نعد نضع رابطًا إلى محتواه.',
  cite: 'الاستشهاد بهذا العمل',
  citationStyle: 'نمط الاستشهاد',
  copyCitation: 'نسخ الاستشهاد',
  plainText: 'نص عادي',
  forManagers: 'لبرامج إدارة المراجع',
  otherStyle: 'نمط آخر',
  styleByName: 'نمط آخر، باسمه في {#link}القائمة{/link}',
  forPrograms: 'للبرامج',
  linkSet: 'مجموعة روابط',
  atomFeed: 'موجز Atom',
  oaiRecord: 'تسجيلة OAI-PMH',
  researcher: 'باحث، {#link}{$id}{/link}',
  registryItself: 'هذا السجل، آليًا',
  operator: 'مشغّل هذا السجل',
  moreAuthors: `.input {$count :integer} .match $count
    one {{مؤلف آخر}}
    two {{مؤلفان آخران}}
    few {{{$count} مؤلفين آخرين}}
    many {{{$count} مؤلفًا آخر}}
    * {{{$count} مؤلف آخر}}`,
  unnamedAuthors: `.input {$count :integer} .match $count
    one {{تذكر تسجيلة JSON مؤلفًا آخر.}}
    two {{تذكر تسجيلة JSON مؤلفَين آخرَين.}}
    few {{تذكر تسجيلة JSON {$count} مؤلفين آخرين.}}
    many {{تذكر تسجيلة JSON {$count} مؤلفًا آخر.}}
    * {{تذكر تسجيلة JSON {$count} مؤلف آخر.}}`,
  somebody: 'شخص له ملف شخصي هنا',
  unplaced: '{$name}: {$mark}، لكن لا يُعرف أي المؤلفين هو.',
  byAdmin: 'أكّده مسؤول',
  byOrcid: 'سجّل الدخول عبر ORCID',
  byThem: 'سجّله هذا الشخص',
  byBoth: 'أكّده الناشر والشخص',
  byPublisher: 'ذكره الناشر بإذن من الشخص',
  orcid: 'ORCID iD {$id}',
  orcidSaid: 'ORCID iD {$id}، لم يؤكّده صاحبه',
  versions: 'الإصدارات',
  newerVersions: `.input {$count :integer} .match $count
    one {{إصدار أحدث: {#link}الأحدث{/link}}}
    two {{إصداران أحدث، حتى {#link}الأحدث{/link}}}
    few {{{$count} إصدارات أحدث، حتى {#link}الأحدث{/link}}}
    many {{{$count} إصدارًا أحدث، حتى {#link}الأحدث{/link}}}
    * {{{$count} إصدار أحدث، حتى {#link}الأحدث{/link}}}`,
  olderVersions: `.input {$count :integer} .match $count
    one {{إصدار أقدم: {#link}الإصدار {$number}{/link}}}
    two {{إصداران أقدم، بدءًا من {#link}الإصدار {$number}{/link}}}
    few {{{$count} إصدارات أقدم، بدءًا من {#link}الإصدار {$number}{/link}}}
    many {{{$count} إصدارًا أقدم، بدءًا من {#link}الإصدار {$number}{/link}}}
    * {{{$count} إصدار أقدم، بدءًا من {#link}الإصدار {$number}{/link}}}`,
  earlierVersions: `.input {$count :integer} .match $count
    one {{إصدار سابق}}
    two {{إصداران سابقان}}
    few {{{$count} إصدارات سابقة}}
    many {{{$count} إصدارًا سابقًا}}
    * {{{$count} إصدار سابق}}`,
  thisPage: 'هذه الصفحة',
  compare: 'مقارنة',
  compareWith: 'مقارنة الإصدار {$number} بالإصدار السابق',
  firstVersion: 'سُجّل.',
  newVersion: 'إصدار جديد، تغيّر: {$fields}.',
  changed: 'تغيّر: {$fields}.',
  history: 'من غيّر ماذا',
  registeredBy: 'سُجّل في {$time} من قِبل {$who}. يحفظ السجل التاريخي كل تغيير.',
  earlierChanges: `.input {$count :integer} .match $count
    one {{تغيير سابق}}
    two {{تغييران سابقان}}
    few {{{$count} تغييرات سابقة}}
    many {{{$count} تغييرًا سابقًا}}
    * {{{$count} تغيير سابق}}`,
  historyJson: 'السجل التاريخي بصيغة JSON',
  wholeHistoryJson: 'السجل التاريخي كاملًا بصيغة JSON',
  event: '{$time} {$what}، من قِبل {$who}',
  eventRegistered: 'سُجّل',
  eventVersion: 'الإصدار {$number}، تغيّر: {$fields}',
  eventWithdrawn: 'سُحب',
  eventErased: 'مُحيت البيانات الوصفية',
  eventLost: 'تبيّن فقدان البيانات الوصفية',
  eventVerified: 'المحتوى كما سُجّل',
  eventFailed: 'تبيّن أن المحتوى تغيّر',
  eventUnreachable: 'لم يتأكد المحتوى',
  eventVerifiedOf: 'محتوى الإصدار {$number} كما سُجّل',
  eventFailedOf: 'تبيّن أن محتوى الإصدار {$number} تغيّر',
  eventUnreachableOf: 'لم يتأكد محتوى الإصدار {$number}',
  fixity: 'فحص المحتوى',
  checkedElsewhere: 'تستمر عمليات الفحص {#link}مع أحدث إصدار{/link}.',
  neverRead: 'لا نفحص محتوى الأعمال المسحوبة. ولم نقرأه قط.',
  lastRead: 'لا نفحص محتوى الأعمال المسحوبة. آخر قراءة: {$ago}.',
  queued: 'لم نقرأ المحتوى بعد. وهو في قائمة الانتظار.',
  queuedDeclared:
    'لم نقرأ المحتوى بعد. وهو في قائمة الانتظار. وحتى ذلك الحين، بصمته هي ما صرّح به الناشر فقط.',
  unchanged: 'آخر مرة ظهر فيها دون تغيير: {$ago}.',
  unchangedInARow: `.input {$count :integer} .match $count
    one {{آخر مرة ظهر فيها دون تغيير: {$ago}، في فحص واحد.}}
    two {{آخر مرة ظهر فيها دون تغيير: {$ago}، في فحصين متتاليين.}}
    few {{آخر مرة ظهر فيها دون تغيير: {$ago}، في {$count} فحوص متتالية.}}
    many {{آخر مرة ظهر فيها دون تغيير: {$ago}، في {$count} فحصًا متتاليًا.}}
    * {{آخر مرة ظهر فيها دون تغيير: {$ago}، في {$count} فحص متتالٍ.}}`,
  isChanged: 'المحتوى ليس هو ما سُجّل. آخر فحص: {$ago}.',
  notConfirmed: 'لم نتمكن من تأكيد المحتوى: {$reason}. آخر محاولة: {$ago}. هذا لا يعني أنه تغيّر.',
  noContent: 'لم يكن هناك محتوى',
  isLandingPage:
    'يقود العنوان إلى صفحة عن العمل لا إلى ملف، لذلك لا محتوى للمقارنة. يمكن للناشر تقديم عنوان الملف نفسه. آخر محاولة: {$ago}.',
  changedNotice:
    '{#strong}تغيّر المحتوى.{/strong} ما قرأناه ليس هو ما سُجّل. {#link}قارن البصمات{/link} قبل أن تعتمد عليه.',
  changedNoticeOn:
    '{#strong}تغيّر المحتوى.{/strong} ما قرأناه في {$time} ليس هو ما سُجّل. {#link}قارن البصمات{/link} قبل أن تعتمد عليه.',
  declaredHash: 'البصمة المصرَّح بها',
  registeredHash: 'البصمة المسجّلة',
  hash: 'البصمة',
  noneYet: 'لا شيء بعد',
  notReadYet: 'لم يُقرأ بعد',
  hashFound: 'البصمة التي وُجدت لاحقًا',
  hashFoundOn: 'قُرئت في {$time}، وتختلف عن البصمة المسجّلة',
  firstRead: 'كما قُرئت هنا أول مرة',
  asDeclared: 'كما قُرئت هنا أول مرة، وتطابق المصرَّح بها',
  notAsDeclared: 'كما قُرئت هنا أول مرة، وتختلف عن المصرَّح بها',
  lastCheck: 'آخر فحص',
  nextCheck: 'الفحص التالي ابتداءً من',
  checks: 'عمليات الفحص',
  earlierChecks: `.input {$count :integer} .match $count
    one {{فحص سابق}}
    two {{فحصان سابقان}}
    few {{{$count} فحوص سابقة}}
    many {{{$count} فحصًا سابقًا}}
    * {{{$count} فحص سابق}}`,
  checkVerified: 'لم يتغيّر',
  checkFailed: 'تغيّر',
  checkUnreachable: 'لم يتأكد',
  justNow: 'قبل أقل من دقيقة',
  theReceipt: 'الإيصال',
  says_registered: 'يفيد بأن هذا الإصدار سُجّل في {$time} بهذه البيانات الوصفية تمامًا.',
  says_content:
    'يفيد بأن هذا الإصدار سُجّل بهذه البيانات الوصفية تمامًا، وبأن محتواه تأكّد في {$time}.',
  says_content_on:
    'يفيد بأن هذا الإصدار سُجّل في {$registered} بهذه البيانات الوصفية تمامًا، وبأن محتواه تأكّد في {$time}.',
  says_tombstoned: 'يفيد بأن هذا العمل سُحب في {$time}. وتدل بصماته على ما كان عليه العمل.',
  signedAs: `.input {$index :integer} .input {$size :integer} .match $size
    one {{موقّع بوصفه {#entry}القيد {$index}{/entry} في {#log}سجل الشفافية العام{/log}، وفيه قيد واحد.}}
    two {{موقّع بوصفه {#entry}القيد {$index}{/entry} في {#log}سجل الشفافية العام{/log}، وفيه قيدان.}}
    few {{موقّع بوصفه {#entry}القيد {$index}{/entry} في {#log}سجل الشفافية العام{/log}، وفيه {$size} قيود.}}
    many {{موقّع بوصفه {#entry}القيد {$index}{/entry} في {#log}سجل الشفافية العام{/log}، وفيه {$size} قيدًا.}}
    * {{موقّع بوصفه {#entry}القيد {$index}{/entry} في {#log}سجل الشفافية العام{/log}، وفيه {$size} قيد.}}`,
  whatWasSigned: 'ما الذي وُقّع',
  metadataHash: 'بصمة البيانات الوصفية',
  contentHash: 'بصمة المحتوى',
  rootHash: 'بصمة جذر سجل الشفافية',
  signingKey: 'مفتاح التوقيع',
  checkHere: 'تحقّق منه في هذا المتصفح',
  checkHereText:
    'يحصل متصفحك من هذا الموقع على الإيصال والبيانات الوصفية والمفاتيح، ويُجري بنفسه كل الحسابات.',
  checkReceipt: 'التحقق من الإيصال',
  newestVersion: 'أحدث نسخة',
  provenNewest: 'هذه أحدث نسخة ({$when})',
  provenSuperseded: 'النسخة {$number} أحدث ({$when})',
  provenWithdrawn: 'مسحوب ({$when})',
  provenAbsent: 'لم يُسجَّل هذا المعرّف ARK هنا قط ({$when})',
  provenNotYet: 'غير معروف بعد: هذه النسخة أحدث من آخر خريطة ({$when})',
  provenContradictory: 'يناقض السجل نفسه بشأن هذا المعرّف ARK ({$when})',
  asTold: 'حسب السجل',
  asSeen: 'حتى {$time}، كما رآه {$signed} من أصل {$of} من الشهود',
  checkLimits:
    'المفاتيح التي تأتي من الموقع نفسه لا تثبت إلا أن كل ما هنا متسق. وحتى لا تعتمد على أي شيء يقوله هذا الموقع اليوم، تحقّق دون اتصال بمفاتيح حفظتها من قبل.',
  yourCopy: 'نسختك من المحتوى',
  staysHere: '(اختياري؛ تبقى على جهازك)',
  checkOffline: 'تحقّق منه دون اتصال',
  checkOfflineText: 'الإيصال ملف مستقل. وهو يثبت نفسه بنفسه، حتى لو لم يعد هذا السجل موجودًا.',
  receiptFile: 'ملف الإيصال',
  allProofs: 'كل البراهين',
  inclusionProof: 'برهان التضمين',
  allEntries: 'كل قيود هذا العمل',
  newestCheckpoint: 'أحدث نقطة تحقق',
  publishedKeys: 'المفاتيح المنشورة',
  relatedWorks: 'أعمال ذات صلة',
  allRelated: 'كل الأعمال ذات الصلة',
  hasNotice: 'له إشعار ({$kind}):',
  isNotice: 'هو إشعار ({$kind}) بشأن',
  relatedLead:
    'أعمال ذات صلة بالعمل {$work}: أولًا ما يقوله العمل نفسه، ثم ما تقوله عنه أعمال أخرى هنا، الأحدث أولًا.',
  noneRelated: 'لا يوجد أي منها.',
  sameJson: 'الشيء نفسه بصيغة JSON',
}
