import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, remembered, type World } from '#demo/world.server.ts'
import type { Channel, Kind, Shipped, Variable } from '#engines/message/model.ts'
import { variablesOf } from '#engines/message/model.ts'

type Design = {
  readonly code: string
  readonly channel: Channel
  readonly kind: Kind
  readonly title: string
  readonly variables: readonly Variable[]
  /** What it said, oldest first; and what somebody works at. */
  readonly bodies: readonly string[]
  readonly draft?: string
  readonly providerCode?: string
  readonly isShipped?: true
}

const NAME: Variable = { name: 'name', kind: 'TEXT', sample: '陈子涵' }

const TEMPLATES: readonly Design[] = [
  {
    code: 'LOGIN-CODE',
    channel: 'SMS',
    kind: 'CODE',
    title: '登录验证码',
    variables: [{ name: 'code', kind: 'TEXT', sample: '839271' }],
    bodies: ['您的验证码是 {code}，五分钟内有效，请勿告诉他人。'],
    providerCode: 'SMS_2711',
  },
  {
    code: 'COURSE-REMINDER',
    channel: 'SMS',
    kind: 'NOTICE',
    title: '开课提醒',
    variables: [NAME, { name: 'at', kind: 'INSTANT', sample: '2026-03-14 19:00' }],
    bodies: [
      '{name}同学，您的课程将于 {at} 开始。',
      '{name}同学，您的练字课将于 {at} 开始，请准备好纸笔，提前五分钟进入课堂。',
    ],
    providerCode: 'SMS_2712',
  },
  {
    code: 'MEMBERSHIP-ENDING',
    channel: 'SMS',
    kind: 'NOTICE',
    title: '会员到期提醒',
    variables: [NAME, { name: 'day', kind: 'DAY', sample: '2026-03-31' }],
    bodies: ['{name}同学的会员将于 {day} 到期，续费请联系您的课程顾问。'],
    draft: '{name}同学的会员将于 {day} 到期。到期后作品仍会保留，续费请联系您的课程顾问。',
    providerCode: 'SMS_2713',
  },
  {
    code: 'AUTUMN-OFFER',
    channel: 'SMS',
    kind: 'MARKETING',
    title: '秋季班优惠',
    variables: [NAME, { name: 'off', kind: 'MONEY', sample: '¥200.00' }],
    bodies: ['{name}家长您好，秋季班老学员立减 {off}，名额有限。拒收请回复R'],
    providerCode: 'SMS_2714',
  },
  {
    code: 'WEEKLY-SUMMARY',
    channel: 'EMAIL',
    kind: 'NOTICE',
    title: '本周工作小结',
    variables: [NAME, { name: 'open', kind: 'NUMBER', sample: '7' }],
    bodies: ['{name}，您好：\n\n截至今天，您名下还有 {open} 件待办，请登录控制台查看。'],
  },
  {
    code: 'SHIFT-NOTICE',
    channel: 'WEB',
    kind: 'NOTICE',
    title: '排班通知',
    variables: [{ name: 'day', kind: 'DAY', sample: '2026-03-16' }],
    bodies: ['下周排班已更新，自 {day} 起执行，请查看。'],
  },
  {
    code: 'WORK-COMMENTED',
    channel: 'SMS',
    kind: 'NOTICE',
    title: '作品点评提醒',
    variables: [NAME],
    bodies: [],
    draft: '{name}同学，老师已经点评了您的作品，快来看看吧。',
  },
]

/** The templates there are; those of the console's own messages join when the first of them is sent. */
const templatesOf = remembered((): Map<string, Design> => new Map(TEMPLATES.map(one => [one.code, one])))

export function shippedTemplate(world: World, message: Shipped): void {
  const { code, channel, kind, title, body } = message
  const own = { providerCode: 'SMS_2710', isShipped: true } as const
  templatesOf(world).set(code, { code, channel, kind, title, variables: variablesOf(message), bodies: [body], ...own })
}

/** Where the words of a message come from. */
export const wordsOf = (world: World, code: string) => {
  const design = templatesOf(world).get(code)
  const body = design?.bodies.at(-1)
  if (!design || body === undefined) throw new Error(`the demo business has no published template ${code}`)
  return {
    ...design,
    body,
    templateId: world.ids.named('message_template', code),
    editionId: world.ids.named('message_template_edition', `${code} ${design.bodies.length}`),
  }
}

function end(world: World): void {
  for (const design of templatesOf(world).values()) add(world, design)
}

function add(world: World, design: Design): void {
  const { ids, rows, since, now } = world
  const { code, channel, kind, title, variables, bodies, draft, isShipped = false } = design
  const [author, publisher] = [colleague(world, 'OPERATIONS'), colleague(world, 'OPERATIONS_MANAGER')]
  const providerCode = design.providerCode ?? null
  const id = ids.named('message_template', code)
  const bodyOf = (body: string) => ({ title, body, variables, providerCode })
  rows.add('message_template', [
    {
      ...{ id, code, channel, kind, title, is_shipped: isShipped, created_at: since },
      // What it consists of comes with its first edition.
      body: bodies.at(-1) ?? '',
      provider_code: bodies.length > 0 ? providerCode : null,
      variables: bodies.length > 0 ? variables : [],
      edition: bodies.length,
      status: bodies.length === 0 ? 'DRAFT' : draft ? 'CHANGED' : 'PUBLISHED',
    },
  ])
  const drafted = { template_id: id, restores: null, drafted_by: author.id }
  rows.add('message_template_edition', [
    ...bodies.map((body, at) => {
      const published = new Date(at === 0 ? since : now.getTime() - 90 * DAY_MS)
      return {
        ...drafted,
        id: ids.named('message_template_edition', `${code} ${at + 1}`),
        ...{ edition: at + 1, base: at, body: bodyOf(body), drafted_at: published },
        state: at + 1 === bodies.length ? ('PUBLISHED' as const) : ('SUPERSEDED' as const),
        ...{ published_by: publisher.id, published_at: published },
      }
    }),
    ...(draft === undefined
      ? []
      : [
          {
            ...drafted,
            id: ids.next('message_template_edition'),
            ...{ edition: null, base: bodies.length, body: bodyOf(draft), state: 'DRAFT' as const },
            drafted_at: new Date(now.getTime() - 2 * DAY_MS),
            ...{ published_by: null, published_at: null },
          },
        ]),
  ])
}

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, 'create', 'update', 'delete', 'export', 'drafts', 'discard', 'test'],
    OPERATIONS_MANAGER: ['publish', 'restore'],
    AUDITOR: [...READ, 'drafts'],
  },
  end,
}
