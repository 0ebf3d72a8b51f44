import test from 'ava'

import { readCslDate, readDate, readDateParts } from '#src/discovery/citation_files/dates.ts'

// Without a mark at its end, a date is said as it stands; with `*` something of it is lost.
const texts = `
2019 = 2019 | 2019-05 = 2019-05 | 2019-05-03 = 2019-05-03 | 20190503 = 2019-05-03
2019/5/3 = 2019-05-03 | 2019/05/03/ = 2019-05-03 | 2005///Spring = 2005* | 2005/03// = 2005-03
2005/03/12/other = 2005-03-12 | 2005/12//December = 2005-12 | 2019-5 = 2019-05
3 May 2019 = 2019-05-03 | May 3rd, 2019 = 2019-05-03 | May 2013 = 2013-05 | Sept. 2019 = 2019-09
3. März 2019 = 2019-03-03 | 15 января 2019 = 2019-01-15 | 2019年5月3日 = 2019-05-03
令和3年5月2日 = 2021-05-02 | 平成元年 = 1989 | 昭和99年 = * | 令和0年 = * | ㍻30年 = 2018
民國110年 = 2021 | 中華民國99年12月 = 2010-12 | 令和３（２０２１）年５月 = 2021-05
2021(令和3)年5月 = 2021-05 | 平成三十一年四月 = 2019-04 | 二〇二一年十二月三十一日 = 2021-12-31
maj 2019 = 2019-05 | 1 de mayo de 2019 = 2019-05-01 | Sunday, 3 May 2019 = 2019-05-03
2019 Jan 5 = 2019-01-05 | 2019 Jan-Feb = 2019-01* | Jan-Feb 2019 = 2019-01*
May/June 2019 = 2019-05* | 12-15 May 2019 = 2019-05-12* | May 12–15, 2019 = 2019-05-12*
30 April-2 May 2019 = 2019-04-30* | December 2018/January 2019 = 2018-12*
2018-2019 = 2018* | 2012-13 = 2012* | 2012/13 = 2012* | 2011–2012 = 2011*
2020-05-06/2021-05-06 = 2020-05-06* | 2020-05-06/ = 2020-05-06* | 2020/.. = 2020*
2012- = 2012* | 1987– = 1987* | 2012-present = 2012* | 1987-05- = 1987-05*
../2020 = * | /2020 = * | unknown/2020 = * | {1667,1668} = 1667*
18XX = * | 156u = * | 19-- = * | 18--? = * | 1990s = * | Y17000 = * | -0054 = * | 54 BC = *
2004? = 2004* | 2004-06~ = 2004-06* | 2004-XX-XX = 2004* | 2004-06-uu = 2004-06*
2001-21 = 2001* | 2001-33 = 2001* | Spring 2019 = 2019* | Winter 2018/2019 = 2018*
circa 1850 = 1850* | [ca. 1850] = 1850* | 1850? = 1850* | ©1999 = 1999 | [1999] = 1999
5/3/2019 = 2019* | 13/5/2019 = 2019-05-13 | 5/3/19 = * | 05/2019 = 2019-05
2019-02-30 = 2019-02* | 2019-13-01 = 2019* | 2019-00-00 = 2019
2019-05-03T10:00:00Z = 2019-05-03 | 2019-05-03 10:00:00 = 2019-05-03
n.d. = | :unav = | (:tba) = | forthcoming = * | before 1900 = * | 19th century = *
published 2019 = 2019* | Accepted 2018 = * | 1999 [i.e. 1998] = * | listopad 2019 = 2019*
Mid-2020 = 2020* | 1999, c1998 = 1999 | 2016/10-11 = 2016*`

test('texts are read as the dates that are certain, and it is said what is not', (t) => {
  for (const line of texts.trim().split(/[|\n]/)) {
    const [text = '', expected = ''] = line.split(' =').map((part) => part.trim())
    const { date, remark } = readDate(text)
    t.is(`${date ?? ''}${remark === undefined ? '' : '*'}`, expected, text)
  }
})

const parts = `
2020|10~Dec = 2020-12-10 | 2020|Dec 10 = 2020-12-10 | 2020|May/June = 2020-05* | 2020|may = 2020-05
2020|5|3 = 2020-05-03 | 2020|March|5th = 2020-03-05 | 2020|spring = 2020* | 2020|13 = 2020*
2020|sept|3-5 = 2020-09-03* | 2020|1st quarter = 2020* | 2020|Jan.--Feb. = 2020-01* | 2020|0 = 2020
18XX|jan = * | 2020|10 December = 2020-12-10 | 2020|first week of May = 2020*
2020|May 2020 = 2020-05 | 2020|2020-05 = 2020-05 | 2020|May 2019 = 2020* | 2020|#jan# = 2020-01
|jan = * | 2020||5 = 2020* | 2020|8/9 = 2020-08* | 2020|08--09 = 2020-08*`

test('a month that has a field of its own is read in any form', (t) => {
  for (const line of parts.trim().split(/ \| |\n/)) {
    const [text = '', expected = ''] = line.split(' = ').map((part) => part.trim())
    const [year = '', month, day] = text.split('|')
    const { date, remark } = readDateParts(year, month, day)
    t.is(`${date ?? ''}${remark === undefined ? '' : '*'}`, expected, text)
  }
})

const members: readonly (readonly [value: unknown, expected: string])[] = [
  [{ raw: '2013-05-03' }, '2013-05-03'],
  [{ literal: 'May 2013' }, '2013-05'],
  [{ 'date-parts': [[2009, 21]] }, '2009*'],
  [{ 'date-parts': [[2009, 'season-04']], season: 4 }, '2009*'],
  [{ 'date-parts': [[null]] }, ''],
  [{ 'date-parts': [['2021', '3']] }, '2021-03'],
  [{ 'date-parts': [[2019, 5, 3], [2020]] }, '2019-05-03*'],
  [{ 'date-parts': [[2019]], circa: true }, '2019*'],
  [{ 'date-parts': [[2019, 2, 30]] }, '2019-02*'],
  [{ 'date-parts': [2019, 5] }, '2019-05'],
  [{ 'date-parts': [[-50]] }, '*'],
  [{ 'date-parts': [[800]] }, '0800'],
  [{ 'date-parts': [['2019-05-03']] }, '2019-05-03'],
  [{ 'date-parts': [[2019, 0, 0]] }, '2019'],
  [{ 'date-parts': [['']], literal: '2011' }, '2011'],
  [2019, '2019'],
  ['2019-05', '2019-05'],
  [['2019'], '2019'],
  [[2019, 5, 3], '2019-05-03'],
  [[{ 'date-parts': [[2019, 5]] }], '2019-05'],
  [{ year: 2019, month: '5', day: 3 }, '2019-05-03'],
]

test('dates of CSL are read with parts, texts and seasons', (t) => {
  for (const [value, expected] of members) {
    const { date, remark } = readCslDate(value)
    t.is(`${date ?? ''}${remark === undefined ? '' : '*'}`, expected, JSON.stringify(value))
  }
})
