/** A brush at a place: x and y on a square of 1000, and how wide it presses there. */
export type Touch = readonly [x: number, y: number, width: number]

/** The nine strokes of 砚 in the order they are written: 石, then 见. */
export const STROKES: readonly (readonly Touch[])[] = [
  [
    [96, 214, 34],
    [130, 220, 46],
    [240, 200, 36],
    [350, 182, 40],
    [420, 178, 56],
    [448, 186, 24],
  ],
  [
    [272, 204, 40],
    [268, 250, 48],
    [232, 350, 44],
    [168, 462, 34],
    [110, 536, 22],
    [62, 584, 6],
  ],
  [
    [178, 462, 36],
    [186, 486, 50],
    [194, 590, 42],
    [204, 720, 44],
    [208, 772, 30],
  ],
  [
    [196, 486, 30],
    [300, 462, 36],
    [384, 444, 44],
    [408, 452, 60],
    [402, 500, 48],
    [388, 620, 40],
    [374, 716, 40],
    [368, 748, 24],
  ],
  [
    [214, 716, 30],
    [290, 706, 34],
    [366, 696, 40],
    [384, 696, 26],
  ],
  [
    [512, 176, 34],
    [524, 206, 54],
    [526, 360, 44],
    [528, 520, 46],
    [530, 604, 34],
  ],
  [
    [534, 204, 30],
    [660, 186, 38],
    [772, 170, 46],
    [806, 176, 66],
    [808, 226, 52],
    [804, 380, 44],
    [802, 520, 48],
    [800, 610, 36],
  ],
  [
    [664, 286, 34],
    [672, 312, 50],
    [668, 430, 46],
    [640, 590, 44],
    [580, 722, 36],
    [500, 818, 24],
    [418, 878, 6],
  ],
  [
    [690, 606, 32],
    [700, 630, 46],
    [698, 740, 40],
    [708, 816, 46],
    [752, 850, 52],
    [830, 858, 50],
    [892, 850, 56],
    [920, 836, 44],
    [916, 786, 26],
    [908, 722, 4],
  ],
]

const STEPS = 12

/** Points between the touches, so that the brush turns without corners (Catmull-Rom). */
export function smooth(touches: readonly Touch[]): Touch[] {
  const at = (index: number): Touch => touches[Math.min(Math.max(index, 0), touches.length - 1)] as Touch
  const points: Touch[] = []
  for (let index = 0; index < touches.length - 1; index += 1) {
    for (let step = 0; step < STEPS; step += 1) {
      const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
      points.push(
        [0, 1, 2].map(part =>
          between(before[part] ?? 0, from[part] ?? 0, to[part] ?? 0, after[part] ?? 0, step / STEPS),
        ) as unknown as Touch,
      )
    }
  }
  return [...points, at(touches.length - 1)]
}

const between = (before: number, from: number, to: number, after: number, share: number): number =>
  0.5 *
  (2 * from +
    (to - before) * share +
    (2 * before - 5 * from + 4 * to - after) * share ** 2 +
    (3 * from - before - 3 * to + after) * share ** 3)

/** The outline a brush leaves: along one side of its way, round the end, and back along the other. */
export function outline(touches: readonly Touch[]): string {
  const points = smooth(touches)
  const sides = points.map(([x, y, width], index) => {
    const [fromX, fromY] = points[Math.max(index - 1, 0)] as Touch
    const [toX, toY] = points[Math.min(index + 1, points.length - 1)] as Touch
    const length = Math.hypot(toX - fromX, toY - fromY) || 1
    const [acrossX, acrossY] = [(-(toY - fromY) / length) * (width / 2), ((toX - fromX) / length) * (width / 2)]
    return { left: [x + acrossX, y + acrossY], right: [x - acrossX, y - acrossY], width }
  })
  const there = sides.map(({ left }) => place(left))
  const back = sides.map(({ right }) => place(right)).reverse()
  const cap = (width: number, to: string | undefined) => `A${round(width / 2)} ${round(width / 2)} 0 0 0 ${to}`
  return `M${there.join('L')}${cap(sides.at(-1)?.width ?? 0, back[0])}L${back.join('L')}${cap(sides[0]?.width ?? 0, there[0])}Z`
}

/** The brush itself at every point: fills what the two sides leave open where it turns. */
export const touched = (touches: readonly Touch[]): string =>
  smooth(touches)
    .map(([x, y, width]) => {
      const radius = round(width / 2)
      return `M${round(x - radius)} ${round(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`
    })
    .join('')

/** The middle of the way, along which the stroke appears. */
export const middle = (touches: readonly Touch[]): string => `M${smooth(touches).map(place).join('L')}`

const round = (value: number): number => Math.round(value * 10) / 10
const place = ([x = 0, y = 0]: readonly number[]): string => `${round(x)} ${round(y)}`
