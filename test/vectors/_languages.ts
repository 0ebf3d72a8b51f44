/** Words and names of one language, from which titles, abstracts and authors are put together. */
export type LanguageSample = {
  readonly code: string
  readonly words: readonly string[]
  readonly people: readonly (readonly [family: string, given: string])[]
}

/** Languages of many scripts: left to right, right to left, with and without spaces and marks. */
export const languageSamples: readonly LanguageSample[] = [
  sample('en', 'light water number theory growth of the early measured', 'Gibbs Ada|Noether Emma'),
  sample('fr', 'énergie forêt équilibre hétérogène où l’été à cœur', 'Curie Éloïse|Poincaré Zoé'),
  sample('de', 'Größe Wärme für Straßen Übergänge zwischen Körpern', 'Müller Jörg|Weiß Änne'),
  sample('es', 'año niñez corazón ¿cómo? según señales del mañana', 'Núñez Íñigo|Peña María José'),
  sample('pt', 'ação coração não informação pressão manhã', 'Gonçalves João|Simões Antônia'),
  sample('pl', 'źródło światło żółty gęś łączność część', 'Łukasiewicz Wiesława|Żak Stanisław'),
  sample('cs', 'příliš žluťoučký kůň úpěl ďábelské ódy', 'Dvořák Jiří|Růžičková Zuzana'),
  sample('hu', 'árvíztűrő tükörfúrógép mérés hőmérséklet', 'Erdős Pál|Szőke Ágnes'),
  sample('tr', 'ışık çözüm ölçüm İstanbul değişim güç', 'Şahin İpek|Yılmaz Çağrı'),
  sample('is', 'þróun jökull eðlisfræði ævi sjávarborð', 'Þórðardóttir Æsa|Jónsson Örn'),
  sample('vi', 'ánh sáng nước sự phát triển của rừng ngập mặn', 'Nguyễn Thị Hằng|Trần Đức'),
  sample('el', 'φως ενέργεια θεωρία αριθμών μέτρηση', 'Παπαδόπουλος Γιώργος|Ιωάννου Ελένη'),
  sample('ru', 'свет энергия теория чисел измерение ёлка', 'Чебышёв Пафнутий|Ковалевская Софья'),
  sample('uk', 'світло їжак ґрунт вимірювання єдність', 'Їжакевич Оксана|Ґалаґан Петро'),
  sample('ar', 'ضوء طاقة نظرية الأعداد قياس الماء', 'ابن‌الهيثم الحسن|الفهري فاطمة'),
  sample('fa', 'نور انرژی نظریهٔ اعداد می‌شود اندازه', 'میرزاخانی مریم|خیام عمر'),
  sample('he', 'אור אנרגיה תורת המספרים מְדִידָה', 'כהן עדה|לוי יוסף'),
  sample('hi', 'प्रकाश ऊर्जा संख्या सिद्धांत मापन जल', 'शर्मा आर्या|बोस सत्येन्द्र'),
  sample('bn', 'আলো শক্তি সংখ্যা তত্ত্ব পরিমাপ', 'বসু জগদীশ|রায় অসীমা'),
  sample('ta', 'ஒளி ஆற்றல் எண் கோட்பாடு அளவீடு', 'இராமானுசன் சீனிவாச|தேவி மீனா'),
  sample('th', 'แสง พลังงาน ทฤษฎีจำนวน การวัด น้ำ', 'สุขใจ มานี|ใจดี ปิติ'),
  sample('ka', 'სინათლე ენერგია რიცხვთა თეორია', 'ბერიძე ნინო|მაისურაძე გია'),
  sample('am', 'ብርሃን ኃይል የቁጥር ንድፈ ሐሳብ', 'ተስፋዬ ሰላም|በቀለ ዳዊት'),
  sample('ko', '빛 에너지 수론 측정 물 성장', '김 서연|이 지훈'),
  sample('ja', '光 エネルギー 数論 がく 測定 ﾊﾝｶｸ', '湯川 秀樹|ヤマダ ハナコ'),
  sample('zh', '光 能量 數論 测量 水 𠮷野家 生长', '吳 健雄|陈 景润'),
  sample('yo', 'ìmọ́lẹ̀ agbára òǹkà ìwọ̀n omi', 'Adébáyọ̀ Títílayọ̀|Ọlá Ṣọlá'),
]

function sample(code: string, words: string, people: string): LanguageSample {
  return {
    code,
    words: words.split(' '),
    people: people.split('|').map((person) => {
      const [family = '', ...given] = person.split(' ')
      return [family, given.join(' ')]
    }),
  }
}
