import { resource as films } from '#areas/members/video-work/model.ts'
import type { Medium, WorkResource } from './fields.model.ts'
import { resource as pictures } from './model.ts'

/** The screen a work stands on, by what it was handed in as. */
export const RESOURCES: Readonly<Record<Medium, WorkResource>> = { PICTURE: pictures, VIDEO: films }
