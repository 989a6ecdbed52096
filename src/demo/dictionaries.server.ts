import { COLOURS, type Words } from '#kit/server/choice/built-in-dictionary.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { idOf, idsBy, insertRows } from './insert-rows.server.ts'

type Entry = readonly [value: string, words: Words, colour: keyof typeof COLOURS | null]

const said = (chinese: string, english: string, portuguese: string): Words => ({
  'zh-CN': chinese,
  'en-US': english,
  'pt-BR': portuguese,
})

/** Those the staff made for themselves: they may go again. */
const DICTIONARIES: readonly { code: string; name: string; note: string; entries: readonly Entry[] }[] = [
  {
    code: 'FOLLOW_UP_RESULT',
    name: '跟进结果',
    note: '销售顾问记录每次联系的结果',
    entries: [
      ['NO_ANSWER', said('未接通', 'No answer', 'Não atendeu'), 'grey'],
      ['INTERESTED', said('有意向', 'Interested', 'Interessado'), 'green'],
      ['LATER', said('稍后联系', 'Call back later', 'Ligar depois'), 'orange'],
      ['REFUSED', said('明确拒绝', 'Not interested', 'Sem interesse'), 'red'],
    ],
  },
  {
    code: 'LOST_REASON',
    name: '流失原因',
    note: '',
    entries: [
      ['PRICE', said('价格高', 'Too expensive', 'Muito caro'), 'gold'],
      ['OTHER_SCHOOL', said('选择其他机构', 'Chose another school', 'Escolheu outra escola'), 'purple'],
      ['OFFLINE_CLASS', said('改报线下班', 'Took an in-person class', 'Foi para aula presencial'), 'cyan'],
      ['NO_TIME', said('没有时间', 'No time', 'Sem tempo'), 'grey'],
    ],
  },
  {
    code: 'SCHOOL_GRADE',
    name: '年级',
    note: '',
    entries: ['一', '二', '三', '四', '五', '六'].map((numeral, at) => [
      `G${at + 1}`,
      said(`${numeral}年级`, `Grade ${at + 1}`, `${at + 1}º ano`),
      null,
    ]),
  },
]

export async function seedDictionaries(tx: Tx, createdAt: Date): Promise<void> {
  const types = DICTIONARIES.map(({ code, name, note }) => ({ code, name, note, created_at: createdAt }))
  const ids = idsBy(await insertRows(tx, 'dictionary_type', types, ['id', 'code']), 'code')
  const items = DICTIONARIES.flatMap(({ code, entries }) =>
    entries.map(([value, labels, colour], sort) => ({
      type_id: idOf(ids, code),
      labels: { ...labels },
      value,
      colour: colour && COLOURS[colour],
      sort,
      enabled: true,
    })),
  )
  await insertRows(tx, 'dictionary_item', items)
}
