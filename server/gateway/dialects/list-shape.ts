import type { RequestHints } from './dialect';
import { geminiParts } from './gemini-request';
import type { JsonView } from './json-view';
import { hasMember, partsOf, textOfPart } from './parts';

/** The conversation list of an API, and how its entries relate to the turn (QV-5). */
export interface ListShape {
  readonly list: 'messages' | 'input' | 'contents';
  /**
   * `result`: a tool result. `user`: a user message. `other`: neither. Null if it is not a
   * conversation entry.
   */
  readonly speaker: (
    member: (name: string) => JsonView | null,
  ) => 'result' | 'user' | 'other' | null;
  readonly session: (found: (name: string) => JsonView | null) => string | null;
  /** The API streams unless `stream` is false. */
  readonly streamsByDefault?: true;
}

/**
 * If at least this many entries at the end are neither tool results nor user messages, the request
 * does not count as a tool follow-up.
 */
export const OTHERS_MAX = 200;

/** Longer session names are ignored. */
const MAX_SESSION = 1024;

export function toHints(
  found: (name: string) => JsonView | null,
  toolFollowup: boolean,
  shape: ListShape,
): RequestHints {
  const session = shape.session(found);
  return {
    model: found('model')?.string() ?? null,
    stream:
      shape.streamsByDefault === true
        ? found('stream')?.json() !== 'false'
        : found('stream')?.isTrue === true,
    session: session === null || session === '' || session.length > MAX_SESSION ? null : session,
    toolFollowup,
  };
}

function openaiSession(found: (name: string) => JsonView | null): string | null {
  return (
    found('litellm_session_id')?.string() ||
    found('user')?.string() ||
    (found('metadata')?.stringAt('session_id') ?? null)
  );
}

export const chatList: ListShape = {
  list: 'messages',
  session: openaiSession,
  speaker: (member) => {
    const role = member('role')?.string() ?? null;
    if (role === 'tool' || role === 'function') return 'result';
    if (role === 'user') return role;
    return role === null ? null : 'other';
  },
};

/** Ollama's requests name no session. */
export const ollamaList: ListShape = { ...chatList, session: () => null, streamsByDefault: true };

export const responsesInput: ListShape = {
  list: 'input',
  session: openaiSession,
  speaker: (member) => {
    const type = member('type')?.string() ?? null;
    if (type?.endsWith('_output') === true) return 'result';
    const role = member('role')?.string() ?? null;
    if (role === 'user') return role;
    return role !== null || type === 'reasoning' || type?.endsWith('_call') === true
      ? 'other'
      : null;
  },
};

export const messagesList: ListShape = {
  list: 'messages',
  session: (found) => found('metadata')?.stringAt('user_id') ?? null,
  speaker: (member) => {
    const role = member('role')?.string() ?? null;
    if (role !== 'user') return role === null ? null : 'other';
    const hasToolResult = partsOf(member('content')).some(
      (block) => textOfPart(block, 'type')?.endsWith('tool_result') === true,
    );
    return hasToolResult ? 'result' : role;
  },
};

/** Google's requests name no session. The role of a user may be missing. */
export const geminiList: ListShape = {
  list: 'contents',
  session: () => null,
  speaker: (member) => {
    const role = member('role')?.string() ?? null;
    const parts = geminiParts(member('parts'));
    if (role === 'model') return 'other';
    const hasToolResult = parts.some((part) =>
      ['functionResponse', 'function_response'].some((name) => hasMember(part, name)),
    );
    if (hasToolResult) return 'result';
    return role === null && parts.length === 0 ? null : 'user';
  },
};
