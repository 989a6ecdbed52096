import { SHEET_ACTIONS, sheetResource } from '#areas/sales/name-sheet/fields.model.ts'
import { area } from '../area.ts'

export const resource = sheetResource(area.screens['name-copy-v2'], 'VERSE')
export const actions = SHEET_ACTIONS
