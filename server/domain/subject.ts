import { z } from 'zod';
import { intakeLimits } from './turn';
import { Outcome } from './verdict';

/**
 * The input of a verifier: the JSON format that mappings query, functions receive and verify calls
 * accept (`subject`). `server/verifiers/subjects` builds it from stored turns and traces.
 */
export const subjectTargets = ['turn', 'trace', 'session', 'mission'] as const;
export const SubjectTarget = z.enum(subjectTargets);
export type SubjectTarget = z.infer<typeof SubjectTarget>;

/** Limits of a subject, in addition to those of every body (20 MiB, nesting 64). */
export const subjectLimits = {
  items: 50_000,
  turns: 10_000,
  pathChars: 1_000,
  mappedVariables: 100,
  queryChars: 1_000,
} as const;

/** `content` is text or the parts of a message. Tool calls are kept as sent. */
const Message = z.looseObject({ role: z.string().max(100), content: z.unknown().optional() });
export type SubjectMessage = z.infer<typeof Message>;

/**
 * The input of the model. `messages` is the whole conversation; `last_user` and `system` are the
 * texts of its last user message and of its system messages. An input object in another format
 * keeps its members.
 */
export interface SubjectInput {
  readonly last_user: string | null;
  readonly system: string | null;
  readonly messages: readonly SubjectMessage[];
  readonly [member: string]: unknown;
}

/** Any JSON; null if it is missing. */
const json = z
  .unknown()
  .optional()
  .transform((value): unknown => value ?? null);
const nullable = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);
const id = nullable(z.string().max(intakeLimits.idChars));
const text = nullable(z.string());
const amount = nullable(z.number().min(0));
/**
 * A list, empty if missing. With `named`, items without an id get their index as id: `tools[0]`.
 */
const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(schema)
    .max(subjectLimits.items)
    .nullish()
    .transform((items) => items ?? []);
function named<Item extends { readonly id: string | null }>(list: string) {
  return (items: readonly Item[]): (Item & { readonly id: string })[] =>
    items.map((item, at) => ({ ...item, id: item.id ?? `${list}[${at}]` }));
}

const Tool = z.object({
  id,
  name: text.transform((name) => name ?? 'tool'),
  arguments: json,
  result: json,
  /** Why the call failed; null if it did not. */
  error: text,
  /** RFC 3339. */
  started_at: text,
  duration_ms: amount,
});
export type SubjectTool = z.infer<typeof Tool> & { readonly id: string };

const ContextBlock = z.object({ id, content: json });
export type SubjectContext = z.infer<typeof ContextBlock> & { readonly id: string };

const File = z.object({
  path: z.string().min(1).max(subjectLimits.pathChars),
  content: z.string(),
});
export type SubjectFile = z.infer<typeof File>;

export const stepKinds = ['llm', 'tool', 'agent', 'retriever', 'chain'] as const;
const Step = z.object({
  kind: z.enum(stepKinds),
  name: text.transform((name) => name ?? ''),
  input: json,
  output: json,
  error: text,
});
export type SubjectStep = z.infer<typeof Step>;

/** An earlier verifier's decision about the same subject. */
const EarlierVerdict = z.object({
  outcome: Outcome,
  /** 0..1; null if the verdict has no score. */
  score: nullable(z.number()),
  /** In the verifier's own words, such as `pass` or `RETRY`. */
  verdict: text,
  verification_id: id,
});
export type SubjectVerdict = z.infer<typeof EarlierVerdict>;

const common = {
  id,
  input: z.unknown().optional().transform(subjectInput),
  output: json,
  tools: listOf(Tool).transform(named('tools')),
  context: listOf(ContextBlock).transform(named('context')),
  files: listOf(File),
  reference: json,
  model: text,
  source: text,
  session_id: id,
  trace_id: id,
  mission_id: id,
  tags: listOf(z.string()),
  metadata: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((metadata) => metadata ?? {}),
  cost_usd: amount,
  tokens: z
    .object({ input: amount, output: amount })
    .nullish()
    .transform((tokens) => tokens ?? { input: null, output: null }),
  latency_ms: amount,
  /** The steps of a trace, in the order in which they began. */
  steps: listOf(Step),
  verdicts: z
    .record(z.string(), EarlierVerdict)
    .nullish()
    .transform((verdicts) => verdicts ?? {}),
};

/** A subject without a target is a turn. */
const TurnSubject = z.strictObject({ target: z.literal('turn').default('turn'), ...common });
const TraceSubject = z.strictObject({ target: z.literal('trace'), ...common });
/** Oldest first. */
const turns = z
  .array(TurnSubject)
  .max(subjectLimits.turns)
  .nullish()
  .transform((list) => list ?? []);
const SessionSubject = z.strictObject({ target: z.literal('session'), ...common, turns });
const MissionSubject = z.strictObject({ target: z.literal('mission'), ...common, turns });

/** Idempotent: parsing a parsed subject again changes nothing. */
export const EvaluationSubject = z.discriminatedUnion('target', [
  TurnSubject,
  TraceSubject,
  SessionSubject,
  MissionSubject,
]);
export type EvaluationSubject = z.infer<typeof EvaluationSubject>;
/** The members that a mapping may read. */
export const subjectMembers: Readonly<Record<SubjectTarget, readonly string[]>> = {
  turn: Object.keys(TurnSubject.shape),
  trace: Object.keys(TraceSubject.shape),
  session: Object.keys(SessionSubject.shape),
  mission: Object.keys(MissionSubject.shape),
};
export type SubjectOf<Target extends SubjectTarget> = Extract<
  EvaluationSubject,
  { readonly target: Target }
>;

/**
 * The values of a prompt's variables: JSONPath queries over the subject (RFC 9535), or constants.
 */
export const Mapping = z
  .record(
    z.string().regex(/^[A-Za-z_]\w{0,99}$/, 'is not a variable name: letters, digits and _'),
    z.union([
      z
        .string()
        .max(subjectLimits.queryChars, `has more than ${subjectLimits.queryChars} characters`),
      z.strictObject({ value: z.unknown() }),
    ]),
  )
  .refine(
    (mapping) => Object.keys(mapping).length <= subjectLimits.mappedVariables,
    `names more than ${subjectLimits.mappedVariables} variables`,
  );
export type Mapping = z.infer<typeof Mapping>;

/** Keys under which clients send a question as the only text of an object. */
const questionMembers = [
  'input',
  'question',
  'query',
  'prompt',
  'text',
  'message',
  'task',
] as const;

/** Any JSON as the input of a model: a text, a conversation, or an object in another format. */
export function subjectInput(value: unknown): SubjectInput {
  if (value === undefined || value === null) return { last_user: null, system: null, messages: [] };
  if (isConversation(value)) return ofMessages(value);
  if (typeof value !== 'object' || Array.isArray(value))
    return ofMessages([{ role: 'user', content: value }]);
  const object = value as Readonly<Record<string, unknown>>;
  const { last_user: lastUser, system, messages } = object;
  if (isConversation(messages)) {
    const read = ofMessages(messages);
    return {
      ...object,
      messages,
      last_user: typeof lastUser === 'string' ? lastUser : read.last_user,
      system: typeof system === 'string' ? system : read.system,
    };
  }
  const isNamed = 'last_user' in object || 'system' in object;
  if (!isNamed) {
    const questions = questionMembers.filter((name) => typeof object[name] === 'string');
    const [only] = questions.length === 1 ? questions : [];
    return {
      ...object,
      ...ofMessages([{ role: 'user', content: only === undefined ? value : object[only] }]),
    };
  }
  const spokenMessages = [
    ...(system == null ? [] : [{ role: 'system', content: system }]),
    ...(lastUser == null ? [] : [{ role: 'user', content: lastUser }]),
  ];
  return { ...object, ...ofMessages(spokenMessages) };
}

function ofMessages(messages: readonly SubjectMessage[]): SubjectInput {
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
  // Anthropic's API sends tool results in user messages, which may have no text.
  const last =
    messages.findLast(({ role, content }) => role === 'user' && hasText(content)) ??
    messages.findLast(({ role }) => role === 'user');
  return {
    last_user: last === undefined ? null : messageText(last.content),
    system:
      system.length === 0 ? null : system.map(({ content }) => messageText(content)).join('\n\n'),
    messages,
  };
}

function isConversation(value: unknown): value is SubjectMessage[] {
  return (
    Array.isArray(value) &&
    value.every((item: unknown) => typeof item === 'object' && item !== null && hasRole(item))
  );
}

function hasRole(item: object): boolean {
  return 'role' in item && typeof item.role === 'string';
}

function hasText(content: unknown): boolean {
  return (Array.isArray(content) ? content : [content]).some((part) => partText(part) !== null);
}

/** The text of a message: its text parts, or JSON text if it has none. */
export function messageText(content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = parts.map(partText);
  return texts.every((part) => part === null)
    ? JSON.stringify(content)
    : texts.filter((part) => part !== null).join('\n');
}

function partText(part: unknown): string | null {
  if (typeof part === 'string') return part;
  const isText = typeof part === 'object' && part !== null && 'text' in part;
  return isText && typeof part.text === 'string' ? part.text : null;
}

/** Any JSON as text: a string is used unchanged. */
export function jsonAsText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
