import * as z from 'zod'
import {
  code,
  day,
  dictionary,
  id,
  instant,
  money,
  number,
  optional,
  permille,
  text,
  version,
} from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

const MOST = 2_147_483_647
const counted = () => number(0, MOST)
/** What the platform calls a plan: forms name it as their campaign. */
export const planNo = () => code(64).regex(/^[0-9A-Za-z_:-]+$/)

/** What ads of one plan cost on one day, as the platform tells it, and what the people they brought have done since. */
export const resource = defineResource({
  screen: area.screens['ad-line'],
  table: 'ad_line',
  record: z.strictObject({
    id: id(),
    day: day(),
    account: dictionary('XHS_ACCOUNT'),
    planName: text(100),
    plan: planNo(),
    spendFen: money(),
    views: counted(),
    clicks: counted(),
    ctr: optional(permille(0, 1_000)),
    leads: counted(),
    cplFen: optional(money()),
    added: counted(),
    registered: counted(),
    paid: counted(),
    gmvFen: money(),
    roi: optional(permille(0, MOST)),
    createdAt: instant(),
    version: version(),
  }),
  title: 'planName',
  brief: ['planName', 'day', 'account', 'spendFen'],
  list: {
    columns: [
      'day',
      'planName',
      'account',
      'spendFen',
      'leads',
      'cplFen',
      'paid',
      'gmvFen',
      'roi',
      'views',
      'clicks',
      'ctr',
      'added',
      'registered',
      'plan',
    ],
    below: { plan: 'planName' },
    filters: ['day', 'account', 'plan'],
    sort: ['day', 'spendFen', 'leads', 'cplFen', 'gmvFen', 'roi'],
    usual: 'day:desc',
    search: ['planName', 'plan'],
  },
  create: ['day', 'account', 'plan', 'planName', 'spendFen', 'views', 'clicks'],
  edit: ['planName', 'spendFen', 'views', 'clicks'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
})
export type AdLine = RecordOf<typeof resource>
