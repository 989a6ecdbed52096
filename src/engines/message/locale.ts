import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'variable-twice': '变量“{name}”声明了两次',
    'sample-wrong': '变量“{name}”的示例与它的类型不符',
    'variable-unknown': '正文用到的变量“{name}”没有声明',
    'opt-out-missing': '营销短信必须写明退订方式，例如“拒收请回复R”',
  },
  'en-US': {
    'variable-twice': 'The variable "{name}" is declared twice',
    'sample-wrong': 'The sample of the variable "{name}" does not fit its type',
    'variable-unknown': 'The text uses the variable "{name}", which is not declared',
    'opt-out-missing': "A marketing text message must say how to opt out, and must contain the operators' word for it",
  },
  'pt-BR': {
    'variable-twice': 'A variável "{name}" foi declarada duas vezes',
    'sample-wrong': 'O exemplo da variável "{name}" não corresponde ao tipo',
    'variable-unknown': 'O texto usa a variável "{name}", que não foi declarada',
    'opt-out-missing':
      'Um SMS de marketing precisa dizer como cancelar o recebimento, com a palavra exigida pelas operadoras',
  },
})
