import { createTransport } from 'nodemailer'
import type { Fault } from './model.ts'
import type { Outcome, Provider } from './port.server.ts'

const TIMEOUT_MS = 20_000
const MAX_SAID = 200

type SmtpError = { code?: string; responseCode?: number; response?: string; syscall?: string; message: string }

/** A mail server. It takes a message or does not; nobody tells later whether it arrived. */
export function smtp(url: string, from: string, timeoutMs = TIMEOUT_MS): Provider {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // What stands in a message is text: it names no file of this machine and no address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ key, address, title, text }): Promise<Outcome> {
      try {
        const { response } = await transport.sendMail({
          from,
          // An object, so that nothing in it is read as a second address.
          to: { name: '', address },
          subject: title,
          text,
          headers: { 'X-Inkstone-Message': key, 'Auto-Submitted': 'auto-generated' },
        })
        return { kind: 'taken', said: response.slice(0, MAX_SAID) }
      } catch (error) {
        return whatFailed(error as SmtpError)
      }
    },
    report: null,
  }
}

/** An answer says that the message was not taken; without one only a connection that never stood does. */
function whatFailed({ code, responseCode, response, syscall, message }: SmtpError): Outcome {
  const said = (response ?? message).slice(0, MAX_SAID)
  if (code === 'ETIMEDOUT') return { kind: 'unknown', said }
  if (responseCode !== undefined)
    return responseCode < 500 ? { kind: 'later', said } : { kind: 'refused', fault: faultOf(responseCode, code), said }
  if (code === 'EDNS' || syscall === 'connect') return { kind: 'later', said }
  if (code === 'EENVELOPE') return { kind: 'refused', fault: 'BAD_ADDRESS', said }
  return { kind: 'unknown', said }
}

function faultOf(status: number, code: string | undefined): Fault {
  if (code === 'EAUTH' || status === 530 || status === 535) return 'ACCOUNT'
  if (status === 552) return 'LIMITED'
  return status === 550 || status === 551 || status === 553 ? 'BAD_ADDRESS' : 'REJECTED'
}
