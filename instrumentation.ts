/**
 * Notes the network source of each request, which Next does not hand on (server/platform/peer.ts).
 * Ends open streams at SIGTERM, which Next waits for (a live list is one for as long as its page is
 * open).
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const [{ webRuntime }, { recordPeers }] = await Promise.all([
    import('./server/web'),
    import('./server/platform'),
  ]);
  recordPeers();
  const stop = (): void => webRuntime().stopping.abort();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
