import * as z from 'zod'
import { findMember } from '#areas/members/member/known.server.ts'
import { saidOfMember, word } from '#areas/members/member/telling.server.ts'
import { ID } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { type Applying, defineEvent, NotYet } from '#kit/server/live/event.ts'
import { withoutPhones } from '#kit/server/live/push.ts'
import { attachSent } from '#kit/server/live/sent-file.ts'
import { askToCompare } from './comparing.server.ts'
import { MAX_PROOFS, MAX_TARGET, resource } from './model.ts'

const ofTask = { taskId: z.string().regex(ID) }

/** The task of the member an event names, locked after the member; another's is none. */
async function taskOf({ tx }: Applying, by: { memberId?: string | undefined; phone?: string | undefined }, id: string) {
  const member = await findMember(tx, by)
  if (!member) throw new NotYet(refuse('members/member:member-unknown'))
  const task = await tx
    .selectFrom('member_task')
    .select(['id', 'status', 'progress', 'target', 'picture', 'words', 'submitted_at as submittedAt'])
    .select(['returned_for as returnedFor', 'likeness', 'like_id as likeId'])
    .where('id', '=', id)
    .where('member_id', '=', member.id)
    .forUpdate()
    .executeTakeFirst()
  if (!task) throw new Refused(refuse('members/task:task-unknown'))
  return task
}

const isOpen = ({ status }: { status: string }): boolean => status === 'OPEN' || status === 'OVERDUE'

/** How far the member is. It never goes back: what is told late says less. */
const progressed = defineEvent({
  type: 'task.progressed',
  sources: ['app'],
  data: saidOfMember({ ...ofTask, progress: z.int().min(0).max(MAX_TARGET) }),
  async apply(applying, { taskId, progress, ...by }) {
    const task = await taskOf(applying, by, taskId)
    const reached = Math.min(progress, task.target)
    if (!isOpen(task) || reached <= task.progress) return
    await applying.tx.updateTable('member_task').set({ progress: reached }).where('id', '=', taskId).execute()
  },
})

/** Proof that it is done, also after its day. What waits, or was decided, stays as it is. */
const submitted = defineEvent({
  type: 'task.submitted',
  sources: ['app'],
  data: saidOfMember({
    ...ofTask,
    pictures: z.array(z.uuid()).max(MAX_PROOFS).default([]),
    words: word(200).optional(),
  }),
  async apply(applying, { taskId, pictures, words, ...by }) {
    const { app, tx, now, key } = applying
    const task = await taskOf(applying, by, taskId)
    if (task.status === 'CANCELLED') throw new Refused(refuse('members/task:task-cancelled'))
    if (!isOpen(task)) return
    if (pictures.length === 0 && words === undefined) throw new Refused(refuse('members/task:proof-missing'))
    await attachSent(tx, 'app', pictures, resource.screen.key, taskId)
    const proof = {
      status: 'SUBMITTED',
      progress: task.target,
      picture: pictures,
      likeness: pictures.length === 0 ? 'NONE' : 'PENDING',
      likeId: null,
      words: words === undefined ? null : withoutPhones(words),
      submittedAt: now.toISOString(),
      returnedFor: null,
    }
    await writeChange(ownChange(app, tx, now, `event:${key}`), resource, task, proof, 'submit')
    if (pictures.length > 0) await askToCompare(applying, taskId, pictures)
  },
})

export const arriving = [progressed, submitted]
