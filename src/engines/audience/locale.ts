import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'too-big': '一次最多 {max} 位学员',
    'nobody-named': '请至少选择一个条件',
    'numbers-missing': '请填写至少一个手机号',
    'numbers-guessed': '今天查不到学员的手机号太多，明天再按号码选择，或改用条件选择',
    'numbers-paste': '每行一个手机号；也可以直接粘贴表格',
    'numbers-file': '从文件读取（CSV 或文本）',
    'left.strangers': '{count} 个号码不是您能看到的学员，不包括',
    'left.repeated': '去掉 {count} 个重复号码',
    'left.invalid': '{count} 个不是手机号',
  },
  'en-US': {
    'too-big': 'At most {max} members at once',
    'nobody-named': 'Choose at least one condition',
    'numbers-missing': 'Enter at least one mobile number',
    'numbers-guessed':
      'Too many phone numbers of today belong to no member you can see; use numbers again tomorrow, or choose by conditions',
    'numbers-paste': 'One mobile number per line; cells of a sheet can be pasted too',
    'numbers-file': 'Read from a file (CSV or text)',
    'left.strangers': '{count} {count:number|numbers} of nobody among your members: left out',
    'left.repeated': '{count} repeated {count:number|numbers} left out',
    'left.invalid': '{count} not a mobile number',
  },
  'pt-BR': {
    'too-big': 'No máximo {max} alunos de uma vez',
    'nobody-named': 'Escolha ao menos uma condição',
    'numbers-missing': 'Informe ao menos um celular',
    'numbers-guessed':
      'Hoje, números demais não são de nenhum aluno que você vê; volte a usar números amanhã ou escolha por condições',
    'numbers-paste': 'Um celular por linha; também dá para colar células de uma planilha',
    'numbers-file': 'Ler de um arquivo (CSV ou texto)',
    'left.strangers': '{count} {count:número|números} de ninguém entre os seus alunos: fora da lista',
    'left.repeated': '{count} {count:número repetido|números repetidos} fora da lista',
    'left.invalid': '{count} não {count:é|são} celular',
  },
})
