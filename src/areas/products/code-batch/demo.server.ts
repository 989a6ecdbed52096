import { createHmac } from 'node:crypto'
import { MEMBER_MONTH, offerOf } from '#areas/products/product/demo.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, defineWord, HOUR_MS, instant, remembered, type World } from '#demo/world.server.ts'
import type { Grant } from '#engines/entitlement/model.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { type CodeKeys, codeKeys, lastFour } from './code.server.ts'
import { DAYS_TO_DECIDE } from './model.ts'

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 20

type Design = {
  readonly name: string
  readonly buyer: string
  /** Gives what this product gives. */
  readonly product: string
  readonly quantity: number
  readonly used: number
  readonly voided: number
  readonly priceFen: number
  readonly status: NonNullable<NewRow<'code_batch'>['status']>
  /** Counted from today: made, and valid from and to. */
  readonly days: readonly [made: number, from: number, to: number]
  /** The file with the codes has left, and has arrived. */
  readonly exported?: boolean
  readonly confirmed?: boolean
}

/** What nobody agreed to has no codes. */
const NO_CODES = { product: 'LEAD-TRIAL', used: 0, voided: 0 } as const

const DESIGNS: readonly Design[] = [
  {
    name: '春季合作训练营',
    buyer: '启明星教育',
    product: 'LEAD-CAMP-21',
    quantity: 40,
    used: 16,
    voided: 24,
    priceFen: 6_900,
    status: 'CLOSED',
    days: [-420, -415, -240],
    exported: true,
    confirmed: true,
  },
  {
    name: '银行积分兑换季卡',
    buyer: '城市银行信用卡中心',
    product: 'MEMBER-90',
    quantity: 60,
    used: 21,
    voided: 2,
    priceFen: 26_000,
    status: 'ACTIVE',
    days: [-150, -140, 120],
    exported: true,
    confirmed: true,
  },
  {
    name: '书店联名体验码',
    buyer: '新华书店西湖店',
    product: 'LEAD-TRIAL',
    quantity: 50,
    used: 9,
    voided: 0,
    priceFen: 500,
    status: 'ACTIVE',
    days: [-40, -35, 200],
    exported: true,
  },
  {
    name: '教师节赠课',
    buyer: '市第二实验小学',
    product: 'LEAD-CAMP-21',
    quantity: 30,
    used: 5,
    voided: 0,
    priceFen: 0,
    status: 'PAUSED',
    days: [-70, -66, 60],
    exported: true,
    confirmed: true,
  },
  {
    name: '年会礼品卡',
    buyer: '远航科技',
    product: 'MEMBER-180',
    quantity: 25,
    used: 0,
    voided: 0,
    priceFen: 45_000,
    status: 'APPROVED',
    days: [-3, 0, 365],
  },
  {
    name: '寒假推广码',
    buyer: '少年宫',
    product: 'LEAD-TRIAL',
    quantity: 100,
    used: 0,
    voided: 0,
    priceFen: 300,
    status: 'DRAFT',
    days: [-1, 10, 120],
  },
  {
    ...NO_CODES,
    name: '商场开业赠课',
    buyer: '银泰城',
    quantity: 2_000,
    priceFen: 0,
    status: 'REJECTED',
    days: [-95, -90, 90],
  },
  {
    ...NO_CODES,
    name: '社区写字日',
    buyer: '翠苑社区',
    quantity: 80,
    priceFen: 300,
    status: 'WITHDRAWN',
    days: [-64, -60, 30],
  },
  {
    ...NO_CODES,
    name: '文具店联名码',
    buyer: '晨光文具店',
    quantity: 50,
    priceFen: 500,
    status: 'EXPIRED',
    days: [-52, -45, 60],
  },
]

export type Code = { readonly id: number; readonly plain: string; status: 'UNUSED' | 'REDEEMED' | 'VOID' }
export type Batch = Design & {
  readonly id: number
  readonly no: string
  readonly grants: readonly Grant[]
  readonly codes: Code[]
}

/** Its codes are with whoever bought them. */
export const batchMade = defineWord<Batch>()

const batchesOf = remembered((): Batch[] => [])

function plan(world: World): void {
  for (const design of DESIGNS)
    world.agenda.at(world.now.getTime() + design.days[0] * DAY_MS, at => {
      const batch = makeBatch(world, design, at)
      batchesOf(world).push(batch)
      batchMade.tell(world, at, batch)
    })
}

const WITHOUT_A_YES: readonly Design['status'][] = ['DRAFT', 'REJECTED', 'WITHDRAWN', 'EXPIRED']
const isAgreedTo = ({ status }: Design): boolean => !WITHOUT_A_YES.includes(status)

function makeBatch(world: World, design: Design, at: number): Batch {
  const { ids, numbers, env } = world
  const no = numbers.next('B', at)
  const made = isAgreedTo(design) ? design.quantity : 0
  return {
    ...design,
    id: ids.next('code_batch'),
    no,
    grants: offerOf(world, { code: design.product }).grants,
    codes: Array.from({ length: made }, (_, nth) => ({
      id: ids.next('redemption_code'),
      plain: codeOf(env.CODE_SECRET, `${no}:${nth}`),
      // The last ones are those that were taken out of the batch.
      status: nth >= design.quantity - design.voided ? 'VOID' : 'UNUSED',
    })),
  }
}

/** Nobody without the console's own secret knows it, although it is the same at every seed. */
const codeOf = (secret: string, name: string): string =>
  Array.from(
    createHmac('sha256', secret).update(`demo:${name}`).digest().subarray(0, LENGTH),
    byte => ALPHABET[byte % ALPHABET.length],
  ).join('')

function end(world: World): void {
  const batches = batchesOf(world)
  world.rows.add(
    'code_batch',
    batches.map(batch => batchRow(world, batch)),
  )
  storeCodes(world, batches, codeKeys(world.env))
}

function storeCodes({ rows }: World, batches: readonly Batch[], keys: CodeKeys): void {
  rows.add(
    'redemption_code',
    batches.flatMap(batch =>
      batch.codes.map(({ id, plain, status }) => ({
        id,
        batch_id: batch.id,
        hash: bytes(keys.hash(plain)),
        last4: lastFour(plain),
        status,
      })),
    ),
  )
  const readable = batches.filter(
    ({ codes, confirmed, status }) => codes.length > 0 && !confirmed && status !== 'CLOSED',
  )
  rows.add(
    'sealed_codes',
    readable.map(({ id, codes }) => ({
      batch_id: id,
      part: codes.length,
      sealed: bytes(
        keys.seal(
          codes.map(({ plain }) => plain),
          String(id),
        ),
      ),
    })),
  )
}

/** As PostgreSQL reads bytes from text. */
const bytes = (buffer: Buffer) => `\\x${buffer.toString('hex')}`

function batchRow(world: World, batch: Batch): NewRow<'code_batch'> {
  const { now } = world
  const today = dayOf(now)
  const madeAt = now.getTime() + batch.days[0] * DAY_MS
  const count = (status: Code['status']) => batch.codes.filter(code => code.status === status).length
  const manager = colleague(world, 'OPERATIONS_MANAGER')
  const expiresAt = madeAt + DAYS_TO_DECIDE * DAY_MS
  const exportedAt = batch.exported ? madeAt + 2 * DAY_MS : null
  return {
    id: batch.id,
    batch_no: batch.no,
    name: batch.name,
    buyer: batch.buyer,
    grants: batch.grants,
    unit_price_fen: batch.priceFen,
    quantity: batch.quantity,
    made: batch.codes.length,
    used: count('REDEEMED'),
    voided: count('VOID'),
    per_person: 1,
    valid_from: addDays(today, batch.days[1]),
    valid_to: addDays(today, batch.days[2]),
    status: batch.status,
    applicant_id: colleague(world, 'OPERATIONS').id,
    l1_by: isAgreedTo(batch) ? manager.id : null,
    expires_at: new Date(expiresAt),
    ended_at: batch.status === 'DRAFT' ? null : new Date(batch.status === 'EXPIRED' ? expiresAt : madeAt + HOUR_MS),
    exported_by: batch.exported ? manager.id : null,
    exported_at: instant(exportedAt),
    checksum: batch.exported ? createHmac('sha256', batch.no).update('file').digest('hex') : null,
    confirmed_at: instant(batch.confirmed && exportedAt !== null ? exportedAt + 2 * HOUR_MS : null),
    created_at: new Date(madeAt),
    version: batch.status === 'DRAFT' ? 1 : isAgreedTo(batch) ? 3 : 2,
  }
}

export const demo: Story = {
  holds: {
    SALES: READ,
    OPERATIONS: [...READ, 'create', 'withdraw', 'export', 'activate', 'pause', 'resume', 'close'],
    OPERATIONS_MANAGER: ['approve', 'reject', 'exportCodes', 'confirm'],
    AUDITOR: READ,
  },
  plan,
  end,
  enters: () => ({ grants: [MEMBER_MONTH] }),
}
