import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, type World } from '#demo/world.server.ts'

const DAYS = 14
const DEVICES = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
]
/** Tried by strangers, as on every console that faces the world. */
const STRANGERS = ['root', 'test', 'administrator', 'sales01']

type Result = 'SUCCESS' | 'CREDENTIALS' | 'CAPTCHA' | 'LOCKED' | 'DISABLED'
type Attempt = {
  at: number
  staffId: string | null
  account: string
  address: string
  device: string
  result: Result
  hours: number
}

const random = chanceOf('system/login-trace')

/** Two weeks of sign-ins: those at work today are in, and now and then somebody mistypes. */
function end(world: World): void {
  const chance = random(world)
  const today = world.now.getTime()
  const attempts: Attempt[] = world.staff.flatMap(one => {
    const [address, device] = [`10.8.${chance.whole(1, 4)}.${chance.whole(2, 250)}`, DEVICES[chance.whole(0, 3)] ?? '']
    const made = { staffId: one.id, account: one.account, address, device, hours: chance.whole(2, 10) }
    return Array.from({ length: DAYS }, (_, day): Attempt[] => {
      const at = today - day * DAY_MS - chance.whole(10, 300) * MINUTE_MS
      if (!one.enabled) return day % 6 === 2 ? [{ ...made, at, result: 'DISABLED' }] : []
      if (chance.chance(0.25)) return []
      const wrong = chance.chance(0.08)
        ? [{ ...made, at: at - MINUTE_MS, result: chance.chance(0.6) ? 'CREDENTIALS' : 'CAPTCHA' } as Attempt]
        : []
      return [...wrong, { ...made, at, result: 'SUCCESS' }]
    }).flat()
  })
  const strange = STRANGERS.map(
    (account, at): Attempt => ({
      at: today - (at + 1) * 17 * HOUR_MS,
      staffId: null,
      account,
      address: `203.0.113.${chance.whole(2, 250)}`,
      device: 'curl/8.5.0',
      result: at === 1 ? 'LOCKED' : 'CREDENTIALS',
      hours: 0,
    }),
  )
  for (const attempt of [...attempts, ...strange].sort((one, other) => one.at - other.at)) add(world, attempt)
}

function add(world: World, { at, staffId, hours, result, ...attempt }: Attempt): void {
  const sessionId = result === 'SUCCESS' && staffId !== null ? world.ids.next('session') : null
  const over = at + hours * HOUR_MS
  const ended = over < world.now.getTime() ? new Date(over) : null
  const endReason = ended && (hours % 5 === 0 ? ('EXPIRED' as const) : ('LOGOUT' as const))
  const { address, device } = attempt
  if (sessionId !== null)
    world.rows.add('session', [
      {
        id: sessionId,
        staff_id: staffId as string,
        // Nobody has a token for what only the story opened.
        token_hash: `\\x${sessionId.toString(16).padStart(64, '0')}`,
        token_at: new Date(at),
        created_at: new Date(at),
        active_at: ended ?? world.now,
        expires_at: new Date(at + 7 * DAY_MS),
        address,
        device,
        ended_at: ended,
        end_reason: endReason,
      },
    ])
  world.rows.add('login_trace', [
    {
      at: new Date(at),
      staff_id: staffId,
      ...attempt,
      result,
      session_id: sessionId === null ? null : String(sessionId),
      ended_at: sessionId === null ? null : ended,
      end_reason: sessionId === null ? null : endReason,
    },
  ])
}

export const demo: Story = { holds: { AUDITOR: [...READ, 'export'] }, end }
