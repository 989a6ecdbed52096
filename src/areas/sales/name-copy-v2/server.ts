import { sheetImport } from '#areas/sales/name-sheet/importing.server.ts'
import { serveSheets } from '#areas/sales/name-sheet/serving.server.ts'
import { resource } from './model.ts'

export const routes = serveSheets(resource, 'VERSE')
export const imports = [sheetImport(resource, 'VERSE')]
