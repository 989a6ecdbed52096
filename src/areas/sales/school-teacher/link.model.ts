import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** Whether somebody who follows the link comes by the channel: its code stands there as a part of the path or as a value. */
const carries = (link: string, channel: string): boolean =>
  link.split(/[/?&=#]/).some(part => part === channel || part === encodeURIComponent(channel))

/** Why a teacher's link brings nobody by the teacher's channel; who is given one on being added does not know it yet. */
export function channelFault(link: string, channel: string | null): Refusal | undefined {
  if (channel === null) return refuse('link-before-channel')
  if (!carries(link, channel)) return refuse('link-without-channel', { channel })
}
