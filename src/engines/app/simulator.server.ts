import { createHash } from 'node:crypto'
import type { AppAnswer, AppDoor } from './port.server.ts'

/** Of ten phones that are asked. */
const ANSWERS: readonly AppAnswer[] = [
  ...Array<AppAnswer>(6).fill('UPLOADED'),
  'ASKED',
  'ASKED',
  'UNREACHABLE',
  'UNREACHABLE',
]

/** An app nobody holds: what it answers follows from the work it is asked for. */
export const simulatedApp: AppDoor = {
  retryUpload: async ({ opusId }) =>
    ANSWERS[(createHash('sha256').update(opusId).digest()[0] ?? 0) % ANSWERS.length] as AppAnswer,
  async tellWork() {},
  async tellShare() {},
  async tellTasks() {},
}
