import { SHEET_TEXTS } from '#areas/sales/name-sheet/texts.model.ts'
import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    ...SHEET_TEXTS['zh-CN'],
    'help.link': '家长扫码后打开的 https 链接；下次会自动填上',
    title: '姓名字帖（公众号）',
  },
  'en-US': {
    ...SHEET_TEXTS['en-US'],
    'help.link': 'The https link parents open by scanning; it is filled in next time',
    title: 'Copybook, account QR',
  },
  'pt-BR': {
    ...SHEET_TEXTS['pt-BR'],
    'help.link': 'O link https que os pais abrem ao escanear; da próxima vez já vem preenchido',
    title: 'Caderno, QR da conta',
  },
})
