import { type Files, folderOf, holdsText, localeText, property, type Wanted } from './wanted.ts'

/** How many records of a list came when. What is counted by, sums and rates are added to it (docs/recipes.md, "A statistic"). */
export function statisticFiles(wanted: Wanted): Files {
  const { screen, table, of = '' } = wanted
  const folder = folderOf(wanted)
  return {
    [`${folder}/model.ts`]: `import { resource as counted } from '#areas/${of}/model.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

export const statistic = defineStatistic({
  screen: area.screens${property(screen)},
  of: counted,
  measures: {
    records: { kind: 'count', good: 'more', rows: {} },
  },
  dimensions: { time: 'time' },
  bases: { happened: 'createdAt' },
  filters: [],
})
`,
    [`${folder}/server.ts`]: `import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { statistic } from './model.ts'

export const counting = defineCounting({
  sources: {
    records: { table: '${table}', time: 'created_at', sums: { all: 'count(*)' }, by: {}, filters: [] },
  },
  values: ({ records }) => ({ records: records.all ?? 0 }),
})

export const routes = serveStatistic(statistic, counting)
`,
    [`${folder}/page.tsx`]: `import { StatisticPage } from '#kit/page/statistic/statistic-page.tsx'
import { statistic } from './model.ts'

export function Page() {
  return <StatisticPage statistic={statistic} />
}
`,
    [`${folder}/locale.ts`]: localeText(screen, {
      'measure.records': ['数量', 'Number', 'Quantidade'],
      'about.records': ['期内新增的数量。', 'What was added in the period.', 'O que foi criado no período.'],
      'base.happened': ['按创建日期', 'By day of creation', 'Por data de criação'],
      'about-base.happened': [
        '计在创建的那一天。',
        'Counted on the day it was created.',
        'Conta no dia em que foi criado.',
      ],
      'dimension.time': ['日期', 'Date', 'Data'],
    }),
    [`${folder}/demo.server.ts`]: holdsText("['list', 'export']"),
    [`${folder}/server.test.ts`]: testText(wanted),
  }
}

const testText = ({ area, screen }: Wanted): string => `import { expect, test } from 'vitest'
import type { StatisticAnswer } from '#kit/model/statistic.ts'
import { openTestInstance, person } from '../../../../tools/testing/instance.ts'

test('what has not come yet is counted as nothing', async () => {
  const admin = await person(await openTestInstance(), { superAdmin: true })
  const { code, data } = await admin.get<StatisticAnswer>('/${area}/${screen}')
  expect({ code, now: data.totals.happened?.now }).toEqual({ code: 0, now: { records: 0 } })
})
`
