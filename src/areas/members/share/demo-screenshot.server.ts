import sharp from 'sharp'
import { type Random, randomFrom } from '#demo/builders.server.ts'
import { drawPicture, type Motif } from '#demo/picture.server.ts'

const [WIDTH, HEIGHT] = [360, 640]
const MOTIFS: readonly Motif[] = ['writing', 'person', 'pen', 'book', 'medal', 'lamp', 'gift']
const COLOURS = ['#5b8c5a', '#c8453b', '#3b6fb5', '#d9a441', '#7a5ba8', '#3d8f8f'] as const

const box = (x: number, y: number, width: number, height: number, colour: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="${colour}"/>`

/** What somebody shares with friends, as a phone shows it: who, a few words, our poster, and when. The same for the same seed. */
export async function drawScreenshot(seed: number): Promise<Buffer> {
  const random = randomFrom(seed * 7_919 + 13)
  const top = random.whole(60, 120)
  const words = random.whole(1, 5)
  const shown = top + 40 + words * 20
  const poster = await sharp(drawPicture(random.pick(MOTIFS), random.whole(0, 9)))
    .resize(random.whole(180, 270))
    .toBuffer()
  const parts = [
    box(0, 0, WIDTH, 44, '#ededed'),
    box(14, top, 42, 42, random.pick(COLOURS)),
    box(70, top + 2, random.whole(60, 130), 14, '#576b95'),
    ...lines(random, top + 30, words),
    ...comments(random, shown + 220),
  ]
  const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>`
  return sharp(Buffer.from(sheet))
    .composite([{ input: poster, left: 70, top: shown }])
    .jpeg({ quality: 82 })
    .toBuffer()
}

const lines = (random: Random, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => box(70, from + at * 20, random.whole(90, 270), 10, '#333'))

/** What friends say below it. */
const comments = (random: Random, from: number): string[] => {
  const count = random.whole(0, 6)
  return [
    box(70, from, random.whole(50, 90), 9, '#aaa'),
    ...(count > 0 ? [box(70, from + 18, 270, count * 22 + 8, '#f3f3f5')] : []),
    ...Array.from({ length: count }, (_, at) => box(78, from + 26 + at * 22, random.whole(60, 250), 10, '#576b95')),
  ]
}
