import { type MeasureKind, UNITS } from '#kit/model/statistic.ts'
import { say } from '../language.ts'

/** What stands after a number of this kind, in the language on screen. */
export const unitOf = (kind: MeasureKind): string =>
  kind === 'hours' ? say('kit/page/statistic', 'hours') : UNITS[kind]
