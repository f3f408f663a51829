import { z } from 'zod';
import { defineCheck, type CheckFinding, found, listed } from './check';
import { evidenceAt } from './positions';

/** No parameter is needed; an empty one counts as none. */
const Value = z.union([
  z.literal(true),
  z.literal(''),
  z.null(),
  z.undefined(),
  z.strictObject({}),
  z.array(z.never()),
]);
/** Text that begins like an address, up to white space or a character that no address contains. */
export const ADDRESS = /\b(?:https?|ftp):[^\s<>"`|\\^{}]*/gi;
const EVIDENCE_MAX = 20;

/**
 * `urls_valid`: every address in the text is well formed; nothing is fetched, and a text without
 * addresses passes (VS-11).
 */
export const urlsValid = defineCheck({
  name: 'urls_valid',
  value: Value,
  expects: 'left out, or true',
  describe: () => 'Addresses are well formed',
  prepare:
    () =>
    (text): CheckFinding => {
      let count = 0;
      const broken: { readonly url: string; readonly start: number; readonly end: number }[] = [];
      for (const match of text.matchAll(ADDRESS)) {
        const url = withoutClosing(match[0]);
        if (/^\w+$/.test(url)) continue;
        count++;
        if (!isWellFormed(url))
          broken.push({ url, start: match.index, end: match.index + url.length });
      }
      if (count === 0) return found(true, 'the text contains no address');
      const reasoning =
        broken.length === 0
          ? `all ${count} addresses are well formed`
          : `not well formed: ${listed(broken.map(({ url }) => url))}`;
      return {
        value: (count - broken.length) / count,
        met: broken.length === 0,
        reasoning,
        evidence: evidenceAt(text, broken.slice(0, EVIDENCE_MAX)),
      };
    },
});

/** Without the punctuation of the surrounding sentence: `(see https://a.example/b_(c)).` */
export function withoutClosing(url: string): string {
  let end = url.length;
  let open = 0;
  let closed = 0;
  for (const sign of url) {
    if (sign === '(') open++;
    else if (sign === ')') closed++;
  }
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ')' && closed > open) closed--;
    else if (!".,;:!?'*_~]”’»".includes(last)) break;
  }
  return url.slice(0, end);
}

const LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;

export function isWellFormed(url: string): boolean {
  if (!/^\w+:\/\/[^/]/.test(url) || /%(?![0-9a-f]{2})/i.test(url)) return false;
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  if (hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname) || hostname === 'localhost')
    return true;
  const labels = hostname.replace(/\.$/, '').split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    /\p{L}/u.test(labels.at(-1) ?? '')
  );
}
