import { z } from 'zod';

/** A criterion of a task for people to read. */
export interface SubjectCriterion {
  /** The requirement, or the check with its value. */
  readonly text: string;
  /** Null: a judge judges it. */
  readonly check: string | null;
  readonly weight: number;
  readonly mustPass: boolean;
}

/** A text of the subject. `name` is the prefix of references to it: `output` in `output:12-40`. */
export interface SubjectText {
  readonly name: string;
  readonly text: string;
}

export interface SubjectOutput extends SubjectText {
  /** For a mission's task; null for others. */
  readonly description: string | null;
  readonly verificationId: string | null;
  /** Its own verdict, according to its sender; null if unknown. */
  readonly verdict: string | null;
}

/** The submitted work, in one shape for all kinds: the request, and the outputs. */
export interface SubjectContentView {
  /** The request; empty if none was given. */
  readonly description: string;
  readonly criteria: readonly SubjectCriterion[];
  readonly context: string;
  readonly scoringMode: string | null;
  /** One for a task, one for each task of a mission or for each compared output. */
  readonly outputs: readonly SubjectOutput[];
  /** The JSON text of all other members, or null. */
  readonly other: string | null;
}

/** Read leniently: a subject that an earlier release stored is still shown. */
const Text = z
  .unknown()
  .optional()
  .transform((value) =>
    typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value),
  );
const Id = z.string().nullish();

const Criterion = z.union([
  z
    .string()
    .transform((text): SubjectCriterion => ({ text, check: null, weight: 1, mustPass: false })),
  z
    .object({
      check: z.string(),
      value: z.unknown(),
      weight: z.number().catch(1),
      must_pass: z.boolean().catch(true),
    })
    .transform(
      ({ check, value, weight, must_pass }): SubjectCriterion => ({
        text: value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
        check,
        weight,
        mustPass: must_pass,
      }),
    ),
  z
    .object({ text: z.string(), weight: z.number().catch(1), must_pass: z.boolean().catch(false) })
    .transform(
      ({ text, weight, must_pass }): SubjectCriterion => ({
        text,
        check: null,
        weight,
        mustPass: must_pass,
      }),
    ),
]);

const Task = z.object({
  task_description: Text,
  success_criteria: z.array(Criterion).catch([]),
  task_output: z.string(),
  shared_context: Text,
  scoring_mode: z.string().nullish(),
});
const Consistency = z.object({
  outputs: z.array(z.object({ task_id: z.string(), output: Text })),
  shared_context: Text,
});
const Mission = z.object({
  description: Text,
  tasks: z.array(
    z.object({
      task_id: z.string(),
      description: Text,
      output: Text,
      verification_id: Id,
      verdict: Id.catch(null),
    }),
  ),
});
const Exchange = z.object({
  messages: z.array(z.object({ role: z.string(), content: Text })),
  completion: z.string(),
});

const none: SubjectContentView = {
  description: '',
  criteria: [],
  context: '',
  scoringMode: null,
  outputs: [],
  other: null,
};

const plainOutput = { description: null, verificationId: null, verdict: null };

/**
 * @param content the stored JSON text, `{"subject":…,"facts":…}`. Never throws: unreadable content
 * is shown unchanged.
 */
export function viewSubject(kind: string, content: string): SubjectContentView {
  const subject = subjectOf(content);
  if (kind === 'task') {
    const { success, data } = Task.safeParse(subject);
    if (success) {
      return {
        ...none,
        description: data.task_description,
        criteria: data.success_criteria,
        context: data.shared_context,
        scoringMode: data.scoring_mode ?? null,
        outputs: [{ ...plainOutput, name: 'output', text: data.task_output }],
      };
    }
  }
  if (kind === 'consistency') {
    const { success, data } = Consistency.safeParse(subject);
    if (success) {
      const outputs = data.outputs.map(({ task_id, output }) => ({
        ...plainOutput,
        name: task_id,
        text: output,
      }));
      return { ...none, context: data.shared_context, outputs };
    }
  }
  if (kind === 'mission') {
    const { success, data } = Mission.safeParse(subject);
    if (success) {
      const outputs = data.tasks.map(
        ({ task_id, description, output, verification_id, verdict }) => ({
          name: task_id,
          text: output,
          description: description === '' ? null : description,
          verificationId: verification_id ?? null,
          verdict: verdict ?? null,
        }),
      );
      return { ...none, description: data.description, outputs };
    }
  }
  if (kind === 'exchange') {
    const { success, data } = Exchange.safeParse(subject);
    if (success) {
      const description = data.messages
        .map(({ role, content: said }) => `${role}: ${said}`)
        .join('\n\n');
      return {
        ...none,
        description,
        outputs: [{ ...plainOutput, name: 'completion', text: data.completion }],
      };
    }
  }
  return { ...none, other: content };
}

function subjectOf(content: string): unknown {
  try {
    return z.object({ subject: z.unknown() }).parse(JSON.parse(content)).subject;
  } catch {
    return null;
  }
}
