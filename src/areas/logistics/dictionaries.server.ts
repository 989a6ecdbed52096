import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  CARRIER: {
    name: { 'zh-CN': '快递公司', 'en-US': 'Carrier', 'pt-BR': 'Transportadora' },
    note: {
      'zh-CN': '值是快递鸟的编码，快递100的编码由系统对照',
      'en-US': 'Values are KDNiao codes; the console maps them to Kuaidi100',
      'pt-BR': 'Os valores são códigos da KDNiao; o sistema os converte para a Kuaidi100',
    },
    entries: {
      SF: { 'zh-CN': '顺丰速运', 'en-US': 'SF Express', 'pt-BR': 'SF Express' },
      ZTO: { 'zh-CN': '中通快递', 'en-US': 'ZTO Express', 'pt-BR': 'ZTO Express' },
      YTO: { 'zh-CN': '圆通速递', 'en-US': 'YTO Express', 'pt-BR': 'YTO Express' },
      STO: { 'zh-CN': '申通快递', 'en-US': 'STO Express', 'pt-BR': 'STO Express' },
      YD: { 'zh-CN': '韵达速递', 'en-US': 'Yunda Express', 'pt-BR': 'Yunda Express' },
      JTSD: { 'zh-CN': '极兔速递', 'en-US': 'J&T Express', 'pt-BR': 'J&T Express' },
      JD: { 'zh-CN': '京东物流', 'en-US': 'JD Logistics', 'pt-BR': 'JD Logistics' },
      EMS: { 'zh-CN': '邮政 EMS', 'en-US': 'China Post EMS', 'pt-BR': 'EMS da China Post' },
      YZPY: { 'zh-CN': '邮政快递包裹', 'en-US': 'China Post parcel', 'pt-BR': 'Pacote da China Post' },
      DBL: { 'zh-CN': '德邦快递', 'en-US': 'Deppon Express', 'pt-BR': 'Deppon Express' },
    },
  },
})
