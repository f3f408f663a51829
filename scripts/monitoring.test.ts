// Requirements on deploy/prometheus and deploy/grafana beyond the metrics that they read
// (server/api/http/monitoring.int.test.ts). With Debian's package `prometheus`, promtool also runs
// the cases of alerts.test.yml.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readDashboard, readRules, type Panel } from '../testing/monitoring-files';
import { readPromql } from '../testing/promql';
import { root } from './data-dir.mjs';

const folder = join(root, 'deploy', 'prometheus');
const rules = readRules();
const page = readFileSync(join(root, 'docs', 'how-to', 'monitor.md'), 'utf8');

/** Labels of an alert or a series: those of its aggregations, or all of them. */
function hasLabel(expr: string, label: string): boolean {
  const { groupings, selectors } = readPromql(expr);
  if (groupings.some(({ labels }) => labels.includes(label))) return true;
  return (
    groupings.length === 0 &&
    !/\b(?:max|min|sum|count|avg|absent)\(/.test(expr) &&
    (['job', 'instance'].includes(label) ||
      selectors.some(({ matchers }) => matchers.some((matcher) => matcher.label === label)))
  );
}

describe('deploy/prometheus/alerts.yml', () => {
  test('names are unique and begin with the name of the product', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^Assay[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  test.each(rules)('$alert: summary and description', ({ expr, annotations }) => {
    const { summary, description } = annotations;
    expect(summary.length).toBeLessThanOrEqual(100);
    expect(summary).not.toMatch(/\.$/);
    expect(description).toMatch(/\.$/);
    const labels = Array.from(
      `${summary} ${description}`.matchAll(/\$labels\.(\w+)/g),
      ([, label = '']) => label,
    );
    expect(labels.filter((label) => !hasLabel(expr, label))).toEqual([]);
  });

  test.each(rules)('$alert: the link leads to a heading of the documentation', (rule) => {
    const { pathname, hash } = new URL(rule.annotations.runbook_url);
    expect(pathname).toBe('/docs/how-to/monitor');
    const headings = Array.from(page.matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toContain(hash.slice(1));
  });

  test.each(rules.map(({ alert }) => alert))(
    '%s has a case that fires and one that does not',
    (alert) => {
      const { tests } = z
        .object({
          tests: z.array(
            z.object({
              promql_expr_test: z.array(
                z.object({ expr: z.string(), exp_samples: z.array(z.unknown()) }),
              ),
            }),
          ),
        })
        .parse(parse(readFileSync(join(folder, 'alerts.test.yml'), 'utf8')));
      const counts = tests
        .flatMap(({ promql_expr_test: cases }) => cases)
        .filter(({ expr }) => expr === `count(ALERTS{alertname="${alert}",alertstate="firing"})`)
        .map(({ exp_samples: samples }) => samples.length);
      expect(counts).toContain(0);
      expect(counts).toContain(1);
    },
  );
});

const promtool = (process.env.PATH ?? '')
  .split(delimiter)
  .map((path) => join(path, 'promtool'))
  .find((path) => existsSync(path));

// The tests do not install it: the package includes a server of 100 MB.
describe.skipIf(promtool === undefined)('promtool', () => {
  const run = (...args: string[]): string =>
    execFileSync(promtool ?? '', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

  test('accepts the rules and the scrape configuration', () => {
    expect(run('check', 'rules', 'alerts.yml')).toContain(`${rules.length} rules found`);
    expect(run('check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS');
  });

  test('the rules fire in the cases of alerts.test.yml, and only then', () => {
    expect(run('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });
});

describe('deploy/grafana/assay.json', () => {
  const dashboard = readDashboard();
  const { panels } = dashboard;
  const charts = panels.filter(({ type }) => type !== 'row');

  test('ids are unique, and every panel takes its data from the variable', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(dashboard.templating.list).toMatchObject([
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
    ]);
    const sources = charts.flatMap(({ datasource, targets }) => [
      datasource?.uid,
      ...targets.map((target) => target.datasource.uid),
    ]);
    expect(new Set(sources)).toEqual(new Set(['${datasource}']));
  });

  test.each(charts)('panel $title has a unit, a description, and names for its series', (panel) => {
    expect(panel.title).toMatch(/^[A-Z][a-z]+(?: [a-z]+)*$/);
    expect(panel.description).toMatch(/^[A-Z].*\.$/);
    expect(panel.fieldConfig?.defaults.unit ?? '').toMatch(/^(?:none|short|s|bytes|percentunit)$/);
    expect(panel.targets.length).toBeGreaterThan(0);
    for (const { expr, legendFormat } of panel.targets)
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        expect(hasLabel(expr, label), label).toBe(true);
  });

  test('no two panels overlap, and none is wider than the page', () => {
    const overlap = (a: Panel, b: Panel): boolean =>
      a.gridPos.x < b.gridPos.x + b.gridPos.w &&
      b.gridPos.x < a.gridPos.x + a.gridPos.w &&
      a.gridPos.y < b.gridPos.y + b.gridPos.h &&
      b.gridPos.y < a.gridPos.y + a.gridPos.h;
    for (const [index, panel] of panels.entries()) {
      expect(panel.gridPos.x + panel.gridPos.w, panel.title).toBeLessThanOrEqual(24);
      const others = panels.slice(index + 1).filter((other) => overlap(panel, other));
      expect(others.map(({ title }) => title)).toEqual([]);
    }
  });
});
