import { fillPrompt, sliceItems, sliceMembers } from '../../domain';

/** A dataset's item: JSON texts with digits as stored; absent members are null. */
export interface RunItem {
  readonly id: string;
  readonly input: string;
  readonly context: string | null;
  readonly tools: string | null;
  readonly reference: string | null;
  readonly metadata: string | null;
  readonly tags: readonly string[];
}

/** @param content JSON text of `{input, context, tools, reference, metadata}` */
export function runItemOf(id: string, content: string, tags: readonly string[]): RunItem {
  const members = sliceMembers(content);
  const textOf = (name: string): string | null => {
    const slice = members.get(name);
    if (slice === undefined) return null;
    const text = content.slice(slice.start, slice.end);
    return text === 'null' ? null : text;
  };
  return {
    id,
    input: textOf('input') ?? 'null',
    context: textOf('context'),
    tools: textOf('tools'),
    reference: textOf('reference'),
    metadata: textOf('metadata'),
    tags,
  };
}

/** A JSON text as a prompt shows it: a string without quotes, anything else as JSON. */
export function plainText(json: string): string {
  if (!json.startsWith('"')) return json;
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

/**
 * The values of a target's placeholders, as JSON texts: `input`, `context`, `tools`, and the
 * members of the metadata. The reference is not among them: a target must not see the answer.
 */
export function valuesOf(item: RunItem): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (item.metadata?.startsWith('{') === true) {
    for (const [name, { start, end }] of sliceMembers(item.metadata))
      values.set(name, item.metadata.slice(start, end));
  }
  values.set('input', item.input);
  values.set('context', item.context ?? '""');
  values.set('tools', item.tools ?? '""');
  return values;
}

/** A text with the values in place of its placeholders. */
export const fillText = (text: string, item: RunItem): string =>
  fillPrompt(
    text,
    new Map([...valuesOf(item)].map(([name, json]) => [name, plainText(json)] as const)),
  );

const ONLY_PLACEHOLDER = /^\{\{([a-z][a-z0-9_]*)\}\}$/;

/**
 * JSON text of a body with the values in place of its placeholders: a text that is one placeholder
 * becomes its value, of any type; within other texts values are inserted as text.
 */
export function fillBody(body: unknown, item: RunItem): string {
  const values = valuesOf(item);
  const fill = (value: unknown): string => {
    if (typeof value === 'string') {
      const placeholder = ONLY_PLACEHOLDER.exec(value)?.[1];
      const json = placeholder === undefined ? undefined : values.get(placeholder);
      return json ?? JSON.stringify(fillText(value, item));
    }
    if (Array.isArray(value)) return `[${value.map(fill).join(',')}]`;
    if (typeof value === 'object' && value !== null)
      return `{${Object.entries(value)
        .map(([name, member]) => `${JSON.stringify(name)}:${fill(member)}`)
        .join(',')}}`;
    return JSON.stringify(value ?? null);
  };
  return fill(body);
}

/** The messages of a conversation; null if the JSON text is none. */
export function chatMessages(
  json: string,
): readonly { readonly role: string; readonly content: string }[] | null {
  if (!json.startsWith('[')) return null;
  const messages = sliceItems(json).flatMap(({ start, end }) => {
    const text = json.slice(start, end);
    if (!text.startsWith('{')) return [];
    const members = sliceMembers(text);
    const [role, content] = ['role', 'content'].map((name) => members.get(name));
    if (role === undefined || content === undefined) return [];
    return [
      {
        role: plainText(text.slice(role.start, role.end)),
        content: plainText(text.slice(content.start, content.end)),
      },
    ];
  });
  return messages.length > 0 && messages.length === sliceItems(json).length ? messages : null;
}
