import { formatMeasure as measure } from '#kit/model/statistic.ts'
import { figure } from '../figures.ts'

/** In the language on screen. Not beside the other figures: every list has those, and few people read statistics. */
export const formatMeasure = (...given: Parameters<typeof measure>): string => figure(measure(...given))
