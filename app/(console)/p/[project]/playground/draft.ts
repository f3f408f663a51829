import type { PlaygroundTurn } from '@/app/_trpc/outputs';
import { chatRoles, playgroundLimits } from '@/server/experiments/input';

export type Role = (typeof chatRoles)[number];

export interface Message {
  /** Identifies the message while it is edited. */
  readonly key: number;
  readonly role: Role;
  readonly content: string;
}

/** The playground's request: messages, and the values of their placeholders as typed. */
export interface Draft {
  readonly messages: readonly Message[];
  readonly input: string;
  readonly context: string;
  readonly tools: string;
}

export const emptyDraft: Draft = {
  messages: [
    { key: 0, role: 'system', content: '' },
    { key: 1, role: 'user', content: '{{input}}' },
  ],
  input: '',
  context: '',
  tools: '',
};

type Source = Pick<PlaygroundTurn, 'input' | 'context' | 'tools'>;

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** JSON text as a person edits it: a string without its quotes. */
function editable(json: string | null): string {
  if (json === null) return '';
  const value = parsed(json);
  return typeof value === 'string' ? value : json;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The messages of a conversation of texts; null if the JSON text is not a conversation. */
function conversation(json: string | null): Message[] | null {
  const value = json === null ? null : parsed(json);
  if (!Array.isArray(value) || value.length === 0 || value.length > playgroundLimits.messages)
    return null;
  const messages = value.map((each, key): Message | null => {
    if (!isObject(each)) return null;
    const role = chatRoles.find((known) => known === each['role']);
    const content = each['content'];
    return role === undefined || typeof content !== 'string' ? null : { key, role, content };
  });
  return messages.every((message) => message !== null) ? messages : null;
}

/** The draft of a turn or an item: its conversation, with the recorded tool results at the end. */
export function draftOf({ input, context, tools }: Source): Draft {
  const recorded = conversation(input);
  const messages = recorded ?? emptyDraft.messages;
  const added = [
    ...(context === null ? [] : ['Context:\n{{context}}']),
    ...(tools === null ? [] : ['Tool results:\n{{tools}}']),
  ].join('\n\n');
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return {
    messages: messages.map((message, n) =>
      n === last && added !== ''
        ? { ...message, content: `${message.content}\n\n${added}` }
        : message,
    ),
    input: recorded === null ? editable(input) : '',
    context: editable(context),
    tools: editable(tools),
  };
}

/** JSON text of a value: an object or a list as typed, anything else as a string. */
function jsonOf(text: string): string {
  const value = /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  return value === undefined ? JSON.stringify(text) : text;
}

/** The members of the draft's item, as JSON texts. */
function membersOf({ input, context, tools }: Draft): (readonly [string, string])[] {
  const optional = [
    ['context', context],
    ['tools', tools],
  ] as const;
  return [
    ['input', jsonOf(input)],
    ...optional.flatMap(([name, text]) =>
      text.trim() === '' ? [] : [[name, jsonOf(text)] as const],
    ),
  ];
}

const objectOf = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`;

/** JSON text of the item that fills the placeholders; digits stay as typed. */
export const itemText = (draft: Draft): string => objectOf(membersOf(draft));

/**
 * JSON text of the request that adds the draft to a dataset. Without an input, the messages are the
 * input.
 */
export function newItemText(draft: Draft, reference: string | null): string {
  const [input = ['input', '""'], ...rest] = membersOf(draft);
  const sent = sentMessages(draft);
  const inputMember =
    draft.input.trim() === '' ? (['input', JSON.stringify(sent)] as const) : input;
  const expected = reference === null ? [] : [['reference', JSON.stringify(reference)] as const];
  return `{"items":[${objectOf([inputMember, ...rest, ...expected])}]}`;
}

/** Messages with content. */
export const sentMessages = ({
  messages,
}: Draft): { readonly role: Role; readonly content: string }[] =>
  messages
    .filter(({ content }) => content.trim() !== '')
    .map(({ role, content }) => ({ role, content }));

/** Why the draft cannot be sent; null if it can. */
export function draftProblem(draft: Draft): string | null {
  const sent = sentMessages(draft);
  if (!sent.some(({ role }) => role !== 'system'))
    return 'Enter a user message for the model to answer.';
  const shows = sent.some(({ content }) => content.includes('{{input}}'));
  if (shows && draft.input.trim() === '') return 'Enter an input: a message inserts it.';
  return null;
}
