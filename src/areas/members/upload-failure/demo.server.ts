import { type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { teacherOf } from '#areas/members/member/demo-learning.server.ts'
import type { Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import { digits, type Outside, type SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, HOUR_MS, owned, type World } from '#demo/world.server.ts'
import type { Row } from '#kit/server/database/database.ts'

const chance = chanceOf('members/upload-failure')

/** In a business of the usual size. */
const FAILURES = 260

const SAID: readonly (readonly [error: string, said: string, weight: number])[] = [
  ['TIMEOUT', '上传超时，请检查网络后重试', 36],
  ['NETWORK', '网络连接已断开', 24],
  ['TOO_LARGE', '视频超过 200 MB', 12],
  ['STORAGE', '手机存储空间不足，无法压缩图片', 8],
  ['PERMISSION', '没有访问相册的权限', 8],
  ['SERVER', '服务器返回 502', 7],
  ['FORMAT', '不支持 HEIC 图片', 5],
]
const TASKS = [
  '横画与竖画',
  '撇捺练习',
  '左右结构',
  '上下结构',
  '古诗一首',
  '坐姿视频',
  '握笔视频',
  '单元作品',
] as const
const VERSIONS = ['5.2.0', '5.2.1', '5.3.0', '5.3.2'] as const

function failure(world: World, member: Member): NewRow<'upload_failure'> {
  const random = chance(world)
  const { now } = world
  const [error, said] = random.weighted(SAID.map(one => [one, one[2]] as const))
  // Most of what is kept is lately: older ones were seen to long ago.
  const span = now.getTime() - member.createdAt
  const first = now.getTime() - Math.floor(random.fraction() ** 3 * span)
  const times = random.weighted([
    [1, 60],
    [2, 22],
    [3, 12],
    [7, 6],
  ])
  const last = Math.min(now.getTime(), first + (times - 1) * random.whole(1, 9) * HOUR_MS)
  const isLate = now.getTime() - last < 3 * DAY_MS
  const status = isLate
    ? random.pick(['NEW', 'NEW', 'NEW', 'RETRYING', 'CONTACTED', 'SOLVED'] as const)
    : random.pick(['SOLVED', 'SOLVED', 'SOLVED', 'SOLVED', 'IGNORED'] as const)
  const retried = status === 'RETRYING' || (status === 'SOLVED' && random.chance(0.5))
  return {
    member_id: member.id,
    opus_id: `W${digits(random, 10)}`,
    task: random.pick(TASKS),
    error,
    said,
    client_version: random.pick(VERSIONS),
    network: random.pick(['WIFI', 'WIFI', 'CELLULAR', 'OFFLINE'] as const),
    bytes: random.whole(200_000, error === 'TOO_LARGE' ? 400_000_000 : 9_000_000),
    times,
    retries: retried ? 1 : 0,
    last_at: new Date(last),
    status,
    ...owned(ownerAt(member, now.getTime(), now)),
    teacher_id: teacherOf(world, member)?.id ?? null,
    created_at: new Date(first),
    version: status === 'NEW' ? times : times + 1,
  }
}

function failures(world: World): NewRow<'upload_failure'>[] {
  const members = membersOf(world).filter(member => teacherOf(world, member) !== null)
  if (members.length === 0) return []
  const count = Math.max(1, Math.round(FAILURES * world.scale))
  const rows = Array.from({ length: count }, () => failure(world, chance(world).pick(members)))
  return byTime(rows, ({ created_at }) => created_at)
}

async function fail(_: Outside, random: Random, { id }: Row): Promise<SimulatedEvent> {
  const [error, reason] = random.weighted(SAID.map(one => [one, one[2]] as const))
  return {
    source: 'app',
    type: 'opus.upload-failed',
    data: {
      memberId: String(id),
      opusId: `W${digits(random, 10)}`,
      task: random.pick(TASKS),
      error,
      reason,
      clientVersion: random.pick(VERSIONS),
      network: random.pick(['WIFI', 'CELLULAR', 'OFFLINE']),
      bytes: random.whole(200_000, 9_000_000),
    },
  }
}

export const demo: Story = {
  holds: {
    AFTERSALES_MANAGER: [...READ, 'retry', 'contacted', 'solved', 'ignore', 'export', 'reveal'],
    AUDITOR: READ,
  },
  end: world => world.rows.add('upload_failure', failures(world)),
  scenes: [[fail, 5]],
}
