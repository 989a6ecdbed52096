import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import { type PageScore, type ScoreFault, scorePicture } from './scoring.server.ts'

export type Question = { readonly bytes: Uint8Array; readonly text: string }
type PageFault = ScoreFault | 'busy' | 'too-slow'
export type Answer = { readonly page: PageScore } | { readonly fault: PageFault }

// One core is what a page may take.
sharp.concurrency(1)

parentPort?.on('message', async ({ bytes, text }: Question) => {
  const page = await scorePicture(bytes, text)
  parentPort?.postMessage((typeof page === 'string' ? { fault: page } : { page }) satisfies Answer)
})
