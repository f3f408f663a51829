import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../scripts/data-dir.mjs';

/** The alert rules and the dashboard of deploy/, as far as tests read them. */

const Rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
  annotations: z.strictObject({
    summary: z.string(),
    description: z.string(),
    runbook_url: z.url(),
  }),
});
export type Rule = z.infer<typeof Rule>;

const Target = z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() });
const Panel = z.object({
  id: z.number().int(),
  type: z.enum(['row', 'stat', 'timeseries']),
  title: z.string(),
  description: z.string().optional(),
  datasource: z.object({ type: z.string(), uid: z.string() }).optional(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }).optional(),
  targets: z.array(Target.extend({ datasource: z.object({ uid: z.string() }) })).default([]),
});
export type Panel = z.infer<typeof Panel>;

const read = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8');

export function readRules(): readonly Rule[] {
  return z
    .strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule) })) })
    .parse(parse(read('prometheus/alerts.yml')))
    .groups.flatMap(({ rules }) => rules);
}

export function readDashboard() {
  return z
    .object({
      uid: z.string(),
      title: z.string(),
      templating: z.object({
        list: z.array(z.object({ name: z.string(), type: z.string(), query: z.string() })),
      }),
      panels: z.array(Panel),
    })
    .parse(JSON.parse(read('grafana/assay.json')));
}
