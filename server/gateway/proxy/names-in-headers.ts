import type { IncomingHttpHeaders } from 'node:http';

/**
 * The data about a call in its headers. Assay's own headers come first, then those of gateways
 * whose clients send them already: Helicone (https://docs.helicone.ai/features/sessions), Portkey
 * (https://portkey.ai/docs/product/observability/metadata) and LiteLLM
 * (https://docs.litellm.ai/docs/proxy/request_headers).
 */
export interface CallNames {
  /** Null if the headers name no session. */
  readonly namedSession: string | null;
  readonly clientRequestId: string | null;
  /** `user_id`, `session_name` and `session_path` of the turn, if sent. */
  readonly metadata: Readonly<Record<string, string>>;
}

const sessionHeaders = ['x-assay-session', 'helicone-session-id', 'x-litellm-session-id'];
/** A trace groups the calls of one task, which is a session unless one is named. */
const traceHeaders = ['x-portkey-trace-id', 'x-litellm-trace-id'];
const userHeaders = [
  'x-assay-user',
  'helicone-user-id',
  'x-litellm-customer-id',
  'x-litellm-end-user-id',
];

export function namesIn(sent: IncomingHttpHeaders): CallNames {
  const firstOf = (names: readonly string[]): string | null => {
    for (const name of names) {
      const value = filledText(sent[name]);
      if (value !== null) return value;
    }
    return null;
  };
  const portkey = portkeyMetadata(filledText(sent['x-portkey-metadata']));
  const metadata = {
    user_id: firstOf(userHeaders) ?? portkey.get('_user') ?? null,
    session_name: filledText(sent['helicone-session-name']),
    session_path: filledText(sent['helicone-session-path']),
  };
  return {
    namedSession:
      firstOf(sessionHeaders) ??
      portkey.get('session') ??
      portkey.get('session_id') ??
      firstOf(traceHeaders),
    clientRequestId: firstOf(['x-assay-request-id', 'idempotency-key', 'x-request-id']),
    metadata: Object.fromEntries(
      Object.entries(metadata).flatMap(([name, value]) =>
        value === null ? [] : [[name, value.slice(0, VALUE_CHARS_MAX)]],
      ),
    ),
  };
}

const VALUE_CHARS_MAX = 200;

/** The text of a header; null if it is missing or blank. */
export function filledText(value: string | readonly string[] | undefined): string | null {
  const text = (typeof value === 'string' ? value : (value?.[0] ?? '')).trim();
  return text === '' ? null : text;
}

/** The texts of a JSON object; empty if the header has anything else. */
function portkeyMetadata(text: string | null): ReadonlyMap<string, string> {
  if (text === null) return new Map();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Map();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([name, member]: [string, unknown]): [string, string][] =>
      typeof member === 'string' && member.trim() !== '' ? [[name, member.trim()]] : [],
    ),
  );
}
