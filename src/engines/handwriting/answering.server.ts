import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import { type Cut, type CutFault, cutPage } from './cutting.server.ts'

export type Question = { readonly bytes: Uint8Array }
export type PageFault = CutFault | 'busy' | 'too-slow'
export type Answer = { readonly page: Cut } | { readonly fault: PageFault }

// One core is what a page may take.
sharp.concurrency(1)

parentPort?.on('message', async ({ bytes }: Question) => {
  const page = await cutPage(bytes)
  parentPort?.postMessage((typeof page === 'string' ? { fault: page } : { page }) satisfies Answer)
})
