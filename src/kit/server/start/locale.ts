import { defineLocale } from '#kit/model/language.ts'

/** What the house itself repeats. */
export const locale = defineLocale({
  'zh-CN': {
    'job.fold-counts': '合并列表计数',
    'job.fold-counts.help': '把列表数量的增减合并成一行，列表打开得更快；数量本身不变',
    'job.clean-up': '清除用过的临时数据',
    'job.clean-up.help': '过期的验证码、登录限制、连接票据、重复提交记录和实例间通知',
    'job.end-sessions': '结束到期的登录',
    'job.end-sessions.help': '登录满七天，或闲置超过安全等级允许的时间',
    'job.sweep-files': '清除无主文件',
    'job.sweep-files.help': '上传一天后仍未用于任何数据的文件，以及过期的导出文件',
    'job.tell-erasures': '登记已注销的账号',
    'job.tell-erasures.help': '在文件旁边留下已注销学员的编号；恢复更早的备份时据此再次清除',
    'job.sweep-task-rows': '清除旧任务的明细',
    'job.sweep-task-rows.help': '已结束的批量任务保留结果，到期后清除逐行明细',
    'job.sweep-imports': '清除旧的导入数据',
    'job.sweep-imports.help': '一天内没有继续的导入，以及到期的导入明细',
    'job.clear-run-log': '清除定时任务的执行日志',
    'job.clear-run-log.help': '成功的执行保留得短，失败、停止、中断和跳过的保留得长',
    'job.clear-run-log.days': '成功的执行保留',
    'job.clear-run-log.troubleDays': '其他执行保留',
    'job.make-log-months': '建立日志的月份分区',
    'job.make-log-months.help': '提前为操作日志和登录日志建立之后两个月的分区，并归位没有分区的记录',
    'job.drop-log-months': '清除过期日志',
    'job.drop-log-months.help':
      '操作日志和登录日志保留 6 个自然月；涉及资金、查看个人信息和导出的操作日志保留 3 年。只清除已封存的月份',
    'job.seal-log': '封存操作日志',
    'job.seal-log.help': '为新写入的操作日志计算校验链，事后的增删改都能被发现',
  },
  'en-US': {
    'job.fold-counts': 'Fold the counts of lists',
    'job.fold-counts.help': 'Movements of a count become one row, so that lists open sooner; the counts stay the same',
    'job.clean-up': 'Remove what has served',
    'job.clean-up.help':
      'Captchas, sign-in limits, tickets and repeated calls that are over, and what instances told each other',
    'job.end-sessions': 'End sessions that are over',
    'job.end-sessions.help': 'Signed in for seven days, or idle longer than the security profile allows',
    'job.sweep-files': 'Remove files nobody took',
    'job.sweep-files.help': 'Uploads no record took within a day, and exports nobody may fetch any more',
    'job.tell-erasures': 'Note closed accounts',
    'job.tell-erasures.help':
      'Keeps the numbers of closed accounts beside the files, so that restoring an older backup erases them again',
    'job.sweep-task-rows': 'Remove rows of old tasks',
    'job.sweep-task-rows.help': 'Tasks that have ended keep their result; their single rows are removed in time',
    'job.sweep-imports': 'Remove old imports',
    'job.sweep-imports.help': 'Imports nobody went on with within a day, and rows that are no longer asked for',
    'job.clear-run-log': 'Clear the log of scheduled jobs',
    'job.clear-run-log.help':
      'Runs that succeeded are kept for a short time; failed, stopped, lost and skipped ones for long',
    'job.clear-run-log.days': 'Keep runs that succeeded',
    'job.clear-run-log.troubleDays': 'Keep all others',
    'job.make-log-months': 'Make the months of the logs',
    'job.make-log-months.help':
      'Makes room for the next two months of operations and sign-ins, and puts lines without a month where they belong',
    'job.drop-log-months': 'Drop logs that were kept long enough',
    'job.drop-log-months.help':
      'Operations and sign-ins are kept 6 calendar months; operations on money, views of personal data and exports 3 years. Only sealed months are dropped',
    'job.seal-log': 'Seal the operation log',
    'job.seal-log.help': 'Adds new lines to a chain of digests, so that any later change to them is noticed',
  },
  'pt-BR': {
    'job.fold-counts': 'Consolidar as contagens das listas',
    'job.fold-counts.help':
      'Os movimentos de uma contagem viram uma linha, e as listas abrem mais rápido; as contagens não mudam',
    'job.clean-up': 'Remover dados temporários',
    'job.clean-up.help': 'Captchas, limites de acesso, tíquetes e envios repetidos vencidos, e avisos entre instâncias',
    'job.end-sessions': 'Encerrar sessões vencidas',
    'job.end-sessions.help': 'Abertas há sete dias, ou paradas além do que o perfil de segurança permite',
    'job.sweep-files': 'Remover arquivos sem uso',
    'job.sweep-files.help': 'Envios que nenhum registro usou em um dia e exportações vencidas',
    'job.tell-erasures': 'Anotar contas encerradas',
    'job.tell-erasures.help':
      'Guarda junto aos arquivos os números das contas encerradas, para que restaurar um backup mais antigo as apague de novo',
    'job.sweep-task-rows': 'Remover linhas de tarefas antigas',
    'job.sweep-task-rows.help': 'Tarefas encerradas mantêm o resultado; as linhas são removidas com o tempo',
    'job.sweep-imports': 'Remover importações antigas',
    'job.sweep-imports.help': 'Importações sem continuidade em um dia e linhas que ninguém mais consulta',
    'job.clear-run-log': 'Limpar o registro das tarefas agendadas',
    'job.clear-run-log.help':
      'Execuções com sucesso ficam pouco tempo; as que falharam, pararam, se perderam ou foram puladas ficam mais',
    'job.clear-run-log.days': 'Manter execuções com sucesso',
    'job.clear-run-log.troubleDays': 'Manter as demais',
    'job.make-log-months': 'Criar os meses dos logs',
    'job.make-log-months.help':
      'Prepara os próximos dois meses de operações e acessos e põe no lugar as linhas sem mês',
    'job.drop-log-months': 'Descartar logs vencidos',
    'job.drop-log-months.help':
      'Operações e acessos ficam 6 meses completos; operações com dinheiro, consultas de dados pessoais e exportações, 3 anos. Só meses selados são descartados',
    'job.seal-log': 'Selar o log de operações',
    'job.seal-log.help': 'Inclui as novas linhas em uma cadeia de resumos, e qualquer alteração posterior é percebida',
  },
})
