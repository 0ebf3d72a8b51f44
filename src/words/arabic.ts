import type * as english from '#src/words/english.ts'
import { Language } from '#src/words/language.ts'
import type { Catalogue } from '#src/words/message.ts'

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
    account: {
      languageTitle: 'اللغة',
      languageHint: 'للصفحات والرسائل.',
      languageSubmit: 'حفظ اللغة',
      languageSaved: 'تم حفظ لغتك.',
    },
    comparison: {
      title: 'الإصداران {$from} و{$to}',
      of: 'من {$title}',
      same: 'البيانات الوصفية هي نفسها في الإصدارين.',
      marks: 'النص المحذوف مشطوب، والنص المضاف تحته خط.',
      unchanged: `.input {$count :integer} .match $count
        one {{لم يتغيّر حقل آخر واحد.}}
        two {{لم يتغيّر حقلان آخران.}}
        few {{لم تتغيّر {$count} حقول أخرى.}}
        many {{لم يتغيّر {$count} حقلًا آخر.}}
        * {{لم يتغيّر {$count} حقل آخر.}}`,
      changed: 'ما الذي تغيّر',
      others: 'إصدارات أخرى',
      older: 'إصدار أقدم',
      newer: 'إصدار أحدث، حتى {$newest}',
    },
    consent: {
      title: 'هل تسمح للتطبيق {$name}؟',
      lead: 'يطلب هذا التطبيق أن يتصرف نيابة عنك. ألغِ تحديد ما لا تريد السماح به.',
      who: 'من يطلب',
      canRead: 'يمكنه القراءة',
      canWrite: 'يمكنه الكتابة',
      hint: 'يمكنك إنهاء هذه الأذونات في أي وقت من صفحة التطبيقات.',
      permit: 'السماح',
      deny: 'عدم السماح',
      before: 'ما سمحت به من قبل',
      goingTitle: 'جارٍ الرجوع',
      goingHeading: 'جارٍ الرجوع إلى التطبيق',
      notVerified: 'غير موثّق',
      notVerifiedText: 'لم نتحقق ممّن يدير هذا التطبيق.',
      notVerifiedAdvice: 'لا تسمح بشيء إلا إذا أتيت من هناك بنفسك وتعرف من يديره.',
      application: 'التطبيق',
      belongsTo: 'يتبع',
      person: 'شخص',
      thisRegistry: 'هذا السجل',
      backTo: 'يعيدك إلى',
      deviceApp: 'تطبيق على هذا الجهاز ({$protocol})',
      computerProgram: 'برنامج على هذا الحاسوب',
      shownAs: 'يظهر ما يكتبه باسم',
      you: 'أنت',
      homePage: 'الصفحة الرئيسية',
      contact: 'جهة الاتصال',
      openid: 'معرفة من أنت هنا، عبر معرّفك',
      profile: 'رؤية اسمك واسم المستخدم وصورتك ومعرّف ORCID iD',
      email: 'رؤية بريدك الإلكتروني وما إذا كان مؤكدًا',
      worksRead: 'سرد أعمالك المسجلة وعرضها',
      authorRead: 'رؤية الأعمال التي تطالب بها وما إذا كانت المطالبات موثّقة',
      affiliationsRead: 'رؤية انتماءاتك وتعليمك',
      receiptsRead: 'رؤية إيصالات أعمالك',
      offline: 'مواصلة ذلك في غيابك',
      worksWrite: 'إضافة أعمال إلى ملفك الشخصي وتغيير ما أضافه',
      worksDelete: 'سحب أعمال أضافها إلى ملفك الشخصي سحبًا نهائيًا',
      affiliationsWrite: 'إضافة انتماءات وتعليم وتغيير ما أضافه',
      authorWrite: 'تغيير ملفك الشخصي والمطالبة بأعمال باسمك',
      expired: 'انتهت صلاحية هذا الطلب أو أُجيب عنه: ارجع إلى التطبيق وابدأ من جديد',
      failedTitle: 'لم ينجح هذا',
      beginAgain: 'ارجع إلى التطبيق وابدأ من جديد.',
      invalid_client: 'لا نعرف هذا التطبيق، أو أنه سُحب.',
      invalid_redirect_uri: 'طلب التطبيق إرسالك إلى عنوان ليس له.',
      server_error: 'هذا خطأ منا. لقد سجّلناه.',
      temporarily_unavailable: 'حاول مرة أخرى بعد قليل.',
      forOperator: 'لمشغّل التطبيق:',
      signOutTitle: 'تسجيل الخروج؟',
      signOutLead: 'يطلب تطبيق منا تسجيل خروجك هنا.',
      stay: 'البقاء مسجّلاً',
      signedOutTitle: 'سجّلت الخروج',
      signedOutLead: 'يمكنك إغلاق هذه الصفحة.',
    },
    consortium: {
      heading: 'اتحاد',
      lead: 'يمكن لمؤسسة أن تكون جزءًا من مؤسسة أخرى، مثل اتحاد أو جامعة أو مجموعة ناشرين.',
      aboveHeading: 'جزء من',
      partOf: '{$name} جزء من {$lead}.',
      whatLeadsDo:
        'يرى مالكو {$lead} أعمالك وأرقامك ومفاتيحك وأعضاءك، ويمكنهم إنشاء مفاتيحك وإلغاؤها. يذكر السجل التاريخي أسماءهم. لا يمكنهم تسجيل أعمال أو تغييرها في هذه الصفحات، ولا تغيير أعضائك.',
      keysStay: 'تبقى المفاتيح التي أنشأوها صالحة بعد مغادرتك. ألغِ ما لا تريده منها.',
      leave: 'مغادرة {$lead}',
      notPart: 'ليست هذه المؤسسة جزءًا من مؤسسة أخرى.',
      invitedBy: 'تدعوك {$lead} لتكون جزءًا منها.',
      accept: 'قبول',
      decline: 'رفض',
      belowHeading: 'المؤسسات التابعة',
      total: `.input {$count :integer} .match $count
        one {{مؤسسة تابعة واحدة. الأعمال معها: {$works :integer}.}}
        two {{مؤسستان تابعتان. الأعمال معها: {$works :integer}.}}
        few {{{$count} مؤسسات تابعة. الأعمال معها: {$works :integer}.}}
        many {{{$count} مؤسسة تابعة. الأعمال معها: {$works :integer}.}}
        * {{{$count} مؤسسة تابعة. الأعمال معها: {$works :integer}.}}`,
      noneBelow: 'لا مؤسسات تابعة',
      noneBelowText: 'ادعُ مؤسسة، فنسأل مالكيها عبر البريد.',
      organization: 'المؤسسة',
      level: 'جزء من',
      works: 'الأعمال',
      members: 'الأعضاء',
      keys: 'المفاتيح',
      linksFollowed: 'الروابط المتّبعة هذا الشهر',
      openKeys: 'مفاتيح {$name}',
      number: '{$count :integer}',
      invitedHeading: 'دُعيت ولم تجب بعد',
      withdrawOf: 'إلغاء دعوة {$name}',
      end: 'إنهاء',
      endOf: 'إنهاء تبعية {$name}',
      inviteHeading: 'دعوة مؤسسة',
      invite: 'دعوة المؤسسة',
      shortName: 'الاسم القصير للمؤسسة',
      shortNameHint: 'كما تعرضه صفحتها، مثل brown-university.',
      inviteHint: 'يتلقى مالكوها رسالة ويقررون. لا ترى أرقامها ومفاتيحها وأعضاءها إلا بعد قبولهم.',
      setHeading: 'تعيين المؤسسة الأعلى',
      set: 'تعيين',
      setHint: 'بصفتك مديرًا لا تحتاج إلى دعوة. نبلغ مالكي المؤسستين عبر البريد.',
      invited: 'دُعيت المؤسسة. القرار لمالكيها.',
      joined: 'أصبحت المؤسسة جزءًا من الأخرى.',
      left: 'لم تعد المؤسسة جزءًا من الأخرى.',
      declined: 'رُفضت الدعوة.',
      visit:
        'ترى {$name} بصفتك مالكًا لدى {$lead} التي تتبعها. يمكنك إنشاء مفاتيحها وإلغاؤها. يذكر سجلها التاريخي اسمك.',
      invitedSubject: 'تدعو {$lead} المؤسسة {$name}',
      invitedText:
        'يطلب {$doer} من {$name} أن تكون جزءًا من {$lead}. إن قبلت، يرى مالكو {$lead} أعمالك وأرقامك ومفاتيحك وأعضاءك، ويمكنهم إنشاء مفاتيحك وإلغاؤها.',
      invitedDo: 'اقبل أو ارفض هنا',
      endedSubject: 'ليست {$name} جزءًا من {$lead}',
      endedText: 'انتهت دعوة {$name} لتكون جزءًا من {$lead}. أنهاها {$doer}.',
      joinedSubject: 'أصبحت {$name} جزءًا من {$lead}',
      joinedText:
        'أصبحت {$name} جزءًا من {$lead}. قام بذلك {$doer}. يرى مالكو {$lead} أعمالها وأرقامها ومفاتيحها وأعضاءها، ويمكنهم إنشاء مفاتيحها وإلغاؤها.',
      leftSubject: 'لم تعد {$name} جزءًا من {$lead}',
      leftText:
        'لم تعد {$name} جزءًا من {$lead}. قام بذلك {$doer}. تبقى المفاتيح التي أنشأها مالكو {$lead} صالحة حتى يلغيها أحد.',
      seeHere: 'اطّلع على المزيد هنا',
    },
    credentials: {
      email: 'البريد الإلكتروني',
      newEmail: 'البريد الإلكتروني الجديد',
      password: 'كلمة المرور',
      currentPassword: 'كلمة المرور الحالية',
      newPassword: 'كلمة المرور الجديدة',
      passwordHint: '{$min} محرفًا على الأقل. من السهل تذكر جملة كاملة.',
      code: 'الرمز',
      codeHint: 'ستة أرقام، أو رمز استرداد مثل {$example}.',
      recoveryCode: 'رمز الاسترداد',
      recoveryCodeHint: 'مثل {$example}.',
      name: 'الاسم',
      nameHint: 'كما يظهر على أعمالك.',
      username: 'اسم المستخدم',
      usernameHint: 'اسم قصير خاص بك: أحرف لاتينية صغيرة وأرقام وشرطات.',
      emailHint: 'تسجّل الدخول به. لا يراه أحد غيرك إلا بإذنك.',
      newEmailHint: 'تسجّل الدخول به من ذلك الحين.',
      seenBy: 'من يرى ملفك الشخصي',
      seenByHint:
        'يمكنك تغيير هذا في أي وقت، لكل جزء من ملفك الشخصي. إذا طلبت مؤسسة أو طالبت بعمل أو انضممت ' +
        'إلى مؤسسة، فإن من يقررون يرون اسمك وبريدك الإلكتروني في كل الأحوال.',
      seenName: 'يرى الجميع اسمي، ولا يرى الباقي سواي',
      seenAll: 'يرى الجميع اسمي وملفي الشخصي',
      seenTrusted: 'أنا والتطبيقات التي أسمح لها فقط',
      seenPrivate: 'أنا فقط',
      noScript:
        'تحتاج مفاتيح المرور إلى JavaScript، وهذا المتصفح لا يشغّله. كل ما عداها هنا يعمل من دونه.',
      notChosen: 'لم يُختر أي مفتاح مرور، أو استغرق الأمر وقتًا طويلاً. يمكنك المحاولة مرة أخرى.',
      alreadyHeld: 'يحتوي هذا الجهاز أو المفتاح مسبقًا على مفتاح مرور لهذا الحساب.',
      notAtAddress: 'لا يقبل هذا المتصفح مفاتيح المرور في هذا العنوان.',
      notSupported: 'لا يستطيع هذا الجهاز أو المفتاح إنشاء مفتاح مرور كهذا.',
      notUsable: 'تعذّر استخدام مفتاح المرور. يمكنك المحاولة مرة أخرى.',
      noPasskeys: 'لا يدعم هذا المتصفح مفاتيح المرور.',
      wrongCode: 'هذا الرمز خاطئ أو استُخدم من قبل. انتظر الرمز التالي، وتحقق من ساعة جهازك.',
      codesPaused: `.input {$minutes :integer} .match $minutes
        one {{رموز خاطئة كثيرة جدًا. تُرفض الأرقام لمدة دقيقة واحدة؛ رمز الاسترداد لا يزال مقبولاً.}}
        two {{رموز خاطئة كثيرة جدًا. تُرفض الأرقام لمدة دقيقتين؛ رمز الاسترداد لا يزال مقبولاً.}}
        few {{رموز خاطئة كثيرة جدًا. تُرفض الأرقام لمدة {$minutes} دقائق؛ رمز الاسترداد لا يزال مقبولاً.}}
        * {{رموز خاطئة كثيرة جدًا. تُرفض الأرقام لمدة {$minutes} دقيقة؛ رمز الاسترداد لا يزال مقبولاً.}}`,
      passkey_expired: 'استغرق ذلك وقتًا طويلاً، أو جاء من صفحة أخرى. حاول مرة أخرى.',
      passkey_spent: 'استُخدمت استجابة مفتاح المرور هذه من قبل. حاول مرة أخرى.',
      passkey_wrong: 'لا نعرف مفتاح المرور هذا، أو أن استجابته خاطئة.',
      passkey_counter:
        'عدّاد مفتاح المرور هذا يرجع إلى الوراء، كما تفعل نسخة منه. نرفضه: أزله وأضف مفتاحًا جديدًا.',
      passkey_known: 'مفتاح المرور هذا مستخدم بالفعل.',
      passkey_too_many: 'يحتوي حسابك على أكبر عدد ممكن من مفاتيح المرور. أزل واحدًا أولاً.',
      passkeyUnverified:
        'لم يطلب مفتاح المرور هذا رقمًا سريًا ولا بصمة ولا وجهًا، فلا يكفي وحده. سجّل الدخول بكلمة ' +
        'المرور، واستخدمه خطوةً ثانية.',
      writeName: 'اكتب اسمك.',
      writeEmail: 'اكتب بريدك الإلكتروني.',
      writePassword: 'اكتب كلمة المرور.',
      wrongPair: 'هذا البريد الإلكتروني وكلمة المرور لا يتطابقان.',
      wrongPassword: 'هذه ليست كلمة مرورك الحالية.',
      email_bad_value: 'اكتب بريدًا إلكترونيًا واحدًا، مثل ada@example.org.',
      email_taken: 'يوجد حساب بهذا البريد الإلكتروني: سجّل الدخول أو أعد تعيين كلمة المرور.',
      username_taken: 'اسم المستخدم هذا محجوز: اختر اسمًا آخر.',
      invitation_spent: 'استُخدمت هذه الدعوة أو انتهت صلاحيتها: اطلب دعوة أخرى.',
      password_too_short: 'اختر كلمة مرور أطول.',
      password_too_long: 'اختر كلمة مرور أقصر.',
      password_too_common: 'كثيرون يستخدمون كلمة المرور هذه، لذا تُجرَّب أولاً: اختر كلمة أخرى.',
      password_not_secret: 'اختر كلمة مرور غير اسمك أو اسم المستخدم أو بريدك الإلكتروني.',
      title: 'تسجيل الدخول',
      forgotten: 'هل نسيت كلمة المرور؟',
      withPasskeyTitle: 'أو بمفتاح مرور',
      withPasskey: 'تسجيل الدخول بمفتاح مرور',
      withOtherTitle: 'أو بحساب آخر',
      withOther: 'تسجيل الدخول عبر {$name}',
      noAccount: 'ليس لديك حساب بعد؟ {#link}أنشئ حسابًا{/link}.',
      askedAgain: 'يطلب منك التطبيق تسجيل الدخول مرة أخرى. حتى ذلك الحين تبقى مسجلاً باسم {$who}.',
      testPeople:
        'لا يسجّل الدخول هنا إلا أشخاص تجريبيون. {#code}POST /v1/people{/code} بمفتاح ' +
        '{#code}svc_test_…{/code} ينشئ واحدًا ويعيد بريده وكلمة مروره.',
      signedOut: 'سجّلت الخروج.',
      expired: 'انتهت جلستك في هذه الأثناء. سجّل الدخول وأرسل مرة أخرى.',
      kept:
        'انتهت جلستك في هذه الأثناء. سجّل الدخول: يُحفظ ما كتبته عشر دقائق، ما عدا كلمات المرور ' +
        'والرموز.',
      codeExpired: 'استغرق ذلك وقتًا طويلاً. سجّل الدخول مرة أخرى.',
      passwordChanged: 'تغيّرت كلمة مرورك. سجّل الدخول بها.',
      unlocked: 'يمكنك الآن تسجيل الدخول بهذا المتصفح.',
      emailConfirmed: 'تم تأكيد بريدك الإلكتروني.',
      accountErased: 'مُحي حسابك وما فيه من بيانات شخصية.',
      lockedTitle: 'جُرّبت كلمات مرور كثيرة جدًا',
      lockedText: `.input {$minutes :integer} .match $minutes
        one {{نرفض كل كلمات المرور لهذا الحساب لمدة دقيقة واحدة، إلا في متصفح سجّلت فيه الدخول من قبل.}}
        two {{نرفض كل كلمات المرور لهذا الحساب لمدة دقيقتين، إلا في متصفح سجّلت فيه الدخول من قبل.}}
        few {{نرفض كل كلمات المرور لهذا الحساب لمدة {$minutes} دقائق، إلا في متصفح سجّلت فيه الدخول من قبل.}}
        * {{نرفض كل كلمات المرور لهذا الحساب لمدة {$minutes} دقيقة، إلا في متصفح سجّلت فيه الدخول من قبل.}}`,
      lockedLink: 'أو استخدم الرابط الذي أرسلناه إلى بريد الحساب، إن كان موجودًا.',
      lockedAsk: 'أو اطلب من مشغّل هذا السجل رابطًا لاختيار كلمة مرور جديدة.',
      unlockTitle: 'تسجيل الدخول رغم محاولات الآخرين',
      unlockText:
        'نعدّ كلمات المرور التي تجرّبها للحساب {$who} في هذا المتصفح على حدة من محاولات الآخرين.',
      unlock: 'المتابعة بهذا المتصفح',
      expiredLink: 'استُخدم هذا الرابط من قبل أو انتهت مدته: اطلب رابطًا جديدًا',
      codeTitle: 'رمزك',
      codeLead: 'خطوة أخرى للحساب {$who}: الأرقام الستة التي يعرضها تطبيق المصادقة الآن.',
      secondTitle: 'خطوتك الثانية',
      secondLead: 'خطوة أخرى للحساب {$who}: مفتاح المرور أو رمز.',
      withYourPasskey: 'بمفتاح المرور',
      usePasskey: 'استخدام مفتاح المرور',
      withCode: 'برمز',
      anotherAccount: 'تسجيل الدخول بحساب آخر',
      withoutDevice: 'من دون جهازك',
      withoutDeviceText:
        'اكتب أحد رموز الاسترداد؛ يعمل كل منها مرة واحدة. إن لم يبقَ لديك أي رمز، يمكن لمشغّل هذا ' +
        'السجل إنهاء الخطوة الثانية بعد التأكد من هويتك.',
      confirmTitle: 'أكّد كلمة المرور',
      confirmLead:
        'يتطلب هذا تسجيل دخول خلال آخر عشر دقائق، حتى لا يفعله غيرك في متصفح تركته مفتوحًا.',
      confirmSubmit: 'تأكيد',
      confirmKept:
        'لم يتغيّر شيء بعد. ستتابع بعد ذلك من حيث كنت. يُحفظ ما كتبته عشر دقائق، ما عدا كلمات ' +
        'المرور والرموز.',
      confirmForm: 'لم يتغيّر شيء بعد. أرسل النموذج مرة أخرى بعد ذلك.',
      unsentNothing: 'لا شيء لإرساله',
      unsentNothingText:
        'نحفظ ما كتبته عشر دقائق ونعرضه مرة واحدة. افتح الصفحة من جديد واملأ النموذج.',
      unsentTitle: 'إرسال النموذج الآن',
      unsentLead: 'انتهت جلستك قبل إرسال هذا النموذج، فلم يتغيّر شيء.',
      unsentHint: 'لا نحفظ كلمات المرور والرموز. يطلبها النموذج من جديد.',
      unsentSubmit: 'إرسال النموذج',
      signUpTitle: 'إنشاء حساب',
      signUpLead: 'للباحثين: طالب بأعمالك، واعرف من يكتب في ملفك الشخصي، وقرّر من يحق له ذلك.',
      signUp: 'إنشاء الحساب',
      haveOne: 'لديك حساب بالفعل؟ {#link}سجّل الدخول{/link}.',
      byInvitation: 'تحتاج إلى دعوة لإنشاء حساب هنا: افتح الرابط الذي أُرسل إليك.',
      closed: 'لا يمكنك إنشاء حساب هنا. اطلب حسابًا من مشغّل هذا السجل.',
      setupTitle: 'إعداد هذا السجل',
      setupLead: 'ينشئ هذا أول مدير. يعمل الرابط مرة واحدة.',
      setup: 'إنشاء المدير',
      resetTitle: 'اختيار كلمة مرور جديدة',
      resetAsk: 'نرسل رابطًا إلى بريد حسابك. يعمل مرة واحدة، لمدة ساعة.',
      resetSend: 'أرسل إليّ رابطًا',
      sentTitle: 'تفقّد بريدك',
      sentText:
        'إن وُجد حساب بهذا العنوان، فقد أرسلنا إليه رابطًا. قد تستغرق الرسالة بضع دقائق. تفقّد ' +
        'مجلد البريد غير المرغوب أيضًا.',
      noMail: 'لا يرسل هذا السجل بريدًا. اطلب من مشغّله رابطًا لاختيار كلمة مرور جديدة.',
      resetLead: 'ينهي هذا الجلسات في كل المتصفحات.',
      resetEnds:
        'لم يُؤكَّد عنوان هذا الحساب قط، فربما أنشأه غيرك. تنهي كلمة المرور الجديدة أيضًا مفاتيحه ' +
        'وأذوناته وأسرار تطبيقاته وحساباته الخارجية.',
      resetSubmit: 'تغيير كلمة المرور',
      verifyTitle: 'أكّد بريدك الإلكتروني',
      verifyLead: 'هل {$email} عنوانك؟',
      verifySubmit: 'تأكيد هذا العنوان',
      emailTitle: 'تغيير البريد الإلكتروني',
      emailNow: 'عنوانك الآن {$email}.',
      emailNone: 'ليس لحسابك بريد إلكتروني.',
      emailLeave: 'الإبقاء على العنوان الحالي',
      emailSubmit: 'تغيير العنوان',
      goingTo: 'الانتقال إلى {$name}',
      goOn: 'إذا لم يحدث شيء، {#link}تابع من هنا{/link}.',
      notSignedIn: 'لم يتم تسجيل الدخول',
      tryAgain: 'جرّب {$name} مرة أخرى',
      otherwise: 'تسجيل الدخول بطريقة أخرى',
      elsewhereExpired: 'انتهت مهلة تسجيل الدخول هذا.',
      elsewhereRefused: 'لم يسجّل {$name} دخولك.',
      elsewhereOut: 'انتهت جلستك في هذه الأثناء.',
      elsewhereTaken: 'يستخدم شخص آخر هنا ذلك الحساب لتسجيل الدخول.',
      elsewhereNone: 'لا يوجد هنا حساب مرتبط بذلك الحساب، ولا يمكنك إنشاء حساب.',
      elsewhereFailed: 'تعذّر إنشاء حساب.',
    },
    errors: {
      not_found: 'الصفحة غير موجودة',
      not_acceptable: 'هذه الصيغة غير متاحة',
      forbidden: 'لا يمكنك القيام بذلك',
      suspended: 'هذا الحساب موقوف',
      gone: 'لم يعد هذا صالحًا',
      conflict: 'هذا يتعارض مع الحالة الراهنة',
      rate_limit_exceeded: 'محاولات كثيرة جدًا',
      withheld: 'هذا العمل محجوب',
      payload_too_large: 'الحجم كبير جدًا',
      unavailable: 'السجل مشغول',
      timeout: 'استغرق هذا وقتًا طويلًا',
      clock_wrong: 'لا يمكن إجراء تغييرات الآن',
      internal_error: 'حدث خطأ ما',
      record_damaged: 'تتعذر قراءة هذه التسجيلة',
      other: 'لم نتمكن من فهم هذا الطلب',
      nothingHere: 'لا يوجد شيء في هذا العنوان. تحقق من عدم وجود أخطاء في كتابته.',
      tryLater: 'يُرجى المحاولة مرة أخرى بعد قليل.',
      failed: 'هذا خطأ من جانبنا وقد دوّنّاه. يُرجى المحاولة مرة أخرى لاحقًا.',
      noChanges: 'ساعة السجل غير صحيحة، لذلك لا يمكن تغيير أي شيء. لا يزال بإمكانك قراءة كل شيء.',
      waitSeconds: `.input {$seconds :integer} .match $seconds
        one {{حاول مرة أخرى بعد ثانية واحدة.}}
        two {{حاول مرة أخرى بعد ثانيتين.}}
        few {{حاول مرة أخرى بعد {$seconds} ثوانٍ.}}
        * {{حاول مرة أخرى بعد {$seconds} ثانية.}}`,
      waitMinutes: `.input {$minutes :integer} .match $minutes
        one {{حاول مرة أخرى بعد دقيقة واحدة.}}
        two {{حاول مرة أخرى بعد دقيقتين.}}
        few {{حاول مرة أخرى بعد {$minutes} دقائق.}}
        * {{حاول مرة أخرى بعد {$minutes} دقيقة.}}`,
      report: 'إذا تكرر ذلك، فاتصل بمشغّل هذا السجل، واذكر الخطأ {$status} والطلب {$request}.',
      goTo: 'الانتقال إلى {$ark}',
      searchInstead: 'البحث في السجل بدلًا من ذلك',
    },
    fields: {
      work_title: 'العنوان',
      work_type: 'النوع',
      authors: 'المؤلفون',
      author_details: 'تفاصيل المؤلفين',
      description: 'الملخص',
      work_url: 'عنوان المحتوى على الويب',
      existing_doi: 'DOI',
      keywords: 'الكلمات المفتاحية',
      language: 'اللغة',
      license: 'الترخيص',
      published_date: 'تاريخ النشر',
      publisher_name: 'الناشر',
      container_title: 'عنوان المنشور الحاوي',
      volume: 'المجلد',
      issue: 'العدد',
      pages: 'الصفحات',
      related_identifiers: 'المعرّفات ذات الصلة',
      funding: 'التمويل',
      content_hash: 'البصمة المصرَّح بها للمحتوى',
      work_title_language: 'لغة العنوان',
      titles: 'عناوين أخرى',
      descriptions: 'نصوص أخرى',
      resource_type: 'صنف العمل',
      resource_version: 'إصدار المحتوى',
      resource_version_note: 'التغييرات في هذا الإصدار من المحتوى',
      geo_locations: 'الأماكن',
      external_id: 'المعرّف الخاص بالناشر',
      alternate_identifiers: 'معرّفات أخرى',
      publisher_id: 'معرّف الناشر',
      publisher_language: 'لغة اسم الناشر',
      publisher_place: 'مكان الناشر',
      issn: 'ISSN',
      isbn: 'ISBN',
      series_issn: 'ISSN السلسلة',
      group_title: 'مجموعة النسخ الأولية',
      update_notices: 'إشعارات السحب والتصحيح',
      content_domain: 'المواقع التي تعرض التصحيحات',
      assertions: 'تصريحات الناشر',
    },
    figures: {
      workUsed: 'عدد مرات استخدام هذا العمل',
      theseWorksUsed: 'عدد مرات استخدام هذه الأعمال',
      allWorksUsed: 'عدد مرات استخدام الأعمال',
      notUsed: 'لا إحالة ولا قراءة من {$from} إلى {$to}. لا تُحتسب الروبوتات.',
      // Unsure: the term for resolving an identifier; here it is “إحالة”, what leads to the work.
      used: `.input {$count :integer} .match $count
        zero {{{#strong}لا{/strong} إحالة ولا قراءة من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}
        one {{إحالة أو قراءة {#strong}واحدة{/strong} من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}
        two {{إحالة أو قراءة {#strong}مرتين{/strong} من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}
        few {{إحالة أو قراءة {#strong}{$count}{/strong} مرات من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}
        * {{إحالة أو قراءة {#strong}{$count}{/strong} مرة من {$from} إلى {$to}. لم ينتهِ الشهر الأخير بعد. لا تُحتسب الروبوتات.}}`,
      uses: 'مرات الاستخدام',
      asCsv: 'بصيغة CSV',
      table: 'كل الأعداد في جدول',
      howCounted: 'كيف نحتسب',
      byMonth: 'الاستخدام حسب الشهر',
      month: 'الشهر',
      soFar: '{$month}، حتى الآن',
      resolved: 'إحالات',
      pageRead: 'قراءات الصفحة',
      verified: 'عمليات التحقق',
      harvested: 'عمليات الحصاد',
      bars: '{$what} من {$from} إلى {$to}. أعلى قيمة: {$most} في {$when}.',
      bar: '{$label}: {$count :integer}',
      tree: 'شجرة من البصمات. انطلاقًا من إيصال واحد، تقود ثلاث بصمات متجاورة إلى بصمة الجذر التي يوقّعها سجل الشفافية.',
      rootLabel: 'بصمة الجذر، موقّعة من سجل الشفافية',
      receiptLabel: 'إيصال',
      computed: 'محسوب من الإيصال',
      proof: 'البرهان، ويأتي مع الإيصال',
      notNeeded: 'غير لازم',
    },
    frame: {
      skip: 'الانتقال إلى المحتوى',
      errorTitle: 'خطأ: {$title}',
      about: 'سجل للأعمال العلمية يثبت ما سُجّل ومتى سُجّل.',
      registry: 'السجل',
      search: 'البحث',
      howItWorks: 'كيف يعمل',
      api: 'API',
      signIn: 'تسجيل الدخول',
      signOut: 'تسجيل الخروج',
      createAccount: 'إنشاء حساب',
      searchRegistry: 'البحث في السجل',
      searchExample: 'العنوان أو المؤلف أو ARK أو DOI',
      verify: 'التحقق',
      publishers: 'الناشرون',
      people: 'الأشخاص',
      log: 'سجل الشفافية',
      keys: 'المفاتيح',
      policy: 'السياسة',
      contact: 'اتصل بنا',
      privacy: 'الخصوصية',
      imprint: 'بيانات النشر',
      software: 'البرمجية: {$name}',
      status: 'حالة الخدمة',
      feed: 'موجز الأعمال',
      data: 'البيانات',
      language: 'اللغة',
      account: 'الحساب',
      profile: 'الملف الشخصي',
      works: 'الأعمال',
      changes: 'التغييرات',
      applications: 'التطبيقات',
      apiKeys: 'المفاتيح',
      security: 'الأمان',
      organizations: 'المؤسسات',
      allOrganizations: 'كل المؤسسات',
      administration: 'الإدارة',
      notices: 'الإشعارات',
      newNotices: 'الإشعارات (الجديدة: {$unread})',
      newWord: ' جديدة',
      sandbox:
        '{#strong}بيئة تجريبية.{/strong} لا يسجّل الدخول هنا إلا أشخاص تجريبيون. لا شيء مما تفعله هنا يغيّر السجل.',
      pages: 'الصفحات',
      firstPage: 'الصفحة الأولى',
      nextPage: 'الصفحة التالية',
      more: '{$count :integer} أخرى',
      environment: 'البيئة الفعلية أو التجريبية',
      live: 'الفعلية',
      sandboxName: 'التجريبية',
      inSandbox: '{$title} (البيئة التجريبية)',
      show: 'عرض',
      showAll: 'عرض الكل',
      copy: 'نسخ',
      secretHint: 'نعرض هذا مرة واحدة فقط. انسخه الآن إلى مكان آمن.',
      optional: '(اختياري)',
      faults: `.input {$count :integer} .match $count
        one {{يُرجى تصحيح حقل واحد:}}
        two {{يُرجى تصحيح حقلين:}}
        few {{يُرجى تصحيح {$count} حقول:}}
        many {{يُرجى تصحيح {$count} حقلًا:}}
        * {{يُرجى تصحيح {$count} حقل:}}`,
      givenBack: 'لم يتغيّر شيء بعد. لا يزال ما أدخلته في النموذج: أرسله مرة أخرى.',
    },
    home: {
      title: 'سجل للأعمال العلمية يمكن لأي شخص التحقق منه',
      description:
        'سجل للأعمال العلمية: معرّفات دائمة، وحفظ لكل إصدار، وسجل شفافية موقّع لا يقبل إلا الإضافة. ' +
        'يمكن لأي شخص التحقق مما سُجّل ومتى سُجّل.',
      heading: 'أعمال علمية مسجّلة بحيث يمكن لأي شخص التحقق منها',
      lead:
        'يمنح {$registry} كل عمل معرّفًا دائمًا، ويحفظ كل إصدار، ويثبت ما سُجّل ومتى سُجّل. ' +
        'لا تكتفِ بالثقة بنا: تحقّق بنفسك.',
      works: 'أعمال مسجّلة',
      over: 'أكثر من {$count}',
      statements: 'قيود موقّعة في سجل الشفافية',
      newest: 'أحدث بيان',
      why: 'لماذا يمكنك تصديق التسجيلات',
      registered: 'التسجيل',
      registeredText:
        'يسجّل الناشر عملًا. يحصل العمل على معرّف ARK لا يشير أبدًا إلى شيء آخر. ' +
        'كل تغيير ينشئ إصدارًا جديدًا. وتبقى الإصدارات القديمة.',
      signed: 'التوقيع',
      signedText:
        'لكل إصدار إيصال: بصمات SHA-256 لبياناته الوصفية ومحتواه، مع الوقت، موقّعة باستخدام Ed25519.',
      logged: 'القيد',
      loggedText:
        'يدخل الإيصال قبل أن نردّ إلى سجل شفافية لا يقبل إلا الإضافة. بصمة جذر واحدة تغطي سجل الشفافية كله: ' +
        'لا يمكن لأحد أن يغيّر قيدًا أو يزيله دون أن تتغيّر بصمة الجذر.',
      root: `.input {$count :integer} .match $count
        one {{بصمة جذر سجل الشفافية وفيه قيد واحد:}}
        two {{بصمة جذر سجل الشفافية وفيه قيدان:}}
        few {{بصمة جذر سجل الشفافية وفيه {$count} قيود:}}
        many {{بصمة جذر سجل الشفافية وفيه {$count} قيدًا:}}
        * {{بصمة جذر سجل الشفافية وفيه {$count} قيد:}}`,
      growth:
        'يقود إيصالك مع بضع بصمات إلى بصمة الجذر التي وقّعها سجل الشفافية. إذا احتفظت ببصمة جذر أقدم، ' +
        'يمكنك أن تثبت أن سجل الشفافية لم يشهد منذ ذلك الحين إلا الإضافة. وبرامج المراقبة تفعل ذلك باستمرار.',
      seeLog: 'عرض سجل الشفافية',
      proves: 'ما الذي يثبته هذا، وما الذي لا يثبته',
      check: 'تحقّق بنفسك',
      checkText:
        'في صفحة كل عمل زر يتحقق من إيصاله في متصفحك. وعلى حاسوبك، تؤدي ثلاثة أوامر الغرض نفسه. ' +
        'الأمر الأخير لا يحتاج إلى شبكة. ولا تحتاج إلى مفتاح API ولا إلى حساب:',
      commands: 'أوامر تتحقق من إيصال',
      output: 'المخرجات',
      byHand:
        'هل تفضّل عدم تشغيل برنامجنا؟ {#link}افعل الشيء نفسه باستخدام openssl وبضعة أسطر من Python.{/link}',
      latest: 'أحدث الأعمال',
      allWorks: 'كل الأعمال',
      noWorks: 'لا توجد أعمال بعد',
      noWorksText: 'هذا السجل جديد. سجّل العمل الأول بمفتاح API الذي ظهر عند التشغيل الأول:',
      firstCommand: 'الأمر الذي يسجّل عملًا',
      entrances: 'إلى أين بعد ذلك',
      publishers: 'الناشرون',
      publishersText: 'سجّل الأعمال والإصدارات الجديدة والتصحيحات عبر API، أو استورد BibTeX وRIS.',
      yourOrganization: 'مؤسستك',
      researchers: 'الباحثون',
      researchersText: 'ملفك الشخصي: أنت تقرّر من يمكنه الكتابة فيه، ويمكنك التراجع عما كُتب.',
      createAccount: 'إنشاء حساب',
      harvesters: 'الحاصدون',
      harvestersText: 'كل البيانات الوصفية عبر OAI-PMH 2.0 وعبر الموجزات، دون مفتاح API.',
      feed: 'موجز الأعمال',
      sitemap: 'خريطة الموقع',
      verifiers: 'المتحققون',
      verifiersText: 'سجل الشفافية كاملًا في قطع، مع نقاط التحقق والمفاتيح. متاح للجميع.',
      log: 'سجل الشفافية',
      checkpoint: 'نقطة التحقق',
      monitor: 'تشغيل برنامج مراقبة',
      newWorks: 'أعمال جديدة',
    },
    kinds: {
      role_contact_person: 'جهة الاتصال',
      role_data_collector: 'جامع البيانات',
      // Unsure: أمين is a keeper of collections; there is no settled term for a curator of data.
      role_data_curator: 'أمين البيانات',
      role_data_manager: 'مدير البيانات',
      role_distributor: 'موزّع',
      role_editor: 'محرر',
      role_hosting_institution: 'المؤسسة المضيفة',
      role_producer: 'منتج',
      role_project_leader: 'قائد المشروع',
      role_project_manager: 'مدير المشروع',
      role_project_member: 'عضو المشروع',
      role_registration_agency: 'وكالة التسجيل',
      role_registration_authority: 'سلطة التسجيل',
      role_related_person: 'شخص ذو صلة',
      role_researcher: 'باحث',
      role_research_group: 'مجموعة بحثية',
      role_rights_holder: 'صاحب الحقوق',
      role_sponsor: 'راعٍ',
      role_supervisor: 'مشرف',
      role_translator: 'مترجم',
      role_work_package_leader: 'قائد حزمة العمل',
      role_chair: 'رئيس',
      role_reviewer: 'محكّم',
      role_review_assistant: 'مساعد محكّم',
      role_statistics_reviewer: 'محكّم إحصائي',
      role_external_reviewer: 'محكّم خارجي',
      role_reader: 'قارئ',
      role_corresponding_author: 'المؤلف المراسل',
      role_other: 'غير ذلك',
      title_subtitle: 'عنوان فرعي',
      title_translated: 'مترجم',
      title_alternative: 'بديل',
      title_original: 'أصلي',
      title_original_subtitle: 'عنوان فرعي أصلي',
      title_short: 'مختصر',
      title_other: 'غير ذلك',
      text_abstract: 'الملخص',
      text_methods: 'المنهجية',
      text_series_information: 'معلومات السلسلة',
      text_table_of_contents: 'جدول المحتويات',
      text_technical_info: 'معلومات تقنية',
      text_plain_language: 'ملخص بلغة مبسطة',
      text_other: 'نص آخر',
      date_accepted: 'القبول',
      date_approved: 'الموافقة',
      date_available: 'الإتاحة',
      date_collected: 'الجمع',
      date_copyrighted: 'حقوق النشر',
      date_coverage: 'الفترة المشمولة',
      date_created: 'الإنشاء',
      date_issued: 'الصدور',
      date_online: 'النشر على الإنترنت',
      date_posted: 'الإيداع',
      date_print: 'الطباعة',
      date_received: 'الاستلام',
      date_submitted: 'التقديم',
      date_updated: 'التحديث',
      date_valid: 'السريان',
      date_withdrawn: 'السحب',
      date_other: 'غير ذلك',
      file_content: 'المحتوى',
      file_supplement: 'ملحق',
      file_text_mining: 'التنقيب في النصوص',
      file_similarity_checking: 'فحص التشابه',
      file_syndication: 'إعادة النشر',
      file_landing_page: 'صفحة العمل',
      file_other: 'غير ذلك',
      use_version_of_record: 'للنسخة المنشورة',
      use_accepted_manuscript: 'للمخطوطة المقبولة',
      use_submitted_manuscript: 'للمخطوطة المقدَّمة',
      use_text_mining: 'للتنقيب في النصوص',
      use_article_sharing: 'لمشاركة المقالة',
      use_other: 'لاستخدام آخر',
      stage_version_of_record: 'النسخة المنشورة',
      stage_accepted_manuscript: 'المخطوطة المقبولة',
      stage_submitted_manuscript: 'المخطوطة المقدَّمة',
      access_open: 'مفتوح',
      // Unsure: libraries have حظر and إتاحة مؤجلة for an embargo.
      access_embargoed: 'تحت حظر زمني',
      access_restricted: 'مقيّد',
      access_metadata_only: 'بيانات وصفية فقط',
    },
    landing: {
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
      notConfirmed:
        'لم نتمكن من تأكيد المحتوى: {$reason}. آخر محاولة: {$ago}. هذا لا يعني أنه تغيّر.',
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
    },
    mails: {
      hello: 'مرحبًا،',
      verifySubject: 'أكّد بريدك الإلكتروني',
      verifyText:
        'أنشأت أنت (أو شخص يستخدم عنوانك) حسابًا في {$registry}. إن كنت أنت، فأكّد العنوان بفتح ' +
        'هذه الصفحة خلال يومين:',
      verifyElse: 'إن لم تكن أنت، فلا يلزمك فعل شيء: يبقى العنوان غير مؤكد.',
      resetSubject: 'اختر كلمة مرور جديدة',
      resetText:
        'طلب أحدهم كلمة مرور جديدة لحسابك في {$registry}. إن كنت أنت، فاخترها في هذه الصفحة خلال ' +
        'ساعة. تعمل مرة واحدة:',
      resetElse: 'إن لم تكن أنت، فلا يلزمك فعل شيء: تبقى كلمة مرورك كما هي.',
      unlockSubject: 'جُرّبت كلمات مرور كثيرة جدًا على حسابك',
      unlockText:
        'جرّب أحدهم كلمات مرور كثيرة جدًا على حسابك في {$registry}. نرفض لفترة كل كلمات المرور، ' +
        'إلا في المتصفحات التي سجّلت فيها الدخول من قبل. لتسجيل الدخول بمتصفح آخر، افتح فيه هذه ' +
        'الصفحة خلال ساعة. تعمل مرة واحدة:',
      unlockElse: 'تبقى كلمة مرورك كما هي. إن كان تخمينها سهلاً، فاختر غيرها.',
      passwordSubject: 'تغيّرت كلمة مرورك',
      passwordText:
        'تغيّرت كلمة مرور حسابك في {$registry}، وسُجّل الخروج من المتصفحات الأخرى. إن لم تكن أنت، ' +
        'فاختر كلمة جديدة فورًا:',
      passwordByLink: 'لحسابك في {$registry} كلمة مرور جديدة، وسُجّل الخروج من كل المتصفحات.',
      passwordEnded:
        'لم يكن هذا العنوان مؤكدًا، لذا أنهينا أيضًا مفاتيح الحساب وأذوناته والحسابات الخارجية ' +
        'التي كانت تسجّل الدخول إليه. اطّلع هنا على ما يتصرف نيابة عنك من الآن:',
      passwordLeft:
        'ما زالت المفاتيح والأذونات والحسابات الخارجية تتصرف باسمه. إن احتُمل أن غيرك استخدم ' +
        'الحساب، فأنهِ في هذه الصفحة ما ليس لك:',
      addressSubject: 'تغيّر بريدك الإلكتروني',
      addressText:
        'لحسابك في {$registry} الآن بريد إلكتروني آخر. إن لم تكن أنت، فأخبر مشغّل السجل: لم يعد ' +
        'هذا العنوان يفتح الحساب.',
      secondOn: 'الخطوة الثانية لتسجيل دخولك مفعّلة',
      secondOff: 'الخطوة الثانية لتسجيل دخولك معطّلة',
      secondOnText: 'من الآن يطلب حسابك في {$registry} رمزًا من تطبيق بعد كلمة المرور.',
      secondOffText: 'لم يعد حسابك في {$registry} يطلب رمزًا بعد كلمة المرور.',
      lookAtOnce: 'إن لم تكن تتوقع هذا، فاختر كلمة مرور جديدة واطّلع على هذه الصفحة فورًا:',
      passkeyAdded: 'أُضيف مفتاح مرور',
      passkeyRemoved: 'أُزيل مفتاح مرور',
      passkeyAddedText: 'أُضيف مفتاح المرور «{$name}» إلى حسابك في {$registry}.',
      passkeyRemovedText: 'أُزيل مفتاح المرور «{$name}» من حسابك في {$registry}.',
      recoverySubject: 'استُخدم رمز استرداد',
      recoveryText:
        'سجّل أحدهم الدخول إلى حسابك في {$registry} بكلمة المرور ورمز استرداد. عدد الرموز ' +
        'المتبقية: {$left :integer}. إن لم تكن أنت، فاختر كلمة مرور جديدة فورًا. أنشئ رموزًا جديدة ' +
        'هنا:',
      invitationSubject: 'أنت مدعو إلى {$organization}',
      invitationText:
        'يدعوك {$by} إلى {$organization} في {$registry}. دورك: {$role}. اقبل أو ارفض في هذه الصفحة ' +
        'خلال أسبوع. تسجّل الدخول هناك أو تنشئ حسابًا:',
      invitationElse: 'إن لم يكن هذا موجهًا إليك، فلا يلزمك فعل شيء.',
      writeSubject: 'كتب {$by} في ملفك الشخصي',
      writeText: 'أجرى {$by} هذا التغيير في {$registry}، كما سمحت: {$what}.',
      writeSee: 'اطّلع هنا على ما كُتب، أو تراجع عنه، أو أنهِ الإذن:',
      ProfileUpdated: 'تغيّر ملفك الشخصي',
      ItemAdded: 'أُضيف انتماء أو تعليم',
      ItemChanged: 'تغيّر انتماء أو تعليم',
      ItemRemoved: 'أُزيل انتماء أو تعليم',
      WorkRegistered: 'سُجّل عمل لك',
      WorkVersioned: 'تغيّر عمل لك',
      WorkWithdrawn: 'سُحب عمل لك',
      ClaimMade: 'نُسب إليك عمل',
      ClaimChanged: 'تغيّرت مطالبة بعمل لك',
      suspendedSubject: 'موقوف: {$name}',
      suspendedText: 'أوقف أحد مديري {$registry} هذا: {$name}. السبب:',
      suspendedElse:
        'حتى ينتهي الإيقاف نرفض المفاتيح والرموز والويب هوك والنماذج وتسجيل الدخول. تبقى الأعمال ' +
        'متاحة للقراءة. للأسئلة: {$contact}',
      resumedSubject: 'لم يعد موقوفًا: {$name}',
      resumedText:
        'انتهى الإيقاف في {$registry}: {$name}. كل شيء يعمل كما كان. تتلقى خطافات الويب الآن ' +
        'الأحداث التي فاتتها.',
      withheldSubject: 'محجوب: {$name}',
      withheldText: 'يحجب مشغّل {$registry} هذا حاليًا: {$name}. يرى القراء السبب أيضًا:',
      withheldElse: 'لا نعرض صفحته ولا محتواه ولا اقتباساته. لم يُسحب شيء. للأسئلة: {$contact}',
      shownSubject: 'معروض من جديد: {$name}',
      shownText: 'لم يعد مشغّل {$registry} يحجب هذا: {$name}.',
      nameOrganization: 'المؤسسة {$id}',
      nameAccount: 'الحساب {$id}',
      nameApplication: 'التطبيق {$id}',
      nameWork: 'العمل {$id}',
      webhookSubject: 'خطاف ويب لدى {$owner} متوقف مؤقتًا',
      webhookText:
        'لم يعد السجل في {$registry} يرسل شيئًا إلى خطاف ويب لدى {$owner}. السبب: {$reason}. خطاف الويب: {$address}',
      webhookResume:
        'لا يضيع شيء: عندما تستأنفه يتابع من حيث توقف. اطّلع على عمليات التسليم واستأنفه هنا:',
      newsToDo: '{$toDo}:',
      newsRegistry: 'السجل: {$registry}',
      ownerSubject: 'لمؤسسة {$organization} مالك جديد',
      ownerText: 'عيّن مشغّل {$registry} مالكًا للمؤسسة {$organization}. اطّلع على المالكين هنا:',
      role_owner: 'مالك',
      role_editor: 'محرّر',
      role_viewer: 'مطّلع',
    },
    owners: {
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
    },
    record: {
      details: 'التفاصيل',
      type: 'النوع',
      published: 'تاريخ النشر',
      publisher: 'الناشر',
      publishedIn: 'نُشر في',
      language: 'اللغة',
      license: 'الترخيص',
      keywords: 'الكلمات المفتاحية',
      funding: 'التمويل',
      related: 'ذو صلة',
      content: 'المحتوى',
      volume: 'المجلد {$number}',
      issue: 'العدد {$number}',
      pages: 'الصفحات {$pages}',
      numbered: 'الرقم {$number}',
      award: '{$funder}، المنحة {$award}',
      contributors: 'المساهمون',
      moreTexts: 'نصوص أخرى',
      inLanguage: '{$text} ({$language})',
      moreDetails: 'مزيد من التفاصيل',
      otherTitles: 'عناوين أخرى',
      kind: 'الصنف',
      contentVersion: 'إصدار المحتوى',
      changesInVersion: 'التغييرات في هذا الإصدار',
      preprintGroup: 'مجموعة النسخ الأولية',
      review: 'التحكيم',
      dates: 'التواريخ',
      subjects: 'الموضوعات',
      degree: 'الدرجة العلمية',
      institutions: 'المؤسسات',
      event: 'الفعالية',
      shortTitle: 'العنوان المختصر للمجلة',
      issueTitle: 'عنوان العدد',
      edition: 'الطبعة',
      articleNumber: 'رقم المقالة',
      chapter: 'الفصل',
      series: 'السلسلة',
      seriesIssn: 'ISSN السلسلة',
      publisherPlace: 'مكان الناشر',
      rights: 'الحقوق',
      access: 'الإتاحة',
      places: 'الأماكن',
      size: 'الحجم',
      formats: 'الصيغ',
      otherIdentifiers: 'معرّفات أخرى',
      clinicalTrials: 'التجارب السريرية',
      archives: 'الأرشيفات',
      fromPublisher: 'من الناشر',
      span: 'من {$from} إلى {$to}',
      since: 'منذ {$from}',
      until: 'حتى {$to}',
      from: 'ابتداءً من {$from}',
      freeToRead: 'متاح للقراءة مجانًا',
      sponsoredBy: 'برعاية {$names}',
      round: 'الجولة {$number}',
      recommends: 'التوصية: {$what}',
      competingInterests: 'تضارب المصالح: {$what}',
      polygon: `.input {$corners :integer} .match $corners
        few {{مضلع ذو {$corners} رؤوس}}
        many {{مضلع ذو {$corners} رأسًا}}
        * {{مضلع ذو {$corners} رأس}}`,
      north: '{$degrees}° شمالًا',
      south: '{$degrees}° جنوبًا',
      east: '{$degrees}° شرقًا',
      west: '{$degrees}° غربًا',
      files: 'الملفات',
      bytes: `.input {$count :integer} .match $count
        one {{بايت واحد}}
        * {{{$count} بايت}}`,
      readOn: 'قُرئ في {$time}',
      relatedItems: 'عناصر ذات صلة',
      references: 'المراجع ({$count :integer})',
    },
    relations: {
      IsCitedBy: 'يستشهد به',
      Cites: 'يستشهد بـ',
      IsSupplementTo: 'مكمّل لـ',
      IsSupplementedBy: 'يكمّله',
      IsContinuedBy: 'يتبعه',
      Continues: 'تابع لـ',
      IsDescribedBy: 'يصفه',
      Describes: 'يصف',
      HasMetadata: 'بياناته الوصفية',
      IsMetadataFor: 'بيانات وصفية لـ',
      HasVersion: 'من إصداراته',
      IsVersionOf: 'إصدار من',
      IsNewVersionOf: 'إصدار جديد من',
      IsPreviousVersionOf: 'إصدار سابق من',
      IsPartOf: 'جزء من',
      HasPart: 'من أجزائه',
      IsPublishedIn: 'منشور في',
      IsReferencedBy: 'يشير إليه',
      References: 'يشير إلى',
      IsDocumentedBy: 'يوثّقه',
      Documents: 'يوثّق',
      IsCompiledBy: 'جمّعه',
      Compiles: 'يجمّع',
      IsVariantFormOf: 'شكل مغاير من',
      IsOriginalFormOf: 'الشكل الأصلي لـ',
      IsIdenticalTo: 'مطابق لـ',
      IsReviewedBy: 'يقيّمه',
      Reviews: 'يقيّم',
      IsDerivedFrom: 'مشتق من',
      IsSourceOf: 'مصدر لـ',
      IsRequiredBy: 'يتطلّبه',
      Requires: 'يتطلّب',
      IsObsoletedBy: 'يحل محله',
      Obsoletes: 'يحل محل',
      IsCollectedBy: 'يضمّه',
      Collects: 'يضم',
      IsTranslationOf: 'ترجمة لـ',
      HasTranslation: 'ترجمته',
      Other: 'متعلق بـ',
      hasPublished: 'نشر',
    },
    search: {
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
      searchedMeant:
        'لا شيء يحتوي على كل ما في {#q}{$typed}{/q}. هل تقصد {$link}؟ لقد بحثنا عن ذلك.',
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
      nameAsSigned:
        'اكتب الاسم كما يوقّعه صاحبه. لا فرق بين الأحرف الكبيرة والصغيرة ولا أثر للتشكيل.',
      identifiers: 'يقود معرّف ARK أو DOI أو ORCID iD مباشرة إلى تسجيلته.',
      refused: 'لا يمكننا البحث عن هذا',
      ended: 'يستغرق هذا البحث وقتًا طويلًا',
      unavailable: 'البحث غير متاح الآن',
      wordsAlone: 'البحث عن هذه الكلمات وحدها',
      stillTyped: 'ما كتبته لا يزال في خانة البحث. ولا يزال بإمكانك فتح الأعمال بمعرّفات ARK.',
      tryAgain: 'حاول مرة أخرى',
    },
    standing: {
      verified: 'المحتوى لم يتغيّر',
      pending: 'لم يُفحص المحتوى بعد',
      failed: 'تغيّر المحتوى',
      unreachable: 'لم يتأكد المحتوى',
      landingPage: 'صفحة العمل',
      active: 'مسجّل',
      withdrawn: 'مسحوب',
      all: 'الكل',
      // Unsure: Arabic often has one word, سحب, for a withdrawal and for a retraction.
      retraction: 'سُحب نشره',
      partial_retraction: 'سُحب نشره جزئيًا',
      removal: 'أُزيل',
      withdrawal: 'سحبه ناشره',
      expression_of_concern: 'إبداء قلق',
      correction: 'مصحَّح',
      corrigendum: 'مصحَّح',
      erratum: 'مصحَّح',
      addendum: 'ملحق',
      clarification: 'موضَّح',
      new_edition: 'طبعة جديدة',
      new_version: 'إصدار جديد',
      noticeOf: `.input {$kind :string} .match $kind
        retraction {{{#strong}سُحب نشر هذا العمل{/strong}{$when}{$who}.}}
        partial_retraction {{{#strong}سُحب نشر جزء من هذا العمل{/strong}{$when}{$who}.}}
        removal {{{#strong}أُزيل محتوى هذا العمل{/strong}{$when}{$who}.}}
        withdrawal {{{#strong}سحب الناشر هذا العمل{/strong}{$when}{$who}.}}
        expression_of_concern {{{#strong}أُبدي قلق بشأن هذا العمل{/strong}{$when}{$who}.}}
        addendum {{{#strong}لهذا العمل ملحق{/strong}{$when}{$who}.}}
        clarification {{{#strong}نُشر توضيح لهذا العمل{/strong}{$when}{$who}.}}
        new_edition {{{#strong}لهذا العمل طبعة جديدة{/strong}{$when}{$who}.}}
        new_version {{{#strong}لهذا العمل إصدار جديد{/strong}{$when}{$who}.}}
        * {{{#strong}صُحّح هذا العمل{/strong}{$when}{$who}.}}`,
      whenNoticed: ' في {$date}',
      whoNoticed: ' من قِبل {$name}',
      notice: 'الإشعار: {$link}.',
      noticeBy: `.input {$kind :string} .match $kind
        retraction {{هذا العمل {#strong}يسحب نشر{/strong} {$other}{$when}.}}
        partial_retraction {{هذا العمل {#strong}يسحب نشر جزء من{/strong} {$other}{$when}.}}
        removal {{هذا العمل {#strong}يزيل{/strong} {$other}{$when}.}}
        withdrawal {{هذا العمل {#strong}يسحب{/strong} {$other}{$when}.}}
        expression_of_concern {{هذا العمل {#strong}يبدي قلقًا بشأن{/strong} {$other}{$when}.}}
        addendum {{هذا العمل {#strong}ملحق لـ{/strong} {$other}{$when}.}}
        clarification {{هذا العمل {#strong}يوضّح{/strong} {$other}{$when}.}}
        new_edition {{هذا العمل {#strong}طبعة جديدة من{/strong} {$other}{$when}.}}
        new_version {{هذا العمل {#strong}إصدار جديد من{/strong} {$other}{$when}.}}
        * {{هذا العمل {#strong}يصحّح{/strong} {$other}{$when}.}}`,
      because_author_request: 'بطلب من مؤلفيه',
      because_retraction: 'لأن نشره سُحب. لا تعتمد على نتائجه',
      because_duplicate: 'لأنه مسجّل أيضًا في مكان آخر',
      because_copyright: 'لأن لآخرين حقوقًا فيه',
      because_fraud: 'بسبب الاحتيال',
      because_court_order: 'بأمر من محكمة',
      because_rights_of_others: 'لأن لآخرين حقوقًا فيه',
      because_personal_data: 'لأنه يحتوي على بيانات شخصية',
      because_legal: 'لأسباب قانونية',
      because_test: 'لأنه كان اختبارًا',
      because_other: 'لسبب آخر',
      because_data_lost: 'لأن السجل فقد تسجيلته',
    },
    types: {
      article: 'مقالة',
      preprint: 'نسخة أولية',
      review_article: 'مقالة مراجعة',
      editorial: 'افتتاحية',
      letter: 'رسالة إلى المحرر',
      data_paper: 'مقالة بيانات',
      book: 'كتاب',
      book_chapter: 'فصل من كتاب',
      conference_paper: 'ورقة مؤتمر',
      proceedings: 'أعمال مؤتمر',
      poster: 'ملصق علمي',
      presentation: 'عرض تقديمي',
      thesis: 'أطروحة',
      report: 'تقرير',
      working_paper: 'ورقة عمل',
      dataset: 'مجموعة بيانات',
      software: 'برمجيات',
      workflow: 'مسار عمل',
      peer_review: 'تحكيم علمي',
      patent: 'براءة اختراع',
      standard: 'معيار',
      image: 'صورة',
      video: 'فيديو',
      audio: 'تسجيل صوتي',
      data_management_plan: 'خطة إدارة بيانات',
      lecture: 'محاضرة',
      award: 'منحة',
      collection: 'مجموعة',
      computational_notebook: 'دفتر حوسبة',
      event: 'فعالية',
      instrument: 'أداة قياس',
      interactive_resource: 'مورد تفاعلي',
      journal: 'مجلة',
      model: 'نموذج',
      physical_object: 'جسم مادي',
      project: 'مشروع',
      service: 'خدمة',
      study_registration: 'تسجيل دراسة',
      text: 'نص',
      other: 'أخرى',
    },
  } satisfies Catalogue<typeof english>,
})
