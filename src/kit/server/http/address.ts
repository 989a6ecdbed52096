import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Where a call comes from: the last hop no trusted proxy vouches for, which the framework tells. IPv4 in IPv6's clothes is
 * IPv4, so that one caller has one address; a hop that is no address (a proxy's "unknown") leaves the proxy's own.
 */
export function addressOf(request: FastifyRequest): string {
  const socket = request.socket.remoteAddress ?? ''
  return plain(isIP(request.ip) === 0 ? socket : request.ip)
}

const plain = (address: string): string => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address
