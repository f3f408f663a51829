import { costUsd, latencyMs, stepCount, tokens } from './amounts';
import { bleu } from './bleu';
import { contains, notContains } from './contains';
import type { CustomCheck } from './definition';
import { editDistance } from './edit-distance';
import { equals } from './equals';
import { jsonPath } from './json-path';
import { language } from './language';
import { pii } from './pii';
import { refusal } from './refusal';
import { rouge } from './rouge';
import { textChecks } from './text-checks';
import { toolArguments, toolCalled, toolNotCalled, toolOrder } from './tools';
import { validJson } from './valid-json';
import { validLinks } from './valid-links';
import { validSql } from './valid-sql';
import { validYaml } from './valid-yaml';

/** Every check of custom verifiers, in the order of the reference. One line for each. */
const all: readonly CustomCheck[] = [
  contains,
  notContains,
  equals,
  editDistance,
  rouge,
  bleu,
  jsonPath,
  ...textChecks,
  validJson,
  validYaml,
  validSql,
  validLinks,
  toolCalled,
  toolNotCalled,
  toolArguments,
  toolOrder,
  stepCount,
  latencyMs,
  costUsd,
  tokens,
  language,
  refusal,
  pii,
];

export const customChecks: ReadonlyMap<string, CustomCheck> = new Map(
  all.map((check) => [check.name, check]),
);
