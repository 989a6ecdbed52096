import { pupilsOf } from '#areas/products/course-package/server.ts'
import { answer } from '#kit/server/change/question.ts'
import { holdersOf } from '#kit/server/list/holders.ts'
import { resource } from './model.ts'

const rows = { table: 'entitlement_lot', edition: 'edition_id', holder: 'member_id' }

/** Who was given the course while an edition was the published one keeps that edition. */
export const answers = [
  answer(pupilsOf, ({ db }, asked) => holdersOf(db, resource, { name: 'uses.pupils', rows }, asked)),
]
