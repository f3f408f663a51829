import { invalid } from '../platform';

/** The `Idempotency-Key` of a request. @throws AssayError invalid_request */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  if (key === null) return null;
  if (key.length === 0 || key.length > 200 || !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid('Idempotency-Key has 1 to 200 printable ASCII characters', [
      { path: 'Idempotency-Key', message: '1 to 200 printable ASCII characters' },
    ]);
  }
  return key;
}
