import { invalid } from '../../../platform';
import type { McpTool } from './tools';

/** The request of a tool call, relative to the base of the API. */
export interface ToolRequest {
  readonly method: string;
  readonly path: string;
  /** JSON; null without one. */
  readonly body: string | null;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Distributes the arguments of a call over path, query and body; the route checks them.
 * @throws AssayError invalid_request (a part of the path is missing, or an argument is unknown)
 */
export function toolRequestOf(tool: McpTool, args: Arguments): ToolRequest {
  const { route, queryMembers, hasBodyMember } = tool;
  const remaining = new Map(Object.entries(args));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = remaining.get(name);
    remaining.delete(name);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw invalid(`${name}: is required, as a text`, [{ path: name, message: 'is required' }]);
    // A dot segment would name another path.
    const part = String(value);
    if (part === '' || part === '.' || part === '..')
      throw invalid(`${name}: must be an id`, [{ path: name, message: 'must be an id' }]);
    return encodeURIComponent(part);
  });
  const query = new URLSearchParams();
  for (const name of queryMembers) {
    const value = remaining.get(name);
    remaining.delete(name);
    if (value !== undefined && value !== null) query.set(name, queryText(value));
  }
  const body = route.body === undefined ? null : bodyOf(remaining, hasBodyMember);
  const [unknown] = remaining.keys();
  if (unknown !== undefined)
    throw invalid(`${unknown}: is not an argument of ${tool.name}`, [
      { path: unknown, message: 'is unknown' },
    ]);
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return { method: route.method.toUpperCase(), path: path + search, body };
}

/** A list is written as in a URL: `a,b`. */
const queryText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(String).join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** Takes the members of the body out of `rest`; without a body member, all of them. */
function bodyOf(remaining: Map<string, unknown>, hasBodyMember: boolean): string {
  if (hasBodyMember) {
    const body = remaining.get('body');
    remaining.delete('body');
    return JSON.stringify(body ?? null);
  }
  const body = JSON.stringify(Object.fromEntries(remaining));
  remaining.clear();
  return body;
}
