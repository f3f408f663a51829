import type { Range } from './range';

/**
 * API keys and other secrets: tokens with the prefix of a known issuer, JSON Web Tokens, private
 * keys in PEM, random text after a word such as "api_key", and long random tokens.
 */
const TOKEN = /[A-Za-z0-9_+/=.-]{8,}/g;
const KNOWN: readonly RegExp[] = [
  /^sk-(?:ant-|proj-|svcacct-|or-v1-)?[\w-]{20,}$/,
  /^(?:AKIA|ASIA)[A-Z0-9]{16}$/,
  /^gh[pousr]_[A-Za-z0-9]{30,}$/,
  /^github_pat_\w{30,}$/,
  /^glpat-[\w-]{20,}$/,
  /^(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,}$/,
  /^xox[abeprs]-[\w-]{10,}$/,
  /^xapp-\d-[\w-]{10,}$/,
  /^AIza[\w-]{35}$/,
  /^ya29\.[\w-]{20,}$/,
  /^npm_[A-Za-z0-9]{30,}$/,
  /^hf_[A-Za-z0-9]{30,}$/,
  /^pypi-[\w-]{30,}$/,
  /^SG\.[\w-]{16,}\.[\w-]{16,}$/,
  /^dop_v1_[0-9a-f]{40,}$/,
  /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*$/,
];
const TOKEN_MAX = 4_096;

const LABELLED =
  /(?:api[_-]?key|apikey|secret|access[_-]?key|access[_-]?token|auth[_-]?token|password|passwd|bearer)["']?(?: ?[:=] ?| )["']?$/i;
const LABEL_CHARS = 24;
const LABELLED_CHARS_MIN = 12;
/** Bits for each character: words have about 3, random letters and digits more than 4. */
const LABELLED_ENTROPY = 3;
const RANDOM_ENTROPY = 4.2;
/** Longer random text is rather encoded data, such as an image. */
const RANDOM_CHARS = { min: 32, max: 128 } as const;

const PEM_START = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----/g;
const PEM_END = 'PRIVATE KEY-----';

export function findKeys(text: string): Range[] {
  const found = findPems(text);
  for (const { 0: run, index } of text.matchAll(TOKEN)) {
    if (run.length > TOKEN_MAX) continue;
    for (const { token, offset } of partsOf(run)) {
      const start = index + offset;
      if (isKey(token) || isRandom(token) || isLabelled(text, start, token))
        found.push({ start, end: start + token.length });
    }
  }
  return found;
}

function findPems(text: string): Range[] {
  const found: Range[] = [];
  let last = 0;
  for (const { 0: head, index } of text.matchAll(PEM_START)) {
    if (index < last) continue;
    const close = text.indexOf(PEM_END, index + head.length);
    last = close === -1 ? text.length : close + PEM_END.length;
    found.push({ start: index, end: last });
  }
  return found;
}

/** The run without the dots of its sentence, and the part after an assignment sign in it. */
function partsOf(run: string): { readonly token: string; readonly offset: number }[] {
  const parts: { readonly token: string; readonly offset: number }[] = [];
  let offset = 0;
  for (const part of run.split('=')) {
    let end = part.length;
    while (end > 0 && part.charAt(end - 1) === '.') end--;
    if (end >= 8) parts.push({ token: part.slice(0, end), offset });
    offset += part.length + 1;
  }
  return parts;
}

const isKey = (token: string): boolean => KNOWN.some((pattern) => pattern.test(token));

function isLabelled(text: string, start: number, token: string): boolean {
  return (
    token.length >= LABELLED_CHARS_MIN &&
    /\d/.test(token) &&
    /[A-Za-z]/.test(token) &&
    entropyOf(token) >= LABELLED_ENTROPY &&
    LABELLED.test(text.slice(Math.max(0, start - LABEL_CHARS), start))
  );
}

function isRandom(token: string): boolean {
  if (token.length < RANDOM_CHARS.min || token.length > RANDOM_CHARS.max) return false;
  if (!/^[\w-]+$/.test(token)) return false;
  const count = (sign: RegExp): number => token.match(sign)?.length ?? 0;
  return (
    count(/[0-9]/g) >= 4 &&
    count(/[A-Z]/g) >= 4 &&
    count(/[a-z]/g) >= 4 &&
    entropyOf(token) >= RANDOM_ENTROPY
  );
}

/** Shannon entropy of the characters, in bits for each. */
function entropyOf(token: string): number {
  const counts = new Map<string, number>();
  for (const sign of token) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / token.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
