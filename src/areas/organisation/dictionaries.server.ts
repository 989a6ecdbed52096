import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  GENDER: {
    name: { 'zh-CN': '性别', 'en-US': 'Gender', 'pt-BR': 'Gênero' },
    entries: {
      F: { colour: 'magenta', 'zh-CN': '女', 'en-US': 'Female', 'pt-BR': 'Feminino' },
      M: { colour: 'blue', 'zh-CN': '男', 'en-US': 'Male', 'pt-BR': 'Masculino' },
      UK: { colour: 'grey', 'zh-CN': '未知', 'en-US': 'Unknown', 'pt-BR': 'Não informado' },
    },
  },
  ACCOUNT_STATUS: {
    name: { 'zh-CN': '账号状态', 'en-US': 'Account status', 'pt-BR': 'Situação da conta' },
    entries: {
      ENABLED: { colour: 'green', 'zh-CN': '启用', 'en-US': 'Enabled', 'pt-BR': 'Ativa' },
      DISABLED: { colour: 'grey', 'zh-CN': '停用', 'en-US': 'Disabled', 'pt-BR': 'Desativada' },
      LOCKED: { colour: 'red', 'zh-CN': '锁定', 'en-US': 'Locked', 'pt-BR': 'Bloqueada' },
    },
  },
  USER_STATUS: {
    name: { 'zh-CN': '在职状态', 'en-US': 'Employment status', 'pt-BR': 'Situação funcional' },
    entries: {
      A: { colour: 'green', 'zh-CN': '在职', 'en-US': 'Employed', 'pt-BR': 'Ativo' },
      I: { colour: 'grey', 'zh-CN': '离职', 'en-US': 'Left', 'pt-BR': 'Desligado' },
    },
  },
  AUTH_TYPE: {
    name: { 'zh-CN': '登录方式', 'en-US': 'Sign-in method', 'pt-BR': 'Forma de acesso' },
    entries: {
      PWD: { 'zh-CN': '账号密码', 'en-US': 'Account and password', 'pt-BR': 'Conta e senha' },
      SSO: { 'zh-CN': '单点登录', 'en-US': 'Single sign-on', 'pt-BR': 'Login único' },
      WX_MP: { 'zh-CN': '公众号', 'en-US': 'WeChat official account', 'pt-BR': 'Conta oficial do WeChat' },
      WX_CP: { 'zh-CN': '企业微信', 'en-US': 'WeCom', 'pt-BR': 'WeCom' },
      OTHER: { 'zh-CN': '其他', 'en-US': 'Other', 'pt-BR': 'Outra' },
    },
  },
  ORG_TYPE: {
    name: { 'zh-CN': '组织类型', 'en-US': 'Organisation type', 'pt-BR': 'Tipo de unidade' },
    entries: {
      COMP: { colour: 'blue', 'zh-CN': '公司', 'en-US': 'Company', 'pt-BR': 'Empresa' },
      DEPT: { colour: 'cyan', 'zh-CN': '部门', 'en-US': 'Department', 'pt-BR': 'Departamento' },
    },
  },
  POSITION_GRADE: {
    name: { 'zh-CN': '职级', 'en-US': 'Job grade', 'pt-BR': 'Nível do cargo' },
    entries: {
      E1: { 'zh-CN': '初级', 'en-US': 'Junior', 'pt-BR': 'Júnior' },
      E2: { 'zh-CN': '中级', 'en-US': 'Intermediate', 'pt-BR': 'Pleno' },
      E3: { 'zh-CN': '高级', 'en-US': 'Senior', 'pt-BR': 'Sênior' },
      E4: { colour: 'gold', 'zh-CN': '专家', 'en-US': 'Expert', 'pt-BR': 'Especialista' },
    },
  },
})
