import type { Page } from '@playwright/test';
import { project } from './instance';
import { agentTrace, externalSession, hostileTrace, largeTrace, silentTrace } from './spans';

const base = `/p/${project.slug}`;

/** Every page that a signed-in person can open; verdicts by a text of their answer. */
export const pages = [
  { name: 'overview', path: base },
  { name: 'verdicts', path: `${base}/verdicts` },
  { name: 'verdicts-filtered-out', path: `${base}/verdicts?text=nothing+has+this` },
  { name: 'review', path: `${base}/review` },
  { name: 'review-policy', path: `${base}/review/policy?verifier=integrity` },
  { name: 'alerts', path: `${base}/alerts` },
  { name: 'datasets', path: `${base}/datasets` },
  { name: 'calibration', path: `${base}/calibration` },
  { name: 'calibration-verifier', path: `${base}/calibration/verifier?verifier=integrity&days=30` },
  { name: 'calibration-rows', path: `${base}/calibration/rows?verifier=integrity&cell=labelled` },
  { name: 'thresholds', path: `${base}/thresholds` },
  { name: 'threshold', path: `${base}/thresholds?verifier=task&key=pass_threshold&value=0.6` },
  { name: 'experiments', path: `${base}/experiments` },
  { name: 'experiment-new', path: `${base}/experiments/new` },
  { name: 'experiments-compare', path: `${base}/experiments/compare` },
  { name: 'playground', path: `${base}/playground` },
  { name: 'reports', path: `${base}/reports` },
  { name: 'prompts', path: `${base}/prompts` },
  { name: 'prompt', path: `${base}/prompts/task-rubric` },
  { name: 'models', path: `${base}/models` },
  { name: 'verifiers', path: `${base}/verifiers` },
  { name: 'verifier', path: `${base}/verifiers/task` },
  { name: 'verifier-new', path: `${base}/verifiers/new` },
  { name: 'rules', path: `${base}/rules` },
  { name: 'rule-decisions', path: `${base}/rules/integrity` },
  { name: 'traces', path: `${base}/traces` },
  { name: 'trace', path: `${base}/traces/${agentTrace}` },
  { name: 'trace-hostile', path: `${base}/traces/${hostileTrace}` },
  { name: 'trace-large', path: `${base}/traces/${largeTrace}` },
  { name: 'trace-silent', path: `${base}/traces/${silentTrace}` },
  { name: 'sessions', path: `${base}/sessions` },
  { name: 'session', path: `${base}/sessions/night-watch` },
  { name: 'session-external', path: `${base}/sessions/${externalSession}` },
  { name: 'checkpoints', path: `${base}/checkpoints` },
  { name: 'gateway', path: `${base}/gateway` },
  { name: 'gateway-calls', path: `${base}/gateway/calls` },
  { name: 'gateway-route', path: `${base}/gateway/routes/openai` },
  { name: 'gateway-new-route', path: `${base}/gateway/new-route` },
  { name: 'received', path: `${base}/received` },
  { name: 'turn', path: `${base}/turns/e2e-first` },
  { name: 'settings-keys', path: `${base}/settings/keys` },
  { name: 'settings-members', path: `${base}/settings/members` },
  { name: 'settings-integrity', path: `${base}/settings/integrity` },
  { name: 'settings-providers', path: `${base}/settings/providers` },
  { name: 'settings-models', path: `${base}/settings/models` },
  { name: 'settings-judging', path: `${base}/settings/judging` },
  { name: 'settings-review', path: `${base}/settings/review` },
  { name: 'settings-alerts', path: `${base}/settings/alerts` },
  { name: 'settings-work', path: `${base}/settings/work` },
  { name: 'settings-webhooks', path: `${base}/settings/webhooks` },
  { name: 'settings-slack', path: `${base}/settings/slack` },
  { name: 'settings-data', path: `${base}/settings/data` },
  { name: 'settings-audit', path: `${base}/settings/audit` },
  { name: 'project-new', path: '/projects/new' },
  { name: 'account', path: '/account' },
  { name: 'verdict-failed', verdict: 'web-1 is at 91.4%' },
  { name: 'verdict-envelope', verdict: 'web-1 has 17.2 GiB' },
  { name: 'verdict-hostile', verdict: 'script>alert' },
  { name: 'verdict-large', verdict: 'Sensor s-399' },
  { name: 'verdict-plain', verdict: 'You are welcome' },
] as const;

export type PageToSee = (typeof pages)[number];

export async function open(page: Page, to: PageToSee): Promise<void> {
  if ('path' in to) {
    await page.goto(to.path);
  } else {
    await page.goto(`${base}/verdicts?text=${encodeURIComponent(to.verdict)}`);
    const href = await page
      .getByRole('table', { name: 'Verdicts' })
      .getByRole('link')
      .first()
      .getAttribute('href');
    await page.goto(href ?? '/');
  }
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}
