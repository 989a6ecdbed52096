import { choice, dictionary, files, instant, optional, paragraphs } from '#kit/model/field.ts'
import { LEVELS } from './levels.model.ts'

const MAX_PICTURES = 9

/** What is noted of a word with somebody. */
export const SAID = {
  contactKind: dictionary('FOLLOW_UP_KIND'),
  content: paragraphs(1_000),
  level: optional(choice(LEVELS)),
  nextAt: optional(instant()),
  picture: files('image', MAX_PICTURES),
}
