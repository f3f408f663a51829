import type { SubjectTool } from '../../../domain';
import { readFileEdits } from './index';

let calls = 0;
/** A tool call; ids count up. */
export function call(
  name: string,
  args: unknown,
  result: unknown = 'ok',
  error: string | null = null,
): SubjectTool & { readonly id: string } {
  calls++;
  return {
    id: `c${calls}`,
    name,
    arguments: args,
    result,
    error,
    started_at: null,
    duration_ms: null,
  };
}

export const filesOf = (
  tools: readonly SubjectTool[],
  output: unknown = '',
): Record<string, string> =>
  Object.fromEntries(
    readFileEdits({ tools, output }).files.map(({ path, content }) => [path, content]),
  );
export const problemsOf = (tools: readonly SubjectTool[], output: unknown = ''): string[] =>
  readFileEdits({ tools, output }).notes.map(({ path, problem }) => `${path}: ${problem}`);

export const before = 'import os\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n';
export const after = 'import os\n\ndef f():\n    return 10\n\ndef g():\n    return 2\n';
export const edit = { old_string: '    return 1\n', new_string: '    return 10\n' };
export const blocks = (open: string, close: string): string =>
  `${open} SEARCH\n    return 1\n=======\n    return 10\n${close} REPLACE`;
