import { SHEET_TEXTS } from '#areas/sales/name-sheet/texts.model.ts'
import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { ...SHEET_TEXTS['zh-CN'], title: '姓名字帖（无码）' },
  'en-US': { ...SHEET_TEXTS['en-US'], title: 'Copybook, no QR' },
  'pt-BR': { ...SHEET_TEXTS['pt-BR'], title: 'Caderno, sem QR' },
})
