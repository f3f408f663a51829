// The shared programs with recorded results (data/README.md, "Code"), read in place.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { root } from '../../scripts/data-dir.mjs';

const data = resolve(process.env['ASSAY_DATA'] ?? join(root, '..', 'shared', 'data'));

const HumanEval = z.object({
  id: z.string(),
  request: z.string(),
  tests: z.string(),
  completions: z.array(
    z.object({
      id: z.number(),
      text: z.string(),
      recorded_status: z.string(),
      passed: z.boolean(),
    }),
  ),
});
const HumanEvalX = z.object({
  id: z.string(),
  request: z.string(),
  completion: z.string(),
  program_with_tests: z.string(),
  rerun: z.object({ passed: z.boolean() }),
});
const ClassEval = z.object({
  id: z.string(),
  request: z.string(),
  imports: z.array(z.string()),
  tests: z.string(),
  replies: z.array(z.object({ model: z.string(), text: z.string(), passed: z.boolean() })),
});

/**
 * Recorded as passed, although its tests are defined but never called: nothing was asserted, so
 * this is not a proof.
 */
export const provesNothing = new Set(['humaneval-x-js/119/0']);

export interface Program {
  readonly id: string;
  readonly runner: 'node' | 'unittest';
  readonly request: string;
  /** The code only, as it would be delivered. */
  readonly solution: { readonly path: string; readonly content: string };
  /** Code and tests together, as run when the result was recorded. */
  readonly path: string;
  readonly content: string;
  /** As recorded. */
  readonly passed: boolean;
  /** Whether it uses its whole time limit. */
  readonly isEndless: boolean;
}

function read<Row>(name: string, schema: z.ZodType<Row>): readonly Row[] {
  const lines = readFileSync(join(data, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => schema.parse(JSON.parse(line)));
}

function longestBlock(text: string): string {
  const blocks = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
  return blocks.toSorted((a, b) => b.length - a.length)[0] ?? text;
}

export const programs: Readonly<Record<string, () => readonly Program[]>> = {
  'code-humaneval-js': () =>
    read('code-humaneval-js', HumanEval).flatMap(({ id, request, tests, completions }) =>
      completions.map(
        (one) =>
          ({
            id: `${id}/${one.id}`,
            runner: 'node',
            request,
            solution: { path: 'solution.js', content: `${request}${one.text}` },
            path: 'program.js',
            content: `${request}${one.text}\n${tests}`,
            passed: one.passed,
            isEndless: one.recorded_status === 'Timeout',
          }) as const,
      ),
    ),
  'code-humanevalx-js': () =>
    read('code-humanevalx-js', HumanEvalX).map(
      ({ id, request, completion, program_with_tests, rerun }) =>
        ({
          id,
          runner: 'node',
          request,
          solution: { path: 'solution.js', content: `${request}${completion}` },
          path: 'program.js',
          content: program_with_tests,
          passed: rerun.passed,
          isEndless: false,
        }) as const,
    ),
  'code-classeval-python': () =>
    read('code-classeval-python', ClassEval).flatMap(({ id, request, imports, tests, replies }) =>
      replies.map((reply) => {
        const content = `${imports.join('\n')}\n${longestBlock(reply.text)}\n`;
        return {
          id: `${id}/${reply.model}`,
          runner: 'unittest',
          request,
          solution: { path: 'program.py', content },
          path: 'test_program.py',
          content: `${content}${tests}\n`,
          passed: reply.passed,
          isEndless: false,
        } as const;
      }),
    ),
};

const Work = z.object({
  id: z.string(),
  request: z.string(),
  files: z.record(z.string(), z.string()),
});
export type Work = z.infer<typeof Work>;

/** Reference solutions in TypeScript, each of which compiles next to its packages. */
export const references = (): readonly Work[] => read('code-convex-typescript', Work);

/** Unmodified starter projects, left by agents that did nothing. */
export const unfinished = (): readonly Work[] => read('code-nextjs-unfinished', Work);

export function hasPrograms(): boolean {
  return existsSync(join(data, 'code-humaneval-js.jsonl'));
}
