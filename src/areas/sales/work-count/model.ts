import { resource as film } from '#areas/members/video-work/model.ts'
import { resource as work } from '#areas/members/work/model.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const BOTH = ['pictures', 'films']

/** What the members of each consultant hand in. Whose a member is was settled when the work came. */
export const statistic = defineStatistic({
  screen: area.screens['work-count'],
  of: work,
  measures: {
    works: { kind: 'count', good: 'more', madeOf: BOTH },
    pupils: { kind: 'count', good: 'more', madeOf: BOTH },
    pictures: { kind: 'count', good: 'more', rows: {} },
    films: { kind: 'count', good: 'more', rows: {}, of: film },
    judgedRate: { kind: 'rate', good: 'more', madeOf: BOTH },
    returnedRate: { kind: 'rate', good: 'less', madeOf: BOTH },
  },
  dimensions: { time: 'time', owner: { field: 'ownerThen' }, kind: { field: 'kind' } },
  bases: { handedIn: 'submittedAt' },
  filters: ['ownerThen', 'kind'],
})
