/** What the app answers: it has been told, the work is there already, or the pupil's phone cannot be reached. */
export const APP_ANSWERS = ['ASKED', 'UPLOADED', 'UNREACHABLE'] as const
export type AppAnswer = (typeof APP_ANSWERS)[number]

/** The pupils' app, as far as we ask something of it. The same key again is the same question. */
export type AppDoor = {
  retryUpload(work: { readonly memberId: string; readonly opusId: string }, key: string): Promise<AppAnswer>
}
