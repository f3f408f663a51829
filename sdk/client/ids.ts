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

/** The host's own id, or a new one. */
export function idOf(value: unknown, prefix: string): string {
  try {
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
    if (typeof id === 'string' && id !== '') return id;
    if (typeof id === 'number') return String(id);
  } catch {
    // A getter of the host threw; `writeTurn` will report it.
  }
  return `${prefix}-${newUuid()}`;
}
