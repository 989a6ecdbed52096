import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  UPLOAD_ERROR: {
    name: { 'zh-CN': '上传错误', 'en-US': 'Upload error', 'pt-BR': 'Erro de envio' },
    entries: {
      TIMEOUT: { colour: 'cyan', 'zh-CN': '网络超时', 'en-US': 'Timed out', 'pt-BR': 'Tempo esgotado' },
      NETWORK: { colour: 'cyan', 'zh-CN': '网络中断', 'en-US': 'Connection lost', 'pt-BR': 'Conexão perdida' },
      TOO_LARGE: { colour: 'purple', 'zh-CN': '文件过大', 'en-US': 'File too large', 'pt-BR': 'Arquivo grande demais' },
      FORMAT: { colour: 'purple', 'zh-CN': '格式不支持', 'en-US': 'Unsupported format', 'pt-BR': 'Formato não aceito' },
      STORAGE: {
        colour: 'indigo',
        'zh-CN': '手机空间不足',
        'en-US': 'Phone storage full',
        'pt-BR': 'Celular sem espaço',
      },
      PERMISSION: {
        colour: 'indigo',
        'zh-CN': '未授权相册',
        'en-US': 'No photo access',
        'pt-BR': 'Sem acesso às fotos',
      },
      SERVER: { colour: 'magenta', 'zh-CN': '服务器错误', 'en-US': 'Server error', 'pt-BR': 'Erro no servidor' },
      OTHER: { colour: 'grey', 'zh-CN': '其他', 'en-US': 'Other', 'pt-BR': 'Outro' },
    },
  },
})
