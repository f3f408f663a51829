import type { JsonView } from './json-view';

/**
 * Parts of a message's content as plain values: there may be a million, and creating a view of each
 * would take seconds.
 */
export function partsOf(content: JsonView | null): readonly unknown[] {
  const parts = content?.isArray === true ? content.plain() : null;
  return Array.isArray(parts) ? (parts as readonly unknown[]) : [];
}

/** Whether a value is an object with an own member of this name. */
export function hasMember(
  value: unknown,
  name: string,
): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.hasOwn(value, name)
  );
}

/** The member's string; null if it is not a string, or not an object. */
export function textOfPart(value: unknown, name: string): string | null {
  const found = hasMember(value, name) ? value[name] : null;
  return typeof found === 'string' ? found : null;
}
