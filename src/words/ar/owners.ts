import type { owners as english } from '#src/words/en/owners.ts'
import type { Translation } from '#src/words/message.ts'

export const owners: Translation<typeof english> = {
  registered: `.input {$count :integer} .match $count
    zero {{لا أعمال مسجلة هنا}}
    one {{عمل واحد مسجل هنا}}
    two {{عملان مسجلان هنا}}
    few {{{$count} أعمال مسجلة هنا}}
    many {{{$count} عملاً مسجلاً هنا}}
    * {{{$count} عمل مسجل هنا}}`,
  authors: `.input {$count :integer} .match $count
    zero {{لا مؤلفين موثّقين}}
    one {{مؤلف موثّق واحد}}
    two {{مؤلفان موثّقان}}
    few {{{$count} مؤلفين موثّقين}}
    many {{{$count} مؤلفًا موثّقًا}}
    * {{{$count} مؤلف موثّق}}`,
  alsoKnownAs: 'معروف أيضًا باسم',
  website: 'الموقع الإلكتروني',
  country: 'البلد',
  registryName: 'الاسم في السجل',
  since: 'هنا منذ',
  newestFirst: 'الأعمال، الأحدث أولاً',
  noWorks: 'لم يسجّل هذا الناشر أي أعمال بعد.',
  searchThese: 'البحث في هذه الأعمال',
  statistics: 'إحصاءات هذه الأعمال',
  forPrograms: 'للبرامج:',
  oaiSet: 'مجموعة OAI-PMH',
  identifier: 'المعرّف',
  links: 'الروابط',
  works: 'الأعمال',
  filterThese: 'البحث في هذه الأعمال وتصفيتها',
  affiliations: 'الانتماءات',
  education: 'التعليم',
  profileJson: 'هذا الملف الشخصي بصيغة JSON',
  testPerson: '{#strong}بيئة تجريبية:{/strong} هذا شخص تجريبي.',
  orcidSignedIn: 'سُجّل الدخول به',
  notConfirmed: 'غير مؤكد',
  claimedBy: 'نسبه {$by} في {$day}.',
  byRegistrant: 'أكّده ناشر العمل.',
  byOrcid: 'سجّل الشخص الدخول بمعرّف ORCID iD يذكره العمل.',
  byAdmin: 'قرره أحد مديري هذا السجل.',
  thePerson: 'الشخص نفسه',
  anApplication: 'تطبيق للشخص',
  theOperator: 'مشغّل هذا السجل',
  addedBy: 'أضافه {$by} في {$day}',
  changedOn: 'أضافه {$by} في {$day}، وتغيّر في {$changed}',
  contested: 'اعترض عليه الشخص',
}
