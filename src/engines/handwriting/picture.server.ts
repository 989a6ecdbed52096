import sharp from 'sharp'
import { flattened, type Grey, paperOf } from './light.model.ts'
import type { Seen } from './lines.model.ts'

export type Picture = {
  readonly seen: Seen
  /** Dots of the picture as people see it for one that is looked at. */
  readonly scale: number
}
export type PictureFault = 'unreadable' | 'too-large' | 'too-small'

/** More is looked at by nobody: it is what a cell of a full page needs. */
const LONG_SIDE = 1600
/** Twice what the best phones take; it is refused by its header, before it is unfolded. */
const MOST_PIXELS = 100_000_000
const MOST_BYTES = 32 * 1_048_576
const SHORT_SIDE = 300

/** A picture turned as it is to be seen, as large as it is looked at. */
export async function readPicture(bytes: Uint8Array): Promise<Picture | PictureFault> {
  if (bytes.length > MOST_BYTES) return 'too-large'
  try {
    const header = await sharp(bytes).metadata()
    if (header.width * header.height > MOST_PIXELS) return 'too-large'
    if (Math.min(header.width, header.height) < SHORT_SIDE) return 'too-small'
    const { data, info } = await sharp(bytes, { limitInputPixels: MOST_PIXELS, pages: 1 })
      .autoOrient()
      .resize({ width: LONG_SIDE, height: LONG_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const scale = Math.max(header.width, header.height) / Math.max(info.width, info.height)
    return { seen: seenOf(data, info.width, info.height, info.channels), scale }
  } catch {
    return 'unreadable'
  }
}

function seenOf(data: Buffer, width: number, height: number, channels: number): Seen {
  const [low, high] = [new Uint8Array(width * height), new Uint8Array(width * height)]
  const [second, third] = channels >= 3 ? [1, 2] : [0, 0]
  for (let at = 0, from = 0; at < low.length; at += 1, from += channels) {
    const r = data[from] as number
    const g = data[from + second] as number
    const b = data[from + third] as number
    low[at] = Math.min(r, g, b)
    high[at] = Math.max(r, g, b)
  }
  const [dark, bright]: [Grey, Grey] = [
    { width, height, dots: low },
    { width, height, dots: high },
  ]
  return { width, height, flat: flattened(dark, paperOf(dark)), high: bright, highPaper: paperOf(bright) }
}
