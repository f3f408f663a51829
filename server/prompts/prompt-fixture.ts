import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PromptDefaults, readPromptDefaults } from './defaults';

/** Prompts for tests that are not part of a release. */

export const rubricBody = `---
title: Rubric
description: Scores each criterion from 0 to 1.
variables: [task, output]
optional: [context]
output: rubric
---
# How to judge

The task was {{task}}.
It gave {{output}}.
`;

/** A prompt of an application. */
export const applicationBody = `---
title: Refund answers
description: Answers questions about refunds.
optional: [host]
output: message
---
## system
You answer for {{host}}.

Policy: {{context}}

## user
{{input}}
`;

/** The rubric with `words` appended. */
export const rubricWith = (words: string): string => `${rubricBody}${words}\n`;

/** Defaults read from files: path below the folder to content. */
export function defaultsOf(files: Readonly<Record<string, string>>): PromptDefaults {
  const folder = mkdtempSync(join(tmpdir(), 'assay-prompts-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return readPromptDefaults(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
