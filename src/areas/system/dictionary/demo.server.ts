import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import type { World } from '#demo/world.server.ts'
import { COLOURS, type Words } from '#kit/server/choice/built-in-dictionary.ts'

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

function plan({ since, ids, rows }: World): void {
  for (const { code, name, note, entries } of DICTIONARIES) {
    const id = ids.next('dictionary_type')
    rows.add('dictionary_type', [{ id, code, name, note, created_at: since }])
    rows.add(
      'dictionary_item',
      entries.map(([value, labels, colour], sort) => ({
        type_id: id,
        labels: { ...labels },
        value,
        colour: colour && COLOURS[colour],
        sort,
        enabled: true,
      })),
    )
  }
}

export const demo: Story = {
  holds: { AUDITOR: READ },
  plan,
  enters: () => ({ items: [{ label: '甲', value: 'A', colour: null, enabled: true }] }),
}
