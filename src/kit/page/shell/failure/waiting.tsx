/** Shown while nothing else is: plain, because its styles must be there before any other. */
export const Waiting = () => (
  <div role="status" aria-busy="true" style={{ minHeight: '100vh', display: 'grid', placeItems: 'center' }}>
    <img src="/mark.svg" alt="" width={48} height={48} style={{ opacity: 0.6 }} />
  </div>
)
