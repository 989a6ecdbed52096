/** What the parts of an audience are called, the same on all forms that ask for one. */
export const AUDIENCE_TEXTS = {
  'zh-CN': {
    'field.audienceBy': '选择学员',
    'audienceBy.FILTER': '按条件',
    'audienceBy.NUMBERS': '按号码',
    'field.levels': '等级',
    'field.channels': '渠道',
    'field.tags': '标签',
    'field.ofOwnerId': '学员归属人',
  },
  'en-US': {
    'field.audienceBy': 'Choose members',
    'audienceBy.FILTER': 'By filter',
    'audienceBy.NUMBERS': 'By numbers',
    'field.levels': 'Levels',
    'field.channels': 'Channels',
    'field.tags': 'Tags',
    'field.ofOwnerId': 'Owner of the members',
  },
  'pt-BR': {
    'field.audienceBy': 'Escolher alunos',
    'audienceBy.FILTER': 'Por filtro',
    'audienceBy.NUMBERS': 'Por números',
    'field.levels': 'Níveis',
    'field.channels': 'Canais',
    'field.tags': 'Etiquetas',
    'field.ofOwnerId': 'Vendedor dos alunos',
  },
} as const
