import sharp from 'sharp'
import { filmOf } from '#demo/film.server.ts'
import type { Stroke } from '#engines/stroke/glyph.model.ts'
import { readGlyph } from '#engines/stroke/server.ts'

/** What the pupils of the demo business are filmed writing, stroke by stroke. */
export const FILMED = ['永', '字', '国'] as const
export const FILM_SECONDS = 8

const SIZE = { width: 320, height: 240 } as const
const FRAME_MS = 200
const FRAMES = (FILM_SECONDS * 1_000) / FRAME_MS
const FRAMES_PER_STROKE = 4

/** The empty paper, then one stroke after the other, then the character as it stands. */
export async function drawFilm(character: string): Promise<Buffer> {
  const strokes = (await readGlyph(character))?.strokes ?? []
  const drawn = await Promise.all(
    [...strokes.keys(), strokes.length].map(written => drawFrame(strokes.slice(0, written), 'webp')),
  )
  const frames = Array.from({ length: FRAMES }, (_, nth) => drawn[Math.floor(nth / FRAMES_PER_STROKE)] ?? drawn.at(-1))
  return filmOf(frames as Buffer[], SIZE, FRAME_MS)
}

/** What stands for the film before it plays: the character as it will be. */
export const drawCover = async (character: string): Promise<Buffer> =>
  drawFrame((await readGlyph(character))?.strokes ?? [], 'jpeg')

function drawFrame(strokes: readonly Pick<Stroke, 'outline'>[], format: 'webp' | 'jpeg'): Promise<Buffer> {
  const [across, down] = [SIZE.width / 2, SIZE.height / 2]
  const side = SIZE.height * 0.8
  const half = side / 2
  const shapes = strokes.map(({ outline }) => {
    const points = outline.map(([x, y]) => `${Math.round(across + x * side)},${Math.round(down + y * side)}`)
    return `<polygon points="${points.join(' ')}" fill="#222"/>`
  })
  const grid = `<path d="M${across - half} ${down - half}h${side}v${side}h${-side}zM${across} ${down - half}v${side}M${across - half} ${down}h${side}" fill="none" stroke="#c0392b" stroke-width="1.5"/>`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}"><rect width="100%" height="100%" fill="#f4efe4"/>${grid}${shapes.join('')}</svg>`
  return sharp(Buffer.from(drawing)).flatten().toFormat(format, { quality: 70 }).toBuffer()
}
