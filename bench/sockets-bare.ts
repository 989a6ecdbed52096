import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { answerQuestions } from './companion.ts'

export type BareSockets = { readonly port: number } | { readonly broadcast: string }

// The same settings as the console's channel, and nothing else.
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 4_096 })
const ignore = () => {}

answerQuestions(async (question: BareSockets) => {
  if ('broadcast' in question) {
    const bytes = Buffer.from(question.broadcast)
    for (const socket of sockets.clients) socket.send(bytes, { binary: false })
    return
  }
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, opened => {
      opened.on('message', ignore)
      opened.on('close', ignore)
      opened.on('error', ignore)
    })
  })
  await new Promise<void>(resolve => server.listen(question.port, '127.0.0.1', resolve))
})
