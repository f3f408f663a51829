import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { ingestTurns } from '../ingest';
import { summariseProject } from './summarise';

const file = join(process.env.ASSAY_DATA ?? '../shared/data', 'integrity-quintd-openweather.jsonl');

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

test.skipIf(!existsSync(file))(
  'all 192 weather outputs, sent as turns with their source as a tool result, get a verdict (skipped: shared data not present)',
  async () => {
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            id: string;
            source: unknown;
            outputs: { model: string; text: string }[];
          },
      );
    const turns = rows.flatMap((row) =>
      row.outputs.map((output) => ({
        id: `${row.id}/${output.model}`,
        model: output.model,
        output: output.text,
        tools: [{ id: 'forecast', name: 'openweather', result: row.source }],
      })),
    );
    expect(turns).toHaveLength(192);
    const body = Buffer.from(JSON.stringify({ turns }));
    const taken = await ingestTurns(project, runtime.writer, {
      body,
      validUtf8: true,
      idempotencyKey: null,
      planTurns: runtime.rules.planTurns,
    });
    expect(taken).toEqual({ accepted: 192, duplicates: 0, conflicts: 0, rejected: [] });
    expect(await drainWork(runtime)).toBe(192);
    const overview = await summariseProject(project, { days: 1 });
    expect(overview.outcomes.passed + overview.outcomes.failed).toBe(192);
    expect(overview.answers).toBe(192);
    expect(overview.figures).toBeGreaterThan(2_000);
    expect(overview.byModel).toHaveLength(4);
  },
);
