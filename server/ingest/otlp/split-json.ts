import { skipSpace, skipString, skipValue } from '../../domain';
import type { ByteRange, ResourceLayout, ResourcePart, ScopeLayout } from './split';

const quote = 0x22;
const openObject = 0x7b;
const openArray = 0x5b;
const comma = 0x2c;
const colon = 0x3a;

/** The names of the lists in a request: of its resources, their scopes and their items. */
const spanLists = { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' };
export const logLists = { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' };

type ListNames = typeof spanLists;

/**
 * The positions of the parts of an OTLP/JSON request, in one pass. Of a duplicate key the last
 * counts, as in JSON.parse.
 */
export function layoutJson(text: string, names: ListNames = spanLists): ResourceLayout[] {
  let layout: ResourceLayout[] = [];
  walkMembers(text, 0, (key, at) => {
    if (key !== names.resources) return skipValue(text, at).end;
    layout = [];
    return walkItems(text, at, (item) => {
      const resource = locateResource(text, item, names);
      layout.push(resource.layout);
      return resource.end;
    });
  });
  return layout;
}

function locateResource(
  text: string,
  start: number,
  names: ListNames,
): { layout: ResourceLayout; end: number } {
  const head = new Map<string, ByteRange>();
  let scopes: ScopeLayout[] = [];
  const end = walkMembers(text, start, (key, at, keyStart) => {
    if (key !== names.scopes)
      return locateHead(text, at, keyStart, key, ['resource', 'schemaUrl'], head);
    scopes = [];
    return walkItems(text, at, (item) => {
      const scope = locateScope(text, item, names);
      scopes.push(scope.layout);
      return scope.end;
    });
  });
  return { layout: { head: [...head.values()], scopes }, end };
}

function locateScope(
  text: string,
  start: number,
  names: ListNames,
): { layout: ScopeLayout; end: number } {
  const head = new Map<string, ByteRange>();
  let spans: ByteRange[] = [];
  const end = walkMembers(text, start, (key, at, keyStart) => {
    if (key !== names.items)
      return locateHead(text, at, keyStart, key, ['scope', 'schemaUrl'], head);
    spans = [];
    return walkItems(text, at, (item) => {
      const itemEnd = skipValue(text, item).end;
      spans.push({ start: item, end: itemEnd });
      return itemEnd;
    });
  });
  return { layout: { head: [...head.values()], spans }, end };
}

function locateHead(
  text: string,
  at: number,
  keyStart: number,
  key: string,
  names: readonly string[],
  head: Map<string, ByteRange>,
): number {
  const { end } = skipValue(text, at);
  if (names.includes(key)) head.set(key, { start: keyStart, end });
  return end;
}

/**
 * Visits the members of the object at `start`; `visit` returns the end of the value. Returns the
 * end of the object, or of any other value there.
 */
function walkMembers(
  text: string,
  start: number,
  visit: (key: string, at: number, keyStart: number) => number,
): number {
  let at = skipSpace(text, start);
  if (text.charCodeAt(at) !== openObject) return skipValue(text, at).end;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === quote) {
    const keyStart = at;
    at = skipString(text, at);
    const key = readKey(text.slice(keyStart, at));
    at = skipSpace(text, at);
    if (text.charCodeAt(at) === colon) at = skipSpace(text, at + 1);
    at = skipSpace(text, visit(key, at, keyStart));
    if (text.charCodeAt(at) !== comma) break;
    at = skipSpace(text, at + 1);
  }
  return at + 1;
}

function walkItems(text: string, start: number, visit: (at: number) => number): number {
  if (text.charCodeAt(start) !== openArray) return skipValue(text, start).end;
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === 0x5d) return at + 1;
  for (;;) {
    at = skipSpace(text, visit(at));
    if (text.charCodeAt(at) !== comma) return at + 1;
    at = skipSpace(text, at + 1);
  }
}

function readKey(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}

/** One segment as JSON text. */
export function joinJson(text: string, parts: readonly ResourcePart[]): string {
  const resources = parts.map(({ head, scopes }) => {
    const spans = scopes.map((scope) =>
      group(
        text,
        scope.head,
        'spans',
        scope.spans.map((span) => text.slice(span.start, span.end)),
      ),
    );
    return group(text, head, 'scopeSpans', spans);
  });
  return `{"resourceSpans":[${resources.join(',')}]}`;
}

function group(
  text: string,
  head: readonly ByteRange[],
  name: string,
  items: readonly string[],
): string {
  return `{${[...head.map(({ start, end }) => text.slice(start, end)), `"${name}":[${items.join(',')}]`].join(',')}}`;
}
