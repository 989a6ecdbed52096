import { mask, parsePhone } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { type Diff, record } from '#kit/server/change/audit.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { spellingOf } from '#kit/server/text/pinyin.ts'
import { MAX_AVATAR_BYTES, type Profile, type ProfileChange, profile, profileChange } from './model.ts'

const NAME = 'account/settings-base'

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    answer: profile,
    summary: 'What the caller has set about themselves; the phone number masked.',
    handle: call => profileOf(app, call.actor.id),
  }),
  route({
    method: 'PUT',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    body: profileChange,
    answer: profile,
    summary: 'Changes it. A phone number sent back masked stays as it is.',
    async handle(call, { body }) {
      const avatar = body.avatar === null ? null : requirePicture(body.avatar)
      await operate(app, call, op => change(op, { ...body, avatar }))
      return profileOf(app, call.actor.id)
    },
  }),
]

async function profileOf(app: App, staffId: string): Promise<Profile> {
  const { phone, ...own } = await app.db.query
    .selectFrom('staff as p')
    .innerJoin('org as o', 'o.id', 'p.org_id')
    .select([
      'p.account',
      'p.name',
      'p.gender',
      'p.phone',
      'p.email',
      'p.avatar',
      'p.language',
      'p.version',
      'o.name as org',
    ])
    .where('p.id', '=', staffId)
    .executeTakeFirstOrThrow()
  const roles = await app.db.query
    .selectFrom('staff_role as sr')
    .innerJoin('role as r', 'r.id', 'sr.role_id')
    .select('r.name')
    .where('sr.staff_id', '=', staffId)
    .orderBy('r.id')
    .execute()
  return { ...own, phone: masked(phone), roles: roles.map(({ name }) => name) }
}

const masked = (phone: string | null): string | null => (phone === null ? null : mask('phone', phone))

async function change({ app, tx, actor, call }: Operation, input: ProfileChange): Promise<void> {
  const before = await tx
    .selectFrom('staff')
    .select(['name', 'gender', 'phone', 'email', 'avatar', 'language', 'version'])
    .where('id', '=', actor.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before.version !== input.version) {
    throw new Refused(refuse('kit:changed-meanwhile'), 'conflict', { detail: await profileOf(app, actor.id) })
  }
  const { version, ...sent } = input
  const after = { ...sent, phone: sent.phone === masked(before.phone) ? before.phone : requirePhone(sent.phone) }
  const spelling = after.name === before.name ? {} : await spellingOf(after.name)
  await tx
    .updateTable('staff')
    .set({ ...after, ...spelling, version: version + 1 })
    .where('id', '=', actor.id)
    .execute()
  await app.sessions.changed(tx, [actor.id])
  await record(tx, call, { page: NAME, action: 'update', recordId: actor.id, diff: diffOf(before, after) })
}

type Stored = Omit<ProfileChange, 'version'>

/** Who looks into the log sees that phone and address changed, not what they are; a picture has no place there. */
function diffOf(before: Stored, after: Stored): Diff {
  const shown = (values: Stored): Record<string, unknown> => ({
    ...values,
    phone: masked(values.phone),
    email: values.email === null ? null : mask('chat', values.email),
    avatar: values.avatar === null ? null : '…',
  })
  const [old, fresh] = [shown(before), shown(after)]
  const changed = (Object.keys(after) as (keyof Stored)[]).filter(field => before[field] !== after[field])
  return Object.fromEntries(changed.map(field => [field, [old[field], fresh[field]] as const]))
}

function requirePhone(typed: string | null): string | null {
  if (typed === null || typed === '') return null
  const phone = parsePhone(typed)
  if (phone !== undefined) return phone
  const refusal = refuse('kit:phone-invalid')
  throw onField('phone', refusal)
}

/** The first bytes tell what a picture is, whatever its sender calls it. */
const PICTURES: readonly { type: string; is(bytes: Buffer): boolean }[] = [
  { type: 'image/png', is: bytes => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a' },
  { type: 'image/jpeg', is: bytes => bytes.subarray(0, 3).toString('hex') === 'ffd8ff' },
  {
    type: 'image/webp',
    is: bytes => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
]

/** The picture as we write it ourselves: nothing of the sender's text is kept but the bytes. */
function requirePicture(dataUrl: string): string {
  const encoded = /^data:image\/[a-z+.-]{1,20};base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl)?.[1] ?? ''
  const bytes = Buffer.from(encoded, 'base64')
  const picture = PICTURES.find(({ is }) => is(bytes))
  if (picture && bytes.length <= MAX_AVATAR_BYTES) return `data:${picture.type};base64,${bytes.toString('base64')}`
  const refusal = refuse('avatar-invalid')
  throw onField('avatar', refusal)
}
