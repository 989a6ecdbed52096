import { defineLocale } from '#kit/model/language.ts'

/** Texts of rows that are looked at as pictures. */
export const locale = defineLocale({
  'zh-CN': { body: '显示方式', table: '表格', gallery: '图片', choose: '选择 {name}' },
  'en-US': { body: 'View as', table: 'Table', gallery: 'Pictures', choose: 'Select {name}' },
  'pt-BR': { body: 'Ver como', table: 'Tabela', gallery: 'Imagens', choose: 'Selecionar {name}' },
})
