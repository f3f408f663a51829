/**
 * Helicone names the session and the user of a call in request headers. Its loggers for
 * OpenTelemetry pass the same names as properties of the trace, and instrumentations of HTTP
 * clients record them as `http.request.header.*`. Source: Helicone, "Sessions" and "User Metrics".
 */
import type { Span } from '../span';
import type { ConventionPart } from './gen-span';
import { attributeTexts } from './read-attribute';

/** Names without case; they follow the last dot of the key, or are the whole key. */
const SESSION = ['helicone-session-id', 'helicone.session.id', 'helicone.session_id'] as const;
const USER = ['helicone-user-id', 'helicone.user.id', 'helicone.user_id'] as const;

export function readHelicone(span: Span): ConventionPart | null {
  const sessionId = named(span, SESSION);
  const userId = named(span, USER);
  return sessionId === null && userId === null ? null : { sessionId, userId };
}

function named(span: Span, names: readonly string[]): string | null {
  for (const [key, value] of span.attributes) {
    const lower = key.toLowerCase();
    const isNamed = names.some((name) => lower === name || lower.endsWith(`.${name}`));
    // A header is a list of its values.
    const [text] = isNamed ? attributeTexts(value) : [];
    if (text !== undefined) return text;
  }
  return null;
}
