/**
 * What a page may take in a journey before the journey is red: it is red because something never comes, and on cores many
 * times too busy what comes takes a minute.
 */
export const JOURNEY_PATIENCE_MS = 120_000
