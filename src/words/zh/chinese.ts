import { account } from '#src/words/zh/account.ts'
import { comparison } from '#src/words/zh/comparison.ts'
import { consent } from '#src/words/zh/consent.ts'
import { credentials } from '#src/words/zh/credentials.ts'
import { errors } from '#src/words/zh/errors.ts'
import { fields } from '#src/words/zh/fields.ts'
import { figures } from '#src/words/zh/figures.ts'
import { frame } from '#src/words/zh/frame.ts'
import { home } from '#src/words/zh/home.ts'
import { kinds } from '#src/words/zh/kinds.ts'
import { landing } from '#src/words/zh/landing.ts'
import { mails } from '#src/words/zh/mails.ts'
import { owners } from '#src/words/zh/owners.ts'
import { record } from '#src/words/zh/record.ts'
import { relations } from '#src/words/zh/relations.ts'
import { search } from '#src/words/zh/search.ts'
import { standing } from '#src/words/zh/standing.ts'
import { types } from '#src/words/zh/types.ts'
import { Language } from '#src/words/language.ts'

// The terms, as ORCID, CNKI and the OAI community have them in simplified Chinese:
// work: 作品 · record: 记录 · register: 登记 (注册 would be an account) · registry: 登记库 ·
// version: 版本 · receipt: 回执 · log: 日志 · append-only: 只可追加 · entry: 条目 · statement: 声明 ·
// checkpoint: 检查点 · hash: 哈希值 · root hash: 根哈希 · proof: 证明 · key: 密钥 · tile: 分块 ·
// publisher: 出版者 · researcher: 研究人员 · claim: 认领 · withdraw: 撤回 · retract: 撤稿 ·
// withhold: 暂不公开 · tombstone: 撤回说明页 · harvest: 收割 · resolve: 解析 · feed: 订阅源 ·
// landing page: 着陆页 · sign in: 登录 · sandbox: 沙盒 · organization: 机构. Readers are 您. A space
// stands between Chinese and Latin letters or digits, none before a value that is Chinese itself.
export const chinese = new Language({
  tag: 'zh-Hans',
  name: '简体中文',
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
