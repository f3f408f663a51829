import { getBoxReport } from '../../queue';
import type { AlertKindRule, AlertFinding } from '../kind';
import { dayOf, windowStart } from '../window-start';
import { spanOf } from '../wording';

/**
 * No worker has a sandbox to run code in (S-85). Proof gates are then not run, which is neither a
 * pass nor a failure. Only for projects with code verification.
 */
export const sandboxDown: AlertKindRule = {
  kind: 'sandbox_down',
  severity: 'high',
  meaning: 'No worker has a sandbox, and code was verified recently: its proof gates do not run.',
  defaults: {
    enabled: true,
    limit: null,
    windowMinutes: 7 * 1440,
    noData: 'keep',
    renotifyMinutes: 1440,
  },
  limits: null,
  whenNotFound: 'no_data',
  async find({ project, now, ruleFor }): Promise<AlertFinding[]> {
    const { windowMinutes } = ruleFor('sandbox_down', null);
    const from = windowStart(now, windowMinutes);
    const [row] = await project.sql<{ used: boolean }[]>`
      select exists (
        select from verdict_rollups where project_id = ${project.projectId} and day >= ${dayOf(from)}::date and verifier_slug = 'code'
      ) as used`;
    const box = await getBoxReport(project);
    const shown = {
      series: 'box',
      name: 'The box for proof gates',
      verifier: null,
      limit: null,
      href: '/settings/work',
    };
    if (row?.used !== true) {
      return [
        {
          ...shown,
          state: 'ok',
          value: null,
          message: `No code was verified in ${spanOf(windowMinutes)}: no sandbox is needed.`,
          advice: null,
        },
      ];
    }
    switch (box.state) {
      case 'ready':
        return [
          {
            ...shown,
            state: 'ok',
            value: 0,
            message: 'A worker has a box that works.',
            advice: null,
          },
        ];
      case 'unknown':
        return [
          {
            ...shown,
            state: 'no_data',
            value: null,
            message: 'No worker has reported on its sandbox yet.',
            advice: null,
          },
        ];
      case 'missing':
      case 'failing': {
        const message = `No worker has a working sandbox: ${box.reason ?? 'it gave no reason'}`;
        return [
          {
            ...shown,
            state: 'alerting',
            value: 1,
            message,
            advice: box.fix ?? 'Proof gates do not run until one has.',
          },
        ];
      }
    }
  },
};
