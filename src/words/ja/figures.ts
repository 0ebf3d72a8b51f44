import type { figures as english } from '#src/words/en/figures.ts'
import type { Translation } from '#src/words/message.ts'

export const figures: Translation<typeof english> = {
  workUsed: 'この研究成果の利用状況',
  theseWorksUsed: 'これらの研究成果の利用状況',
  allWorksUsed: '研究成果の利用状況',
  notUsed: '{$from}から{$to}まで、解決も閲覧もされていません。ロボットは数えません。',
  used: '{$from}から{$to}までに{#strong}{$count :integer}{/strong}回、解決または閲覧されました。最後の月はまだ終わっていません。ロボットは数えません。',
  uses: '利用回数',
  asCsv: 'CSV形式',
  table: 'すべての回数を表で見る',
  howCounted: '数え方',
  byMonth: '月別の利用回数',
  month: '月',
  soFar: '{$month}（現時点まで）',
  resolved: '解決',
  pageRead: 'ページの閲覧',
  verified: '検証',
  harvested: 'ハーベスト',
  bars: '{$from}から{$to}までの{$what}。最大：{$when}の{$most}。',
  bar: '{$label}：{$count :integer}',
  tree: 'ハッシュ値の木。1つの受領証から、隣り合う3つのハッシュ値をたどると、ログが署名するルートハッシュに至ります。',
  rootLabel: 'ルートハッシュ（ログが署名）',
  receiptLabel: '受領証',
  computed: '受領証から計算',
  proof: '証明（受領証に付属）',
  notNeeded: '不要',
}
