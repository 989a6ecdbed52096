import { PART_BYTES } from '#kit/model/upload.ts'
import { CallFailed, get, post, Unanswered, upload } from '../call.ts'

export type Uploaded = { id: string; name: string }
type Progress = { id: string; received: number }

/** Waited before each further try of a part; after the last, whoever chooses the file again goes on where it ended. */
const AGAIN_MS = [1_000, 2_000, 4_000, 8_000, 16_000]

/** What broke off in this window, by all that tells one file from another. */
const begun = new Map<string, string>()

/** A broken line costs the part that was on its way, and not the whole file. */
export async function sendInParts(file: File, purpose: string): Promise<Uploaded> {
  const key = [purpose, file.name, file.size, file.lastModified].join('\n')
  const { id, received } = (await foundAgain(begun.get(key))) ?? (await begin(file, purpose))
  begun.set(key, id)
  for (let at = received; at < file.size; ) at = await sendPart(file, id, at)
  const sent = await patiently(() => post<Uploaded>(`/common/upload/${id}/complete`))
  begun.delete(key)
  return sent
}

const begin = (file: File, purpose: string) =>
  post<Progress>('/common/upload/begin', { purpose, name: file.name, bytes: file.size })

/** One the server no longer knows is begun anew. */
async function foundAgain(id: string | undefined): Promise<Progress | undefined> {
  if (id === undefined) return undefined
  try {
    return await get<Progress>(`/common/upload/${id}`)
  } catch (error) {
    if (error instanceof CallFailed && error.status === 404) return undefined
    throw error
  }
}

/** How far the server is afterwards: it tells, because an answer may have been lost on the way. */
async function sendPart(file: File, id: string, at: number): Promise<number> {
  const part = new File([file.slice(at, at + PART_BYTES)], 'part')
  return (await patiently(() => upload<Progress>(`/common/upload/${id}/part`, part, { at }))).received
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const waitMs of AGAIN_MS) {
    try {
      return await ask()
    } catch (error) {
      if (!passes(error)) throw error
    }
    await new Promise(resolve => setTimeout(resolve, waitMs))
  }
  return ask()
}

/** No answer at all, or "not now"; every other answer stays the same however often it is asked for. */
const passes = (error: unknown): boolean =>
  error instanceof Unanswered || (error instanceof CallFailed && error.status === 503)
