import type { Check } from './check';
import { jsonSchema } from './json-schema';
import { keywords } from './keywords';
import { maxLength, minLength } from './length';
import { regex } from './regex';
import { requiredSections } from './required-sections';
import { urlsValid } from './urls-valid';
import { wordCount } from './word-count';

/** Every deterministic check by its API name. A new check needs one file and one line here. */
const all: readonly Check[] = [
  regex,
  minLength,
  maxLength,
  wordCount,
  requiredSections,
  jsonSchema,
  urlsValid,
  keywords,
];

export const checks: ReadonlyMap<string, Check> = new Map(all.map((check) => [check.name, check]));
