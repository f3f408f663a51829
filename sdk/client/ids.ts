/**
 * A UUID of version 4. Node 18 has no global crypto, and pages without TLS have no randomUUID: ids
 * need to be distinct, not secret.
 */
export function newUuid(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID();
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    Math.floor(Math.random() * 16).toString(16),
  );
}
