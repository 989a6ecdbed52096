/** Dots a side of the square a picture is looked at by. */
export const SIDE = 64
/** Waves a side that are kept: the slowest, which neither another size nor stronger compression changes. */
const WAVES = 16
const BITS = WAVES * WAVES
/** A picture whose light differs less than this shows nothing it could be told by. */
const LEAST_CONTRAST = 4
/** How many of its signs may differ in a picture that was turned, scaled or compressed again. */
export const MOST_DIFFERENT = 31

const COSINES = Array.from({ length: WAVES }, (_, wave) =>
  Float64Array.from({ length: SIDE }, (_, at) => Math.cos(((2 * at + 1) * (wave + 1) * Math.PI) / (2 * SIDE))),
)

/**
 * What tells a picture: whether each of its slow waves (DCT) rises or falls first, as so many signs of 0 and 1. Without the
 * waves of no length, which are mere brightness. Nothing for a plain one.
 */
export function hashOf(dots: Uint8Array): string | undefined {
  if (contrastOf(dots) < LEAST_CONTRAST) return undefined
  const along = COSINES.map(cosines =>
    Float64Array.from({ length: SIDE }, (_, y) =>
      cosines.reduce((sum, cosine, x) => sum + cosine * (dots[y * SIDE + x] as number), 0),
    ),
  )
  return COSINES.flatMap(cosines =>
    along.map(lines => (cosines.reduce((sum, cosine, y) => sum + cosine * (lines[y] as number), 0) > 0 ? '1' : '0')),
  ).join('')
}

function contrastOf(dots: Uint8Array): number {
  const mean = dots.reduce((sum, dot) => sum + dot, 0) / dots.length
  return Math.sqrt(dots.reduce((sum, dot) => sum + (dot - mean) ** 2, 0) / dots.length)
}

const TURNS = [false, true].flatMap(swapped =>
  [false, true].flatMap(acrossX => [false, true].map(acrossY => ({ swapped, acrossX, acrossY }))),
)

/**
 * The hashes of a picture turned and mirrored every way, from its own alone: turned over, a wave of odd number rises where
 * it fell; laid on its side, the waves of both sides change places.
 */
export const turnedHashes = (hash: string): string[] =>
  TURNS.map(({ swapped, acrossX, acrossY }) =>
    Array.from({ length: BITS }, (_, at) => {
      const [x, y] = [at % WAVES, Math.floor(at / WAVES)]
      const sign = hash[swapped ? x * WAVES + y : at]
      const isOver = (acrossX && x % 2 === 0) !== (acrossY && y % 2 === 0)
      return isOver === (sign === '1') ? '0' : '1'
    }).join(''),
  )

export function distance(one: string, other: string): number {
  let count = 0
  for (let at = 0; at < BITS; at += 1) if (one[at] !== other[at]) count += 1
  return count
}

/** A hash is found by its parts. */
const PART = 16
const PARTS = BITS / PART

/** The parts of a hash, each with its place, as one number. */
export const keysOf = (hash: string): number[] =>
  Array.from({ length: PARTS }, (_, at) => (at << PART) + Number.parseInt(hash.slice(at * PART, (at + 1) * PART), 2))

/**
 * The parts by which everything is found that differs in no more signs than `MOST_DIFFERENT`: of fewer than two for each
 * part, one part at least has one at most.
 */
export const keysNear = (hash: string): number[] =>
  keysOf(hash).flatMap(key => [key, ...Array.from({ length: PART }, (_, bit) => key ^ (1 << bit))])
