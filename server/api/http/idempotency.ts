import { invalid } from '../../platform';
import type { Incoming } from './body';

/** The `Idempotency-Key` of a request. @throws AssayError invalid_request */
export function readIdempotencyKey(incoming: Incoming): string | null {
  const key = incoming.header('idempotency-key');
  if (key === undefined) return null;
  if (key.length === 0 || key.length > 200 || !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid('the header Idempotency-Key must have 1 to 200 printable ASCII characters', [
      { path: 'Idempotency-Key', message: 'must have 1 to 200 printable ASCII characters' },
    ]);
  }
  return key;
}
