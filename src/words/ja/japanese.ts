import { account } from '#src/words/ja/account.ts'
import { comparison } from '#src/words/ja/comparison.ts'
import { consent } from '#src/words/ja/consent.ts'
import { credentials } from '#src/words/ja/credentials.ts'
import { errors } from '#src/words/ja/errors.ts'
import { fields } from '#src/words/ja/fields.ts'
import { figures } from '#src/words/ja/figures.ts'
import { frame } from '#src/words/ja/frame.ts'
import { home } from '#src/words/ja/home.ts'
import { kinds } from '#src/words/ja/kinds.ts'
import { landing } from '#src/words/ja/landing.ts'
import { mails } from '#src/words/ja/mails.ts'
import { owners } from '#src/words/ja/owners.ts'
import { record } from '#src/words/ja/record.ts'
import { relations } from '#src/words/ja/relations.ts'
import { search } from '#src/words/ja/search.ts'
import { standing } from '#src/words/ja/standing.ts'
import { types } from '#src/words/ja/types.ts'
import { Language } from '#src/words/language.ts'

// The terms, as ORCID, JaLC and IRDB have them in Japanese:
// work: 研究成果 (ORCID: 著作・業績, which a data set is not) · record: レコード · register: 登録する ·
// registry: レジストリ · version: 版 · receipt: 受領証 · log: ログ · append-only: 追記専用 ·
// entry: エントリ · statement: 声明 · checkpoint: チェックポイント · hash: ハッシュ値 ·
// root hash: ルートハッシュ · proof: 証明 · signing key: 鍵 · API key: APIキー · tile: タイル ·
// publisher: 出版者 · researcher: 研究者 · claim: 自分の研究成果として申請する · withdraw: 取り下げる ·
// retract: 撤回する · withhold: 公開を停止する · tombstone: 取り下げのページ · harvest: ハーベスト ·
// resolve: 解決する · feed: フィード · landing page: ランディングページ · sign in: サインイン ·
// sandbox: サンドボックス · organization: 機関. No spaces beside values, Latin letters or digits.
export const japanese = new Language({
  tag: 'ja',
  name: '日本語',
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
