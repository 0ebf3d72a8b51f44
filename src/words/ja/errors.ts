import type { errors as english } from '#src/words/en/errors.ts'
import type { Translation } from '#src/words/message.ts'

export const errors: Translation<typeof english> = {
  not_found: 'ページが見つかりません',
  not_acceptable: 'この形式は利用できません',
  forbidden: 'この操作はできません',
  suspended: 'このアカウントは停止されています',
  gone: 'これはもう有効ではありません',
  conflict: '現在の状態と矛盾しています',
  rate_limit_exceeded: '試行回数が多すぎます',
  withheld: 'この研究成果は公開を停止しています',
  payload_too_large: 'サイズが大きすぎます',
  unavailable: 'レジストリが混み合っています',
  timeout: '時間がかかりすぎました',
  clock_wrong: '現在、変更はできません',
  internal_error: '問題が発生しました',
  record_damaged: 'このレコードは読み取れません',
  other: 'このリクエストを理解できませんでした',
  nothingHere: 'このアドレスには何もありません。入力に誤りがないか確認してください。',
  tryLater: 'しばらくしてから、もう一度お試しください。',
  failed:
    '当方の不具合です。内容は記録しました。しばらく時間をおいてから、もう一度お試しください。',
  noChanges: 'レジストリの時計が正しくないため、何も変更できません。閲覧は引き続きすべて可能です。',
  waitSeconds: '{$seconds :integer}秒後にもう一度お試しください。',
  waitMinutes: '{$minutes :integer}分後にもう一度お試しください。',
  report:
    'この問題が続く場合は、このレジストリの運営者にお問い合わせのうえ、エラー{$status}とリクエスト{$request}をお知らせください。',
  goTo: '{$ark}へ移動',
  searchInstead: 'レジストリを検索する',
}
