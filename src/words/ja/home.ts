import type { home as english } from '#src/words/en/home.ts'
import type { Translation } from '#src/words/message.ts'

export const home: Translation<typeof english> = {
  title: '誰でも確かめられる、研究成果のレジストリ',
  description:
    '研究成果のレジストリ。永続的な識別子、すべての版の保存、署名された追記専用のログ。何がいつ登録されたかを、誰でも確かめられます。',
  heading: '誰でも確かめられる、研究成果の登録',
  lead: 'Arklogは、研究成果ごとに永続的な識別子を付け、すべての版を残し、何がいつ登録されたかを証明します。私たちを信じるのではなく、確かめてください。',
  works: '登録された研究成果',
  over: '{$count}以上',
  statements: 'ログの署名済みエントリ',
  newest: '最新の声明',
  why: '記録を信じられる理由',
  registered: '登録',
  registeredText:
    '出版者が研究成果を登録します。研究成果にはARKが付き、そのARKが他のものを指すことは決してありません。変更するたびに新しい版ができます。古い版は残ります。',
  signed: '署名',
  signedText:
    '版ごとに受領証が発行されます。受領証は、メタデータと内容のSHA-256ハッシュ値、および時刻に、Ed25519で署名したものです。',
  logged: 'ログへの記録',
  loggedText:
    '受領証は、私たちが応答する前に、追記専用のログに入ります。1つのルートハッシュがログ全体を表します。エントリを変更または削除すれば、ルートハッシュも必ず変わります。',
  root: 'エントリ{$count :integer}件のログのルートハッシュ：',
  growth:
    '受領証といくつかのハッシュ値から、ログが署名したルートハッシュにたどり着けます。以前のルートハッシュを保存していれば、それ以降ログに追記しかされていないことを証明できます。モニターは、これを常に行っています。',
  seeLog: 'ログを見る',
  proves: '証明できること、できないこと',
  check: '自分で確かめる',
  checkText:
    '各研究成果のページには、受領証をブラウザーで確かめるボタンがあります。お使いのコンピューターでは、3つのコマンドで同じことができます。最後のコマンドはネットワークを使いません。APIキーもアカウントも不要です：',
  commands: '受領証を確かめるコマンド',
  output: '出力',
  byHand:
    '私たちのプログラムを実行したくない場合は、{#link}opensslと数行のPythonで同じことができます。{/link}',
  latest: '最新の研究成果',
  allWorks: 'すべての研究成果',
  noWorks: '研究成果はまだありません',
  noWorksText:
    'これは新しいレジストリです。初回起動時に表示されたAPIキーで、最初の研究成果を登録してください：',
  firstCommand: '研究成果を登録するコマンド',
  entrances: '次に進む',
  publishers: '出版者',
  publishersText: '研究成果、新しい版、訂正をAPIで登録するか、BibTeXやRISを取り込みます。',
  yourOrganization: 'あなたの機関',
  researchers: '研究者',
  researchersText:
    'あなた自身のプロフィールです。誰が書き込めるかを決め、書き込まれた内容を取り消すことができます。',
  createAccount: 'アカウントを作成',
  harvesters: 'ハーベスター',
  harvestersText: 'OAI-PMH 2.0とフィードで、すべてのメタデータを提供します。APIキーは不要です。',
  feed: '研究成果のフィード',
  sitemap: 'サイトマップ',
  verifiers: '検証者',
  verifiersText: 'ログ全体を、タイル、チェックポイント、鍵とともに公開しています。',
  log: 'ログ',
  checkpoint: 'チェックポイント',
  monitor: 'モニターを運用する',
  newWorks: '新しい研究成果',
}
