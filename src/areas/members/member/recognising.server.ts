import { keepNames, lockNames, memberRecognised, type Recognised } from '#engines/identity/names.server.ts'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'

/**
 * The app says what WeChat calls a member, or by which link the member claimed a course: what waits under that name for whoever
 * it is finds the member. What is somebody's already stays so, and people are told where two have one name.
 */
export async function recognise(change: Change, { at, ...told }: Recognised): Promise<void> {
  const { tx, now } = change
  // A clock that runs ahead of ours tells of no time that has not come.
  const said = { ...told, at: at < now ? at : now }
  await lockNames(tx, said)
  await keepNames(change, said)
  await announce(change, memberRecognised, said)
}
