import type { Framework } from '../frameworks';

/** The path of a requested address, as it occurs in the code (QEL-10). */
export interface RequestedRoute {
  readonly pattern: string;
  /** Position in the request, in UTF-16 code units. */
  readonly at: number;
  /** The HTTP method that the request names; null if it names none. */
  readonly method: string | null;
}

/**
 * The text before a route excludes file paths, closing tags and addresses. Each part begins with
 * its slash: linear.
 */
export const routePaths =
  /(?<![\w.:/<\\~@)\]}*-])\/[a-z_][\w-]{0,80}(?:\/[\w\-.:{}<>[\]*$]{1,80}){0,12}\/?/gi;

const systemRoot = /^\/(?:var|etc|usr|tmp|home|opt|dev|proc|bin|sbin|root|mnt|sys|or|and)(?:\/|$)/i;
const method = /\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[\s`"':]{1,6}$/;
const about =
  /\b(?:routes?|endpoints?|paths?|urls?|pages?|serv(?:e|es|ing)|GET|POST|PUT|PATCH|DELETE|apis?|handlers?|links?|redirects?|navigates?|accessible|reachable|webhooks?|route|routen|endpunkte?n?|rutas?|requests?)\b|路由|接口|端点/i;
const command = /^[`"']?\s+(?:slash\s+)?(?:command|folder|directory|ordner|verzeichnis)/i;

const BESIDE_CHARS = 60;
const ROUTES_MAX = 30;
const HITS_MAX = 200;

/**
 * Routes of a request: a text of their form near a word for them. Every framework writes parameters
 * differently, so a route ends before its first one. For a framework with file-based routes none is
 * expected in the text.
 */
export function findRoutes(request: string, framework: Framework | null): RequestedRoute[] {
  if (framework?.routes === 'files') return [];
  const found: RequestedRoute[] = [];
  let hits = 0;
  let lastRoute = -1;
  for (const { 0: text, index } of request.matchAll(routePaths)) {
    if (++hits > HITS_MAX || found.length >= ROUTES_MAX) break;
    if (systemRoot.test(text) || /\.[a-z]{1,5}$/i.test(text)) continue;
    const before = request.slice(Math.max(0, index - BESIDE_CHARS), index);
    const after = request.slice(index + text.length, index + text.length + BESIDE_CHARS);
    // In a list the word precedes only the first item.
    const listed =
      lastRoute >= 0 &&
      /^[\s,`"'*&-]*(?:and|or|und|et|y|和|、)?[\s`"'*-]*$/.test(
        request.slice(lastRoute, index).slice(0, BESIDE_CHARS),
      );
    if (/\b(?:for\s+example|e\.g\.|such\s+as|z\.B\.)[\s,:`"']{0,4}$/i.test(before)) continue;
    if (
      command.test(after) ||
      !(listed || /^\/api\b/.test(text) || about.test(before) || about.test(after.slice(0, 20)))
    )
      continue;
    lastRoute = index + text.length;
    const pattern = asWritten(text, framework);
    if (pattern !== null)
      found.push({ pattern, at: index, method: method.exec(before)?.[1] ?? null });
  }
  return found;
}

function asWritten(text: string, framework: Framework | null): string | null {
  const path = text.replace(/[.:]+$/, '');
  const parameter = path.search(/\/(?:[:{<[*$]|\d{1,10}(?=\/|$))/);
  const fixed = parameter < 0 ? path : path.slice(0, parameter);
  const written = framework?.routes === 'slashless' ? fixed.slice(1) : fixed;
  return written.length < 2 ? null : written;
}
