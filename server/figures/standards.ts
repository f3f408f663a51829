import type { Region } from './exempt';

/**
 * Standards and protocols are names, and their numbers are not figures (INT-21): "ISO 8601",
 * "HTTP/2". If a source of the turn has only other numbers for the same name, the number is a claim
 * about that source and counts as a figure.
 */
const BODIES =
  'ISO(?:/(?:IEC|TS|TR|IEEE))?|EN ISO|IEC|IEEE|RFC|BCP|ANSI|FIPS|ECMA|ASTM|PEP|NIST SP|ITU-T|ETSI|IFRS|IAS|MIL-STD|GB/T';
/** Names that are also words require numbers of three or more digits. */
const SHORT_BODIES = 'BS EN|DIN EN|EN|BS|DIN|JIS|SAE|ASC';
const VERSIONED =
  'HTTP|TLS|DTLS|SSL|SSH|OAuth|SAML|WCAG|USB|Bluetooth|PCIe|PCI[ -]DSS|OpenAPI|JSON-RPC|Unicode|HDMI|Wi-Fi|OpenGL';
const JOINT = '[ \\u00a0:/-]';
const PARTS = '(?:[.:-]\\d{1,6}){0,3}';

const PATTERNS: readonly RegExp[] = [
  new RegExp(`\\b(${BODIES})${JOINT}(\\d{1,6}${PARTS})(?![\\d%]|[.,]\\d)`, 'g'),
  new RegExp(`\\b(${SHORT_BODIES})${JOINT}(\\d{3,6}${PARTS})(?![\\d%]|[.,]\\d)`, 'g'),
  new RegExp(
    `\\b(${VERSIONED})${JOINT}?v?(\\d{1,2}\\.\\d{1,2})(?![\\d%]|\\.\\d|[ \\u00a0]?(?:%|percent|[KMG]?i?[Bb]\\b|m?s\\b))`,
    'g',
  ),
  /\b(HTTP)\/([1-3])(?![\d.%])/g,
  /\b(Wi-Fi|SOC|OAuth)[ \u00a0-]([1-7])(?![\d.,%]|[ \u00a0](?:%|percent|[a-z]{2,20}s\b))/g,
  /\b(C\+\+|SQL[:-]|POSIX\.1-|H\.)(\d{2,4})(?![\d.%])/g,
];
const NUMBER = /\d+(?:[.:-]\d+){0,3}/gu;
const SPECIAL = /[.*+?^${}()|[\]\\/-]/gu;

/** A source; only its text matters here. */
export interface SourceText {
  readonly text: string;
}

interface Named extends Region {
  readonly name: string;
  readonly number: string;
}

/** @param sources the sources of the turn, read only if the text names a standard */
export function addStandards(
  text: string,
  sources: readonly SourceText[],
  regions: Region[],
): void {
  const named = PATTERNS.flatMap((pattern) => namedBy(pattern, text));
  if (named.length === 0) return;
  const known =
    sources.length === 0 ? null : numbersOf(new Set(named.map(({ name }) => name)), sources);
  for (const { from, to, name, number } of named) {
    const otherStandards = known?.get(name.toLowerCase());
    if (otherStandards === undefined || otherStandards.has(number)) regions.push({ from, to });
  }
}

function namedBy(pattern: RegExp, text: string): readonly Named[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    from: match.index,
    to: match.index + match[0].length,
    name: match[1] ?? '',
    number: match[2] ?? '',
  }));
}

/**
 * The numbers in the sources for each name, as text or as the value of a key. One pass for all
 * names.
 */
function numbersOf(
  names: ReadonlySet<string>,
  sources: readonly SourceText[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const alternatives = [...names].map((name) => name.replace(SPECIAL, '\\$&')).join('|');
  const stated = new RegExp(
    `(?<![\\w-])(${alternatives})(?:_?version)?["']?(?:[ \\t:/=-]|\\u00a0){0,4}["']?v?(${NUMBER.source})`,
    'gi',
  );
  const known = new Map<string, Set<string>>();
  for (const { text } of sources) {
    for (const [, name = '', number = ''] of text.matchAll(stated)) {
      const numbers = known.get(name.toLowerCase()) ?? new Set<string>();
      known.set(name.toLowerCase(), numbers.add(number));
    }
  }
  return known;
}
