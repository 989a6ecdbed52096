/** The console cannot start, for a reason its owner can mend: the message is a plain sentence and needs no stack. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}
