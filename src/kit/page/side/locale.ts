import { defineLocale } from '#kit/model/language.ts'

/** Texts of the departments at the side of a list. */
export const locale = defineLocale({
  'zh-CN': {
    departments: '部门',
    all: '全部部门',
    search: '查找部门',
    nothing: '没有“{text}”这个部门',
    close: '收起部门',
  },
  'en-US': {
    departments: 'Departments',
    all: 'All departments',
    search: 'Find a department',
    nothing: 'No department called “{text}”',
    close: 'Close departments',
  },
  'pt-BR': {
    departments: 'Departamentos',
    all: 'Todos os departamentos',
    search: 'Buscar departamento',
    nothing: 'Nenhum departamento “{text}”',
    close: 'Fechar departamentos',
  },
})
