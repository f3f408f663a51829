import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../scripts/data-dir.mjs';
import { readVariables } from '../testing/manifests';
import type { Service } from './local-services';

const InFile = z.object({
  command: z.array(z.string()),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});

/**
 * The services of deploy/compose.yaml.
 * @param secrets values that an operator writes into deploy/.env; the rest is as in
 *   deploy/env.example
 */
export function readCompose(
  secrets: Readonly<Record<string, string>>,
): Readonly<Record<string, Service>> {
  const example = readFileSync(join(root, 'deploy', 'env.example'), 'utf8');
  const variables = { ...readVariables(example.split('\n')), ...secrets };
  const text = readFileSync(join(root, 'deploy', 'compose.yaml'), 'utf8').replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_all, name: string, kind: string | undefined, rest: string) => {
      const value = variables[name] ?? '';
      if (value !== '') return value;
      if (kind === '?')
        throw new Error(
          `deploy/env.example has no ${name}, which deploy/compose.yaml needs: ${rest}`,
        );
      return rest;
    },
  );
  const { services } = z
    .object({ services: z.record(z.string(), InFile) })
    .parse(parse(text, { merge: true }));
  return Object.fromEntries(
    Object.entries(services).map(([name, { command, environment, depends_on, healthcheck }]) => {
      for (const [other, { condition }] of Object.entries(depends_on))
        expect(condition, `${name} needs ${other}`).toBe(
          services[other]?.healthcheck === undefined
            ? 'service_completed_successfully'
            : 'service_healthy',
        );
      const [how = 'CMD', ...check] = healthcheck?.test ?? [];
      expect(how).toBe('CMD');
      return [
        name,
        {
          command,
          environment: ['postgres', 'redis'].includes(name)
            ? environment
            : { ...variables, ...environment },
          needs: Object.keys(depends_on),
          checks: check.length === 0 ? [] : [check],
        },
      ];
    }),
  );
}
