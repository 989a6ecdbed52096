import { PART_BYTES } from '#kit/model/upload.ts'
import { upload } from '../call.ts'
import type { Uploaded } from './send-in-parts.ts'

/** In one call, or in parts when it is large: these are loaded with the first such file. */
export async function sendFile(file: File, purpose: string): Promise<Uploaded> {
  if (file.size <= PART_BYTES) return upload<Uploaded>('/common/upload', file, { purpose })
  const { sendInParts } = await import('./send-in-parts.ts')
  return sendInParts(file, purpose)
}
