import { z } from 'zod';
import type { ProjectCtx } from '../access';
import { examplesText } from '../domain';
import { notFound } from '../platform';
import { applicationKind, getBase, readApplicationPrompt } from './base';
import type { PromptDefaults } from './defaults';
import type { PromptIssue } from './front-matter';
import { readPrompt } from './read';
import { latestFront } from './save';

/** A prompt as sent to a judge, about a subject of the project. */
export interface PromptPreview {
  /** Faults that prevent saving; then there are no parts. */
  readonly issues: readonly PromptIssue[];
  /** Warnings for its author. */
  readonly warnings: readonly PromptIssue[];
  /** In order: text of the prompt, and values in place of placeholders. */
  readonly parts: readonly PreviewPart[];
  /** The subject that fills it; null if the project has none of this kind. */
  readonly subject: PreviewSubject | null;
  /** The latest ones, to choose from. */
  readonly subjects: readonly PreviewSubject[];
}

export interface PreviewSubject {
  readonly id: string;
  /** The id that the sender assigned. */
  readonly clientId: string | null;
  readonly taskId: string | null;
  readonly model: string | null;
  readonly at: Date;
}

export interface PreviewPart {
  /** Null means the prompt's own text. */
  readonly name: string | null;
  /** Null if the value comes from the judge or is not part of this subject. */
  readonly text: string | null;
  /** Characters omitted at the end. */
  readonly cut: number;
}

interface PreviewInput {
  readonly slug: string;
  /** Saved or not. */
  readonly body: string;
  readonly subject?: string | undefined;
}

const subjectsShown = 20;
const valueChars = 12_000;
/** A larger subject can be judged but not previewed. */
const contentChars = 1_000_000;
const placeholder = /\{\{([a-z][a-z0-9_]*)\}\}/;

/**
 * Fills a text with a real subject, literally: a value is never read as a placeholder (S-34).
 * Changes nothing and calls no model.
 * @throws AssayError not_found (no such prompt, no such subject in this project)
 */
export async function previewPrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  { slug, body, subject }: PreviewInput,
): Promise<PromptPreview> {
  const base = await getBase(ctx, defaults, slug);
  const subjects = await listSubjects(ctx, base.kind);
  const chosen = subject ?? subjects[0]?.id;
  const found = chosen === undefined ? null : await findSubject(ctx, base.kind, chosen);
  if (subject !== undefined && found === null) throw notFound('subject');
  const read =
    base.kind === applicationKind
      ? readApplicationPrompt(body)
      : readPrompt(body, base.version === 0 ? base.front : await latestFront(ctx, slug));
  const values =
    found === null
      ? new Map<string, unknown>()
      : base.version === 0
        ? fieldsOf(found.content)
        : customFieldsOf(found.content);
  if (read.state === 'valid' && read.front.output === 'decomposition')
    values.set('examples', examplesText(read.front.examples));
  return {
    issues: read.state === 'valid' ? [] : read.issues,
    warnings: read.state === 'valid' ? read.warnings : [],
    parts: read.state === 'valid' ? partsOf(read.text, values) : [],
    subject: found === null ? null : asSubject(found),
    subjects,
  };
}

interface SubjectRow {
  id: string;
  client_id: string | null;
  task_id: string | null;
  model: string | null;
  created_at: string;
}

async function listSubjects(
  { sql, projectId }: ProjectCtx,
  kind: string,
): Promise<PreviewSubject[]> {
  const rows = await sql<SubjectRow[]>`
    select id, client_id, task_id, model, created_at from subjects s
    where project_id = ${projectId} and kind = ${kind}
      and not exists (select from turns t where t.project_id = s.project_id and t.id = s.turn_id and t.origin = 'experiment')
    order by created_at desc, id desc limit ${subjectsShown}`;
  return rows.map(asSubject);
}

async function findSubject(
  { sql, projectId }: ProjectCtx,
  kind: string,
  id: string,
): Promise<(SubjectRow & { content: string }) | null> {
  const [row] = await sql<(SubjectRow & { content: string })[]>`
    select id, client_id, task_id, model, created_at, case when length(content) <= ${contentChars} then content else '{}' end as content
    from subjects where project_id = ${projectId} and kind = ${kind} and id = ${id}`;
  return row ?? null;
}

function asSubject({ id, client_id, task_id, model, created_at }: SubjectRow): PreviewSubject {
  return { id, clientId: client_id, taskId: task_id, model, at: new Date(created_at) };
}

/** The API names of the members of a subject (api.md, Verify), by placeholder. */
const fieldNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['task', ['task_description', 'description']],
  ['criteria', ['success_criteria']],
  ['output', ['task_output']],
  ['context', ['shared_context']],
  ['mission', ['description']],
  ['outputs', ['agent_outputs']],
]);

const Content = z.object({ subject: z.record(z.string(), z.unknown()) });
const Outputs = z.array(z.object({ output: z.unknown() }));

/**
 * @param content of a stored subject: `{"subject": {…}, "facts": {…}}`; `subject` comes from the
 * sender
 */
function fieldsOf(content: string): Map<string, unknown> {
  const { data } = Content.safeParse(JSON.parse(content));
  const fields = new Map(Object.entries(data?.subject ?? {}));
  for (const [name, wire] of fieldNames) {
    const member = wire.find((each) => fields.has(each));
    if (member !== undefined && !fields.has(name)) fields.set(name, fields.get(member));
  }
  // If there are several outputs, the first two represent all pairs.
  const { data: outputs } = Outputs.safeParse(fields.get('outputs'));
  for (const [index, name] of (['first', 'second'] as const).entries()) {
    const output = outputs?.[index]?.output;
    if (output !== undefined && !fields.has(name)) fields.set(name, output);
  }
  return fields;
}

const CustomContent = z.object({
  subject: z.object({
    subject: z.record(z.string(), z.unknown()),
    variables: z.record(z.string(), z.unknown()).catch({}),
  }),
});

/** @param content of a subject of a custom judge: mapped variables, then its members */
function customFieldsOf(content: string): Map<string, unknown> {
  const { data } = CustomContent.safeParse(JSON.parse(content));
  if (data === undefined) return new Map();
  const { subject, variables } = data.subject;
  return new Map([...Object.entries({ subject, ...subject }), ...Object.entries(variables)]);
}

function partsOf(text: string, values: ReadonlyMap<string, unknown>): PreviewPart[] {
  // Split by a pattern with one group: texts and names alternate.
  const pieces = text.split(placeholder);
  return pieces.flatMap<PreviewPart>((piece, index) => {
    if (index % 2 === 0) return piece === '' ? [] : [{ name: null, text: piece, cut: 0 }];
    const value = values.get(piece);
    if (value === undefined || value === null || value === '')
      return [{ name: piece, text: null, cut: 0 }];
    const fullText = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return [
      {
        name: piece,
        text: fullText.slice(0, valueChars).toWellFormed(),
        cut: Math.max(0, fullText.length - valueChars),
      },
    ];
  });
}
