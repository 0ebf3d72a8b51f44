import { account } from '#src/words/ar/account.ts'
import { comparison } from '#src/words/ar/comparison.ts'
import { consent } from '#src/words/ar/consent.ts'
import { credentials } from '#src/words/ar/credentials.ts'
import { errors } from '#src/words/ar/errors.ts'
import { fields } from '#src/words/ar/fields.ts'
import { figures } from '#src/words/ar/figures.ts'
import { frame } from '#src/words/ar/frame.ts'
import { home } from '#src/words/ar/home.ts'
import { kinds } from '#src/words/ar/kinds.ts'
import { landing } from '#src/words/ar/landing.ts'
import { mails } from '#src/words/ar/mails.ts'
import { owners } from '#src/words/ar/owners.ts'
import { record } from '#src/words/ar/record.ts'
import { relations } from '#src/words/ar/relations.ts'
import { search } from '#src/words/ar/search.ts'
import { standing } from '#src/words/ar/standing.ts'
import { types } from '#src/words/ar/types.ts'
import { Language } from '#src/words/language.ts'

// The terms, as ORCID has them in Arabic, and librarians where ORCID has none:
// work: عمل، أعمال · record: تسجيلة · register: سجّل · registry: السجل · version: إصدار · receipt: إيصال ·
// log: سجل الشفافية (in full, as السجل is the registry) · append-only: لا يقبل إلا الإضافة · entry: قيد، قيود ·
// statement: بيان · checkpoint: نقطة تحقق · hash: بصمة · root hash: بصمة الجذر · proof: برهان · key: مفتاح ·
// tile: قطعة · publisher: ناشر · researcher: باحث · claim: مطالبة · withdraw: سحب · withhold: حجب ·
// tombstone: صفحة السحب · harvest: حصاد · resolve: إحالة · feed: موجز · sign in: تسجيل الدخول ·
// landing page: صفحة العمل · sandbox: بيئة تجريبية · organization: مؤسسة.
// Digits are European: ORCID, Crossref and the DOIs and ARKs themselves have them in Arabic too, and
// a count beside an identifier has to look like one number system.
export const arabic = new Language({
  tag: 'ar',
  name: 'العربية',
  direction: 'rtl',
  locale: 'ar-u-nu-latn',
  translations: {
    account,
    comparison,
    consent,
    credentials,
    errors,
    fields,
    figures,
    frame,
    home,
    kinds,
    landing,
    mails,
    owners,
    record,
    relations,
    search,
    standing,
    types,
  },
})
