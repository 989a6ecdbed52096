import sharp from 'sharp'
import { hashOf, SIDE } from './model.ts'

/** Twice what the best phones take; more is not unfolded. */
const MOST_PIXELS = 100_000_000

/** The hash of a picture as people see it; nothing for one that cannot be read, or shows nothing. */
export async function pictureHash(bytes: Uint8Array): Promise<string | undefined> {
  try {
    const dots = await sharp(bytes, { limitInputPixels: MOST_PIXELS, pages: 1 })
      .autoOrient()
      .flatten({ background: '#fff' })
      .greyscale()
      .resize(SIDE, SIDE, { fit: 'fill' })
      .toColourspace('b-w')
      .raw()
      .toBuffer()
    return hashOf(dots)
  } catch {
    return undefined
  }
}
