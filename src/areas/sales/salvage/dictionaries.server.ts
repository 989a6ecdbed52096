import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  LEAD_RETURN: {
    name: { 'zh-CN': '线索退回原因', 'en-US': 'Reason for returning a lead', 'pt-BR': 'Motivo da devolução do lead' },
    entries: {
      NO_ANSWER: { colour: 'gold', 'zh-CN': '多次联系未接', 'en-US': 'No answer', 'pt-BR': 'Não atende' },
      NO_NEED: { colour: 'grey', 'zh-CN': '暂无需求', 'en-US': 'No need now', 'pt-BR': 'Sem interesse agora' },
      NOT_MINE: { colour: 'blue', 'zh-CN': '不在负责范围', 'en-US': 'Not my area', 'pt-BR': 'Fora da minha área' },
      OVERLOADED: { colour: 'purple', 'zh-CN': '跟进不过来', 'en-US': 'Too many leads', 'pt-BR': 'Leads demais' },
      NO_CONTACT: {
        colour: 'orange',
        'zh-CN': '超时未联系',
        'en-US': 'Not contacted in time',
        'pt-BR': 'Sem contato no prazo',
      },
      NO_DEAL: { colour: 'orange', 'zh-CN': '超时未成交', 'en-US': 'No deal in time', 'pt-BR': 'Sem venda no prazo' },
    },
  },
  LEAD_END: {
    name: { 'zh-CN': '线索结束原因', 'en-US': 'Reason a lead ended', 'pt-BR': 'Motivo do fim do lead' },
    entries: {
      WRONG_NUMBER: { colour: 'grey', 'zh-CN': '空号或错号', 'en-US': 'Wrong number', 'pt-BR': 'Número errado' },
      REFUSES: {
        colour: 'red',
        'zh-CN': '明确拒绝联系',
        'en-US': 'Does not want to be called',
        'pt-BR': 'Não quer contato',
      },
      BOUGHT_ELSEWHERE: {
        colour: 'gold',
        'zh-CN': '已选其他机构',
        'en-US': 'Chose another school',
        'pt-BR': 'Escolheu outra escola',
      },
      TOO_DEAR: { colour: 'orange', 'zh-CN': '价格不合适', 'en-US': 'Too expensive', 'pt-BR': 'Caro demais' },
      TOO_YOUNG: {
        colour: 'blue',
        'zh-CN': '年龄不合适',
        'en-US': 'Age does not fit',
        'pt-BR': 'Idade não se encaixa',
      },
      KNOWN_MEMBER: { colour: 'green', 'zh-CN': '本来就是学员', 'en-US': 'Already a member', 'pt-BR': 'Já é aluno' },
      FORGOTTEN: {
        colour: 'grey',
        'zh-CN': '本人要求删除',
        'en-US': 'Asked to be forgotten',
        'pt-BR': 'Pediu para ser esquecido',
      },
      ACCOUNT_CLOSED: { colour: 'grey', 'zh-CN': '账号已注销', 'en-US': 'Account closed', 'pt-BR': 'Conta encerrada' },
    },
  },
})
