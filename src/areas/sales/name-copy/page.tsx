import { SheetPage } from '#areas/sales/name-sheet/sheet.page.tsx'
import { resource } from './model.ts'

export const Page = () => <SheetPage resource={resource} variant="CONSULTANT" />
