import { SHEET_ACTIONS, sheetResource } from '#areas/sales/name-sheet/fields.model.ts'
import { area } from '../area.ts'

export const resource = sheetResource(area.screens['name-copy-gz'], 'ACCOUNT')
export const actions = SHEET_ACTIONS
