/** What the app answers: it has been told, the work is there already, or the pupil's phone cannot be reached. */
export const APP_ANSWERS = ['ASKED', 'UPLOADED', 'UNREACHABLE'] as const
export type AppAnswer = (typeof APP_ANSWERS)[number]

/** What became of a work: judged, to be written again, or no longer to be seen. Marks lie in the picture's own coordinates. */
type ToldWork = { readonly memberId: string; readonly opusId: string } & (
  | { readonly state: 'HIDDEN' }
  | { readonly state: 'RETURNED'; readonly reason: string | null }
  | {
      readonly state: 'RELEASED'
      readonly score: number | null
      readonly words: string | null
      readonly marks: readonly object[]
      /** Where what the teacher says aloud is fetched, within five minutes. */
      readonly voice: string | null
    }
)

/** What became of a shared poster; taken back, it is looked at once more. */
type ToldShare = {
  readonly memberId: string
  readonly shareId: string
  readonly state: 'SUBMITTED' | 'APPROVED' | 'REJECTED'
  readonly coins: number
  readonly reason: string | null
}

/** What a member has been given to do, and how it stands. */
export type ToldTask = {
  readonly taskId: string
  readonly memberId: string
  readonly title: string
  readonly note: string
  readonly dueOn: string
  readonly target: number
  readonly coins: number
  readonly state: string
  readonly reason: string | null
}

/** The pupils' app, as far as we ask something of it. The same key again is the same question. */
export type AppDoor = {
  retryUpload(work: { readonly memberId: string; readonly opusId: string }, key: string): Promise<AppAnswer>
  tellWork(work: ToldWork, key: string): Promise<void>
  tellShare(share: ToldShare, key: string): Promise<void>
  tellTasks(tasks: readonly ToldTask[], key: string): Promise<void>
}
