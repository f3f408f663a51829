/**
 * Finds Assay keys in client input, so that none goes upstream (S-122): plain, percent-encoded up
 * to twice, or in base64 as in `Basic`. Matches by shape (`asy_<scopes>_<id>_…`); a mere prefix
 * passes.
 */
const shape = /asy_[a-z]{1,12}_[0-9a-f]{20}_/i;
/** The shape has 28 characters before the secret; shorter values contain no key. */
const CHARS_MIN = 28;
const base64 = /[A-Za-z0-9+/_-]{36,}={0,2}/g;
/** `asy_` in base64, for each offset within a group of three bytes. */
const base64Begins = /YXN5X|FzeV|hc3l/;
const DECODINGS = 2;

export function containsAssayKey(text: string): boolean {
  if (text.length < CHARS_MIN) return false;
  let plain = text;
  for (let n = 0; ; n++) {
    if (shape.test(plain)) return true;
    const next = n < DECODINGS && plain.includes('%') ? decodedOnce(plain) : plain;
    if (next === plain) break;
    plain = next;
  }
  return base64Begins.test(plain) && (plain.match(base64) ?? []).some(holdsInBase64);
}

/** The text before a key may also be base64, so its groups may begin at any of four offsets. */
function holdsInBase64(text: string): boolean {
  return [0, 1, 2, 3].some((from) =>
    shape.test(Buffer.from(text.slice(from), 'base64').toString('latin1')),
  );
}

/** Decodes each escape separately, so that invalid UTF-8 does not stop the others. */
function decodedOnce(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A query (`?a=1&b=2`, or empty) without the parameters that contain a key. */
export function queryWithoutKeys(query: string): string {
  if (query.length < CHARS_MIN || !containsAssayKey(query)) return query;
  const parameters = query
    .slice(1)
    .split('&')
    .filter((parameter) => !containsAssayKey(parameter));
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}
