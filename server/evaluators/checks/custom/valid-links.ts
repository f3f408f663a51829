import { z } from 'zod';
import { listed } from '../check';
import { evidenceAt } from '../positions';
import { ADDRESS, isWellFormed, withoutClosing } from '../urls-valid';
import { defineFieldCheck, type CustomCheck } from './definition';

/** The target of a Markdown link or image: `[text](target "title")`. */
const LINK = /\]\(\s*(<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)?)/g;
const EVIDENCE_MAX = 20;

interface Link {
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

function linksOf(text: string): Link[] {
  const links = new Map<number, Link>();
  for (const match of text.matchAll(LINK)) {
    const target = match[1] ?? '';
    const url = target.replace(/^<|>$/g, '');
    const end = match.index + match[0].length;
    links.set(end - target.length, { url, start: end - target.length, end });
  }
  for (const match of text.matchAll(ADDRESS)) {
    const url = withoutClosing(match[0]);
    const start = match.index;
    const isInLink = links.has(start) || links.has(start - 1);
    if (!isInLink && !/^\w+$/.test(url)) links.set(start, { url, start, end: start + url.length });
  }
  return [...links.values()].toSorted((a, b) => a.start - b.start);
}

/** Why a link is invalid; null if it is valid. */
function faultOf(url: string, hosts: readonly string[]): 'empty' | 'malformed' | 'host' | null {
  if (url === '' || url === '#') return 'empty';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return /[<>"\\^`{}|]/.test(url) ? 'malformed' : null;
  if (scheme === 'mailto')
    return /^mailto:[^\s@]+@[^\s@]+\.[^\s@]+$/i.test(url) ? null : 'malformed';
  if (scheme === 'tel') return /^tel:\+?[\d().-]{3,}$/i.test(url) ? null : 'malformed';
  if (!['http', 'https', 'ftp'].includes(scheme) || !isWellFormed(url)) return 'malformed';
  const { hostname } = new URL(url);
  const isAllowed =
    hosts.length === 0 || hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isAllowed ? null : 'host';
}

/** `valid_links`: links are well formed and lead to allowed hosts. */
export const validLinks: CustomCheck = defineFieldCheck({
  name: 'valid_links',
  meaning:
    'Each Markdown link and each address is well formed, has a target, and leads to an allowed host. The value is the share of such links. Nothing is fetched.',
  needs: 'a value at `field`; a text without links is valid',
  members: {
    hosts: z
      .array(z.string().regex(/^[a-z0-9.-]+$/, 'must be a host name in lower case'))
      .max(100)
      .default([])
      .describe('Allowed hosts with their subdomains. Default: all.'),
  },
  example: { hosts: ['example.com'] },
  title: ({ hosts }) =>
    hosts.length === 0 ? 'Links are valid' : `Links are valid and lead to ${listed(hosts)}`,
  prepare:
    ({ hosts }) =>
    ({ text }) => {
      const links = linksOf(text);
      const broken = links.filter(({ url }) => faultOf(url, hosts) !== null);
      const met = broken.length === 0;
      return {
        value: links.length === 0 ? 1 : (links.length - broken.length) / links.length,
        met,
        reasoning: met
          ? `all ${links.length} links are valid`
          : `not valid: ${listed(broken.map(({ url }) => url))}`,
        evidence: evidenceAt(text, broken.slice(0, EVIDENCE_MAX)),
      };
    },
});
