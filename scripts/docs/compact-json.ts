/** JSON for human readers: a value that fits into a line of 88 characters is on one line. */
export function compactJson(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (indent.length + line.length <= 88 || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item: unknown) => compactJson(item, inner))]
    : [
        '{',
        '}',
        Object.entries(value).map(
          ([name, member]) => `${JSON.stringify(name)}: ${compactJson(member, inner)}`,
        ),
      ];
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  const text = members.map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`);
  return `{ ${text.join(', ')} }`;
}
