import type { AnyKind, LabelledExample } from '../../verifiers';
import type { SubjectFacts } from './load-subjects';
import { readContent } from './subject-content';
import type { StoredExample } from './subject-deps';

interface Chosen {
  readonly count: number;
  /** The subject to judge, which must not be among its own examples. */
  readonly subject: unknown;
  readonly stored: Pick<SubjectFacts, 'id' | 'sessionId'>;
}

/**
 * Examples for one subject, good and bad ones in turn. Omits the subject itself, its session, and
 * work on the same request, since their labels would reveal the answer.
 */
export function chooseExamples(
  kind: AnyKind,
  found: readonly StoredExample[],
  { count, subject, stored }: Chosen,
): readonly LabelledExample[] {
  const request = requestOf(subject);
  const usable = found.flatMap(({ subjectId, sessionId, content, good, reason }) => {
    const isOwn = subjectId === stored.id || (sessionId !== null && sessionId === stored.sessionId);
    const read = isOwn ? null : tryRead(kind, content);
    if (read === null || (request !== null && requestOf(read) === request)) return [];
    return [{ subject: read, passes: good, reason }];
  });
  const [good, bad] = [true, false].map((passes) => usable.filter((e) => e.passes === passes));
  const inTurn = usable.flatMap((_, at) => [
    ...(bad?.slice(at, at + 1) ?? []),
    ...(good?.slice(at, at + 1) ?? []),
  ]);
  return inTurn.slice(0, count);
}

/** The request of a subject as JSON text; null if it has none. */
function requestOf(subject: unknown): string | null {
  if (typeof subject !== 'object' || subject === null || !('subject' in subject)) return null;
  const { subject: own } = subject;
  if (typeof own !== 'object' || own === null || !('input' in own)) return null;
  const text = JSON.stringify(own.input);
  return text === JSON.stringify({ last_user: null, system: null, messages: [] }) ? null : text;
}

/** Null for content that this release cannot read. */
function tryRead(kind: AnyKind, content: string): unknown {
  try {
    return readContent(kind, content).subject;
  } catch {
    return null;
  }
}
