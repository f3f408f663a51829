import type { Span } from '../span';
import { textOf } from './read-attribute';

const PREFIX = 'assay.';

/**
 * Attributes `assay.*` of a span, falling back to those of its resource: `session.id`,
 * `mission.id`, `task.id`, `subject.kind`.
 */
export function readAssay(span: Span): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const attributes of [span.resource, span.attributes]) {
    for (const [key, value] of attributes) {
      const text = key.startsWith(PREFIX) ? textOf(value) : null;
      if (text !== null) found.set(key.slice(PREFIX.length), text);
    }
  }
  return found;
}
