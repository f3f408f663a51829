/** Next waits for open streams at SIGTERM: this ends them (a live list is one for as long as its page is open). */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { webRuntime } = await import('./server/web');
  const stop = (): void => webRuntime().stopping.abort();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
