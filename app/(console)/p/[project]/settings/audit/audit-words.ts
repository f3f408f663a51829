/** One member of a change's detail: its name in words, and its value. */
interface DetailPart {
  readonly name: string;
  readonly text: string;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `newKey`, `pass_threshold` → `new key`, `pass threshold`. */
function wordsOfName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  if (isMembers(value)) {
    return Object.entries(value)
      .map(([name, member]) => `${wordsOfName(name)} ${textOf(member)}`)
      .join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The parts of a member that changed, before and after; unchanged parts are omitted. */
function changedParts(before: Members, after: Members): DetailPart[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [textOf(before[name]), textOf(after[name])];
    return was === is ? [] : [{ name: wordsOfName(name), text: `${was} → ${is}` }];
  });
}

/** The detail of a change, stored as JSON, as names and values; absent values are omitted. */
export function detailParts(detail: string): DetailPart[] {
  const members = readMembers(detail);
  if (members === null) return [{ name: '', text: detail }];
  const { before, after, config, ...rest } = members;
  const changed = after ?? config;
  const isChange = isMembers(before) && isMembers(changed);
  const others = isChange ? rest : members;
  return [
    ...(isChange ? changedParts(before, changed) : []),
    ...Object.entries(others).flatMap(([name, value]) =>
      value === null ? [] : [{ name: wordsOfName(name), text: textOf(value) }],
    ),
  ];
}

function readMembers(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : null;
  } catch {
    return null;
  }
}
