import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  COURSE_STAGE: {
    name: { 'zh-CN': '课程阶段', 'en-US': 'Course stage', 'pt-BR': 'Etapa do curso' },
    note: {
      'zh-CN': '从控笔到行楷',
      'en-US': 'From pen control to semi-cursive',
      'pt-BR': 'Do controle da caneta ao semicursivo',
    },
    entries: {
      CONTROL: { 'zh-CN': '控笔', 'en-US': 'Pen control', 'pt-BR': 'Controle da caneta' },
      STROKE: { 'zh-CN': '笔画', 'en-US': 'Strokes', 'pt-BR': 'Traços' },
      STRUCTURE: { 'zh-CN': '结构', 'en-US': 'Structure', 'pt-BR': 'Estrutura' },
      LAYOUT: { 'zh-CN': '章法', 'en-US': 'Layout', 'pt-BR': 'Composição' },
      RUNNING: { 'zh-CN': '行楷', 'en-US': 'Semi-cursive', 'pt-BR': 'Semicursivo' },
    },
  },
})
