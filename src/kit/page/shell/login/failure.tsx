export type Failure = { readonly title: string; readonly description?: string }

/** What went wrong, where it stands beside no field. */
export const FailureNote = ({ failure }: { failure: Failure | undefined }) =>
  failure && (
    <div className="ink-alert" role="alert">
      <strong>{failure.title}</strong>
      {failure.description && <p>{failure.description}</p>}
    </div>
  )
