import type { mails as english } from '#src/words/en/mails.ts'
import type { Translation } from '#src/words/message.ts'

export const mails: Translation<typeof english> = {
  hello: '您好，',
  verifySubject: '请确认您的电子邮件地址',
  verifyText:
    '您（或使用您地址的人）在 {$registry} 创建了账户。如果是您本人，请在两天内打开此页面确认地址：',
  verifyElse: '如果不是您本人，无需任何操作：该地址将保持未确认状态。',
  resetSubject: '请设置新密码',
  resetText:
    '有人为您在 {$registry} 的账户请求新密码。如果是您本人，请在一小时内于此页面设置。该页面只能使用一次：',
  resetElse: '如果不是您本人，无需任何操作：您的密码保持不变。',
  unlockSubject: '您的账户被尝试了过多密码',
  unlockText:
    '有人对您在 {$registry} ' +
    '的账户尝试了过多密码。在一段时间内，我们拒绝所有密码，您以前登录过的浏览器除外。要使用其他浏览器登录，请在一小时内用它打开此页面。该页面只能使用一次：',
  unlockElse: '您的密码保持不变。如果它容易被猜到，请另选一个。',
  passwordSubject: '您的密码已更改',
  passwordText:
    '您在 {$registry} 的账户密码已更改，其他浏览器已退出登录。如果不是您本人，请立即设置新密码：',
  passwordByLink: '您在 {$registry} 的账户已有新密码，所有浏览器均已退出登录。',
  passwordEnded:
    '此地址未曾确认，因此我们也终止了该账户的密钥、授权以及用于登录的外部账户。请在此查看今后哪些内容代您操作：',
  passwordLeft:
    '密钥、授权和外部账户仍可代其操作。如果他人可能使用过此账户，请在此页面终止不属于您的内容：',
  addressSubject: '您的电子邮件地址已更改',
  addressText:
    '您在 {$registry} 的账户现已使用另一个电子邮件地址。如果不是您本人，请告知登记库的运营方：此地址不再能打开该账户。',
  secondOn: '您的第二步登录验证已开启',
  secondOff: '您的第二步登录验证已关闭',
  secondOnText: '从现在起，您在 {$registry} 的账户在输入密码后需要应用中的验证码。',
  secondOffText: '您在 {$registry} 的账户在输入密码后不再需要验证码。',
  lookAtOnce: '如果这不在您的预期之中，请设置新密码并立即查看此页面：',
  passkeyAdded: '已添加通行密钥',
  passkeyRemoved: '已移除通行密钥',
  passkeyAddedText: '通行密钥“{$name}”已添加到您在 {$registry} 的账户。',
  passkeyRemovedText: '通行密钥“{$name}”已从您在 {$registry} 的账户移除。',
  recoverySubject: '已使用恢复码',
  recoveryText:
    '有人使用密码和恢复码登录了您在 {$registry} 的账户。剩余 {$left :integer} 个恢复码。如果不是您本人，请立即设置新密码。在此创建新的恢复码：',
  invitationSubject: '您受邀加入 {$organization}',
  invitationText:
    '{$by} 邀请您加入 {$registry} 上的 {$organization}。您的角色：{$role}。请在一周内于此页面接受或拒绝。您可在那里登录或创建账户：',
  invitationElse: '如果这不是给您的，无需任何操作。',
  writeSubject: '{$by} 写入了您的个人资料',
  writeText: '{$by} 在 {$registry} 按您的授权进行了此更改：{$what}。',
  writeSee: '在此查看写入内容、撤销更改或终止授权：',
  ProfileUpdated: '更改了您的个人资料',
  ItemAdded: '添加了所属机构或教育经历',
  ItemChanged: '更改了所属机构或教育经历',
  ItemRemoved: '移除了所属机构或教育经历',
  WorkRegistered: '为您登记了一件作品',
  WorkVersioned: '更改了您的一件作品',
  WorkWithdrawn: '撤回了您的一件作品',
  ClaimMade: '将一件作品关联到您',
  ClaimChanged: '更改了对您一件作品的认领',
  suspendedSubject: '已暂停：{$name}',
  suspendedText: '{$registry} 的管理员已暂停：{$name}。原因：',
  suspendedElse:
    '在暂停结束前，我们拒绝密钥、令牌、webhook、表单和登录。作品仍可阅读。如有疑问：{$contact}',
  resumedSubject: '不再暂停：{$name}',
  resumedText: '{$registry} 上的暂停已结束：{$name}。一切恢复如常。webhook 现在会收到错过的事件。',
  withheldSubject: '暂不公开：{$name}',
  withheldText: '{$registry} 的运营方暂不公开：{$name}。读者也会看到原因：',
  withheldElse: '我们不显示其页面、内容和引用。没有撤回任何内容。如有疑问：{$contact}',
  shownSubject: '重新公开：{$name}',
  shownText: '{$registry} 的运营方已重新公开：{$name}。',
  ownerSubject: '{$organization} 有新的所有者',
  ownerText: '{$registry} 的运营方已为 {$organization} 指定所有者。在此查看所有者：',
  role_owner: '所有者',
  role_editor: '编辑者',
  role_viewer: '查看者',
}
