import { resource as film } from '#areas/members/video-work/model.ts'
import { ratio } from '#kit/model/statistic.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { statistic } from './model.ts'

const known = {
  table: 'work',
  time: 'submitted_at',
  by: { owner: 'owner_then', kind: 'kind' },
  filters: ['ownerThen', 'kind'],
} as const

export const counting = defineCounting({
  sources: {
    // Who hands in a page and a film is one pupil: told only to who may list both.
    all: {
      ...known,
      sums: {
        works: 'count(*)',
        pupils: 'count(distinct t.member_id)',
        judged: 'count(*) filter (where t.commented_at is not null)',
        returned: `count(*) filter (where t.status = 'RETURNED')`,
      },
    },
    pictures: { ...known, where: `t.medium = 'PICTURE'`, sums: { works: 'count(*)' } },
    films: { ...known, of: film, where: `t.medium = 'VIDEO'`, sums: { works: 'count(*)' } },
  },
  values: ({ all, pictures, films }) => ({
    works: all.works ?? 0,
    pupils: all.pupils ?? 0,
    pictures: pictures.works ?? 0,
    films: films.works ?? 0,
    judgedRate: ratio(all.judged ?? 0, all.works ?? 0),
    returnedRate: ratio(all.returned ?? 0, all.works ?? 0),
  }),
})

export const routes = serveStatistic(statistic, counting)
