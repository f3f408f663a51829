import { canonicalJson, cleanText, sliceItems, sliceMembers } from '../../domain';
import { derivedId, sha256 } from '../../platform';

/** The members of an item's content, in the order in which they are stored. */
const contentMembers = ['input', 'context', 'tools', 'reference', 'metadata'] as const;
type ContentMember = (typeof contentMembers)[number];

/** JSON text of each member, with digits as sent; null if it is missing. */
export type ItemContent = Readonly<Record<ContentMember, string | null>>;

/** An item ready to be stored. */
export interface NewItem {
  readonly id: string;
  /** JSON text of the members that are present. */
  readonly content: string;
  /** Of the input, the context and the tools. */
  readonly contentHash: string;
  readonly split: string | null;
  readonly tags: readonly string[];
  readonly turnId: string | null;
  /** Of the label of the reference. */
  readonly selection: string | null;
  readonly probability: number | null;
}

export interface ItemParts {
  /** Null if derived from the content, so that the same item has the same id when resent. */
  readonly id: string | null;
  readonly content: ItemContent;
  readonly split?: string | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly turnId?: string | null;
  readonly selection?: string | null;
  readonly probability?: number | null;
}

/** The content must be nested at most as deep as intake allows. */
export function newItem(parts: ItemParts): NewItem {
  const { content } = parts;
  const text = contentText(content);
  return {
    id: parts.id === null ? derivedId('itm', canonicalJson(text)) : cleanText(parts.id).text,
    content: text,
    contentHash: hashOf(content),
    split: parts.split == null ? null : cleanText(parts.split).text,
    tags: [...new Set((parts.tags ?? []).map((tag) => cleanText(tag).text))],
    turnId: parts.turnId ?? null,
    selection: parts.selection ?? null,
    probability: parts.probability ?? null,
  };
}

function contentText(content: ItemContent): string {
  const members = contentMembers.flatMap((name) =>
    content[name] === null ? [] : [`"${name}":${content[name]}`],
  );
  return `{${members.join(',')}}`;
}

/** An empty list of sources or tools equals a missing one. */
function hashOf({ input, context, tools }: ItemContent): string {
  const part = (text: string | null): string => {
    const canonical = text === null ? '[]' : canonicalJson(text);
    return canonical === 'null' ? '[]' : canonical;
  };
  return sha256(
    [input === null ? 'null' : canonicalJson(input), part(context), part(tools)].join('\n'),
  );
}

/** The members of an object's JSON text; null for a missing one and for null, except an input. */
export function readItemContent(text: string): ItemContent {
  const members = sliceMembers(text);
  const read = (name: string): string | null => {
    const at = members.get(name);
    const raw = at === undefined ? 'null' : text.slice(at.start, at.end);
    return raw === 'null' && (name !== 'input' || at === undefined) ? null : raw;
  };
  return {
    input: read('input'),
    context: read('context'),
    tools: read('tools'),
    reference: read('reference'),
    metadata: read('metadata'),
  };
}

/** JSON text of sources as blocks: strings become the content of one. */
export function asBlocks(raw: string): string {
  const block = (text: string): string => (text.startsWith('"') ? `{"content":${text}}` : text);
  if (raw.startsWith('"')) return `[${block(raw)}]`;
  return `[${sliceItems(raw)
    .map(({ start, end }) => block(raw.slice(start, end)))
    .join(',')}]`;
}

interface Compared {
  readonly content: string;
  readonly split: string | null;
  readonly tags: readonly string[];
}

/** Whether two items are equal, regardless of their white space and the order of their members. */
export function isSameItem(one: Compared, other: Compared): boolean {
  return (
    one.split === other.split &&
    one.tags.length === other.tags.length &&
    one.tags.every((tag, at) => tag === other.tags[at]) &&
    isSameJson(one.content, other.content)
  );
}

export const isSameJson = (one: string, other: string): boolean =>
  one === other || canonicalJson(one) === canonicalJson(other);
