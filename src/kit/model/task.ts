import * as z from 'zod'

/** Long work by its kind; each has a runner on the server. */
const TASK_KINDS = ['EXPORT', 'IMPORT', 'STEPS', 'PACK'] as const
export type TaskKind = (typeof TASK_KINDS)[number]
const TASK_STATES = ['WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** A step is taken for so many rows at once at most; who has more narrows the filter, or goes on with the rest. */
export const MAX_MATCHING = 10_000

/** Papers of so many records go into one file at most. */
export const MAX_PACKED = 1_000

/** What became of each row is kept so long after the work ended; how many were done and refused stays with the task. */
export const TASK_ROWS_KEEP_DAYS = 30

/** What a step would meet among all that match: what is told before it is confirmed. */
export const matching = z.strictObject({
  count: z.int(),
  /** Of those closed to the step, why and how many. */
  closed: z.array(z.strictObject({ msg: z.string(), count: z.int() })),
  /** The money at stake with those open to it; nothing where none is. */
  sumFen: z.int().nullable(),
  /** What is confirmed: these rows with these amounts, and none that came later. */
  upTo: z.string(),
  seal: z.string(),
})
export type Matching = z.infer<typeof matching>

export const task = z.strictObject({
  id: z.string(),
  kind: z.enum(TASK_KINDS),
  title: z.string(),
  state: z.enum(TASK_STATES),
  doneRows: z.int(),
  /** Of those seen to, the ones that were refused. */
  failedRows: z.int(),
  /** 0 while nobody knows. */
  allRows: z.int(),
  error: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Until when its result can be fetched. */
  expiresAt: z.string().nullable(),
})
export type Task = z.infer<typeof task>

export const isOpen = ({ state }: Pick<Task, 'state'>): boolean => state === 'WAITING' || state === 'RUNNING'

/** What became of one row. */
export const taskRow = z.strictObject({
  no: z.int(),
  name: z.string(),
  /** Where the record is shown; nothing for who may not open it. */
  path: z.string().nullable(),
  state: z.enum(['WAITING', 'DONE', 'REFUSED']),
  reason: z.string().nullable(),
})
export type TaskRow = z.infer<typeof taskRow>
