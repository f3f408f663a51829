import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PromptFront } from './front-matter';
import { readPrompt } from './read';

/** A prompt as shipped with this release: version 0 in every project. */
export interface PromptDefault extends PromptBase {
  readonly version: 0;
}

/** The version of a prompt that runs until another one is promoted. */
export interface PromptBase {
  /** 0: the text of the release; 1: the first version of a prompt of the project. */
  readonly version: 0 | 1;
  /** `<kind>-<name>`, or the slug of the project's custom verifier or application prompt. */
  readonly slug: string;
  /** The kind of the verifier that uses it, or `application`. */
  readonly kind: string;
  readonly body: string;
  readonly front: PromptFront;
  readonly text: string;
}

/** By slug, in their order. */
export type PromptDefaults = ReadonlyMap<string, PromptDefault>;

const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Reads `prompts/<kind>/<name>.md`, once per process: a release with broken prompts must not start.
 * @throws Error naming the file and the line
 */
export function readPromptDefaults(folder = findPromptsFolder()): PromptDefaults {
  const defaults = new Map<string, PromptDefault>();
  for (const kind of namesIn(folder)) {
    for (const file of namesIn(join(/* turbopackIgnore: true */ folder, kind))) {
      const path = `prompts/${kind}/${file}`;
      const name = file.replace(/\.md$/, '');
      if (name === file || !plainName.test(name) || !plainName.test(kind))
        throw new Error(
          `${path}: a prompt is <kind>/<name>.md, of lower-case letters, digits and hyphens`,
        );
      const slug = `${kind}-${name}`;
      if (defaults.has(slug)) throw new Error(`${path}: there is a prompt "${slug}" already`);
      defaults.set(slug, {
        version: 0,
        slug,
        kind,
        ...readFile(join(/* turbopackIgnore: true */ folder, kind, file), path),
      });
    }
  }
  return new Map([...defaults].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readFile(file: string, path: string): Pick<PromptDefault, 'body' | 'front' | 'text'> {
  const body = readFileSync(file, 'utf8');
  const read = readPrompt(body, null);
  if (read.state === 'valid') return { body, front: read.front, text: read.text };
  const [issue] = read.issues;
  throw new Error(
    `${path}${issue?.line == null ? '' : `, line ${issue.line}`}: ${issue?.message ?? 'not valid'}`,
  );
}

/** Hidden files, such as those of a file manager, are not prompts. */
function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
}

/**
 * The folder is next to this release's `package.json`, whether the code runs from source, from the
 * bundles in `dist/` or under Next.
 */
function findPromptsFolder(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const prompts = join(folder, 'prompts');
    if (existsSync(join(folder, 'package.json')) && existsSync(prompts)) return prompts;
    if (dirname(folder) === folder)
      throw new Error('the folder prompts/ of this release is missing');
  }
}
