import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** The reader's locale, for dates; until the page is hydrated that of the server's text. */
export function useLocale(): string {
  return useSyncExternalStore(
    subscribeToNothing,
    () => navigator.language,
    () => 'en-GB',
  );
}
