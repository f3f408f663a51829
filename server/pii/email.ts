import type { Range } from './range';

/**
 * E-mail addresses, read outwards from each `@` (RFC 5321, 4.5.3.1: at most 64 characters before it
 * and 255 after it). Quoted local parts and address literals are not found.
 */
const LOCAL_MAX = 64;
const DOMAIN_MAX = 255;
/** The characters that providers allow; RFC 5322 allows more. */
const LOCAL = /[\p{L}\p{M}\p{N}._%+'-]/u;
const DOMAIN = /[\p{L}\p{M}\p{N}.-]/u;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;
const TOP = /^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;

export function findEmails(text: string): Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const from = Math.max(at - LOCAL_MAX, found.at(-1)?.end ?? 0);
    let start = at;
    while (start > from && LOCAL.test(text.charAt(start - 1))) start--;
    // A dot, a quote or a dash of the sentence is not part of the address.
    while (start < at && /[.'-]/.test(text.charAt(start))) start++;
    if (start === at || text.charAt(at - 1) === '.') continue;
    let end = at + 1;
    while (end - at <= DOMAIN_MAX && DOMAIN.test(text.charAt(end))) end++;
    while (end > at && /[.-]/.test(text.charAt(end - 1))) end--;
    if (isDomain(text.slice(at + 1, end))) found.push({ start, end });
  }
  return found;
}

function isDomain(name: string): boolean {
  const labels = name.split('.');
  return (
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && TOP.test(labels.at(-1) ?? '')
  );
}
