import { z } from 'zod';
import { ContractPattern, plainName } from '../../domain';
import { testRunners } from '../../code';

/** Limits of a subject, in addition to those of every body (20 MiB, nesting 64). */
const codeLimits = {
  files: 500,
  fileChars: 5_000_000,
  allChars: 8_000_000,
  pathChars: 240,
  pathDepth: 30,
  requestChars: 200_000,
  toolResults: 1_000,
  toolResultChars: 100_000,
  deliverables: 500,
  patterns: 200,
} as const;

/**
 * Why a path is refused: it has `..`, a root, a drive, a backslash or control characters. Null for
 * a path that stays below its folder.
 */
function faultOf(path: string): string | null {
  // oxlint-disable-next-line no-control-regex -- finds NUL and other control characters
  if (/[\u0000-\u001f\u007f]/u.test(path)) return 'must not contain a control character';
  if (path.includes('\\')) return 'must not contain a backslash; use forward slashes';
  if (path.startsWith('/') || /^[A-Za-z]:/u.test(path)) return 'must be relative';
  const parts = path.split('/');
  if (parts.length > codeLimits.pathDepth)
    return `must have at most ${codeLimits.pathDepth} folders`;
  if (parts.includes('..')) return 'must not leave its folder by ".."';
  return parts.some((part) => part === '' || part === '.') ? 'must not have an empty part' : null;
}

const Path = z
  .string()
  .min(1, 'must not be empty')
  .max(codeLimits.pathChars)
  .transform((path) => path.replace(/^(?:\.\/)+/u, '').toWellFormed())
  .superRefine((path, issues) => {
    const fault = faultOf(path);
    if (fault !== null)
      issues.addIssue({ code: 'custom', message: `${fault}: ${JSON.stringify(path)}` });
  });

const File = z.object({ path: Path, content: z.string().max(codeLimits.fileChars) });

/** Paths that occur twice, or are both a file and a folder, are refused by name. */
function refuseClashes(
  paths: readonly { readonly path: string; readonly at: (string | number)[] }[],
  issues: z.core.$RefinementCtx,
): void {
  const seen = new Set<string>();
  const folders = new Set<string>();
  for (const { path, at } of paths) {
    const name = JSON.stringify(path);
    if (seen.has(path))
      issues.addIssue({ code: 'custom', path: at, message: `has the path twice: ${name}` });
    seen.add(path);
    for (let cut = path.indexOf('/'); cut >= 0; cut = path.indexOf('/', cut + 1))
      folders.add(path.slice(0, cut));
  }
  for (const { path, at } of paths) {
    if (folders.has(path))
      issues.addIssue({
        code: 'custom',
        path: at,
        message: `is both a file and a folder: ${JSON.stringify(path)}`,
      });
  }
}

const PatternText = z.string().min(1).max(240);

/**
 * A contract as `POST /v1/contracts` returns it; members that describe no deliverable are ignored.
 */
const WireContract = z.object({
  active: z.boolean().default(true),
  reason: z.string().max(1_000).nullish(),
  confidence: z.enum(['low', 'medium', 'high']).default('medium'),
  deliverables: z.array(Path).max(codeLimits.deliverables).default([]),
  framework: z.string().min(1).max(100).nullish(),
  hard_patterns: z.array(PatternText).max(codeLimits.patterns).default([]),
  soft_patterns: z.array(PatternText).max(codeLimits.patterns).default([]),
  /** The same patterns by file; if given, the two lists are ignored. */
  patterns: z.array(ContractPattern).max(codeLimits.patterns).nullish(),
  expected_elements: z
    .record(z.string().max(1_000), z.number().int().min(0).max(100_000))
    .default({}),
  gates: z.array(z.string().max(500)).max(50).default([]),
});
export type WireContract = z.infer<typeof WireContract>;

/** Any output of a tool, as text. */
const ToolResult = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))
  .transform((text) => text.slice(0, codeLimits.toolResultChars).toWellFormed());

/** The members of `POST /v1/verify/code` that only this kind has. Parsing is idempotent. */
export const CodeSubject = z
  .object({
    request: z.string().max(codeLimits.requestChars).default(''),
    files: z.array(File).max(codeLimits.files),
    model: plainName(300).nullish(),
    executor_model: plainName(300).nullish(),
    contract: WireContract.nullish(),
    /** The number of repairs before this try: 0 for the first try. */
    repair: z
      .union([
        z.number().int().min(0).max(1_000),
        z.object({ iteration: z.number().int().min(0).max(1_000) }),
      ])
      .default(0)
      .transform((repair) => (typeof repair === 'number' ? repair : repair.iteration)),
    tool_results: z.array(ToolResult).max(codeLimits.toolResults).default([]),
    run_tests: z
      .object({
        runner: z.enum(testRunners),
        files: z.array(File).max(codeLimits.files).default([]),
        /**
         * Requires separate sandboxes for tests and code (S-88). If they cannot be isolated, the
         * gate is `neutral`, `unproven`.
         */
        isolated: z.boolean().default(false),
      })
      .nullish(),
    force: z.boolean().default(false),
    /**
     * The work is still being written: its compile gates run with a third of their deadlines, and
     * nothing is scored (QEL-33).
     */
    partial: z.boolean().default(false),
  })
  .superRefine(({ files, run_tests }, issues) => {
    const chars = [...files, ...(run_tests?.files ?? [])].reduce(
      (sum, { content }) => sum + content.length,
      0,
    );
    if (chars > codeLimits.allChars)
      issues.addIssue({
        code: 'custom',
        path: ['files'],
        message: `must have at most ${codeLimits.allChars} characters together, not ${chars}`,
      });
    const own = files.map(({ path }, i) => ({ path, at: ['files', i, 'path'] }));
    const tests = (run_tests?.files ?? []).flatMap(({ path, content }, i) =>
      files.some((file) => file.path === path && file.content === content)
        ? []
        : [{ path, at: ['run_tests', 'files', i, 'path'] }],
    );
    refuseClashes([...own, ...tests], issues);
  });
export type CodeSubject = z.infer<typeof CodeSubject>;

/** The model that wrote the code; null if unknown. */
export const modelOf = ({ model, executor_model }: CodeSubject): string | null =>
  model ?? executor_model ?? null;
