import * as z from 'zod'
import { AskAgain } from '#kit/server/change/outbox.ts'
import { signatureOf } from '#kit/server/live/inbox-secret.ts'
import { APP_ANSWERS, type AppDoor } from './port.server.ts'

const CALL_MS = 10_000
const answered = z.object({ state: z.enum(APP_ANSWERS) })

/** The app's own server, asked under the signature it signs its events with. */
export function appOverHttp(url: string, secret: string, now: () => Date): AppDoor {
  const ask = async (key: string, type: string, data: object): Promise<Response> => {
    const body = JSON.stringify({ id: key, type, data })
    const timestamp = String(now().getTime())
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-inkstone-timestamp': timestamp,
        'x-inkstone-signature': signatureOf(secret, timestamp, body),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(CALL_MS),
    })
    if (!answer.ok) throw new AskAgain(`the app answered ${answer.status}`)
    return answer
  }
  const tell = async (key: string, type: string, data: object): Promise<void> => {
    const answer = await ask(key, type, data)
    await answer.body?.cancel()
  }
  return {
    retryUpload: async (work, key) => answered.parse(await (await ask(key, 'upload.retry', work)).json()).state,
    tellWork: (work, key) => tell(key, 'opus.told', work),
    tellShare: (share, key) => tell(key, 'share.told', share),
    tellTasks: (tasks, key) => tell(key, 'tasks.told', { tasks }),
  }
}
