// The alert rules and the dashboard of deploy/ against the metrics that the product exports.
import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { testWith } from '../../../testing/fixture';
import { readDashboard, readRules } from '../../../testing/monitoring-files';
import { type Exported, findMissing, readExported } from '../../../testing/promql';

const token = 'operator-token-of-the-tests';
const test = testWith({ ASSAY_OPERATOR_TOKEN: token });
let exported: Exported;

test.beforeAll(async ({ runtime }) => {
  const response = await appOf(runtime).request('/metrics', {
    headers: { authorization: `Bearer ${token}` },
  });
  exported = readExported(await response.text());
});

test('alert rules read metrics, labels and label values that are exported', () => {
  const rules = readRules();
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, expr } of rules) expect(findMissing(expr, exported), alert).toEqual([]);
});

test('panels read metrics, labels and label values that are exported', () => {
  const targets = readDashboard().panels.flatMap(({ title, targets: own }) =>
    own.map(({ expr }) => ({ title, expr })),
  );
  expect(targets.length).toBeGreaterThan(10);
  for (const { title, expr } of targets) expect(findMissing(expr, exported), title).toEqual([]);
});

test('an alert rule or a panel reads every exported metric', () => {
  const expressions = [
    ...readRules().map(({ expr }) => expr),
    ...readDashboard().panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ].join('\n');
  const unread = [...exported.keys()].filter((name) => !expressions.includes(name));
  expect(exported.size).toBeGreaterThan(5);
  expect(unread).toEqual([]);
});

test('a metric, a label or a value that does not exist is found', () => {
  const missing = (expr: string): readonly string[] => findMissing(expr, exported);
  expect(missing('assay_works > 1')).toEqual(['assay_works']);
  expect(missing('rate(assay_work{line="fast"}[5m])')).toEqual(['assay_work{line="fast"}']);
  expect(missing('assay_work{lane="quick"}')).toEqual(['assay_work{lane="quick"}']);
  expect(missing('max by (state) (assay_workers)')).toEqual(['assay_workers by state']);
  expect(missing('up{job="assay"} == 0')).toEqual([]);
  expect(() => missing('max by (lane (assay_work)')).toThrow('no valid PromQL');
});
