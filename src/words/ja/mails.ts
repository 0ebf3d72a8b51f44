import type { mails as english } from '#src/words/en/mails.ts'
import type { Translation } from '#src/words/message.ts'

export const mails: Translation<typeof english> = {
  hello: 'こんにちは。',
  verifySubject: 'メールアドレスの確認',
  verifyText:
    'あなた（またはあなたのアドレスを使った人）が{$registry}でアカウントを作成しました。ご本人の場合は、2日以内に次のページを開いてアドレスを確認してください：',
  verifyElse: '心当たりがない場合は、何もする必要はありません。アドレスは未確認のままです。',
  resetSubject: '新しいパスワードの設定',
  resetText:
    '{$registry}のアカウントについて、新しいパスワードが要求されました。ご本人の場合は、1時間以内に次のページで設定してください。一度だけ使えます：',
  resetElse: '心当たりがない場合は、何もする必要はありません。パスワードはそのままです。',
  unlockSubject: 'アカウントへのパスワードの試行が多すぎます',
  unlockText:
    '{$registry}のアカウントに対し、多数のパスワードが試されました。しばらくの間、以前サインインしたブラウザーを除き、すべてのパスワードを拒否します。別のブラウザーでサインインするには、1時間以内にそのブラウザーで次のページを開いてください。一度だけ使えます：',
  unlockElse: 'パスワードはそのままです。推測されやすい場合は、別のものを選んでください。',
  passwordSubject: 'パスワードが変更されました',
  passwordText:
    '{$registry}のアカウントのパスワードが変更され、ほかのブラウザーはサインアウトされました。心当たりがない場合は、すぐに新しいものを設定してください：',
  passwordByLink:
    '{$registry}のアカウントに新しいパスワードが設定され、すべてのブラウザーがサインアウトされました。',
  passwordEnded:
    'このアドレスは確認されていなかったため、アカウントの鍵、許可、サインインに使われていた外部アカウントも無効にしました。今後あなたに代わって動作するものは、次のページで確認できます：',
  passwordLeft:
    '鍵、許可、外部アカウントは引き続き有効です。ほかの人がアカウントを使った可能性がある場合は、次のページで自分のものでないものを無効にしてください：',
  addressSubject: 'メールアドレスが変更されました',
  addressText:
    '{$registry}のアカウントのメールアドレスが変更されました。心当たりがない場合は、レジストリの運営者に連絡してください。このアドレスではもうアカウントを開けません。',
  secondOn: 'サインインの2段階目がオンになりました',
  secondOff: 'サインインの2段階目がオフになりました',
  secondOnText: '今後、{$registry}のアカウントは、パスワードの後にアプリのコードを求めます。',
  secondOffText: '{$registry}のアカウントは、パスワードの後にコードを求めなくなりました。',
  lookAtOnce:
    '心当たりがない場合は、新しいパスワードを設定し、すぐに次のページを確認してください：',
  passkeyAdded: 'パスキーが追加されました',
  passkeyRemoved: 'パスキーが削除されました',
  passkeyAddedText: 'パスキー「{$name}」が{$registry}のアカウントに追加されました。',
  passkeyRemovedText: 'パスキー「{$name}」が{$registry}のアカウントから削除されました。',
  recoverySubject: '回復コードが使われました',
  recoveryText:
    '{$registry}のアカウントに、パスワードと回復コードでサインインがありました。残りのコードは{$left ' +
    ':integer}個です。心当たりがない場合は、すぐに新しいパスワードを設定してください。新しいコードはここで作成できます：',
  invitationSubject: '{$organization}への招待',
  invitationText:
    '{$by}さんが、{$registry}の{$organization}にあなたを招待しています。役割：{$role}。1週間以内に次のページで承諾または辞退してください。そこでサインインするか、アカウントを作成します：',
  invitationElse: '心当たりがない場合は、何もする必要はありません。',
  writeSubject: '{$by}がプロフィールに書き込みました',
  writeText: '{$by}が、許可に基づいて{$registry}で次の変更をしました：{$what}。',
  writeSee: '書き込みの確認、取り消し、許可の終了はここでできます：',
  ProfileUpdated: 'プロフィールの変更',
  ItemAdded: '所属または学歴の追加',
  ItemChanged: '所属または学歴の変更',
  ItemRemoved: '所属または学歴の削除',
  WorkRegistered: '研究成果の登録',
  WorkVersioned: '研究成果の変更',
  WorkWithdrawn: '研究成果の取り下げ',
  ClaimMade: '研究成果の関連付け',
  ClaimChanged: '研究成果の申請の変更',
  suspendedSubject: '停止：{$name}',
  suspendedText: '{$registry}の管理者が次のものを停止しました：{$name}。理由：',
  suspendedElse:
    '停止が解除されるまで、鍵、トークン、Webhook、フォーム、サインインを受け付けません。研究成果は引き続き読めます。お問い合わせ：{$contact}',
  resumedSubject: '停止の解除：{$name}',
  resumedText:
    '{$registry}での停止が解除されました：{$name}。すべて以前どおりに動作します。Webhookには、届かなかったイベントが送られます。',
  withheldSubject: '公開停止：{$name}',
  withheldText:
    '{$registry}の運営者が次のものの公開を停止しています：{$name}。理由は読者にも表示されます：',
  withheldElse:
    'ページ、内容、引用は表示されません。取り下げられたものはありません。お問い合わせ：{$contact}',
  shownSubject: '公開の再開：{$name}',
  shownText: '{$registry}の運営者が公開を再開しました：{$name}。',
  ownerSubject: '{$organization}の所有者が追加されました',
  ownerText:
    '{$registry}の運営者が{$organization}の所有者を指定しました。所有者はここで確認できます：',
  role_owner: '所有者',
  role_editor: '編集者',
  role_viewer: '閲覧者',
}
