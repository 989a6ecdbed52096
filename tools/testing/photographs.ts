import sharp from 'sharp'
import { type Random, randomFrom } from '../../src/demo/builders.server.ts'

const [WIDTH, HEIGHT] = [420, 640]

/** A picture of many shapes, like no other of another seed. */
export function photograph(seed: number): Promise<Buffer> {
  const random = randomFrom(seed * 104_729 + 7)
  const shapes = Array.from({ length: 24 }, () => shape(random)).join('')
  const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#f4efe6"/>${shapes}</svg>`
  return sharp(Buffer.from(sheet)).jpeg({ quality: 90 }).toBuffer()
}

function shape(random: Random): string {
  const [x, y] = [random.whole(0, WIDTH), random.whole(0, HEIGHT)]
  const fill = `rgb(${random.whole(0, 255)},${random.whole(0, 255)},${random.whole(0, 255)})`
  return random.chance(0.5)
    ? `<rect x="${x}" y="${y}" width="${random.whole(20, 160)}" height="${random.whole(20, 160)}" fill="${fill}"/>`
    : `<circle cx="${x}" cy="${y}" r="${random.whole(10, 90)}" fill="${fill}"/>`
}

/** The same picture as people pass it on: turned, smaller, larger, and compressed again. */
export const passedOn = {
  'turned to the right': (picture: Buffer) => sharp(picture).rotate(90).jpeg({ quality: 85 }).toBuffer(),
  'upside down': (picture: Buffer) => sharp(picture).rotate(180).jpeg({ quality: 85 }).toBuffer(),
  'turned to the left': (picture: Buffer) => sharp(picture).rotate(270).jpeg({ quality: 85 }).toBuffer(),
  mirrored: (picture: Buffer) => sharp(picture).flop().jpeg({ quality: 85 }).toBuffer(),
  'half as large': (picture: Buffer) =>
    sharp(picture)
      .resize(WIDTH / 2)
      .jpeg({ quality: 85 })
      .toBuffer(),
  'twice as large': (picture: Buffer) =>
    sharp(picture)
      .resize(WIDTH * 2)
      .jpeg({ quality: 85 })
      .toBuffer(),
  'compressed to a tenth': (picture: Buffer) => sharp(picture).jpeg({ quality: 15 }).toBuffer(),
  'of another format': (picture: Buffer) => sharp(picture).webp({ quality: 40 }).toBuffer(),
  'turned, smaller and compressed': (picture: Buffer) =>
    sharp(picture).rotate(90).resize(300).jpeg({ quality: 30 }).toBuffer(),
} as const
